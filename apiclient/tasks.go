package apiclient

import (
	"context"
	"iter"
	"net/url"
	"strconv"

	"waybill/model"
)

// TaskQuery chooses tasks of a list. From is needed; completed tasks are compared by the time of their completion, all
// others by that of their creation.
type TaskQuery struct {
	// From is the first moment that counts, To the first that does not; zero means now.
	From, To model.Millis
	// LastID asks for the page behind this id.
	LastID model.ID
	// States, Dependencies and Containers take tasks that match any of their values.
	States       []model.TaskState
	Dependencies []model.ID
	Containers   []model.ID
	Worker       model.ID
	// CompleteBeforeBefore and CompleteAfterAfter compare the task's own window.
	CompleteBeforeBefore model.Millis
	CompleteAfterAfter   model.Millis
}

func (q TaskQuery) values() url.Values {
	states := make([]string, len(q.States))
	for i, state := range q.States {
		states[i] = strconv.Itoa(int(state))
	}
	p := params{}.millis("to", q.To).
		text("lastId", string(q.LastID)).
		text("worker", string(q.Worker)).
		millis("completeBeforeBefore", q.CompleteBeforeBefore).
		millis("completeAfterAfter", q.CompleteAfterAfter)
	p = addList(p, "state", states)
	p = addList(p, "dependencies", q.Dependencies)
	p = addList(p, "containers", q.Containers)
	values := p.values()
	// The service refuses a list without a beginning, so 1970 is sent as such.
	values.Set("from", strconv.FormatInt(int64(q.From), 10))
	return values
}

// TaskPage is one page of the organization's tasks.
func (c *Client) TaskPage(ctx context.Context, q TaskQuery) (model.TaskPage, error) {
	return fetch[model.TaskPage](ctx, c, get("tasks", "all").withQuery(q.values()))
}

// Tasks walks the organization's tasks from page to page. An error is the last thing it yields.
func (c *Client) Tasks(ctx context.Context, q TaskQuery) iter.Seq2[model.Task, error] {
	return iterateTasks(ctx, q.LastID, func(ctx context.Context, last model.ID) (model.TaskPage, error) {
		q := q
		q.LastID = last
		return c.TaskPage(ctx, q)
	})
}

// Task is one task.
func (c *Client) Task(ctx context.Context, id model.ID) (model.Task, error) {
	return fetch[model.Task](ctx, c, get("tasks", string(id)))
}

// TaskWithHistory is one task with its way through containers.
func (c *Client) TaskWithHistory(ctx context.Context, id model.ID) (model.Task, error) {
	query := url.Values{"assignmentHistory": {"true"}}
	return fetch[model.Task](ctx, c, get("tasks", string(id)).withQuery(query))
}

// TaskByShortID is the task that people call by eight hex digits.
func (c *Client) TaskByShortID(ctx context.Context, id model.ShortID) (model.Task, error) {
	return fetch[model.Task](ctx, c, get("tasks", "shortId", string(id)))
}

// CreateTask makes a task.
func (c *Client) CreateTask(ctx context.Context, task model.TaskInput) (model.Task, error) {
	return fetch[model.Task](ctx, c, post(task, "tasks"))
}

// UpdateTask changes a task. Destination and recipients are given by id only; an active task takes only notes and
// metadata, a completed one only metadata.
func (c *Client) UpdateTask(ctx context.Context, id model.ID, changes model.TaskInput) (model.Task, error) {
	return fetch[model.Task](ctx, c, put(changes, "tasks", string(id)))
}

// DeleteTask removes a task.
func (c *Client) DeleteTask(ctx context.Context, id model.ID) error {
	return c.do(ctx, remove("tasks", string(id)), nil)
}

// CompleteTask ends an active task from the dispatcher's side. The service answers with nothing.
func (c *Client) CompleteTask(ctx context.Context, id model.ID, details model.CompleteDetails) error {
	return c.do(ctx, post(model.CompleteRequest{CompletionDetails: details}, "tasks", string(id), "complete"), nil)
}

// CloneTask makes a new task from an existing one.
func (c *Client) CloneTask(ctx context.Context, id model.ID, options model.CloneOptions) (model.Task, error) {
	body := model.CloneRequest{Options: model.Some(options)}
	return fetch[model.Task](ctx, c, post(body, "tasks", string(id), "clone"))
}

// AutoAssignTasks lets the service choose workers for tasks that exist.
func (c *Client) AutoAssignTasks(ctx context.Context, r model.AutoAssignRequest) (model.AutoAssignResult, error) {
	return fetch[model.AutoAssignResult](ctx, c, post(r, "tasks", "autoAssign"))
}

// FindTasks lists the tasks whose metadata matches all entries.
func (c *Client) FindTasks(ctx context.Context, match []model.Metadata) ([]model.Task, error) {
	return fetch[[]model.Task](ctx, c, metadataQuery("tasks", match))
}
