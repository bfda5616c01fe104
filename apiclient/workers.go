package apiclient

import (
	"context"
	"iter"

	"waybill/model"
)

// WorkersQuery selects workers. The zero value selects all.
type WorkersQuery struct {
	// Fields limits the response to these members; all others stay zero.
	Fields []string          `query:"filter"`
	Teams  []model.ID        `query:"teams"`
	States []model.DutyState `query:"states"`
	Phones []string          `query:"phones"`
	// Passwords includes the password details of the workers.
	Passwords bool `query:"includePasswordDetails"`
}

// Workers lists workers. The list is not paginated.
func (c *Client) Workers(ctx context.Context, q WorkersQuery) ([]model.Worker, error) {
	return fetch[[]model.Worker](ctx, c, get("workers").withQuery(encodeQuery(q)))
}

// WorkerQuery selects the details of a worker. The zero value selects the worker without analytics.
type WorkerQuery struct {
	// Fields limits the response to these members; all others stay zero.
	Fields []string `query:"filter"`
	// Analytics includes what the worker did between From and To, at most 24 hours.
	Analytics bool         `query:"analytics"`
	From      model.Millis `query:"from"`
	To        model.Millis `query:"to"`
}

// Worker returns a worker.
func (c *Client) Worker(ctx context.Context, id model.ID, q WorkerQuery) (model.Worker, error) {
	return fetch[model.Worker](ctx, c, get("workers", string(id)).withQuery(encodeQuery(q)))
}

// WorkersNear lists the workers within a radius in meters; 0 means the default of the service, 1,000.
func (c *Client) WorkersNear(ctx context.Context, at model.Location, radius float64) ([]model.Worker, error) {
	query := encodeQuery(struct {
		Longitude float64 `query:"longitude,always"`
		Latitude  float64 `query:"latitude,always"`
		Radius    float64 `query:"radius"`
	}{at.Lon, at.Lat, radius})
	near, err := fetch[model.WorkersNear](ctx, c, get("workers", "location").withQuery(query))
	return near.Workers, err
}

// OwnTasksQuery selects tasks of a team or worker. The zero value selects the last seven days.
type OwnTasksQuery struct {
	From model.Millis `query:"from"`
	To   model.Millis `query:"to"`
	// LastID requests the page after this id.
	LastID model.ID `query:"lastId"`
	// PickupTask limits the list to pickups or to drop-offs.
	PickupTask model.Opt[bool] `query:"isPickupTask"`
}

// WorkerTaskPage returns a page of the tasks of a worker.
func (c *Client) WorkerTaskPage(ctx context.Context, worker model.ID, q OwnTasksQuery) (model.TaskPage, error) {
	return fetch[model.TaskPage](ctx, c, get("workers", string(worker), "tasks").withQuery(encodeQuery(q)))
}

// WorkerTasks yields all tasks of a worker. After an error it stops.
func (c *Client) WorkerTasks(ctx context.Context, worker model.ID, q OwnTasksQuery) iter.Seq2[model.Task, error] {
	return iterateTasks(ctx, q.LastID, func(ctx context.Context, last model.ID) (model.TaskPage, error) {
		q := q
		q.LastID = last
		return c.WorkerTaskPage(ctx, worker, q)
	})
}

// CreateWorker creates a worker, who gets a temporary password by SMS.
func (c *Client) CreateWorker(ctx context.Context, w model.WorkerInput) (model.Worker, error) {
	return fetch[model.Worker](ctx, c, post(w, "workers"))
}

// UpdateWorker changes a worker; the phone number cannot change.
func (c *Client) UpdateWorker(ctx context.Context, id model.ID, changes model.WorkerInput) (model.Worker, error) {
	return fetch[model.Worker](ctx, c, put(changes, "workers", string(id)))
}

// DeleteWorker deletes a worker.
func (c *Client) DeleteWorker(ctx context.Context, id model.ID) error {
	return c.do(ctx, remove("workers", string(id)), nil)
}

// WorkerSchedule returns the schedule of a worker.
func (c *Client) WorkerSchedule(ctx context.Context, id model.ID) (model.Schedule, error) {
	return fetch[model.Schedule](ctx, c, get("workers", string(id), "schedule"))
}

// SetWorkerSchedule replaces days of a schedule and returns the whole schedule.
func (c *Client) SetWorkerSchedule(ctx context.Context, id model.ID, s model.Schedule) (model.Schedule, error) {
	return fetch[model.Schedule](ctx, c, post(s, "workers", string(id), "schedule"))
}

// FindWorkers lists the workers whose metadata matches all entries.
func (c *Client) FindWorkers(ctx context.Context, match []model.Metadata) ([]model.Worker, error) {
	return fetch[[]model.Worker](ctx, c, metadataQuery("workers", match))
}
