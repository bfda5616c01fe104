package keymaps

import (
	"slices"
	"strings"
)

// Outcome is what a key sequence means.
type Outcome uint8

// The outcomes.
const (
	Unbound Outcome = iota // no action; the focused part may still use the key
	Found                  // run Match.Action
	Waiting                // the start of a longer sequence
	Typed                  // text for the focused field
)

// Match is the meaning of a key sequence.
type Match struct {
	Outcome Outcome
	Action  Action
}

// Resolve returns what a key sequence means in a stack of scopes, the focused
// one last. Keys are joined by spaces: "a", "g g".
func (t *Table) Resolve(stack []Scope, sequence string) Match {
	for _, s := range slices.Backward(stack) {
		if s.TakesText() && typesText(firstKey(sequence)) {
			return Match{Outcome: Typed}
		}
		if m := t.resolveIn(s, sequence); m.Outcome != Unbound {
			return m
		}
		if s.IsModal() {
			break
		}
	}
	return t.resolveIn(Always, sequence)
}

func (t *Table) resolveIn(s Scope, sequence string) Match {
	if i, ok := t.bindings[s][sequence]; ok {
		return Match{Found, t.actions[i]}
	}
	if t.prefixes[s][sequence] {
		return Match{Outcome: Waiting}
	}
	return Match{}
}

// Keyboard remembers the keys of an unfinished sequence. The zero value is ready.
type Keyboard struct{ prefix string }

// Press resolves a key in a stack of scopes. A key that does not continue the
// started sequence ends it and does nothing: running the second key alone
// would be a surprise after a typing mistake.
func (k *Keyboard) Press(t *Table, stack []Scope, key string) Match {
	sequence := key
	if k.prefix != "" {
		sequence = k.prefix + " " + key
	}
	m := t.Resolve(stack, sequence)
	k.prefix = ""
	if m.Outcome == Waiting {
		k.prefix = sequence
	}
	return m
}

// Prefix returns the keys of the unfinished sequence, or nothing.
func (k *Keyboard) Prefix() string { return k.prefix }

// Reset drops the unfinished sequence.
func (k *Keyboard) Reset() { k.prefix = "" }

// Continuations returns the actions whose key sequence starts with prefix.
func (t *Table) Continuations(stack []Scope, prefix string) []Action {
	return slices.DeleteFunc(t.ReachableActions(stack), func(a Action) bool {
		return !slices.ContainsFunc(a.Keys, func(key string) bool { return strings.HasPrefix(key, prefix+" ") })
	})
}

// ReachableActions returns the actions that keys can run in a stack of scopes,
// in the order of the table.
func (t *Table) ReachableActions(stack []Scope) []Action {
	open := openScopes(stack)
	var reachable []Action
	for i := range t.actions {
		if t.actions[i].reachableIn(open) {
			reachable = append(reachable, t.actions[i])
		}
	}
	return reachable
}

// openScopes returns the scopes of a stack that receive keys.
func openScopes(stack []Scope) []Scope {
	open := []Scope{Always}
	for _, s := range slices.Backward(stack) {
		open = append(open, s)
		if s.IsModal() {
			break
		}
	}
	return open
}

func (a *Action) reachableIn(open []Scope) bool {
	return slices.ContainsFunc(a.Scopes, func(s Scope) bool { return slices.Contains(open, s) })
}
