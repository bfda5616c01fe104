package board

import (
	"cmp"
	"iter"

	"waybill/model"
)

// View is the rows that a filter lets through, in order. It is immutable, like the snapshot it was made from; Follow
// makes the view of a newer snapshot at the cost of what changed between the two.
type View[R any] struct {
	spec viewSpec[R]
	base Rows[R]
	asOf model.Millis
	list sortedRows[R]
}

// viewSpec is what a view shows, as functions of a row alone and of the moment it is made for.
type viewSpec[R any] struct {
	filter Filter
	sort   Sort
	id     func(*R) model.ID
	match  func(*Filter, *R, model.Millis) bool
	keys   func(Column) func(*R, model.Millis) sortKey
	key    func(*R, model.Millis) sortKey
}

func (s *viewSpec[R]) entry(row *R, now model.Millis) entry[R] {
	key := s.key(row, now)
	if s.sort.Desc {
		key = key.reversed()
	}
	return entry[R]{key, row}
}

// compare settles most pairs by the number, without a call.
func (s *viewSpec[R]) compare(a, b *entry[R]) int {
	if a.key.number < b.key.number {
		return -1
	}
	if a.key.number > b.key.number {
		return 1
	}
	return s.compareEqual(a, b)
}

func (s *viewSpec[R]) compareEqual(a, b *entry[R]) int {
	if a.row == b.row {
		return 0
	}
	if order := compareFolded(a.key.text, b.key.text); order != 0 {
		if s.sort.Desc {
			return -order
		}
		return order
	}
	return cmp.Compare(s.id(a.row), s.id(b.row))
}

func (s *viewSpec[R]) clocked() bool { return s.sort.clocked() || s.filter.clocked() }

// BuildTasks starts a view of tasks.
func BuildTasks(s *Snapshot, filter Filter, sort Sort) *Build[TaskRow] {
	return newBuild(s.Tasks, s.Now, taskSpec(filter, sort.in(filter.pane)))
}

// BuildWorkers starts a view of workers.
func BuildWorkers(s *Snapshot, filter Filter, sort Sort) *Build[WorkerRow] {
	return newBuild(s.Workers, s.Now, workerSpec(filter, sort))
}

// BuildOrders starts a view of orders.
func BuildOrders(s *Snapshot, filter Filter, sort Sort) *Build[OrderRow] {
	return newBuild(s.Orders, s.Now, orderSpec(filter, sort))
}

func taskSpec(filter Filter, sort Sort) viewSpec[TaskRow] {
	return viewSpec[TaskRow]{
		filter: filter, sort: sort,
		id:    func(r *TaskRow) model.ID { return r.ID },
		match: (*Filter).MatchTask, keys: taskSortKey, key: taskSortKey(sort.Column),
	}
}

func workerSpec(filter Filter, sort Sort) viewSpec[WorkerRow] {
	return viewSpec[WorkerRow]{
		filter: filter, sort: sort,
		id:    func(r *WorkerRow) model.ID { return r.ID },
		match: (*Filter).MatchWorker, keys: workerSortKey, key: workerSortKey(sort.Column),
	}
}

func orderSpec(filter Filter, sort Sort) viewSpec[OrderRow] {
	return viewSpec[OrderRow]{
		filter: filter, sort: sort,
		id:    func(r *OrderRow) model.ID { return r.ID },
		match: (*Filter).MatchOrder, keys: orderSortKey, key: orderSortKey(sort.Column),
	}
}

// Filter is the filter of the view.
func (v *View[R]) Filter() Filter { return v.spec.filter }

// Sort is the order of the view.
func (v *View[R]) Sort() Sort { return v.spec.sort }

// Len is how many rows the filter lets through.
func (v *View[R]) Len() int { return v.list.size }

// At is the row at a position from 0 to Len-1.
func (v *View[R]) At(position int) *R { return v.list.at(position).row }

// Window is the rows from top on, as many as fit into height.
func (v *View[R]) Window(top, height int) []*R {
	top = max(0, top)
	if top >= v.Len() || height <= 0 {
		return nil
	}
	rows := make([]*R, 0, min(height, v.Len()-top))
	for row := range v.From(top) {
		if len(rows) == cap(rows) {
			break
		}
		rows = append(rows, row)
	}
	return rows
}

// All walks over the rows in order.
func (v *View[R]) All() iter.Seq[*R] { return v.From(0) }

// From walks over the rows in order, beginning at a position.
func (v *View[R]) From(position int) iter.Seq[*R] {
	return func(yield func(*R) bool) {
		for i, chunk := range v.list.chunks {
			for at := max(0, position-v.list.starts[i]); at < len(chunk); at++ {
				if !yield(chunk[at].row) {
					return
				}
			}
		}
	}
}

// Position is where the row of that id is; false when the view does not show it.
func (v *View[R]) Position(id model.ID) (int, bool) {
	row := v.base.Get(id)
	if row == nil {
		return 0, false
	}
	chunk, place, found := v.find(row)
	if !found {
		return 0, false
	}
	return v.list.starts[chunk] + place, true
}

// Near is the position of a row that the view may no longer show: its own, or else that of the row which has come to
// stand where it would be. It is how a cursor stays where the eye is. It is -1 in an empty view.
func (v *View[R]) Near(row *R) int {
	if v.Len() == 0 {
		return -1
	}
	if at, ok := v.Position(v.spec.id(row)); ok {
		return at
	}
	chunk, place, _ := v.find(row)
	return min(v.list.starts[chunk]+place, v.Len()-1)
}

func (v *View[R]) find(row *R) (chunk, place int, found bool) {
	at := v.spec.entry(row, v.asOf)
	return v.list.find(&at, v.spec.compare)
}

// MadeAt is the moment the view was made for.
func (v *View[R]) MadeAt() model.Millis { return v.asOf }

// Clocked reports that the view depends on the time: its filter speaks of minutes, or it is sorted by what is left of
// them. Such a view should be built again every so often, in the background.
func (v *View[R]) Clocked() bool { return v.spec.clocked() }

// followLimit is how many changed rows a view follows one by one; beyond it building anew is quicker.
const followLimit = 2048

// Follow is the view of newer rows of the same table. It takes time in proportion to what changed. When that is too
// much to do while someone waits it returns false: build anew, and go on showing the old view meanwhile.
func (v *View[R]) Follow(rows Rows[R]) (*View[R], bool) {
	var moves []move[R]
	v.base.differences(rows, func(before, after *R) bool {
		moves = append(moves, v.move(before, after))
		return len(moves) <= followLimit
	})
	if len(moves) > followLimit {
		return v, false
	}
	next := *v
	next.base = rows
	if len(moves) == 0 {
		return &next, true
	}
	// All that goes, goes first: a row that came back in another slot must not meet its old self.
	edit := v.list.edit(next.spec.compare)
	for i := range moves {
		if m := &moves[i]; m.was && !m.stays {
			edit.remove(m.from)
		}
	}
	for i := range moves {
		switch m := &moves[i]; {
		case m.stays:
			edit.replace(m.to)
		case m.is:
			edit.insert(m.to)
		}
	}
	next.list = edit.done()
	return &next, true
}

// move is what becomes of a row's place when the row changes.
type move[R any] struct {
	from, to entry[R]
	was, is  bool
	stays    bool // the new version has the place of the old
}

func (v *View[R]) move(before, after *R) move[R] {
	var m move[R]
	m.from, m.was = v.place(before)
	m.to, m.is = v.place(after)
	m.stays = m.was && m.is && m.from.key == m.to.key && v.spec.id(before) == v.spec.id(after)
	return m
}

func (v *View[R]) place(row *R) (entry[R], bool) {
	if row == nil || !v.spec.match(&v.spec.filter, row, v.asOf) {
		return entry[R]{}, false
	}
	return v.spec.entry(row, v.asOf), true
}

// Change starts the view of a snapshot under another filter or sort, and begins with what this view already knows: a
// filter that only narrows looks at the rows shown now, and they are in order already if the sort stays.
func (v *View[R]) Change(rows Rows[R], now model.Millis, filter Filter, sort Sort) *Build[R] {
	next := v.spec
	sort = sort.in(filter.pane)
	next.filter, next.sort = filter, sort
	next.key = next.keys(sort.Column)
	if next.clocked() || v.spec.clocked() || !filter.narrows(&v.spec.filter) {
		return newBuild(rows, now, next)
	}
	b := newBuild(v.base, v.asOf, next)
	b.source, b.inOrder = v.list.chunks, sort == v.spec.sort
	b.latest = &rows
	return b
}
