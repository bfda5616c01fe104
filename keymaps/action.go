// Package keymaps holds the one table of everything the console can do.
//
// An [Action] says its keys, its help, where it works, whether it writes and
// what it needs. Dispatch of keys, the hints in the status line, the help, the
// palette, rebinding, read-only mode and the key reference in docs all read
// this table, so none of them can disagree with another. Running an action is
// not its business: the console maps ids to code.
package keymaps

// Action is one thing a person can do.
type Action struct {
	ID    string // name in the settings; never changes
	Title string
	HintLabel string // label in the status line; empty is never hinted
	Help  string
	Group Group
	Keys  []string // as Bubble Tea names them; a sequence is "g g"
	// Commands are the words that run it in the palette, with what follows
	// them as its argument: "profile acme".
	Commands []string
	Scopes   []Scope

	Writes bool // changes something at the service
	Dangerous bool // asks before it does
	Bulk   bool // acts on all that is selected; others take one at a time
	Requires  Requirement
	Routes []Route // what the service must offer

	HintOrder   int  // place in the status line; lower comes first
	Hidden bool // not in the palette: moving about, keys of overlays
}

// Group is a heading of the help.
type Group string

// The groups, in the order of the help.
const (
	GroupMove     Group = "Moving"
	GroupFind     Group = "Finding"
	GroupSelect   Group = "Selecting"
	GroupView     Group = "Looking"
	GroupTask     Group = "Tasks"
	GroupRoute    Group = "Assignment and routes"
	GroupCreate   Group = "Creating"
	GroupOrder    Group = "Orders and webhooks"
	GroupExport     Group = "Taking along"
	GroupData     Group = "Data"
	GroupConsole  Group = "Console"
	GroupDialogs Group = "In menus, forms and questions"
)

// Groups lists the groups in order.
func Groups() []Group {
	return []Group{
		GroupMove, GroupFind, GroupSelect, GroupView, GroupTask, GroupRoute, GroupCreate,
		GroupOrder, GroupExport, GroupData, GroupConsole, GroupDialogs,
	}
}

// Kind is what an object is.
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

// State is what a task is in. An empty state is not known and forbids nothing.
type State string

// The states of a task.
const (
	Unassigned State = "unassigned"
	Assigned   State = "assigned"
	Active     State = "active"
	Completed  State = "completed"
)

// Requirement is what an action acts on. The zero value needs nothing.
type Requirement struct {
	Kinds  []Kind  // any of these
	States []State // if given, a task must be in one of them
}

// Route is an endpoint beyond what every service is sure to have.
type Route string

// The routes actions depend on.
const (
	RouteUpdateTask   Route = "PUT /tasks/{id}"
	RouteDeleteTask   Route = "DELETE /tasks/{id}"
	RouteCompleteTask Route = "POST /tasks/{id}/complete"
	RouteAutoAssign   Route = "POST /tasks/autoAssign"
	RouteContainers   Route = "PUT /containers/{kind}/{id}"
	RouteDispatch     Route = "POST /teams/{id}/dispatch"
	RouteBatch        Route = "POST /tasks/batch-async"
	RouteRecipients   Route = "POST /recipients"
	RouteOrder        Route = "POST /taskOrders"
	RouteCancelOrder  Route = "POST /taskOrders/cancel"
	RouteQuote        Route = "POST /deliveryServices/quote"
)
