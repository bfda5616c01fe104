package keymaps

import (
	"fmt"
	"slices"
	"strings"
)

// Context is the situation an action would run in, as plain facts.
type Context struct {
	ReadOnly   bool
	ReadOnlyBy string // who locked it: "the profile", "--readonly", "you"

	Objects []Object // what is selected, or what the cursor is on
	Missing []Route  // what the service answered it does not have

	Sending     string // the write in flight whose answer is awaited
	Dispatching string // the dispatch that runs: "North since 14:02"
	Undo        string // what undo would take back

	// Scopes is where the palette was opened; empty when a key was pressed, which works only where it should.
	Scopes []Scope

	// Unavailable says why this console cannot run an action at all, by its id; nil when it can run every one.
	Unavailable func(id string) string
}

// Object is what an action would act on. Objects that are alike are one entry
// with their number, so that a situation stays small when fifty thousand tasks
// are selected.
type Object struct {
	Kind  Kind
	State State
	Count int // zero is one
}

func countObjects(objects []Object) int {
	n := 0
	for _, o := range objects {
		n += max(o.Count, 1)
	}
	return n
}

// DisabledReason says why an action cannot run now, in words for the status line, or
// nothing when it can. This is the one place that enforces read-only mode: an
// action that writes passes here or nowhere.
func (t *Table) DisabledReason(a Action, ctx Context) string { return t.disabledReason(&a, &ctx) }

func (t *Table) disabledReason(a *Action, ctx *Context) string {
	if a.Writes && ctx.ReadOnly {
		return t.readOnlyReason(ctx)
	}
	if ctx.Unavailable != nil {
		if reason := ctx.Unavailable(a.ID); reason != "" {
			return reason
		}
	}
	for _, r := range a.Routes {
		if slices.Contains(ctx.Missing, r) {
			return fmt.Sprintf("This service does not offer it: %s is not there.", r)
		}
	}
	switch a.ID {
	case "console.undo":
		if ctx.Undo == "" {
			return "There is nothing to undo."
		}
	case "route.dispatch":
		if ctx.Dispatching != "" {
			return "A dispatch is running: " + ctx.Dispatching + ". One at a time per team."
		}
	case "preview.send":
		if ctx.Sending != "" {
			return "Still waiting for the answer to " + ctx.Sending + "."
		}
	}
	if reason := selectionReason(a, ctx.Objects); reason != "" {
		return reason
	}
	if len(ctx.Scopes) > 0 && !a.reachableIn(openScopes(ctx.Scopes)) {
		return "Only in: " + describeScopes(a.Scopes) + "."
	}
	return ""
}

func (t *Table) readOnlyReason(ctx *Context) string {
	by := ctx.ReadOnlyBy
	if by != "" {
		by = ", locked by " + by
	}
	key := t.FirstKey("console.readonly")
	if key == "" {
		key = ":rw"
	}
	return fmt.Sprintf("Read-only%s: nothing is written. %s unlocks.", by, key)
}

// selectionReason checks what is selected. With many selected an action runs
// if at least one fits; the others are skipped and said so.
func selectionReason(a *Action, objects []Object) string {
	if len(a.Requires.Kinds) == 0 {
		return ""
	}
	if len(objects) == 0 {
		return "Select " + kindsWithArticle(a.Requires.Kinds) + " first."
	}
	count := countObjects(objects)
	if count > 1 && !a.Bulk {
		return fmt.Sprintf("Works on one at a time; %d are selected.", count)
	}
	for _, o := range objects {
		if objectReason(a, o) == "" {
			return ""
		}
	}
	if count == 1 {
		return objectReason(a, objects[0])
	}
	return fmt.Sprintf("None of the %d selected fits: %s", count, lowerFirst(objectReason(a, objects[0])))
}

// objectReason says why an action cannot act on one object, or nothing when it can.
func objectReason(a *Action, o Object) string {
	n := a.Requires
	if len(n.Kinds) > 0 && !slices.Contains(n.Kinds, o.Kind) {
		return fmt.Sprintf("It needs %s, this is %s.", kindsWithArticle(n.Kinds), kindsWithArticle([]Kind{o.Kind}))
	}
	if o.Kind != Task || o.State == "" || len(n.States) == 0 || slices.Contains(n.States, o.State) {
		return ""
	}
	switch {
	case o.State == Completed:
		return "A completed task cannot be changed; clone it instead."
	case o.State == Active && slices.Contains(n.States, Assigned):
		return "The worker has started it; only notes and metadata can still change."
	case o.State == Unassigned && slices.Contains(n.States, Assigned):
		return "It is not assigned to anyone."
	case slices.Equal(n.States, []State{Active}):
		return "Only a task that was started can be completed."
	}
	return fmt.Sprintf("It is %s.", o.State)
}

func kindsWithArticle(kinds []Kind) string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = "a " + string(k)
		if strings.ContainsAny(string(k[:1]), "aeiou") {
			words[i] = "an " + string(k)
		}
	}
	return strings.Join(words, " or ")
}

func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
