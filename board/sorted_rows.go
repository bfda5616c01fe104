package board

import (
	"slices"
	"sort"
)

// entry is a row with its sort key.
type entry[R any] struct {
	key sortKey
	row *R
}

// sortedRows is an immutable sorted list. Entries are in small chunks; an edit copies the chunks it touches and shares the
// others, so its cost hardly depends on the length of the list.
type sortedRows[R any] struct {
	chunks [][]entry[R]
	starts []int // position of each chunk's first entry
	size   int
}

const (
	orderChunk = 64
	orderSplit = 2 * orderChunk
)

// newSortedRows makes a list of sorted entries.
func newSortedRows[R any](entries []entry[R]) sortedRows[R] {
	list := sortedRows[R]{chunks: make([][]entry[R], 0, len(entries)/orderChunk+1)}
	for chunk := range slices.Chunk(entries, orderChunk) {
		list.chunks = append(list.chunks, slices.Clip(chunk))
	}
	list.countRows()
	return list
}

func (l *sortedRows[R]) countRows() {
	l.starts, l.size = make([]int, len(l.chunks)), 0
	for i, chunk := range l.chunks {
		l.starts[i] = l.size
		l.size += len(chunk)
	}
}

func (l *sortedRows[R]) at(position int) *entry[R] {
	chunk := sort.Search(len(l.starts), func(i int) bool { return l.starts[i] > position }) - 1
	return &l.chunks[chunk][position-l.starts[chunk]]
}

// findEntry returns the chunk and index of an entry, or where it would be inserted.
func (l *sortedRows[R]) findEntry(e *entry[R], compare func(a, b *entry[R]) int) (chunk, place int, found bool) {
	chunk = max(0, sort.Search(len(l.chunks), func(i int) bool { return compare(&l.chunks[i][0], e) > 0 })-1)
	if chunk == len(l.chunks) {
		return chunk, 0, false
	}
	entries := l.chunks[chunk]
	place = sort.Search(len(entries), func(i int) bool { return compare(&entries[i], e) >= 0 })
	return chunk, place, place < len(entries) && compare(&entries[place], e) == 0
}

// sortedEdit makes a changed copy of a list.
type sortedEdit[R any] struct {
	list    sortedRows[R]
	owned   []bool // per chunk: copied already
	compare func(a, b *entry[R]) int
}

func (l sortedRows[R]) edit(compare func(a, b *entry[R]) int) *sortedEdit[R] {
	l.chunks = slices.Clone(l.chunks)
	return &sortedEdit[R]{l, make([]bool, len(l.chunks)), compare}
}

func (e *sortedEdit[R]) ownChunk(chunk int) {
	if !e.owned[chunk] {
		copied := make([]entry[R], len(e.list.chunks[chunk]), len(e.list.chunks[chunk])+8)
		copy(copied, e.list.chunks[chunk])
		e.list.chunks[chunk], e.owned[chunk] = copied, true
	}
}

func (e *sortedEdit[R]) insert(x entry[R]) {
	if len(e.list.chunks) == 0 {
		e.list.chunks, e.owned = [][]entry[R]{{x}}, []bool{true}
		return
	}
	chunk, place, _ := e.list.findEntry(&x, e.compare)
	e.ownChunk(chunk)
	entries := slices.Insert(e.list.chunks[chunk], place, x)
	e.list.chunks[chunk] = entries
	if len(entries) > orderSplit {
		e.list.chunks[chunk] = entries[:orderChunk:orderChunk]
		e.list.chunks = slices.Insert(e.list.chunks, chunk+1, slices.Clone(entries[orderChunk:]))
		e.owned = slices.Insert(e.owned, chunk+1, true)
	}
}

func (e *sortedEdit[R]) remove(x entry[R]) {
	chunk, place, found := e.list.findEntry(&x, e.compare)
	if !found {
		return
	}
	e.ownChunk(chunk)
	entries := slices.Delete(e.list.chunks[chunk], place, place+1)
	e.list.chunks[chunk] = entries
	switch {
	case len(entries) == 0:
		e.removeChunk(chunk)
	case chunk+1 < len(e.list.chunks) && len(entries)+len(e.list.chunks[chunk+1]) <= orderChunk/2:
		e.list.chunks[chunk] = append(entries, e.list.chunks[chunk+1]...)
		e.removeChunk(chunk + 1)
	}
}

func (e *sortedEdit[R]) removeChunk(chunk int) {
	e.list.chunks = slices.Delete(e.list.chunks, chunk, chunk+1)
	e.owned = slices.Delete(e.owned, chunk, chunk+1)
}

// replace replaces the row of an equal entry.
func (e *sortedEdit[R]) replace(x entry[R]) {
	if chunk, place, found := e.list.findEntry(&x, e.compare); found {
		e.ownChunk(chunk)
		e.list.chunks[chunk][place] = x
	}
}

func (e *sortedEdit[R]) finish() sortedRows[R] {
	e.list.countRows()
	return e.list
}
