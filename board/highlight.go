package board

import "waybill/model"

// Highlights remembers what changed lately, by id and by cell, so that panes can mark it for a while.
type Highlights struct {
	round uint32
	marks map[model.ID]highlight
}

type highlight struct {
	fields Fields
	added  bool
	round  uint32
}

// highlightRounds is for how many polls a change stays marked.
const highlightRounds = 2

// Note remembers a delta of one table; its fields may be any set of cells. Pass fresh=false while a list is being read for the first time: every row of
// it is new then, and marking them all says nothing.
func (h *Highlights) Note(rows []RowDelta, fresh bool) {
	for _, row := range rows {
		switch {
		case row.Kind == RowRemoved:
			delete(h.marks, row.ID)
		case row.Kind == RowAdded && fresh:
			h.mark(row.ID, highlight{added: true, round: h.round})
		case row.Kind == RowChanged && row.Fields != 0:
			mark := highlight{fields: row.Fields, round: h.round}
			if old, ok := h.marks[row.ID]; ok && h.round-old.round < highlightRounds {
				mark.fields |= old.fields
				mark.added = old.added
			}
			h.mark(row.ID, mark)
		}
	}
}

func (h *Highlights) mark(id model.ID, mark highlight) {
	if h.marks == nil {
		h.marks = map[model.ID]highlight{}
	}
	h.marks[id] = mark
}

// NextRound ends a round; marks that have been shown for two go.
func (h *Highlights) NextRound() {
	h.round++
	for id, mark := range h.marks {
		if h.round-mark.round >= highlightRounds {
			delete(h.marks, id)
		}
	}
}

// Get is what changed lately in a row, and whether the row itself is new.
func (h *Highlights) Get(id model.ID) (fields Fields, added bool) {
	mark := h.marks[id]
	return mark.fields, mark.added
}

// Len is how many rows are marked.
func (h *Highlights) Len() int { return len(h.marks) }
