package board

import (
	"slices"
	"strings"

	"waybill/model"
)

// InPane is the filter as its pane applies it. A pane shows what is open, or who is on duty, and terms such as team:x
// or late>10m narrow that. Words, ids and what else one asks for a single thing by are searched for among what is
// finished too: the caller may well mean a parcel that was delivered. So does a filter that names what is finished.
func (f Filter) InPane() Filter {
	if f.pane == PaneDelays {
		return TriageFilter().With(f)
	}
	if f.SearchesClosed() {
		return f
	}
	own := "open"
	if f.pane == PaneWorkers {
		own = "onduty"
	}
	scope := filterTerm{op: opIs, key: keyState, bare: true, values: []filterValue{newFilterValue(own, false)}}
	if slices.ContainsFunc(f.terms, func(t filterTerm) bool { return t.implies(&scope) }) {
		return f
	}
	return Filter{pane: f.pane, terms: append([]filterTerm{scope}, f.terms...)}
}

// SearchesClosed reports that the filter looks beyond what its pane shows by itself.
func (f Filter) SearchesClosed() bool {
	return f.pane != PaneDelays && slices.ContainsFunc(f.terms, func(t filterTerm) bool { return t.wide(f.pane) })
}

func (t *filterTerm) wide(pane Pane) bool {
	switch t.key {
	case keyState:
		return t.namesClosed(pane)
	case keyText, keyID, keyOrder, keyPhone, keyRecipient, keyAddress, keyNotes:
		return !t.not
	case keyWorker:
		return pane == PaneWorkers && !t.not
	}
	return false
}

// namesClosed reports a word for what the pane leaves out by itself.
func (t *filterTerm) namesClosed(pane Pane) bool {
	return slices.ContainsFunc(t.values, func(v filterValue) bool {
		switch v.folded {
		case "open", "onduty":
			return t.not
		case "done", "failed", "finished":
			return !t.not
		case "off":
			return pane == PaneWorkers && !t.not
		case strings.ToLower(string(model.OrderCompleted)), strings.ToLower(string(model.OrderCancelled)), strings.ToLower(string(model.OrderRejected)):
			return pane == PaneOrders && !t.not
		}
		return false
	})
}

// stateSynonym is the one word that a state is kept under, for those that people write in several ways.
func stateSynonym(folded string) string {
	switch folded {
	case "at-risk", "risk":
		return "atrisk"
	case "on-duty":
		return "onduty"
	case "off-duty":
		return "off"
	case "closed":
		return "finished"
	}
	return folded
}

// FilterHelp is one thing that a filter of a pane may hold, for help and documentation.
type FilterHelp struct{ Term, Means string }

// FilterTerms lists everything that a filter of a pane may hold.
func FilterTerms(pane Pane) []FilterHelp {
	list := []FilterHelp{{strings.Join(stateWords(pane), " "), "a state by its name"}}
	for _, t := range termsOf(pane) {
		form := ":text"
		switch t.form {
		case formName:
			form = ":name"
		case formWord:
			form = ":" + t.words[0]
		case formLength:
			form = "<30m"
			if t.key == keyLate || t.key == keySeen || t.key == keyAge {
				form = ">10m"
			}
		case formNumber:
			form = "<5"
		}
		list = append(list, FilterHelp{string(t.key) + form, t.help})
	}
	return list
}
