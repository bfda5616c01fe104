package board

import (
	"context"
	"math"
	"runtime"
	"slices"

	"waybill/model"
)

// Build makes a view in steps of any size, on any goroutine.
type Build[R any] struct {
	spec   viewSpec[R]
	base   Rows[R]
	madeAt model.Millis

	source  [][]entry[R] // rows to scan; nil for all rows
	inOrder bool         // source is already sorted as wanted
	target  *Rows[R]     // newer rows to follow to at the end
	chunk   int          // next chunk to scan

	matches []entry[R]
	refs    []sortRef // matches in sorted runs; small and without pointers, so that moving them is cheap
	run     int       // where the unsorted end of refs begins
	merge   mergePass
	view    *View[R]
}

// sortRef stands for an entry while sorting. It holds what decides nearly every comparison, so that rows need not be
// fetched from memory.
type sortRef struct {
	number   int64
	tieBreak uint64 // what decides next
	at       uint32
}

const (
	runLength    = 1024
	stepWork     = 2048
	mergeWork    = 2  // entries merged at the cost of scanning one row
	sampleChunks = 64 // after this many the share of matching rows is known well enough
)

func newBuild[R any](rows Rows[R], now model.Millis, spec viewSpec[R]) *Build[R] {
	return &Build[R]{spec: spec, base: rows, madeAt: now}
}

// Step scans about as many rows as budget says and reports whether the view is ready. Two thousand rows take a fraction of
// a millisecond.
func (b *Build[R]) Step(budget int) bool {
	for b.view == nil && budget > 0 {
		switch {
		case !b.scanned():
			budget -= b.scanChunk()
		case b.run < len(b.refs):
			b.sortRun()
		case !b.merge.isDone(&b.refs):
			budget -= b.merge.mergeSome(b.compare, budget*mergeWork)/mergeWork + 1
		default:
			b.makeView()
		}
	}
	return b.view != nil
}

// Run builds to the end and yields to other goroutines between steps. It stops when the context ends.
func (b *Build[R]) Run(ctx context.Context) (*View[R], error) {
	for !b.Step(stepWork) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		runtime.Gosched()
	}
	return b.view, nil
}

// View returns the finished view; nil until a Step has returned true.
func (b *Build[R]) View() *View[R] { return b.view }

// Finish builds to the end without a break.
func (b *Build[R]) Finish() *View[R] {
	for !b.Step(stepWork) { //nolint:revive // each step is the work
	}
	return b.view
}

func (b *Build[R]) scanned() bool {
	if b.source != nil {
		return b.chunk >= len(b.source)
	}
	return b.chunk >= len(b.base.chunks)
}

// scanChunk scans one chunk of rows, keeps those that match, and returns how many it scanned.
func (b *Build[R]) scanChunk() int {
	seen := chunkSize
	if b.source != nil {
		for i := range b.source[b.chunk] {
			b.addRow(b.source[b.chunk][i].row)
		}
		seen = len(b.source[b.chunk])
	} else {
		for _, row := range b.base.chunks[b.chunk] {
			if row != nil {
				b.addRow(row)
			}
		}
	}
	if b.chunk++; b.chunk == sampleChunks {
		b.reserve()
	}
	if len(b.refs)-b.run >= runLength {
		b.sortRun()
	}
	return seen
}

// reserve allocates memory once, by the share of rows that has matched so far.
func (b *Build[R]) reserve() {
	chunks := len(b.base.chunks)
	if b.source != nil {
		chunks = len(b.source)
	}
	more := len(b.matches) * (chunks - b.chunk) / b.chunk
	b.matches = slices.Grow(b.matches, more)
	if !b.inOrder {
		b.refs = slices.Grow(b.refs, more)
	}
}

func (b *Build[R]) addRow(row *R) {
	if !b.spec.match(row, b.madeAt) {
		return
	}
	e := b.spec.entry(row, b.madeAt)
	if !b.inOrder {
		b.refs = append(b.refs, sortRef{e.key.number, b.tieBreak(&e), uint32(len(b.matches))})
	}
	b.matches = append(b.matches, e)
}

// tieBreak returns the beginning of the id, which decides between equal numbers without a text. Keys with a text come after
// those without, or before them when descending, and are compared by their texts first.
func (b *Build[R]) tieBreak(e *entry[R]) uint64 {
	switch {
	case e.key.text == "":
		return bytePrefix(string(b.spec.id(e.row)))
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
	case x.tieBreak < y.tieBreak:
		return -1
	case x.tieBreak > y.tieBreak:
		return 1
	}
	return b.spec.compareEqual(&b.matches[x.at], &b.matches[y.at])
}

func (b *Build[R]) sortRun() {
	slices.SortFunc(b.refs[b.run:], b.compare)
	b.merge.runs = append(b.merge.runs, b.run)
	b.run = len(b.refs)
}

// sorted returns the matches in order.
func (b *Build[R]) sorted() []entry[R] {
	if b.inOrder {
		return b.matches
	}
	sorted := make([]entry[R], len(b.matches))
	for i, ref := range b.refs {
		sorted[i] = b.matches[ref.at]
	}
	return sorted
}

func (b *Build[R]) makeView() {
	view := &View[R]{spec: b.spec, base: b.base, madeAt: b.madeAt, list: newSortedRows(b.sorted())}
	if b.target != nil {
		followed, ok := view.Follow(*b.target)
		if !ok {
			// Too much has changed meanwhile: scan everything.
			*b = *newBuild(*b.target, b.madeAt, b.spec)
			return
		}
		view = followed
	}
	b.view, b.matches, b.refs, b.merge = view, nil, nil, mergePass{}
}

// mergePass merges sorted runs in pairs, and can pause anywhere.
type mergePass struct {
	runs       []int // where each run begins
	next       []int // where each run of the result of this pass begins
	from, into []sortRef
	i, j, k    int
	pair       int
	started    bool
}

// isDone reports that one run is left and stores it in order.
func (m *mergePass) isDone(order *[]sortRef) bool {
	if !m.started {
		m.started, m.from = true, *order
		if len(m.runs) > 1 {
			m.into = make([]sortRef, len(m.from))
		}
		m.startPair(0)
	}
	if len(m.runs) > 1 {
		return false
	}
	*order = m.from
	return true
}

func (m *mergePass) startPair(pair int) {
	m.pair = pair
	if pair < len(m.runs) {
		m.i, m.k = m.runs[pair], m.runs[pair]
		m.j = m.runEnd(pair)
	}
}

func (m *mergePass) runEnd(run int) int {
	if run+1 < len(m.runs) {
		return m.runs[run+1]
	}
	return len(m.from)
}

// mergeSome merges up to limit entries and returns how many.
func (m *mergePass) mergeSome(compare func(a, b sortRef) int, limit int) int {
	mid, end := m.runEnd(m.pair), m.runEnd(m.pair+1)
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
	if m.startPair(m.pair + 2); m.pair >= len(m.runs) {
		m.from, m.into = m.into, m.from
		m.runs, m.next = m.next, nil
		m.startPair(0)
	}
	return done
}
