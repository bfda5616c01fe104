package apiclient

import (
	"context"

	"waybill/model"
)

// CreateBatch hands up to 500 unassigned tasks to the service, which makes them in its own time; [Client.BatchJob]
// tells how far it is.
func (c *Client) CreateBatch(ctx context.Context, tasks []model.TaskInput) (model.BatchAccepted, error) {
	return fetch[model.BatchAccepted](ctx, c, post(model.BatchRequest{Tasks: tasks}, "tasks", "batch-async"))
}

// BatchJob is the state of a batch.
func (c *Client) BatchJob(ctx context.Context, id model.ID) (model.BatchJob, error) {
	return fetch[model.BatchJob](ctx, c, get("tasks", "batch", string(id)))
}

// CreateTasksSync makes tasks while the caller waits. It is the interface's older way: above some 25 tasks the service
// may run out of time while it goes on making them.
func (c *Client) CreateTasksSync(ctx context.Context, tasks []model.TaskInput) (model.BatchSyncResult, error) {
	return fetch[model.BatchSyncResult](ctx, c, post(model.BatchRequest{Tasks: tasks}, "tasks", "batch"))
}
