package keymaps

import (
	"slices"
	"strings"
)

// Scope is a part of the screen that receives keys. The console keeps a stack
// of scopes with the focused one last: the global scope, a pane or a page,
// then dialogs.
type Scope string

// Always works everywhere, even while typing.
const Always Scope = "always"

// Global works everywhere except in dialogs.
const Global Scope = "global"

// The panes of the board.
const (
	Delays  Scope = "delays"
	Workers Scope = "drivers"
	Tasks   Scope = "tasks"
	Orders  Scope = "orders"
)

// The details, by the object they show, and the pages.
const (
	TaskDetail   Scope = "task detail"
	WorkerDetail Scope = "driver detail"
	OrderDetail  Scope = "order detail"
	OtherDetail  Scope = "other detail" // a recipient or a destination
	Map          Scope = "map"
	Activity     Scope = "activity"
	Requests     Scope = "requests"
	Events       Scope = "events"
	Webhooks     Scope = "webhooks"
	Jobs         Scope = "jobs"
)

// The dialogs. An open dialog takes all keys.
const (
	Menu       Scope = "menu"
	Candidates Scope = "candidates"
	Preview    Scope = "preview"
	Confirm    Scope = "confirm"
	Progress   Scope = "progress"
)

// The dialogs in which letters are text.
const (
	Palette Scope = "palette"
	Picker  Scope = "picker"
	Help    Scope = "help"
	Filter  Scope = "filter"
	Prompt  Scope = "prompt"
	Form    Scope = "form"
)

// Scopes returns every scope in the order of the key reference.
func Scopes() []Scope {
	return slices.Concat([]Scope{Always, Global}, paneScopes(), detailScopes(), pageScopes(), dialogScopes())
}

func paneScopes() []Scope   { return []Scope{Delays, Workers, Tasks, Orders} }
func detailScopes() []Scope { return []Scope{TaskDetail, WorkerDetail, OrderDetail, OtherDetail} }
func pageScopes() []Scope   { return []Scope{Map, Activity, Requests, Events, Webhooks, Jobs} }
func textScopes() []Scope   { return []Scope{Palette, Picker, Help, Filter, Prompt, Form} }

func dialogScopes() []Scope {
	return []Scope{Menu, Candidates, Preview, Confirm, Progress, Palette, Picker, Help, Filter, Prompt, Form}
}

// listScopes returns the scopes with a cursor that moves up and down.
func listScopes() []Scope {
	return slices.Concat(paneScopes(), detailScopes(), []Scope{Activity, Requests, Events, Webhooks, Jobs})
}

// TakesText reports whether letters typed in this scope are text.
func (s Scope) TakesText() bool { return slices.Contains(textScopes(), s) }

// IsModal reports whether the scopes below this one receive no keys.
func (s Scope) IsModal() bool { return slices.Contains(dialogScopes(), s) }

// overlaps reports whether both scopes can receive the same key press.
func (s Scope) overlaps(other Scope) bool {
	switch {
	case s == other, s == Always, other == Always:
		return true
	case s == Global:
		return !other.IsModal()
	case other == Global:
		return !s.IsModal()
	}
	return false
}

// describeScopes lists scopes by name and complete groups of them by one word.
func describeScopes(scopes []Scope) string {
	rest := slices.Clone(scopes)
	var words []string
	for _, group := range []struct {
		name   string
		scopes []Scope
	}{
		{"lists", listScopes()}, {"dialogs", dialogScopes()}, {"panes", paneScopes()}, {"pages", pageScopes()}, {"details", detailScopes()},
	} {
		if containsAll(rest, group.scopes) {
			words = append(words, group.name)
			rest = slices.DeleteFunc(rest, func(s Scope) bool { return slices.Contains(group.scopes, s) })
		}
	}
	for _, s := range rest {
		if s == Global || s == Always {
			words = append([]string{"everywhere"}, words...)
			continue
		}
		words = append(words, string(s))
	}
	return strings.Join(words, ", ")
}

func containsAll(scopes, wanted []Scope) bool {
	return !slices.ContainsFunc(wanted, func(s Scope) bool { return !slices.Contains(scopes, s) })
}
