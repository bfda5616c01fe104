package board

import (
	"context"
	"math"
	"runtime"
	"slices"

	"waybill/model"
)

// Build is a view being made, in steps as small as one likes, on any goroutine.
type Build[R any] struct {
	spec viewSpec[R]
	base Rows[R]
	asOf model.Millis

	source  [][]entry[R] // rows to look through; nil for the whole table
	inOrder bool         // source is in the wanted order already
	latest  *Rows[R]     // what to follow to at the end, when base is older
	chunk   int          // how far the looking has come

	found []entry[R]
	order []sortRef // found, in sorted runs; small and without pointers, so that moving them about is cheap
	run   int       // where the unsorted end of order begins
	merge mergePass
	view  *View[R]
}

// sortRef stands for an entry while sorting. What settles nearly every pair is in it, so that rows, which lie all over
// the memory, need not be fetched to be compared.
type sortRef struct {
	number int64
	tie    uint64 // what decides next
	at     uint32
}

const (
	sortRun      = 1024
	stepWork     = 2048
	mergeWork    = 2  // entries merged at the cost of one row looked at
	sampleChunks = 64 // after this much the share of rows that match is known well enough
)

func newBuild[R any](rows Rows[R], now model.Millis, spec viewSpec[R]) *Build[R] {
	return &Build[R]{spec: spec, base: rows, asOf: now}
}

// Step works through about as many rows as budget says and reports whether the view is ready. Two thousand rows take
// a fraction of a millisecond.
func (b *Build[R]) Step(budget int) bool {
	for b.view == nil && budget > 0 {
		switch {
		case !b.looked():
			budget -= b.look()
		case b.run < len(b.order):
			b.closeRun()
		case !b.merge.ready(&b.order):
			budget -= b.merge.some(b.compare, budget*mergeWork)/mergeWork + 1
		default:
			b.makeView()
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

// Finish builds to the end at once.
func (b *Build[R]) Finish() *View[R] {
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
	if b.chunk++; b.chunk == sampleChunks {
		b.reserve()
	}
	if len(b.order)-b.run >= sortRun {
		b.closeRun()
	}
	return seen
}

// reserve makes room once, by what share of the rows has matched so far.
func (b *Build[R]) reserve() {
	chunks := len(b.base.chunks)
	if b.source != nil {
		chunks = len(b.source)
	}
	more := len(b.found) * (chunks - b.chunk) / b.chunk
	b.found = slices.Grow(b.found, more)
	if !b.inOrder {
		b.order = slices.Grow(b.order, more)
	}
}

func (b *Build[R]) consider(row *R) {
	if !b.spec.match(&b.spec.filter, row, b.asOf) {
		return
	}
	e := b.spec.entry(row, b.asOf)
	if !b.inOrder {
		b.order = append(b.order, sortRef{e.key.number, b.tie(&e), uint32(len(b.found))})
	}
	b.found = append(b.found, e)
}

// tie is the beginning of the id, which decides where the number was the whole key. Keys with a text come after those
// without, or before them in the other direction, and among each other compare their texts first.
func (b *Build[R]) tie(e *entry[R]) uint64 {
	switch {
	case e.key.text == "":
		return firstBytes(string(b.spec.id(e.row)))
	case b.spec.sort.Desc:
		return 0
	}
	return math.MaxUint64
}

func (b *Build[R]) compare(x, y sortRef) int {
	switch {
	case x.number < y.number:
		return -1
	case x.number > y.number:
		return 1
	case x.tie < y.tie:
		return -1
	case x.tie > y.tie:
		return 1
	}
	return b.spec.compareEqual(&b.found[x.at], &b.found[y.at])
}

func (b *Build[R]) closeRun() {
	slices.SortFunc(b.order[b.run:], b.compare)
	b.merge.runs = append(b.merge.runs, b.run)
	b.run = len(b.order)
}

// sorted is what was found, in order.
func (b *Build[R]) sorted() []entry[R] {
	if b.inOrder {
		return b.found
	}
	sorted := make([]entry[R], len(b.found))
	for i, ref := range b.order {
		sorted[i] = b.found[ref.at]
	}
	return sorted
}

func (b *Build[R]) makeView() {
	view := &View[R]{spec: b.spec, base: b.base, asOf: b.asOf, list: newSortedRows(b.sorted())}
	if b.latest != nil {
		followed, ok := view.Follow(*b.latest)
		if !ok {
			// The table moved on too far to be followed: look through all of it after all.
			*b = *newBuild(*b.latest, b.asOf, b.spec)
			return
		}
		view = followed
	}
	b.view, b.found, b.order, b.merge = view, nil, nil, mergePass{}
}

// mergePass merges sorted runs two by two, and can stop anywhere.
type mergePass struct {
	runs       []int // where each run begins
	next       []int // where each run of this pass's outcome begins
	from, into []sortRef
	i, j, k    int
	pair       int
	started    bool
}

// ready reports that one run is left, which is then the outcome.
func (m *mergePass) ready(order *[]sortRef) bool {
	if !m.started {
		m.started, m.from = true, *order
		if len(m.runs) > 1 {
			m.into = make([]sortRef, len(m.from))
		}
		m.begin(0)
	}
	if len(m.runs) > 1 {
		return false
	}
	*order = m.from
	return true
}

func (m *mergePass) begin(pair int) {
	m.pair = pair
	if pair < len(m.runs) {
		m.i, m.k = m.runs[pair], m.runs[pair]
		m.j = m.end(pair)
	}
}

func (m *mergePass) end(run int) int {
	if run+1 < len(m.runs) {
		return m.runs[run+1]
	}
	return len(m.from)
}

// some merges up to limit entries and returns how many.
func (m *mergePass) some(compare func(a, b sortRef) int, limit int) int {
	mid, end := m.end(m.pair), m.end(m.pair+1)
	done := 0
	for ; m.k < end && done < limit; done++ {
		if m.j >= end || (m.i < mid && compare(m.from[m.i], m.from[m.j]) <= 0) {
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
