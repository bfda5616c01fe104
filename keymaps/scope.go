package keymaps

import "slices"

// Scope is a place where keys are pressed. The console keeps a stack of them,
// the focused one last: the global scope, a pane or a page, then overlays.
type Scope string

// Always works everywhere, even while typing.
const Always Scope = "always"

// Global works everywhere but in overlays.
const Global Scope = "global"

// The panes of the board.
const (
	Delays  Scope = "delays"
	Workers Scope = "workers"
	Tasks   Scope = "tasks"
	Orders  Scope = "orders"
)

// The details, by what they show, and the pages that take the whole screen.
const (
	TaskDetail   Scope = "task detail"
	WorkerDetail Scope = "worker detail"
	OrderDetail  Scope = "order detail"
	OtherDetail  Scope = "other detail" // a recipient, a destination
	Map          Scope = "map"
	Activity     Scope = "activity"
	Requests     Scope = "requests"
	Events       Scope = "events"
	Webhooks     Scope = "webhooks"
	Jobs         Scope = "jobs"
)

// The overlays. While one is open it alone takes keys.
const (
	Menu       Scope = "menu"
	Candidates Scope = "candidates"
	Preview    Scope = "preview"
	Confirm    Scope = "confirm"
	Progress   Scope = "progress"

	Palette Scope = "palette" // from here on letters are text
	Picker  Scope = "picker"
	Help    Scope = "help"
	Filter  Scope = "filter"
	Prompt  Scope = "prompt"
	Form    Scope = "form"
)

// Scopes lists every scope in the order the key reference shows them.
func Scopes() []Scope {
	return slices.Concat(
		[]Scope{Always, Global}, panes(), details(), pages(),
		[]Scope{Menu, Candidates, Preview, Confirm, Progress}, textScopes(),
	)
}

func panes() []Scope      { return []Scope{Delays, Workers, Tasks, Orders} }
func details() []Scope    { return []Scope{TaskDetail, WorkerDetail, OrderDetail, OtherDetail} }
func pages() []Scope      { return []Scope{Map, Activity, Requests, Events, Webhooks, Jobs} }
func textScopes() []Scope { return []Scope{Palette, Picker, Help, Filter, Prompt, Form} } // those of [Scope.Text]

// lists are the scopes with a cursor that moves up and down.
func lists() []Scope {
	return slices.Concat(panes(), details(), []Scope{Activity, Requests, Events, Webhooks, Jobs})
}

// Text reports whether letters typed here are text and no actions.
func (s Scope) Text() bool {
	switch s {
	case Palette, Picker, Help, Filter, Prompt, Form:
		return true
	}
	return false
}

// Modal reports whether nothing below this scope sees a key.
func (s Scope) Modal() bool {
	switch s {
	case Menu, Candidates, Preview, Confirm, Progress:
		return true
	}
	return s.Text()
}

// meets reports whether keys of both scopes can be pressed in one situation.
func (s Scope) meets(other Scope) bool {
	switch {
	case s == other, s == Always, other == Always:
		return true
	case s == Global:
		return !other.Modal()
	case other == Global:
		return !s.Modal()
	}
	return false
}
