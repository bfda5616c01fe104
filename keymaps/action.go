// Package keymaps holds the table of everything the console can do.
//
// An [Action] has keys, help, the scopes it works in, and what it requires.
// Key handling, the hints in the status line, the help, the palette,
// rebinding, read-only mode and docs/keys.md all read this table, so they
// cannot disagree. The code that carries an action out is in the console.
package keymaps

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

// The groups.
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

// Groups returns the groups in the order of the help.
func Groups() []Group {
	return []Group{
		GroupMove, GroupFind, GroupSelect, GroupView, GroupTask, GroupRoute, GroupCreate,
		GroupOrder, GroupExport, GroupData, GroupConsole, GroupDialogs,
	}
}

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

// State is the state of a task. The empty state is unknown and forbids nothing.
type State string

// The states of a task.
const (
	Unassigned State = "unassigned"
	Assigned   State = "assigned"
	Active     State = "active"
	Completed  State = "completed"
)

// Requirement is what must be selected for an action. The zero value requires nothing.
type Requirement struct {
	Kinds  []Kind  // any of these
	States []State // if not empty, a task must be in one of these
}

// inGroup sets the group of actions and gives those without scopes the global one.
func inGroup(g Group, actions []Action) []Action {
	for i := range actions {
		actions[i].Group = g
		if actions[i].Scopes == nil {
			actions[i].Scopes = []Scope{Global}
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
