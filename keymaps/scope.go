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
		[]Scope{Always, Global}, paneScopes(), detailScopes(), pageScopes(),
		[]Scope{Menu, Candidates, Preview, Confirm, Progress}, textScopes(),
	)
}

func paneScopes() []Scope      { return []Scope{Delays, Workers, Tasks, Orders} }
func detailScopes() []Scope    { return []Scope{TaskDetail, WorkerDetail, OrderDetail, OtherDetail} }
func pageScopes() []Scope      { return []Scope{Map, Activity, Requests, Events, Webhooks, Jobs} }
func textScopes() []Scope { return []Scope{Palette, Picker, Help, Filter, Prompt, Form} } // those of [Scope.Text]

// listScopes are the scopes with a cursor that moves up and down.
func listScopes() []Scope {
	return slices.Concat(paneScopes(), detailScopes(), []Scope{Activity, Requests, Events, Webhooks, Jobs})
}

// TakesText reports whether letters typed here are text and no actions.
func (s Scope) TakesText() bool {
	switch s {
	case Palette, Picker, Help, Filter, Prompt, Form:
		return true
	}
	return false
}

// IsModal reports whether nothing below this scope sees a key.
func (s Scope) IsModal() bool {
	switch s {
	case Menu, Candidates, Preview, Confirm, Progress:
		return true
	}
	return s.TakesText()
}

// overlaps reports whether keys of both scopes can be pressed in one situation.
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
