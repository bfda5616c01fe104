package board

import "waybill/model"

// Highlights remembers recent changes by row and field, so that panes can highlight them for a while.
type Highlights struct {
	round uint32
	marks map[model.ID]highlight
}

type highlight struct {
	fields Fields
	added  bool
	round  uint32
}

// highlightRounds is for how many refreshes a change stays highlighted.
const highlightRounds = 2

// Add highlights changed fields and added rows. The fields may be any set of bits that the caller can read.
func (h *Highlights) Add(rows []RowDelta) {
	for _, row := range rows {
		switch {
		case row.Kind == RowRemoved:
			delete(h.marks, row.ID)
		case row.Kind == RowAdded:
			h.setMark(row.ID, highlight{added: true, round: h.round})
		case row.Fields != 0:
			mark := highlight{fields: row.Fields, round: h.round}
			if old, ok := h.marks[row.ID]; ok && h.round-old.round < highlightRounds {
				mark.fields |= old.fields
				mark.added = old.added
			}
			h.setMark(row.ID, mark)
		}
	}
}

func (h *Highlights) setMark(id model.ID, mark highlight) {
	if h.marks == nil {
		h.marks = map[model.ID]highlight{}
	}
	h.marks[id] = mark
}

// NextRound ends a round and removes the highlights that are too old.
func (h *Highlights) NextRound() {
	h.round++
	for id, mark := range h.marks {
		if h.round-mark.round >= highlightRounds {
			delete(h.marks, id)
		}
	}
}

// Get returns the changed fields of a row, and whether the row is new.
func (h *Highlights) Get(id model.ID) (fields Fields, added bool) {
	mark := h.marks[id]
	return mark.fields, mark.added
}

// Len returns how many rows are highlighted.
func (h *Highlights) Len() int { return len(h.marks) }
