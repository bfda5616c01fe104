package board

import (
	"hash/maphash"
	"iter"
	"slices"

	"waybill/model"
)

// Rows is an immutable table of rows. Copies share everything, so handing one to a pane or to a goroutine costs
// nothing, and what it holds never changes.
//
// A row lives in a numbered slot. Slots are kept in small chunks: a change copies the chunks it touches and shares
// the rest with every older table, which is also how two tables are compared without looking at every row.
type Rows[R any] struct {
	chunks []*rowChunk[R]
	index  trie[uint32]
}

const (
	chunkBits = 6
	chunkSize = 1 << chunkBits
)

type rowChunk[R any] [chunkSize]*R

// Len is how many rows there are.
func (r Rows[R]) Len() int { return r.index.size }

// Get finds a row by its id; it is nil when there is none.
func (r Rows[R]) Get(id model.ID) *R {
	slot, ok := r.index.get(string(id))
	if !ok {
		return nil
	}
	return r.at(slot)
}

// Has reports whether there is a row of that id.
func (r Rows[R]) Has(id model.ID) bool {
	_, ok := r.index.get(string(id))
	return ok
}

// All walks over the rows, in no order that means anything.
func (r Rows[R]) All() iter.Seq[*R] {
	return func(yield func(*R) bool) {
		for _, chunk := range r.chunks {
			for _, row := range chunk {
				if row != nil && !yield(row) {
					return
				}
			}
		}
	}
}

func (r Rows[R]) at(slot uint32) *R {
	chunk := int(slot >> chunkBits)
	if chunk >= len(r.chunks) {
		return nil
	}
	return r.chunks[chunk][slot%chunkSize]
}

// differences calls visit with every slot whose row is not the same in both tables, until visit returns false.
// It costs in proportion to what changed: shared chunks are passed over whole.
func (r Rows[R]) differences(newer Rows[R], visit func(before, after *R) bool) {
	for c := range max(len(r.chunks), len(newer.chunks)) {
		before, after := r.chunk(c), newer.chunk(c)
		if before == after {
			continue
		}
		for i := range chunkSize {
			old, fresh := before.row(i), after.row(i)
			if old != fresh && !visit(old, fresh) {
				return
			}
		}
	}
}

func (r Rows[R]) chunk(c int) *rowChunk[R] {
	if c >= len(r.chunks) {
		return nil
	}
	return r.chunks[c]
}

func (c *rowChunk[R]) row(i int) *R {
	if c == nil {
		return nil
	}
	return c[i]
}

// rowStore is where the board edits rows. It owns what it has copied since the last snapshot and may change that in
// place; everything else is shared and is copied first.
type rowStore[R any] struct {
	rows  Rows[R]
	owned []uint64 // per chunk: the edit that copied it
	edit  uint64
	dirty bool    // the list of chunks itself was copied in this edit
	seen  []Stamp // per slot: when the newest answer that held the row was asked for
	free  []uint32
	next  uint32
}

func newRowStore[R any](seed maphash.Seed) rowStore[R] {
	return rowStore[R]{rows: Rows[R]{index: newTrie[uint32](seed)}}
}

// share ends an edit: what rows holds now belongs to snapshots.
func (t *rowStore[R]) share() Rows[R] {
	t.edit++
	t.dirty = false
	return t.rows
}

func (t *rowStore[R]) lookup(id model.ID) (uint32, *R) {
	slot, ok := t.rows.index.get(string(id))
	if !ok {
		return 0, nil
	}
	return slot, t.rows.at(slot)
}

func (t *rowStore[R]) add(id model.ID, row *R, asked Stamp) uint32 {
	slot := t.next
	if n := len(t.free); n > 0 {
		slot, t.free = t.free[n-1], t.free[:n-1]
	} else {
		t.next++
	}
	if int(slot) >= len(t.seen) {
		t.seen = append(t.seen, make([]Stamp, int(slot)+1-len(t.seen))...)
	}
	t.seen[slot] = asked
	t.rows.index = t.rows.index.with(string(id), slot)
	t.set(slot, row)
	return slot
}

func (t *rowStore[R]) remove(id model.ID, slot uint32) {
	t.rows.index = t.rows.index.without(string(id))
	t.set(slot, nil)
	t.free = append(t.free, slot)
}

func (t *rowStore[R]) set(slot uint32, row *R) {
	c := int(slot >> chunkBits)
	if !t.dirty {
		t.rows.chunks, t.dirty = slices.Clone(t.rows.chunks), true
	}
	for c >= len(t.rows.chunks) {
		t.rows.chunks = append(t.rows.chunks, new(rowChunk[R]))
		t.owned = append(t.owned, t.edit)
	}
	if t.owned[c] != t.edit {
		chunk := *t.rows.chunks[c]
		t.rows.chunks[c], t.owned[c] = &chunk, t.edit
	}
	t.rows.chunks[c][slot%chunkSize] = row
}
