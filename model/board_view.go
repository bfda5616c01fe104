package model

import (
	"cmp"
	"context"
	"iter"
	"runtime"
	"slices"
)

// View is the rows that a filter lets through, in order. It is immutable, like the snapshot it was made from; Follow
// makes the view of a newer snapshot at the cost of what changed between the two.
type View[R any] struct {
	spec viewSpec[R]
	base Rows[R]
	asOf Millis
	list sortedRows[R]
}

// viewSpec is what a view shows, as functions of a row alone and of the moment it is made for.
type viewSpec[R any] struct {
	filter Filter
	sort   Sort
	id     func(*R) ID
	match  func(*Filter, *R, Millis) bool
	keys   func(Column) func(*R, Millis) sortKey
	key    func(*R, Millis) sortKey
}

func (s *viewSpec[R]) entry(row *R, now Millis) entry[R] {
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
		id:    func(r *TaskRow) ID { return r.ID },
		match: (*Filter).MatchTask, keys: taskSortKey, key: taskSortKey(sort.Column),
	}
}

func workerSpec(filter Filter, sort Sort) viewSpec[WorkerRow] {
	return viewSpec[WorkerRow]{
		filter: filter, sort: sort,
		id:    func(r *WorkerRow) ID { return r.ID },
		match: (*Filter).MatchWorker, keys: workerSortKey, key: workerSortKey(sort.Column),
	}
}

func orderSpec(filter Filter, sort Sort) viewSpec[OrderRow] {
	return viewSpec[OrderRow]{
		filter: filter, sort: sort,
		id:    func(r *OrderRow) ID { return r.ID },
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
func (v *View[R]) Position(id ID) (int, bool) {
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

// AsOf is the moment the view was made for.
func (v *View[R]) AsOf() Millis { return v.asOf }

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
func (v *View[R]) Change(rows Rows[R], now Millis, filter Filter, sort Sort) *Build[R] {
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

// Build is a view being made, in steps as small as one likes, on any goroutine.
type Build[R any] struct {
	spec viewSpec[R]
	base Rows[R]
	asOf Millis

	source  [][]entry[R] // rows to look through; nil for the whole table
	inOrder bool         // source is in the wanted order already
	latest  *Rows[R]     // what to follow to at the end, when base is older
	chunk   int          // how far the looking has come

	found []entry[R]
	run   int // where the unsorted end of found begins
	merge mergePass[R]
	view  *View[R]
}

const (
	sortRun   = 1024
	stepWork  = 2048
	mergeWork = 2 // entries merged at the cost of one row looked at
)

func newBuild[R any](rows Rows[R], now Millis, spec viewSpec[R]) *Build[R] {
	b := &Build[R]{spec: spec, base: rows, asOf: now}
	if spec.filter.Empty() {
		b.found = make([]entry[R], 0, rows.Len())
	}
	return b
}

// Step works through about as many rows as budget says and reports whether the view is ready. Two thousand rows take
// a fraction of a millisecond.
func (b *Build[R]) Step(budget int) bool {
	for b.view == nil && budget > 0 {
		switch {
		case !b.looked():
			budget -= b.look()
		case b.run < len(b.found) && !b.inOrder:
			b.closeRun()
		case !b.inOrder && !b.merge.ready(&b.found):
			budget -= b.merge.some(b.spec.compare, budget*mergeWork)/mergeWork + 1
		default:
			b.finish()
		}
	}
	return b.view != nil
}

// Run builds to the end, giving way to others between steps. It stops when the context does.
func (b *Build[R]) Run(ctx context.Context) (*View[R], error) {
	for !b.Step(stepWork) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		runtime.Gosched()
	}
	return b.view, nil
}

// View is the finished view; nil until a Step has returned true.
func (b *Build[R]) View() *View[R] { return b.view }

// Now builds to the end at once.
func (b *Build[R]) Now() *View[R] {
	for !b.Step(stepWork) { //nolint:revive // each step is the work
	}
	return b.view
}

func (b *Build[R]) looked() bool {
	if b.source != nil {
		return b.chunk >= len(b.source)
	}
	return b.chunk >= len(b.base.chunks)
}

// look goes through one chunk of rows and keeps those that match, in sorted runs.
func (b *Build[R]) look() int {
	seen := chunkSize
	if b.source != nil {
		for i := range b.source[b.chunk] {
			b.consider(b.source[b.chunk][i].row)
		}
		seen = len(b.source[b.chunk])
	} else {
		for _, row := range b.base.chunks[b.chunk] {
			if row != nil {
				b.consider(row)
			}
		}
	}
	b.chunk++
	if len(b.found)-b.run >= sortRun && !b.inOrder {
		b.closeRun()
	}
	return seen
}

func (b *Build[R]) consider(row *R) {
	if b.spec.match(&b.spec.filter, row, b.asOf) {
		b.found = append(b.found, b.spec.entry(row, b.asOf))
	}
}

func (b *Build[R]) closeRun() {
	run := b.found[b.run:]
	slices.SortFunc(run, func(x, y entry[R]) int { return b.spec.compare(&x, &y) })
	b.merge.runs = append(b.merge.runs, b.run)
	b.run = len(b.found)
}

func (b *Build[R]) finish() {
	view := &View[R]{spec: b.spec, base: b.base, asOf: b.asOf, list: newSortedRows(b.found)}
	if b.latest != nil {
		followed, ok := view.Follow(*b.latest)
		if !ok {
			// The table moved on too far to be followed: look through all of it after all.
			*b = *newBuild(*b.latest, b.asOf, b.spec)
			return
		}
		view = followed
	}
	b.view, b.found = view, nil
}

// mergePass merges sorted runs two by two, and can stop anywhere.
type mergePass[R any] struct {
	runs       []int // where each run begins
	next       []int // where each run of this pass's outcome begins
	from, into []entry[R]
	i, j, k    int
	pair       int
	started    bool
}

// ready reports that one run is left, which is then the outcome.
func (m *mergePass[R]) ready(found *[]entry[R]) bool {
	if !m.started {
		m.started, m.from = true, *found
		if len(m.runs) > 1 {
			m.into = make([]entry[R], len(m.from))
		}
		m.begin(0)
	}
	if len(m.runs) > 1 {
		return false
	}
	*found = m.from
	return true
}

func (m *mergePass[R]) begin(pair int) {
	m.pair = pair
	if pair < len(m.runs) {
		m.i, m.k = m.runs[pair], m.runs[pair]
		m.j = m.end(pair)
	}
}

func (m *mergePass[R]) end(run int) int {
	if run+1 < len(m.runs) {
		return m.runs[run+1]
	}
	return len(m.from)
}

// some merges up to limit entries and returns how many.
func (m *mergePass[R]) some(compare func(a, b *entry[R]) int, limit int) int {
	mid, end := m.end(m.pair), m.end(m.pair+1)
	done := 0
	for ; m.k < end && done < limit; done++ {
		if m.j >= end || (m.i < mid && compare(&m.from[m.i], &m.from[m.j]) <= 0) {
			m.into[m.k] = m.from[m.i]
			m.i++
		} else {
			m.into[m.k] = m.from[m.j]
			m.j++
		}
		m.k++
	}
	if m.k < end {
		return done
	}
	m.next = append(m.next, m.runs[m.pair])
	if m.begin(m.pair + 2); m.pair >= len(m.runs) {
		m.from, m.into = m.into, m.from
		m.runs, m.next = m.next, nil
		m.begin(0)
	}
	return done
}
