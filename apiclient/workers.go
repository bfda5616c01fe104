package apiclient

import (
	"context"
	"iter"
	"net/url"
	"strconv"

	"waybill/model"
)

// WorkersQuery chooses workers. The zero value takes all.
type WorkersQuery struct {
	// Fields limits the answer to these members; all others stay zero.
	Fields []string
	Teams  []model.ID
	States []model.DutyState
	Phones []string
	// Passwords asks for what is known of the workers' passwords.
	Passwords bool
}

func (q WorkersQuery) values() url.Values {
	states := make([]string, len(q.States))
	for i, state := range q.States {
		states[i] = strconv.Itoa(int(state))
	}
	p := params{}.trueFlag("includePasswordDetails", q.Passwords)
	p = addList(p, "filter", q.Fields)
	p = addList(p, "teams", q.Teams)
	p = addList(p, "states", states)
	return addList(p, "phones", q.Phones).values()
}

// Workers lists workers; the list has no pages.
func (c *Client) Workers(ctx context.Context, q WorkersQuery) ([]model.Worker, error) {
	return fetch[[]model.Worker](ctx, c, get("workers").withQuery(q.values()))
}

// WorkerQuery says what to tell of a worker. The zero value asks for the worker alone.
type WorkerQuery struct {
	// Fields limits the answer to these members; all others stay zero.
	Fields []string
	// Analytics asks what the worker did between From and To, at most 24 hours.
	Analytics bool
	From, To  model.Millis
}

// Worker is one worker.
func (c *Client) Worker(ctx context.Context, id model.ID, q WorkerQuery) (model.Worker, error) {
	p := params{}.trueFlag("analytics", q.Analytics).millis("from", q.From).millis("to", q.To)
	return fetch[model.Worker](ctx, c, get("workers", string(id)).withQuery(addList(p, "filter", q.Fields).values()))
}

// WorkersNear lists the workers within a radius in meters; 0 means the service's own, 1,000.
func (c *Client) WorkersNear(ctx context.Context, at model.Location, radius float64) ([]model.Worker, error) {
	query := params{}.
		text("longitude", coordinate(at.Lon)).
		text("latitude", coordinate(at.Lat)).
		number("radius", radius)
	near, err := fetch[model.WorkersNear](ctx, c, get("workers", "location").withQuery(query.values()))
	return near.Workers, err
}

// OwnTasksQuery chooses tasks of one team or worker. The zero value takes the service's own span, the last seven days.
type OwnTasksQuery struct {
	From, To model.Millis
	// LastID asks for the page behind this id.
	LastID model.ID
	// PickupTask limits the list to pickups or to drop-offs.
	PickupTask model.Opt[bool]
}

func (q OwnTasksQuery) values() url.Values {
	return params{}.millis("from", q.From).millis("to", q.To).
		text("lastId", string(q.LastID)).boolean("isPickupTask", q.PickupTask).values()
}

// WorkerTaskPage is one page of a worker's tasks.
func (c *Client) WorkerTaskPage(ctx context.Context, worker model.ID, q OwnTasksQuery) (model.TaskPage, error) {
	return fetch[model.TaskPage](ctx, c, get("workers", string(worker), "tasks").withQuery(q.values()))
}

// WorkerTasks walks a worker's tasks from page to page. An error is the last thing it yields.
func (c *Client) WorkerTasks(ctx context.Context, worker model.ID, q OwnTasksQuery) iter.Seq2[model.Task, error] {
	return iterateTasks(ctx, q.LastID, func(ctx context.Context, last model.ID) (model.TaskPage, error) {
		q := q
		q.LastID = last
		return c.WorkerTaskPage(ctx, worker, q)
	})
}

// CreateWorker makes a worker, who gets a temporary password by SMS.
func (c *Client) CreateWorker(ctx context.Context, w model.WorkerInput) (model.Worker, error) {
	return fetch[model.Worker](ctx, c, post(w, "workers"))
}

// UpdateWorker changes a worker; the phone stays.
func (c *Client) UpdateWorker(ctx context.Context, id model.ID, changes model.WorkerInput) (model.Worker, error) {
	return fetch[model.Worker](ctx, c, put(changes, "workers", string(id)))
}

// DeleteWorker removes a worker.
func (c *Client) DeleteWorker(ctx context.Context, id model.ID) error {
	return c.do(ctx, remove("workers", string(id)), nil)
}

// WorkerSchedule is when a worker is meant to work.
func (c *Client) WorkerSchedule(ctx context.Context, id model.ID) (model.Schedule, error) {
	return fetch[model.Schedule](ctx, c, get("workers", string(id), "schedule"))
}

// SetWorkerSchedule replaces days of a worker's schedule and returns the whole.
func (c *Client) SetWorkerSchedule(ctx context.Context, id model.ID, s model.Schedule) (model.Schedule, error) {
	return fetch[model.Schedule](ctx, c, post(s, "workers", string(id), "schedule"))
}

// FindWorkers lists the workers whose metadata matches all entries.
func (c *Client) FindWorkers(ctx context.Context, match []model.Metadata) ([]model.Worker, error) {
	return fetch[[]model.Worker](ctx, c, metadataQuery("workers", match))
}
