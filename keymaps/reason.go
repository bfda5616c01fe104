package keymaps

import (
	"fmt"
	"slices"
	"strings"

	"waybill/board"
)

// Context is what decides whether an action can run now.
type Context struct {
	ReadOnly   bool
	ReadOnlyBy string // who turned read-only mode on: "the profile", "--readonly", "you"

	Objects []Object // the selection

	Sending string // title of the change whose answer is awaited
	Undo    string // title of the change that undo would reverse

	// Scopes is the stack in which the palette was opened. It is empty for a
	// pressed key, which is only resolved in scopes where the action works.
	Scopes []Scope

	// Unavailable returns why the console cannot run an action, by id. It may be nil.
	Unavailable func(id string) string
}

// Object is something an action would act on. Equal objects are one entry with
// a count, so that a context stays small when fifty thousand tasks are selected.
type Object struct {
	Kind   Kind
	Status board.Status // of a task; an unknown status forbids nothing
	Count  int          // zero means one
}

func countObjects(objects []Object) int {
	n := 0
	for _, o := range objects {
		n += max(o.Count, 1)
	}
	return n
}

// DisabledReason returns why an action cannot run now, as a sentence for the
// status line, or nothing if it can. For the console's actions read-only mode is
// enforced here; the client also refuses writes.
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
	switch {
	case a.ID == "console.undo" && ctx.Undo == "":
		return "There is nothing to undo."
	case a.ID == "preview.send" && ctx.Sending != "":
		return "Wait for the answer to the last change: " + ctx.Sending + "."
	}
	if reason := t.selectionReason(a, ctx.Objects); reason != "" {
		return reason
	}
	if len(ctx.Scopes) > 0 && !a.reachableIn(openScopes(ctx.Scopes)) {
		return "Works only in " + describeScopes(a.Scopes) + "."
	}
	return ""
}

func (t *Table) readOnlyReason(ctx *Context) string {
	by := ""
	if ctx.ReadOnlyBy != "" {
		by = " (set by " + ctx.ReadOnlyBy + ")"
	}
	unlock := "Type :rw"
	if key := t.FirstKey("console.readonly"); key != "" {
		unlock = "Press " + key
	}
	return fmt.Sprintf("Read-only mode is on%s. %s to allow changes.", by, unlock)
}

// selectionReason checks the selection. A bulk action runs if at least one
// object qualifies; the others are skipped and listed in the preview.
func (t *Table) selectionReason(a *Action, objects []Object) string {
	if len(a.Requires.Kinds) == 0 {
		return ""
	}
	if len(objects) == 0 {
		return "Select " + kindsWithArticle(a.Requires.Kinds) + " first."
	}
	count := countObjects(objects)
	if count > 1 && !a.Bulk {
		return fmt.Sprintf("Select just one; %d are selected.", count) + t.clearMarksHint()
	}
	for _, o := range objects {
		if objectReason(a.Requires, o) == "" {
			return ""
		}
	}
	reason := objectReason(a.Requires, objects[0])
	if count > 1 {
		return fmt.Sprintf("This does not work for any of the %d selected. %s", count, reason)
	}
	return reason
}

func (t *Table) clearMarksHint() string {
	if key := t.FirstKey("mark.clear"); key != "" {
		return " Press " + key + " to clear the marks."
	}
	return ""
}

// objectReason returns why an object does not meet a requirement, or nothing if it does.
func objectReason(r Requirement, o Object) string {
	if len(r.Kinds) > 0 && !slices.Contains(r.Kinds, o.Kind) {
		return fmt.Sprintf("Select %s; this is %s.", kindsWithArticle(r.Kinds), kindsWithArticle([]Kind{o.Kind}))
	}
	if o.Kind != Task || o.Status == board.StatusUnknown || r.Forbidden == nil {
		return ""
	}
	return r.Forbidden(o.Status.State())
}

// kindsWithArticle returns kinds as people say them: "a driver or an order".
func kindsWithArticle(kinds []Kind) string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		switch k {
		case Worker:
			words[i] = "a driver"
		case Order:
			words[i] = "an order"
		default:
			words[i] = "a " + string(k)
		}
	}
	return strings.Join(words, " or ")
}
