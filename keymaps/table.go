package keymaps

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Disabled is what the settings write in place of keys to take an action off
// the keyboard. It stays in the palette.
const Disabled = "<disabled>"

// Table is the actions with the keys of one console. It is never changed once
// built, so any number of consoles may share one.
type Table struct {
	actions  []Action
	byID     map[string]int
	bindings    map[Scope]map[string]int  // key sequence → action
	prefixes map[Scope]map[string]bool // beginnings of longer sequences
	hinted   []int                     // actions for the status line, first to last
}

// Default is the table as it ships.
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
		bindings:    map[Scope]map[string]int{},
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

// prefixOf is a key sequence without its last key.
func prefixOf(sequence string) string {
	if i := strings.LastIndexByte(sequence, ' '); i > 0 {
		return sequence[:i]
	}
	return ""
}

// Actions are the actions in the order of the help.
func (t *Table) Actions() []Action { return slices.Clone(t.actions) }

// Get is an action by id.
func (t *Table) Get(id string) (Action, bool) {
	i, ok := t.byID[id]
	if !ok {
		return Action{}, false
	}
	return t.actions[i], true
}

// FirstKey is the first key of an action, as it is shown to a person, or nothing.
func (t *Table) FirstKey(id string) string {
	if a, ok := t.Get(id); ok && len(a.Keys) > 0 {
		return DisplayKey(a.Keys[0])
	}
	return ""
}

// Rebind is a table with other keys for some actions, by id. The keys given
// replace all the action had; none, or [Disabled], leaves it without. Every mistake is reported, not the first alone,
// so that a settings file is mended in one go; on any mistake there is no
// table.
func (t *Table) Rebind(keys map[string][]string) (*Table, error) {
	actions := slices.Clone(t.actions)
	var problems []error
	for _, id := range slices.Sorted(maps.Keys(keys)) {
		i, ok := t.byID[id]
		if !ok {
			problems = append(problems, t.unknownActionError(id))
			continue
		}
		chosen, err := checkKeys(&actions[i], keys[id])
		if err != nil {
			problems = append(problems, err)
			continue
		}
		actions[i].Keys = chosen
	}
	problems = append(problems, findConflicts(actions)...)
	problems = append(problems, findUnsafeConfirmKeys(actions)...)
	if len(problems) > 0 {
		return nil, fmt.Errorf("the keys in the settings cannot be used as they are:\n%w", errors.Join(problems...))
	}
	return newTable(actions), nil
}

func (t *Table) unknownActionError(id string) error {
	ids := make([]string, len(t.actions))
	for i, a := range t.actions {
		ids[i] = a.ID
	}
	if best, near := closestWord(id, ids); near {
		return fmt.Errorf("no action is called %q; did you mean %q?", id, best)
	}
	return fmt.Errorf("no action is called %q; docs/keys.md lists them all", id)
}

func checkKeys(a *Action, keys []string) ([]string, error) {
	if len(keys) == 0 || len(keys) == 1 && keys[0] == Disabled {
		if a.ID == "back" || a.ID == "interrupt" {
			return nil, fmt.Errorf("%q cannot be disabled: it is the way out of everything", a.ID)
		}
		return nil, nil
	}
	chosen := make([]string, 0, len(keys))
	for _, key := range keys {
		if err := checkSequence(key); err != nil {
			return nil, fmt.Errorf("%q: %w", a.ID, err)
		}
		if i := slices.IndexFunc(a.Scopes, Scope.TakesText); i >= 0 && typesText(firstKey(key)) {
			return nil, fmt.Errorf("%q cannot be on %q: in the %s that key is text", a.ID, key, a.Scopes[i])
		}
		if !slices.Contains(chosen, key) {
			chosen = append(chosen, key)
		}
	}
	return chosen, nil
}

// findConflicts are the pairs of actions that one key could mean.
func findConflicts(actions []Action) []error {
	type binding struct {
		action   *Action
		sequence string
	}
	var seen []binding
	var problems []error
	for i := range actions {
		a := &actions[i]
		for _, key := range a.Keys {
			for _, other := range seen {
				scope, meet := sharedScope(a, other.action)
				if !meet || other.action == a {
					continue
				}
				switch {
				case key == other.sequence:
					problems = append(problems, fmt.Errorf("%q is the key of both %q (%s) and %q (%s) in %s; give one of them another",
						key, other.action.ID, other.action.Title, a.ID, a.Title, scope))
				case strings.HasPrefix(key, other.sequence+" "):
					problems = append(problems, prefixConflict(other.sequence, other.action, key, a, scope))
				case strings.HasPrefix(other.sequence, key+" "):
					problems = append(problems, prefixConflict(key, a, other.sequence, other.action, scope))
				}
			}
			seen = append(seen, binding{a, key})
		}
	}
	return problems
}

func prefixConflict(key string, short *Action, sequence string, long *Action, scope Scope) error {
	return fmt.Errorf("%q is the key of %q (%s), but it also begins %q of %q (%s) in %s; give one of them another",
		key, short.ID, short.Title, sequence, long.ID, long.Title, scope)
}

// sharedScope is a scope in which both actions can be pressed.
func sharedScope(a, b *Action) (Scope, bool) {
	for _, s := range a.Scopes {
		for _, o := range b.Scopes {
			if s.overlaps(o) {
				if s == Global || s == Always {
					return o, true
				}
				return s, true
			}
		}
	}
	return "", false
}

// findUnsafeConfirmKeys keeps the promise that a dangerous action is never confirmed
// by the key that asked, nor by Enter.
func findUnsafeConfirmKeys(actions []Action) []error {
	var yes *Action
	for i := range actions {
		if actions[i].ID == "confirm.yes" {
			yes = &actions[i]
		}
	}
	if yes == nil {
		return nil
	}
	var problems []error
	if slices.Contains(yes.Keys, "enter") {
		problems = append(problems, fmt.Errorf("%q cannot be on \"enter\": Enter never says yes to something dangerous", yes.ID))
	}
	for _, a := range actions {
		for _, key := range a.Keys {
			if a.Dangerous && slices.Contains(yes.Keys, lastKey(key)) {
				problems = append(problems, fmt.Errorf("%q is the key of both %q and %q; a dangerous action cannot be confirmed by the key that asked for it", key, a.ID, yes.ID))
			}
		}
	}
	return problems
}
