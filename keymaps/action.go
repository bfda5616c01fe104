// Package keymaps holds the table of everything the console can do.
//
// An [Action] has keys, help, the scopes it works in, and what it requires.
// Key handling, the hints in the status line, the help, the palette,
// rebinding, read-only mode and docs/keys.md all read this table, so they
// cannot disagree. The code that carries an action out is in the console.
package keymaps

import "waybill/model"

// Action is one thing a person can do.
type Action struct {
	ID        string // name in the settings; never changes
	Title     string
	HintLabel string // label in the status line; empty means no hint
	Help      string
	Group     Group
	Keys      []string // as Bubble Tea names them; a sequence is "g g"
	// Commands are the words that run the action in the palette. Text after
	// the word is the argument: "profile acme".
	Commands []string
	Scopes   []Scope

	Writes    bool // changes something at the service
	Dangerous bool // asks for confirmation
	Bulk      bool // acts on the whole selection; other actions take one object
	Requires  Requirement

	HintOrder int  // position in the status line; lower comes first
	Hidden    bool // not in the palette: cursor movement and keys of dialogs
}

// Group is a heading of the help.
type Group string

// The groups, in the order of the help.
const (
	GroupMove    Group = "Navigation"
	GroupFind    Group = "Search and filter"
	GroupSelect  Group = "Selection"
	GroupView    Group = "View"
	GroupTask    Group = "Tasks"
	GroupRoute   Group = "Assignment and routes"
	GroupCreate  Group = "Create"
	GroupOrder   Group = "Orders, webhooks and jobs"
	GroupExport  Group = "Copy and export"
	GroupData    Group = "Refresh"
	GroupConsole Group = "Console"
	GroupDialogs Group = "Dialogs"
)

// Kind is the kind of an object.
type Kind string

// The kinds of object.
const (
	Task        Kind = "task"
	Worker      Kind = "worker"
	Order       Kind = "order"
	Recipient   Kind = "recipient"
	Destination Kind = "destination"
	Webhook     Kind = "webhook"
	Request     Kind = "request"
	Job         Kind = "job"
)

// Requirement is what must be selected for an action. The zero value requires nothing.
type Requirement struct {
	Kinds     []Kind                             // any of these
	Forbidden func(state model.TaskState) string // why the state of a task does not allow it; may be nil
}

// action returns an action; the methods below fill in the rest.
func action(id, title, help string) Action { return Action{ID: id, Title: title, Help: help} }

func (a Action) keys(keys ...string) Action      { a.Keys = keys; return a }
func (a Action) commands(words ...string) Action { a.Commands = words; return a }
func (a Action) in(scopes ...Scope) Action       { a.Scopes = scopes; return a }
func (a Action) bulk() Action                    { a.Bulk = true; return a }
func (a Action) writes() Action                  { a.Writes = true; return a }
func (a Action) dangerous() Action               { a.Writes, a.Dangerous = true, true; return a }
func (a Action) hidden() Action                  { a.Hidden = true; return a }
func (a Action) requires(kinds ...Kind) Action   { a.Requires.Kinds = kinds; return a }

// unless sets the rule that says in which states of a task the action is forbidden.
func (a Action) unless(forbidden func(model.TaskState) string) Action {
	a.Requires.Forbidden = forbidden
	return a
}

// unlessFixed forbids an action that changes a field of a task where the field can no longer be changed.
func (a Action) unlessFixed(field string) Action {
	return a.unless(func(state model.TaskState) string { return model.UpdateForbidden(state, field) })
}

func (a Action) hint(label string, order int) Action {
	a.HintLabel, a.HintOrder = label, order
	return a
}

// inGroup sets the group of actions and gives those without scopes the global one.
func inGroup(g Group, actions []Action) []Action {
	for i := range actions {
		actions[i].Group = g
	}
	return inScopes([]Scope{Global}, actions)
}

// inScopes sets the scopes of the actions that have none.
func inScopes(scopes []Scope, actions []Action) []Action {
	for i := range actions {
		if actions[i].Scopes == nil {
			actions[i].Scopes = scopes
		}
	}
	return actions
}

// hidden keeps actions out of the palette.
func hidden(actions []Action) []Action {
	for i := range actions {
		actions[i].Hidden = true
	}
	return actions
}
