// Package operations is everything that a dispatcher can do: what an operation asks for, what it sends, how an unknown
// outcome is looked up, and how it is undone. It knows the board and the client and no screen, so the console, the
// commands and the tests share it.
//
// A new operation starts from one of these:
//   - request for one body from a form, such as creating an object; most operations are one. See destination.go.
//   - taskEdit for new values of the selected tasks, with undo. See notes.go.
//   - deletion for the step that deletes an object. See webhook.go.
//
// Moves between routes, dispatches and imports have code of their own.
package operations

import (
	"context"
	"strings"
	"time"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// Input is what an operation starts from: the board as it was shown, and what was selected on it. Operations act on
// these ids although the board may have changed since.
type Input struct {
	Board *board.Snapshot
	// Tasks, Workers, Orders and Webhooks are the selection, in the order it was shown.
	Tasks    []model.ID
	Workers  []model.ID
	Orders   []model.ID
	Webhooks []model.Webhook
	// Hidden is how many of them the filter hides.
	Hidden int
	// RouteHidden says that the route of the selected stop is not on the screen, so a change of its order needs a preview.
	RouteHidden bool
	// NamedOnly is set by commands: they act on exactly what was named. Linked tasks move along only when asked for.
	NamedOnly bool
	// Task is the one selected task in full, as [Needs.Task] asks for.
	Task *model.Task

	Organization model.Organization
	Templates    []model.Template
	// CustomFields are the fields that the organization adds to its tasks; templates name them by key.
	CustomFields []model.CustomField
	Hubs         []model.Hub
	Now          model.Millis
	Zone         *time.Location
	// WorkDir is the folder of relative file names.
	WorkDir string
	// Argument is the text behind the operation's name in the palette.
	Argument string
	// Body is a whole request body, or a file of tasks to import. The operation then asks for no fields.
	Body []byte
}

// Needs are what has to be read before an operation can start.
type Needs struct {
	Task      bool // the selected task in full, with its history
	Templates bool // and the custom fields that they name
	Hubs      bool
	Rows      bool // the selected tasks on the board
	Workers   bool // every worker on the board
	Teams     bool // every team on the board
	// Organization is the organization of the key, whose container unassigned tasks go to.
	Organization bool
}

// Operation is something that can be done to the service. It is made for one [Input].
type Operation struct {
	ID    string // of its action; drafts are kept under it
	Title string
	Form  form.Form // without fields, Prepare is called at once
	// Prepare turns the values of the form into a proposal. It sends no request and may be called any number of times.
	Prepare func(values form.Values) (Proposal, form.Problems)
	// LoadNotes reads what the form cannot know, such as who has a phone number, and returns notes by the names of fields.
	// It runs in the background when a field is left; nil when there is nothing to read.
	LoadNotes func(ctx context.Context, c *apiclient.Client, values form.Values) map[string]string
	// PlansRoutes says that [PreviewDispatch] can show its routes beforehand.
	PlansRoutes bool
	// FieldOf finds the field that a service's error is about; nil when errors are about the whole form.
	FieldOf func(err error) (name string, ok bool)
}

// Creates reports whether the operation creates something, whatever is selected.
func (o *Operation) Creates() bool { return strings.HasPrefix(o.ID, "create.") }

// Proposal is what an operation would send, ready to be confirmed.
type Proposal struct {
	// Lines say what will change, with times and names.
	Lines []Line
	// Irreversible asks about what cannot be undone; it is confirmed with a key of its own. Empty when all can be undone.
	Irreversible string
	Steps        []Step
	// Skipped are selected objects that the operation cannot be applied to.
	Skipped []Skipped
	// Summary is the whole in a few words for the activity: "assign 3 tasks to Ada Okafor".
	Summary string
	// Direct proposals need no preview: they are small, certain and can be undone, such as moving a stop by one.
	Direct bool
}

// Line is a line of text. A warning and an improvement are shown in their own colours.
type Line struct {
	Text    string `json:"text"`
	Warning bool   `json:"warning,omitzero"`
	Good    bool   `json:"good,omitzero"`
}

// Skipped is an object that the operation leaves unchanged, with the reason.
type Skipped struct {
	Label  string `json:"label"`
	Reason string `json:"reason"`
}

// Step is one independent part of a proposal, mostly one request.
type Step struct {
	Object model.ID // what it changes; empty for what does not exist yet
	Label  string   // what the screen calls the object: "task 5d20c1aa", "Ada Okafor"
	// Locks name what only one step at a time may change, such as a container.
	Locks []string
	// Do carries the step out. Under [apiclient.WithDryRun] it previews its request and returns [apiclient.ErrDryRun];
	// before that request it must not change anything.
	Do func(ctx context.Context, c *apiclient.Client) (Result, error)
	// Timeout replaces the usual timeout of Do where that is too short, such as for a job that it waits for.
	Timeout time.Duration
	// Lookup finds out whether a step with an unknown outcome happened; nil when the service cannot tell.
	Lookup func(ctx context.Context, c *apiclient.Client) (LookupResult, error)
}

// The functions of an operation and its steps.
type (
	notesLoader = func(ctx context.Context, c *apiclient.Client, values form.Values) map[string]string

	stepFunc   = func(ctx context.Context, c *apiclient.Client) (Result, error)
	lookupFunc = func(ctx context.Context, c *apiclient.Client) (LookupResult, error)
)

// LookupResult is what a lookup found.
type LookupResult struct {
	Happened bool
	Certain  bool // false: it may still be running, or somebody else may have done it
	Summary  string
	// Result is what the step did, with its undo and what is left to do; without an object it is not known.
	Result Result
}

// Result is what a step has done.
type Result struct {
	Object  model.ID // what was created or changed
	Summary string   // for the activity: "assigned to Ada Okafor", "created 5d20c1aa"
	// Response is the service's answer, decoded: the created task, the container, the quotes. It is nil when the service
	// answers nothing.
	Response any
	// AlreadyGone says that somebody else had deleted the object before.
	AlreadyGone bool
	// Change is what the board learns from it.
	Change board.Change
	// Undo reverses it; nil when the interface cannot.
	Undo *Undo
	// Follow is a job that the service goes on with; nil when all is done.
	Follow *Follow
	// Report is a longer result, such as who got which task; empty when Summary says it all.
	Report []Line
	// Partial says that a part failed, such as rows of a file. Report says which. The step must not be sent again.
	Partial bool
	// Next is the id of the action that would come next; empty when there is none.
	Next string
	// NextIDs are what Next is for when that is not Object, and NextValues what its form starts with.
	NextIDs    []model.ID
	NextValues form.Values
}

// NextObjects are what the next action is for.
func (r *Result) NextObjects() []model.ID {
	if len(r.NextIDs) > 0 || r.Object == "" {
		return r.NextIDs
	}
	return []model.ID{r.Object}
}

// Command is an operation as a command line: the action, its objects and its values.
type Command struct {
	Action  string
	Objects []model.ID
	Values  form.Values
}

// Undo reverses a result.
type Undo struct {
	Title string // "unassign 5d20c1aa from Ada Okafor"
	// Unavailable says why it cannot be undone any more, given the present board; empty when it can.
	Unavailable func(snapshot *board.Snapshot) string
	Step        Step
	// Command does the same as a command line; without an action there is none.
	Command Command
}

// Follow watches a job at the service until it ends.
type Follow struct {
	ID    model.ID
	Title string // "dispatch of North"
	Kind  string // "dispatch", "batch"
	// Poll reads the job's state once. It is called again and again until the job has ended.
	Poll func(ctx context.Context, c *apiclient.Client) (JobState, error)
}

// JobState is how far a job is.
type JobState struct {
	Ended       bool
	Failed      bool
	Summary     string     // "planning, 12 of 40 placed"
	Done, Total int        // Total is zero when it is not known
	Report      []Line     // the full result, once it has ended
	Next        string     // id of the action that would come next
	Remaining   []model.ID // what is left to do; Next is for these
	Touched     []model.ID
}
