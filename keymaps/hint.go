package keymaps

import (
	"slices"
	"unicode/utf8"
)

// Hint is a key with its label in the status line.
type Hint struct{ Key, Label string }

// hintGap is the space between two hints, and between a key and its label.
const hintGap, keyGap = 2, 1

// Width is how many cells a hint takes.
func (h Hint) Width() int {
	return utf8.RuneCountInString(h.Key) + keyGap + utf8.RuneCountInString(h.Label)
}

// Hints are the keys worth showing in a stack of scopes, as many as fit in a
// width. What cannot run now is left out: the help tells why. The last two of
// the table, all actions and help, are the way to everything else and are kept
// as long as anything fits.
func (t *Table) Hints(stack []Scope, ctx Context, width int) []Hint {
	var first, last []Hint
	open := openScopes(stack)
	var focused Scope
	if len(stack) > 0 {
		focused = stack[len(stack)-1]
	}
	onPage := slices.Contains(pageScopes(), focused)
	for _, i := range t.hinted {
		a := &t.actions[i]
		if !a.reachableIn(open) || onPage && a.HintOrder < globalHintOrder && !slices.Contains(a.Scopes, focused) || t.disabledReason(a, &ctx) != "" {
			continue
		}
		if h := (Hint{DisplayKey(a.Keys[0]), a.HintLabel}); a.HintOrder >= lastHintOrder {
			last = append(last, h)
		} else {
			first = append(first, h)
		}
	}
	last, width = fitHints(last, width)
	first, _ = fitHints(first, width)
	return append(first, last...)
}

// globalHintOrder is where the hints begin that are worth showing on a page too, where the board is out of sight.
const globalHintOrder = 70

// lastHintOrder is where the hints begin that stand at the end of the line.
const lastHintOrder = 90

func fitHints(hints []Hint, width int) ([]Hint, int) {
	fitting := hints[:0]
	for _, h := range hints {
		if need := h.Width() + hintGap; need <= width {
			fitting = append(fitting, h)
			width -= need
		}
	}
	return fitting, width
}

// HelpLine is an action in the help, with the reason when it is off.
type HelpLine struct {
	Action Action
	DisabledReason string
}

// HelpSection is a group of the help.
type HelpSection struct {
	Group Group
	Lines []HelpLine
}

// HelpSections is the help for a stack of scopes. Actions that cannot run stay in
// it with the reason: disabled, never hidden.
func (t *Table) HelpSections(stack []Scope, ctx Context) []HelpSection {
	byGroup := map[Group][]HelpLine{}
	for _, a := range t.ReachableActions(stack) {
		byGroup[a.Group] = append(byGroup[a.Group], HelpLine{a, t.DisabledReason(a, ctx)})
	}
	var sections []HelpSection
	for _, g := range Groups() {
		if lines := byGroup[g]; len(lines) > 0 {
			sections = append(sections, HelpSection{g, lines})
		}
	}
	return sections
}
