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

// Lookup finds what a key sequence means in a stack of scopes, the focused one
// last. Keys are joined by spaces: "a", "g g".
func (t *Table) Lookup(stack []Scope, sequence string) Match {
	for _, s := range slices.Backward(stack) {
		if s.Text() && isText(firstKey(sequence)) {
			return Match{Outcome: Typed}
		}
		if m := t.in(s, sequence); m.Outcome != Unbound {
			return m
		}
		if s.Modal() {
			break
		}
	}
	return t.in(Always, sequence)
}

func (t *Table) in(s Scope, sequence string) Match {
	if i, ok := t.bound[s][sequence]; ok {
		return Match{Found, t.actions[i]}
	}
	if t.prefixes[s][sequence] {
		return Match{Outcome: Waiting}
	}
	return Match{}
}

// Keyboard remembers the keys of a sequence that is not finished yet. The zero
// value is ready.
type Keyboard struct{ pending string }

// Press is a key in a stack of scopes. A key that does not go on with a begun
// sequence ends it and does nothing: after a slip of the finger, running the
// second key alone would be a surprise.
func (k *Keyboard) Press(t *Table, stack []Scope, key string) Match {
	sequence := key
	if k.pending != "" {
		sequence = k.pending + " " + key
	}
	m := t.Lookup(stack, sequence)
	k.pending = ""
	if m.Outcome == Waiting {
		k.pending = sequence
	}
	return m
}

// Pending is the beginning of a sequence, for the status line, or nothing.
func (k *Keyboard) Pending() string { return k.pending }

// Reset forgets a begun sequence, when the focus moves.
func (k *Keyboard) Reset() { k.pending = "" }

// Continuations are the actions a begun sequence may still become.
func (t *Table) Continuations(stack []Scope, pending string) []Action {
	var next []Action
	for _, a := range t.Reachable(stack) {
		if slices.ContainsFunc(a.Keys, func(key string) bool { return strings.HasPrefix(key, pending+" ") }) {
			next = append(next, a)
		}
	}
	return next
}

// Reachable are the actions a stack of scopes offers, in the order of the
// table.
func (t *Table) Reachable(stack []Scope) []Action {
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
		if s.Modal() {
			break
		}
	}
	return open
}

func (a *Action) reachableIn(open []Scope) bool {
	return slices.ContainsFunc(a.Scopes, func(s Scope) bool { return slices.Contains(open, s) })
}
