package feed

import (
	"context"
	"time"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
)

// Lane is one kind of read with its own interval, age and failures.
type Lane uint8

// The lanes, the most important first: when several are due they are read in this order.
const (
	Account  Lane = iota // the organization: its name and time zone
	Selected             // the object of the detail
	Workers              // all workers
	Urgent               // open tasks that are overdue or due soon
	Open                 // all open tasks, page by page
	Fresh                // open tasks created since the last read
	Finished             // tasks completed since the shift began
	Details              // single tasks: queued, visible, watched
	Orders               // orders by short id
	Teams
	Hubs
	laneCount
)

// IsList reports that the lane only reads rows of the panes, so that an answer without changes changes nothing on the screen.
func (l Lane) IsList() bool { return l >= Workers && l <= Orders }

// Kind is the kind of an object.
type Kind string

// The kinds of objects.
const (
	NoObject    Kind = ""
	Task        Kind = "task"
	Worker      Kind = "worker"
	Order       Kind = "order"
	Recipient   Kind = "recipient"
	Destination Kind = "destination"
)

// Target is one object, by its id or its short id.
type Target struct {
	Kind  Kind
	ID    model.ID
	Short model.ShortID
}

// Request is one read. It holds everything [Fetch] needs, so that no state is shared between goroutines.
type Request struct {
	Lane     Lane
	Asked    board.Stamp
	Priority apiclient.Priority
	Timeout  time.Duration

	page    apiclient.TaskQuery
	workers apiclient.WorkersQuery
	target  Target
}

// Target is the object that is read, where it is a single one.
func (r Request) Target() Target { return r.target }

// Result is the answer to a request.
type Result struct {
	Request Request
	At      time.Time // when the answer arrived
	Err     error

	Organization model.Organization
	Tasks        []model.Task
	LastID       model.ID // the next page of a list starts after it; empty at the end
	Workers      []model.Worker
	Orders       []model.Order
	Teams        []model.Team
	Hubs         []model.Hub
	Recipient    *model.Recipient
	Destination  *model.Destination
}

// Fetch sends a request. It may be called from any goroutine.
func Fetch(ctx context.Context, client *apiclient.Client, r Request, now func() time.Time) Result {
	ctx, cancel := context.WithTimeout(apiclient.WithPriority(ctx, r.Priority), r.Timeout)
	defer cancel()
	out := Result{Request: r}
	switch r.Lane {
	case Account:
		out.Organization, out.Err = client.Organization(ctx)
	case Workers:
		out.Workers, out.Err = client.Workers(ctx, r.workers)
	case Urgent, Open, Fresh, Finished:
		var page model.TaskPage
		page, out.Err = client.TaskPage(ctx, r.page)
		out.Tasks, out.LastID = page.Tasks, page.LastID.Value()
	case Teams:
		out.Teams, out.Err = client.Teams(ctx)
	case Hubs:
		out.Hubs, out.Err = client.Hubs(ctx)
	case Selected, Details, Orders:
		out.readTarget(ctx, client)
	default:
	}
	out.At = now()
	return out
}

// FetchTarget reads a single object.
func FetchTarget(ctx context.Context, client *apiclient.Client, t Target) Result {
	r := Result{Request: Request{Lane: Details, target: t}}
	r.readTarget(ctx, client)
	return r
}

func (r *Result) readTarget(ctx context.Context, client *apiclient.Client) {
	switch t := r.Request.target; t.Kind {
	case Task:
		r.Tasks, r.Err = list(fetchTask(ctx, client, r.Request))
	case Worker:
		r.Workers, r.Err = list(client.Worker(ctx, t.ID, apiclient.WorkerQuery{}))
	case Order:
		r.Orders, r.Err = list(client.Order(ctx, t.Short))
	case Recipient:
		recipient, err := client.Recipient(ctx, t.ID)
		r.Recipient, r.Err = &recipient, err
	case Destination:
		destination, err := client.Destination(ctx, t.ID)
		r.Destination, r.Err = &destination, err
	default:
	}
}

// list is a list of one object, or of none after an error.
func list[T any](object T, err error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	return []T{object}, nil
}

func fetchTask(ctx context.Context, client *apiclient.Client, r Request) (model.Task, error) {
	switch {
	case r.target.ID == "":
		return client.TaskByShortID(ctx, r.target.Short)
	case r.Lane == Selected:
		return client.TaskWithHistory(ctx, r.target.ID)
	}
	return client.Task(ctx, r.target.ID)
}
