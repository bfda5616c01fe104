package keymaps

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"waybill/model"
)

// Rebind returns a table with other keys for some actions, by id. The keys
// replace all keys of the action; no keys, or [Disabled], leave it without.
// The error lists every mistake, so that a settings file can be corrected at
// once.
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
		return nil, fmt.Errorf("invalid keys in the settings:\n%w", errors.Join(problems...))
	}
	return newTable(actions), nil
}

func (t *Table) unknownActionError(id string) error {
	ids := make([]string, len(t.actions))
	for i, a := range t.actions {
		ids[i] = a.ID
	}
	if best := model.ClosestName(id, ids); best != "" {
		return fmt.Errorf("unknown action %q; did you mean %q?", id, best)
	}
	return fmt.Errorf("unknown action %q; docs/keys.md lists all actions", id)
}

// checkKeys returns the keys chosen for an action without repetitions, or why they cannot be used.
func checkKeys(a *Action, keys []string) ([]string, error) {
	if len(keys) == 0 || len(keys) == 1 && keys[0] == Disabled {
		if a.ID == "back" || a.ID == "interrupt" {
			return nil, fmt.Errorf("%q cannot be disabled: dialogs and the console could not be left without it", a.ID)
		}
		return nil, nil
	}
	chosen := make([]string, 0, len(keys))
	for _, key := range keys {
		if err := checkSequence(key); err != nil {
			return nil, fmt.Errorf("%q: %w", a.ID, err)
		}
		if i := slices.IndexFunc(a.Scopes, Scope.TakesText); i >= 0 && typesText(firstKey(key)) {
			return nil, fmt.Errorf("%q cannot use %q: the key types text in the %s", a.ID, key, a.Scopes[i])
		}
		if !slices.Contains(chosen, key) {
			chosen = append(chosen, key)
		}
	}
	return chosen, nil
}

// findConflicts reports the keys that could mean two actions in one scope.
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
				scope, shared := sharedScope(a, other.action)
				if !shared || other.action == a {
					continue
				}
				switch {
				case key == other.sequence:
					problems = append(problems, fmt.Errorf("%q runs both %q (%s) and %q (%s) in %s; choose another key for one of them",
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
	return fmt.Errorf("%q runs %q (%s), but also starts %q for %q (%s) in %s; choose another key for one of them",
		key, short.ID, short.Title, sequence, long.ID, long.Title, scope)
}

// sharedScope returns a scope in which keys can run both actions.
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

// findUnsafeConfirmKeys reports bindings with which a dangerous action could be
// confirmed by Enter or by the key that started it.
func findUnsafeConfirmKeys(actions []Action) []error {
	i := slices.IndexFunc(actions, func(a Action) bool { return a.ID == "confirm.yes" })
	if i < 0 {
		return nil
	}
	yes := actions[i].Keys
	var problems []error
	if slices.Contains(yes, "enter") {
		problems = append(problems, errors.New(`"confirm.yes" cannot use "enter": Enter must not confirm a dangerous action`))
	}
	for _, a := range actions {
		for _, key := range a.Keys {
			if a.Dangerous && slices.Contains(yes, lastKey(key)) {
				problems = append(problems, fmt.Errorf(
					`%q runs both %q and "confirm.yes"; the key of a dangerous action must not confirm it`, key, a.ID))
			}
		}
	}
	return problems
}
