package board

import (
	"slices"
	"strings"

	"waybill/model"
)

// InPane returns the filter as its pane applies it. A pane shows open tasks and orders, or workers on duty, and terms such
// as team:x or late>10m narrow that. Terms that ask for a single row, such as words and ids, also search closed rows:
// a caller may ask about a parcel that was delivered. So does a filter that names closed states.
func (f Filter) InPane() Filter {
	if f.pane == PaneDelays {
		return TriageFilter().With(f)
	}
	if f.SearchesClosed() {
		return f
	}
	scope := stateTerm("open")
	if f.pane == PaneWorkers {
		scope = stateTerm("onduty")
	}
	if slices.ContainsFunc(f.terms, func(t filterTerm) bool { return t.implies(&scope) }) {
		return f
	}
	return Filter{pane: f.pane, terms: append([]filterTerm{scope}, f.terms...)}
}

// stateTerm is a term of bare states.
func stateTerm(states ...string) filterTerm {
	t := filterTerm{op: opIs, key: keyState, bare: true}
	for _, state := range states {
		t.values = append(t.values, newFilterValue(state, false))
	}
	return t
}

// SearchesClosed reports that the filter searches rows that its pane does not show without a filter.
func (f Filter) SearchesClosed() bool {
	return f.pane != PaneDelays && slices.ContainsFunc(f.terms, func(t filterTerm) bool {
		if t.key == keyState {
			return t.namesClosed(f.pane)
		}
		return t.wide && !t.negated
	})
}

// namesClosed reports a state whose rows the pane does not show without a filter.
func (t *filterTerm) namesClosed(pane Pane) bool {
	return t.matchWord(func(word string) bool {
		switch word {
		case "open", "onduty":
			return t.negated
		case "done", "failed", "finished":
			return !t.negated
		case "off":
			return pane == PaneWorkers && !t.negated
		}
		return pane == PaneOrders && model.OrderStatus(word).Closed() && !t.negated
	})
}

// stateSynonym returns the canonical word of a state that people write in several ways.
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

// FilterHelp explains one term of a filter.
type FilterHelp struct{ Term, Means string }

// FilterTerms lists everything that a filter of a pane may hold.
func FilterTerms(pane Pane) []FilterHelp {
	list := []FilterHelp{{strings.Join(stateWords(pane), " "), "state"}}
	for _, i := range filterInfos(pane) {
		form := ":text"
		switch {
		case i.form == formName:
			form = ":name"
		case i.form == formWord:
			form = ":" + i.words[0]
		case i.form == formNumber:
			form = "<5"
		case i.more || i.ago:
			form = ">10m"
		case i.form == formDuration:
			form = "<30m"
		}
		list = append(list, FilterHelp{i.key + form, i.help})
	}
	return list
}
