package keymaps

import (
	"cmp"
	"slices"
	"strings"
)

// Disabled replaces the keys in the settings to remove an action from the
// keyboard. The palette still lists it.
const Disabled = "<disabled>"

// Table is the actions with the keys of one console. It never changes, so
// consoles may share it.
type Table struct {
	actions  []Action
	byID     map[string]int
	bindings map[Scope]map[string]int  // key sequence → action
	prefixes map[Scope]map[string]bool // starts of longer sequences
	hinted   []int                     // actions with a hint, in the order of the status line
}

// Default returns the table with the default keys.
func Default() *Table {
	return newTable(slices.Concat(
		moveActions(), findActions(), selectActions(), viewActions(), taskActions(), routeActions(),
		createActions(), orderActions(), exportActions(), dataActions(), consoleActions(), dialogActions(),
	))
}

func newTable(actions []Action) *Table {
	t := &Table{
		actions:  actions,
		byID:     make(map[string]int, len(actions)),
		bindings: map[Scope]map[string]int{},
		prefixes: map[Scope]map[string]bool{},
	}
	for _, s := range Scopes() {
		t.bindings[s], t.prefixes[s] = map[string]int{}, map[string]bool{}
	}
	for i, a := range actions {
		t.byID[a.ID] = i
		if a.HintLabel != "" && len(a.Keys) > 0 {
			t.hinted = append(t.hinted, i)
		}
		for _, s := range a.Scopes {
			for _, key := range a.Keys {
				t.bindings[s][key] = i
				for p := prefixOf(key); p != ""; p = prefixOf(p) {
					t.prefixes[s][p] = true
				}
			}
		}
	}
	slices.SortStableFunc(t.hinted, func(a, b int) int { return cmp.Compare(actions[a].HintOrder, actions[b].HintOrder) })
	return t
}

// prefixOf returns a key sequence without its last key.
func prefixOf(sequence string) string {
	return sequence[:max(0, strings.LastIndexByte(sequence, ' '))]
}

// Actions returns all actions in the order of the help.
func (t *Table) Actions() []Action { return slices.Clone(t.actions) }

// Get returns an action by id.
func (t *Table) Get(id string) (Action, bool) {
	i, ok := t.byID[id]
	if !ok {
		return Action{}, false
	}
	return t.actions[i], true
}

// FirstKey returns the first key of an action as people read it, or nothing.
func (t *Table) FirstKey(id string) string {
	if a, ok := t.Get(id); ok && len(a.Keys) > 0 {
		return DisplayKey(a.Keys[0])
	}
	return ""
}
