package apiclient

import (
	"context"

	"waybill/model"
)

// CreateBatch starts a job that creates up to 500 unassigned tasks; [Client.BatchJob] returns its progress.
func (c *Client) CreateBatch(ctx context.Context, tasks []model.TaskInput) (model.BatchAccepted, error) {
	return fetch[model.BatchAccepted](ctx, c, post(model.BatchRequest{Tasks: tasks}, "tasks", "batch-async"))
}

// BatchJob returns the state of a batch.
func (c *Client) BatchJob(ctx context.Context, id model.ID) (model.BatchJob, error) {
	return fetch[model.BatchJob](ctx, c, get("tasks", "batch", string(id)))
}

// CreateTasksSync creates tasks and waits for the result. Above about 25 tasks the service may time out while it
// continues to create them; use [Client.CreateBatch] instead.
func (c *Client) CreateTasksSync(ctx context.Context, tasks []model.TaskInput) (model.BatchSyncResult, error) {
	return fetch[model.BatchSyncResult](ctx, c, post(model.BatchRequest{Tasks: tasks}, "tasks", "batch"))
}
