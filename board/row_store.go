package board

import (
	"hash/maphash"
	"iter"
	"slices"

	"waybill/model"
)

// Rows is an immutable set of rows with an index by id. Copies share everything.
//
// A row is in a numbered slot. Slots are in small chunks: a change copies the chunks it touches and shares the others with
// older sets, which is also how two sets are compared without visiting every row.
type Rows[R any] struct {
	chunks []*rowChunk[R]
	index  trie[uint32]
}

const (
	chunkBits = 6
	chunkSize = 1 << chunkBits
)

type rowChunk[R any] [chunkSize]*R

// Len returns how many rows there are.
func (r Rows[R]) Len() int { return r.index.size }

// Get returns the row with an id; nil when there is none.
func (r Rows[R]) Get(id model.ID) *R {
	slot, ok := r.index.get(string(id))
	if !ok {
		return nil
	}
	return r.at(slot)
}

// Has reports whether there is a row with an id.
func (r Rows[R]) Has(id model.ID) bool {
	_, ok := r.index.get(string(id))
	return ok
}

// All returns the rows in no particular order.
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

// differences calls visit for every slot whose rows differ, until visit returns false. Its cost depends on what changed,
// because shared chunks are skipped.
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

// rowStore is the rows of one type that the board edits. Chunks copied since the last snapshot are changed in place; all
// others are shared with snapshots and copied first.
type rowStore[R any] struct {
	rows  Rows[R]
	owned []uint64 // per chunk: the edit that copied it
	edit  uint64
	dirty bool    // the list of chunks itself was copied in this edit
	seen  []Stamp // per slot: when the newest answer with the row was requested
	free  []uint32
	next  uint32

	modified func(*R) model.Millis // when the object was modified; zero for objects without a time
	// changed updates what depends on a row. Old is nil for an added row, and row for a removed one.
	changed func(slot uint32, old, row *R)
	deltas  []RowDelta // what has changed since the last snapshot
	none    *R         // an empty row, for objects that are new
}

func newRowStore[R any](seed maphash.Seed, modified func(*R) model.Millis, changed func(uint32, *R, *R)) rowStore[R] {
	return rowStore[R]{rows: Rows[R]{index: newTrie[uint32](seed)}, modified: modified, changed: changed, none: new(R)}
}

// accept returns the row that an answer is about, an empty row for a new object, and records that the object was in the
// answer. It is false when the answer must be ignored.
func (t *rowStore[R]) accept(b *Board, c *Change, id model.ID, modified model.Millis) (slot uint32, old *R, ok bool) {
	if id == "" {
		return 0, nil, false
	}
	slot, old = t.lookup(id)
	if old == nil {
		return 0, t.none, !b.isOutdated(c, id, 0, 0, 0)
	}
	seen := t.seen[slot]
	t.seen[slot] = max(seen, c.Requested)
	return slot, old, !b.isOutdated(c, id, t.modified(old), modified, seen)
}

// store stores a row; fields are what differs from old. An unchanged row is not replaced, so that snapshots go on sharing it.
func (t *rowStore[R]) store(id model.ID, slot uint32, old *R, row R, fields Fields, asked Stamp) uint32 {
	isNew := old == t.none
	if !isNew {
		t.seen[slot] = max(t.seen[slot], asked)
		if fields == 0 {
			return slot
		}
	}
	kept := new(R)
	*kept = row
	if isNew {
		t.deltas = append(t.deltas, RowDelta{ID: id, Kind: RowAdded})
		slot, old = t.add(id, kept, asked), nil
	} else {
		t.deltas = append(t.deltas, RowDelta{ID: id, Kind: RowChanged, Fields: fields})
		t.set(slot, kept)
	}
	t.changed(slot, old, kept)
	return slot
}

// takeDeltas returns what has changed since it was last called.
func (t *rowStore[R]) takeDeltas() []RowDelta {
	deltas := t.deltas
	t.deltas = nil
	return deltas
}

// removeUnseen removes the rows that belong in a list and were not in it when it was read.
func (t *rowStore[R]) removeUnseen(b *Board, started Stamp, id func(*R) model.ID, belongs func(*R) bool) {
	for slot, seen := range t.seen {
		if seen >= started {
			continue
		}
		if row := t.rows.at(uint32(slot)); row != nil && (belongs == nil || belongs(row)) && b.written[id(row)] < started {
			t.remove(id(row))
		}
	}
}

// share ends an edit and returns the rows for a snapshot.
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

func (t *rowStore[R]) remove(id model.ID) {
	slot, row := t.lookup(id)
	if row == nil {
		return
	}
	t.rows.index = t.rows.index.without(string(id))
	t.set(slot, nil)
	t.free = append(t.free, slot)
	t.deltas = append(t.deltas, RowDelta{ID: id, Kind: RowRemoved})
	t.changed(slot, row, nil)
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
