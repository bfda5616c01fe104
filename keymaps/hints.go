package keymaps

import (
	"slices"
	"unicode/utf8"
)

// Hint is a key with its label in the status line.
type Hint struct{ Key, Label string }

// hintGap is the space between two hints; keyGap is the space between a key and its label.
const hintGap, keyGap = 2, 1

// Width returns how many cells a hint takes.
func (h Hint) Width() int {
	return utf8.RuneCountInString(h.Key) + keyGap + utf8.RuneCountInString(h.Label)
}

// Hints from globalHintOrder on are also shown on pages, where the board is not visible.
// Hints from lastHintOrder on come last in the line.
const (
	globalHintOrder = 70
	lastHintOrder   = 90
)

// Hints returns the keys worth showing for a stack of scopes, as many as fit
// into width. Disabled actions are left out; the help says why they are
// disabled. The last hints, all actions and help, lead to everything else and
// are kept longest.
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
		offPage := onPage && a.HintOrder < globalHintOrder && !slices.Contains(a.Scopes, focused)
		if offPage || !a.reachableIn(open) || t.disabledReason(a, &ctx) != "" {
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

// fitHints returns the hints that fit into width, and the width that remains.
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

// HelpLine is an action in the help. DisabledReason is empty if the action can run.
type HelpLine struct {
	Action         Action
	DisabledReason string
}

// HelpSection is a group of the help.
type HelpSection struct {
	Group Group
	Lines []HelpLine
}

// HelpSections returns the help for a stack of scopes. Disabled actions are
// listed with the reason.
func (t *Table) HelpSections(stack []Scope, ctx Context) []HelpSection {
	var sections []HelpSection
	for _, a := range t.ReachableActions(stack) {
		if len(sections) == 0 || sections[len(sections)-1].Group != a.Group { // the table is in the order of the groups
			sections = append(sections, HelpSection{Group: a.Group})
		}
		last := &sections[len(sections)-1]
		last.Lines = append(last.Lines, HelpLine{a, t.DisabledReason(a, ctx)})
	}
	return sections
}
