package apiclient

import (
	"context"
	"iter"
	"net/url"

	"waybill/model"
)

// TaskQuery selects tasks of a list. From is required. From and To apply to the completion time of completed tasks and
// to the creation time of all others.
type TaskQuery struct {
	// From is inclusive, To exclusive; a zero To means now. The service requires from, so a zero From is sent as well.
	From model.Millis `query:"from,always"`
	To   model.Millis `query:"to"`
	// LastID requests the page after this id.
	LastID model.ID `query:"lastId"`
	// States, Dependencies and Containers select tasks that match any of their values.
	States       []model.TaskState `query:"state"`
	Dependencies []model.ID        `query:"dependencies"`
	Containers   []model.ID        `query:"containers"`
	Worker       model.ID          `query:"worker"`
	// CompleteBeforeBefore and CompleteAfterAfter apply to the window of the task.
	CompleteBeforeBefore model.Millis `query:"completeBeforeBefore"`
	CompleteAfterAfter   model.Millis `query:"completeAfterAfter"`
}

// TaskPage returns a page of the tasks of the organization.
func (c *Client) TaskPage(ctx context.Context, q TaskQuery) (model.TaskPage, error) {
	return fetch[model.TaskPage](ctx, c, get("tasks", "all").withQuery(encodeQuery(q)))
}

// Tasks yields all tasks of the organization. After an error it stops.
func (c *Client) Tasks(ctx context.Context, q TaskQuery) iter.Seq2[model.Task, error] {
	return iterateTasks(ctx, q.LastID, func(ctx context.Context, last model.ID) (model.TaskPage, error) {
		q := q
		q.LastID = last
		return c.TaskPage(ctx, q)
	})
}

// Task returns a task.
func (c *Client) Task(ctx context.Context, id model.ID) (model.Task, error) {
	return fetch[model.Task](ctx, c, get("tasks", string(id)))
}

// TaskWithHistory returns a task with its assignment history.
func (c *Client) TaskWithHistory(ctx context.Context, id model.ID) (model.Task, error) {
	query := url.Values{"assignmentHistory": {"true"}}
	return fetch[model.Task](ctx, c, get("tasks", string(id)).withQuery(query))
}

// TaskByShortID returns a task by its short id of eight hex digits.
func (c *Client) TaskByShortID(ctx context.Context, id model.ShortID) (model.Task, error) {
	return fetch[model.Task](ctx, c, get("tasks", "shortId", string(id)))
}

// CreateTask creates a task.
func (c *Client) CreateTask(ctx context.Context, task model.TaskInput) (model.Task, error) {
	return fetch[model.Task](ctx, c, post(task, "tasks"))
}

// UpdateTask changes a task. Destination and recipients must be ids. Only notes and metadata of an active task can
// change, and only metadata of a completed one.
func (c *Client) UpdateTask(ctx context.Context, id model.ID, changes model.TaskInput) (model.Task, error) {
	return fetch[model.Task](ctx, c, put(changes, "tasks", string(id)))
}

// DeleteTask deletes a task.
func (c *Client) DeleteTask(ctx context.Context, id model.ID) error {
	return c.do(ctx, remove("tasks", string(id)), nil)
}

// CompleteTask completes an active task on behalf of the worker.
func (c *Client) CompleteTask(ctx context.Context, id model.ID, details model.CompleteDetails) error {
	return c.do(ctx, post(model.CompleteRequest{CompletionDetails: details}, "tasks", string(id), "complete"), nil)
}

// CloneTask clones a task.
func (c *Client) CloneTask(ctx context.Context, id model.ID, options model.CloneOptions) (model.Task, error) {
	body := model.CloneRequest{Options: model.Some(options)}
	return fetch[model.Task](ctx, c, post(body, "tasks", string(id), "clone"))
}

// AutoAssignTasks lets the service choose workers for existing tasks.
func (c *Client) AutoAssignTasks(ctx context.Context, r model.AutoAssignRequest) (model.AutoAssignResult, error) {
	return fetch[model.AutoAssignResult](ctx, c, post(r, "tasks", "autoAssign"))
}

// FindTasks lists the tasks whose metadata matches all entries.
func (c *Client) FindTasks(ctx context.Context, match []model.Metadata) ([]model.Task, error) {
	return fetch[[]model.Task](ctx, c, metadataQuery("tasks", match))
}
