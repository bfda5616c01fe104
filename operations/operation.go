// Package verb is everything a dispatcher does: what it asks for, what it sends, how an unknown outcome is looked up,
// and what takes it back. It knows the board and the client and nothing of the screen, so that every verb can be tried
// against a service without one.
package operations

import (
	"context"
	"time"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// Input is what a verb starts from: the board as it was seen, and what was chosen on it. Verbs act on these ids, even
// when the board has changed since.
type Input struct {
	Board *board.Snapshot
	// Tasks, Workers, Orders and Webhooks are what was chosen, in the order it was shown.
	Tasks    []model.ID
	Workers  []model.ID
	Orders   []model.ID
	Webhooks []model.Webhook
	// Hidden is how many of them the filter kept out of sight.
	Hidden int
	// RouteHidden says that there is a screen and the route of the chosen stop is not on it, so that nobody would see a
	// change of its order.
	RouteHidden bool
	// Task is the one chosen task in full, as [Needs.Task] asked for.
	Task *model.Task

	Organization model.Organization
	Templates    []model.Template
	// CustomFields are what the organization adds to its tasks; templates name them by key.
	CustomFields []model.CustomField
	Hubs         []model.Hub
	Now          model.Millis
	Zone         *time.Location
	// WorkDir is where files are looked for.
	WorkDir string
	// Argument is what was typed behind the verb's word in the palette.
	Argument string
}

// Needs are what has to be read before a verb can begin.
type Needs struct {
	Task      bool // the chosen task in full, with its history
	Templates bool // and the custom fields that they name
	Hubs      bool
}

// Operation is something that can be done. It is made for one scene.
type Operation struct {
	ID    string // of the action; drafts are kept under it
	Title string
	Form  form.Form // without fields, Prepare is called at once
	// Prepare turns what was typed into what would be sent. It asks nobody and may be called again and again.
	Prepare func(values form.Values) (Proposal, form.Problems)
	// LoadNotes reads what the form cannot know by itself, such as whether a phone number belongs to someone already, and
	// returns notes by the names of fields. It runs aside whenever a field was left; nil when there is nothing to ask.
	LoadNotes func(ctx context.Context, c *apiclient.Client, values form.Values) map[string]string
	// FieldOf puts a service's error on the field that it is about; without it errors belong to the whole form.
	FieldOf func(err error) (name string, ok bool)
}

// Proposal is what is about to be sent.
type Proposal struct {
	// Lines say in plain lines what will change, with times and people by name, and warn of what one might not expect.
	Lines []Line
	// Irreversible is what cannot be taken back, as a question; it is asked for on a key of its own. Empty asks nothing more.
	Irreversible string
	Steps        []Step
	// Skipped are chosen objects that the verb does not fit, with the reason.
	Skipped []Skipped
	// Summary is the whole in a few words for the activity: "assign 3 tasks to Ada Okafor".
	Summary string
	// Direct plans need no preview: they are small, certain and can be taken back, such as moving a stop by one.
	Direct bool
}

// Line is a line of words; a warning is shown as one, and so is what is better than before.
type Line struct {
	Text    string
	Warning bool
	Good    bool
}

// Skipped is an object that a verb leaves alone.
type Skipped struct {
	Label  string
	Reason string
}

// Step is one thing to be carried out, mostly one request. Steps are independent of each other.
type Step struct {
	Object model.ID // what it is about; empty for what does not exist yet
	Label  string   // how the object is called on the screen: "task 5d20c1aa", "Ada Okafor"
	// Locks name what may be changed by one step at a time, such as a container.
	Locks []string
	// Do carries it out. Under [apiclient.WithDryRun] it shows what it would send and returns [apiclient.ErrDryRun];
	// nothing that it does before sending may change anything.
	Do func(ctx context.Context, c *apiclient.Client) (Result, error)
	// Timeout is how long Do may take where the usual time is too short, such as for a job that it waits for.
	Timeout time.Duration
	// Lookup finds out whether a step with an unknown outcome happened; nil when nobody can tell.
	Lookup func(ctx context.Context, c *apiclient.Client) (LookupResult, error)
}

// LookupResult is what a look after an unknown outcome showed.
type LookupResult struct {
	Happened bool
	Certain  bool // false: it may still be under way, or something else may have done it
	Summary  string
	// Result is what the step has done after all, with the way back and what is left to do; without an object it is not
	// known.
	Result Result
}

// Result is what a step has done.
type Result struct {
	Object  model.ID // what was made or changed
	Summary string   // the result for the activity: "assigned to Ada Okafor", "created 5d20c1aa"
	// Change is what the board can learn at once.
	Change board.Change
	// Undo takes it back; nil when the interface does not allow it.
	Undo *Undo
	// Follow is a job that goes on at the service; nil when all is done.
	Follow *Follow
	// Report is a longer result to be shown, such as who got what; empty when Words say it all.
	Report []Line
	// Partial says that some of it failed, such as rows of a file; Report tells what. The step itself is not sent again.
	Partial bool
	// Next is the id of the action that would come next, for what was made or changed; empty when nothing does.
	Next string
	// NextIDs is what Next is meant for where that is not Object, and NextWith what its form would hold.
	NextIDs    []model.ID
	NextValues form.Values
}

// NextObjects are what the next action is meant for.
func (d *Result) NextObjects() []model.ID {
	if len(d.NextIDs) > 0 || d.Object == "" {
		return d.NextIDs
	}
	return []model.ID{d.Object}
}

// Command is an action with what it acts on and what its form would hold: a verb in the words of a shell.
type Command struct {
	Action  string
	Objects []model.ID
	Values  form.Values
}

// Undo takes a step back for as long as that is true.
type Undo struct {
	Title string // "unassign 5d20c1aa from Ada Okafor"
	// Unavailable says why it cannot be taken back any more, looking at the board as it is now, or nothing.
	Unavailable func(snapshot *board.Snapshot) string
	Step        Step
	// Command is the verb that does the same, for whoever cannot press a key; without an action there is none.
	Command Command
}

// Follow watches a job until it ends.
type Follow struct {
	ID    model.ID
	Title string // "dispatch of North"
	Kind  string // "dispatch", "batch"
	// Poll reads the job's state once. It is called again after a while until it has ended.
	Poll func(ctx context.Context, c *apiclient.Client) (JobState, error)
}

// JobState is how far a job is.
type JobState struct {
	Ended       bool
	Failed      bool
	Summary     string     // "planning, 12 of 40 placed"
	Done, Total int        // zero Total when it is not known
	Report      []Line     // the result in full, once it has ended
	Next        string     // id of the action that would come next
	Remaining   []model.ID // what is left to do; Next is meant for these
	Touched     []model.ID
}
