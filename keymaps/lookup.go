package keymaps

import (
	"slices"
	"strings"
)

// Outcome is what became of a key.
type Outcome uint8

// The outcomes.
const (
	Unbound Outcome = iota // nothing happens; the focused part may still want it
	Found                  // Match.Action is to run
	Waiting                // the beginning of a sequence
	Typed                  // it is text for the focused field
)

// Match is the answer to a key.
type Match struct {
	Outcome Outcome
	Action  Action
}

// Resolve finds what a key sequence means in a stack of scopes, the focused one
// last. Keys are joined by spaces: "a", "g g".
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

// Keyboard remembers the keys of a sequence that is not finished yet. The zero
// value is ready.
type Keyboard struct{ prefix string }

// Press is a key in a stack of scopes. A key that does not go on with a begun
// sequence ends it and does nothing: after a slip of the finger, running the
// second key alone would be a surprise.
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

// Prefix is the beginning of a sequence, for the status line, or nothing.
func (k *Keyboard) Prefix() string { return k.prefix }

// Reset forgets a begun sequence, when the focus moves.
func (k *Keyboard) Reset() { k.prefix = "" }

// Continuations are the actions a begun sequence may still become.
func (t *Table) Continuations(stack []Scope, pending string) []Action {
	var next []Action
	for _, a := range t.ReachableActions(stack) {
		if slices.ContainsFunc(a.Keys, func(key string) bool { return strings.HasPrefix(key, pending+" ") }) {
			next = append(next, a)
		}
	}
	return next
}

// ReachableActions are the actions a stack of scopes offers, in the order of the
// table.
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

// openScopes are the scopes of a stack that see keys.
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
