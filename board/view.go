package board

import (
	"cmp"
	"iter"

	"waybill/model"
)

// View is the rows that match a filter, sorted. It is immutable, like the snapshot it was made from; Follow makes the view
// of a newer snapshot at the cost of what changed.
type View[R any] struct {
	spec   viewSpec[R]
	base   Rows[R]
	madeAt model.Millis
	list   sortedRows[R]
}

// viewSpec is what a view shows, as functions of a row and the moment the view is made for.
type viewSpec[R any] struct {
	rowType RowType[R]
	filter  Filter
	sort    Sort
	id      func(*R) model.ID
	match   func(*R, model.Millis) bool
	key     sortFunc[R]
	timed   bool // time alone changes the order
}

func (s *viewSpec[R]) entry(row *R, now model.Millis) entry[R] {
	key := s.key(row, now)
	if s.sort.Desc {
		key = key.reversed()
	}
	return entry[R]{key, row}
}

// compare compares most entries by their number, without a call.
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

// BuildTasks starts a view of tasks.
func BuildTasks(s *Snapshot, filter Filter, sort Sort) *Build[TaskRow] {
	return TaskRows().Build(s, filter, sort)
}

// BuildWorkers starts a view of workers.
func BuildWorkers(s *Snapshot, filter Filter, sort Sort) *Build[WorkerRow] {
	return WorkerRows().Build(s, filter, sort)
}

// BuildOrders starts a view of orders.
func BuildOrders(s *Snapshot, filter Filter, sort Sort) *Build[OrderRow] {
	return OrderRows().Build(s, filter, sort)
}

// Filter returns the filter of the view.
func (v *View[R]) Filter() Filter { return v.spec.filter }

// Sort returns the sort of the view.
func (v *View[R]) Sort() Sort { return v.spec.sort }

// Len returns how many rows the view has.
func (v *View[R]) Len() int { return v.list.size }

// At returns the row at a position from 0 to Len-1.
func (v *View[R]) At(position int) *R { return v.list.at(position).row }

// Window returns up to height rows from top on.
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

// All returns the rows in order.
func (v *View[R]) All() iter.Seq[*R] { return v.From(0) }

// From returns the rows from a position on, in order.
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

// Position returns the position of a row by its id; false when the view does not have it.
func (v *View[R]) Position(id model.ID) (int, bool) {
	row := v.base.Get(id)
	if row == nil {
		return 0, false
	}
	chunk, place, found := v.findRow(row)
	if !found {
		return 0, false
	}
	return v.list.starts[chunk] + place, true
}

func (v *View[R]) findRow(row *R) (chunk, place int, found bool) {
	at := v.spec.entry(row, v.madeAt)
	return v.list.findEntry(&at, v.spec.compare)
}

// Timed reports that time alone changes the view: its filter compares durations, or its sort depends on the clock. Build
// such a view again from time to time, in the background.
func (v *View[R]) Timed() bool { return v.spec.timed }

// followLimit is how many changed rows Follow applies one by one; for more, a new build is faster.
const followLimit = 2048

// Follow returns the view of newer rows. Its cost depends on what changed. When that is too much it returns false: start a
// new build and show the old view meanwhile.
func (v *View[R]) Follow(rows Rows[R]) (*View[R], bool) {
	var moves []move[R]
	v.base.differences(rows, func(before, after *R) bool {
		moves = append(moves, v.planMove(before, after))
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
	// Removals come first, because a row may have moved to another slot and must not meet its old entry.
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
	next.list = edit.finish()
	return &next, true
}

// move is how the position of a row changes.
type move[R any] struct {
	from, to entry[R]
	was, is  bool
	stays    bool // the position stays the same
}

func (v *View[R]) planMove(before, after *R) move[R] {
	var m move[R]
	m.from, m.was = v.entryOf(before)
	m.to, m.is = v.entryOf(after)
	m.stays = m.was && m.is && m.from.key == m.to.key && v.spec.id(before) == v.spec.id(after)
	return m
}

func (v *View[R]) entryOf(row *R) (entry[R], bool) {
	if row == nil || !v.spec.match(row, v.madeAt) {
		return entry[R]{}, false
	}
	return v.spec.entry(row, v.madeAt), true
}

// Change starts a view with another filter or sort. A filter that narrows this one scans only the rows of this view, which
// are already sorted if the sort stays the same.
func (v *View[R]) Change(rows Rows[R], now model.Millis, filter Filter, sort Sort) *Build[R] {
	next := v.spec.rowType.viewSpec(filter, sort)
	if next.timed || v.spec.timed || !filter.narrows(&v.spec.filter) {
		return newBuild(rows, now, next)
	}
	b := newBuild(v.base, v.madeAt, next)
	b.source, b.inOrder = v.list.chunks, next.sort == v.spec.sort
	b.target = &rows
	return b
}
