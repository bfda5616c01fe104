package world

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"waybill/model"
	"waybill/service/store"
)

// BatchArgs is the job that creates the tasks of a batch.
type BatchArgs struct {
	Batch model.ID `json:"batch"`
}

// Kind implements JobArgs.
func (BatchArgs) Kind() string { return "batch" }

// SubmitBatch stores tasks to be created by a job.
func (w *World) SubmitBatch(ctx context.Context, actor Actor, in model.BatchRequest) (model.BatchAccepted, error) {
	accepted := model.BatchAccepted{Status: model.BatchPending, JobID: w.ids.ID()}
	if err := in.CheckSize().Err(); err != nil {
		return accepted, err
	}
	return accepted, w.store.Write(ctx, func(tx *store.Tx) error {
		tx.Write(ctx, "insert batch", `INSERT INTO batches (id, org, status, received, created, request, actor_type, actor)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, accepted.JobID, actor.Org, accepted.Status, len(in.Tasks), int64(w.Now()),
			asDoc(in.Tasks), actor.Type, actor.ID)
		return w.enqueue(ctx, tx, BatchArgs{Batch: accepted.JobID})
	})
}

// CreateBatch creates tasks at once. Each task succeeds or fails on its own; failures are in the answer.
func (w *World) CreateBatch(ctx context.Context, actor Actor, in model.BatchRequest) (model.Raw, error) {
	if err := in.CheckSize().Err(); err != nil {
		return nil, err
	}
	outcome, err := w.draftBatch(ctx, actor, in.Tasks)
	if err != nil {
		return nil, err
	}
	if err := w.store.Write(ctx, func(tx *store.Tx) error { return outcome.insert(ctx, tx, w, actor) }); err != nil {
		return nil, err
	}
	answer := struct {
		Tasks  []model.Raw            `json:"tasks"`
		Errors []model.BatchSyncError `json:"errors"`
	}{Tasks: outcome.created}
	for _, e := range outcome.errors {
		answer.Errors = append(answer.Errors, model.BatchSyncError{
			Error: model.BatchErrorBody{StatusCode: e.StatusCode, Error: e.ErrorCode, Message: e.Message, Cause: e.Cause},
			Task:  e.TaskData.Value(),
		})
	}
	return model.Marshal(answer)
}

// RunBatch creates the tasks of a batch. All writes are committed together with the outcome, so an interrupted run
// leaves nothing behind and a finished batch is not run again.
func (w *World) RunBatch(ctx context.Context, id model.ID) error {
	var actor Actor
	var inputs []model.TaskInput
	var finished sql.NullInt64
	if err := scanRow(w.store.QueryRow(ctx, "SELECT org, actor_type, actor, request, finished FROM batches WHERE id = $1", id),
		&actor.Org, &actor.Type, &actor.ID, fromDoc(&inputs), &finished); err != nil || finished.Valid {
		return err
	}
	outcome, err := w.draftBatch(ctx, actor, inputs)
	if err != nil {
		return err
	}
	err = w.store.Write(ctx, func(tx *store.Tx) error {
		tx.Fail(outcome.insert(ctx, tx, w, actor))
		status := model.BatchSucceeded
		if len(outcome.errors) > 0 {
			status = model.BatchCompletedWithErrors
		}
		return w.finishBatch(ctx, tx, actor, id, status, outcome)
	})
	if errors.Is(err, errBatchFinished) {
		return nil
	}
	return err
}

// errBatchFinished says that another run of the same batch came first. This one is rolled back.
var errBatchFinished = errors.New("the batch has already finished")

// FailBatch marks a batch whose job could not run as failed.
func (w *World) FailBatch(ctx context.Context, id model.ID) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		actor := Actor{}
		err := scanRow(tx.QueryRow(ctx, "SELECT org, actor_type, actor FROM batches WHERE id = $1 AND finished IS NULL", id),
			&actor.Org, &actor.Type, &actor.ID)
		if errors.Is(err, NotFound()) {
			return nil
		}
		if err != nil {
			return err
		}
		return w.finishBatch(ctx, tx, actor, id, model.BatchFailed, &batchOutcome{})
	})
}

// batchOutcome is what became of each task of a batch.
type batchOutcome struct {
	inputs  []model.TaskInput
	drafts  []*taskDraft // nil where refused
	ids     []model.ID
	warned  []model.ID
	created []model.Raw
	errors  []model.BatchError
}

// batchResult is a finished batch as it is stored. Its tasks are read again on request.
type batchResult struct {
	Tasks  []model.ID         `json:"tasks"`
	Warned []model.ID         `json:"warned"`
	Errors []model.BatchError `json:"errors"`
}

// draftBatch checks the tasks of a batch and locates their destinations. A refused task is part of the outcome, not an
// error.
func (w *World) draftBatch(ctx context.Context, actor Actor, inputs []model.TaskInput) (*batchOutcome, error) {
	outcome := &batchOutcome{inputs: inputs, drafts: make([]*taskDraft, len(inputs))}
	creation, err := w.newTaskCreation(ctx, actor)
	if err != nil {
		return nil, err
	}
	for i, in := range inputs {
		draft, err := w.checkAndDraft(ctx, creation, in, model.TaskInput.CheckInBatch)
		outcome.drafts[i] = draft
		if err := outcome.refuse(i, err); err != nil {
			return nil, err
		}
	}
	return outcome, nil
}

// refuse stores why a task is not created. It returns errors that are not refusals.
func (o *batchOutcome) refuse(i int, err error) error {
	if err == nil {
		return nil
	}
	refusal := asRefusal(err)
	if refusal == nil {
		return err
	}
	o.drafts[i] = nil
	e := refusal.BatchBody()
	o.errors = append(o.errors, model.BatchError{
		StatusCode: e.StatusCode, ErrorCode: e.Error, Message: e.Message, Cause: e.Cause, TaskData: model.Some(o.inputs[i]),
	})
	return nil
}

// asRefusal returns the refusal in an error, or nil when the service itself failed.
func asRefusal(err error) *Error {
	var refusal *Error
	var problems model.Problems
	switch {
	case errors.As(err, &refusal):
		return refusal
	case errors.As(err, &problems):
		return ProblemsError(problems)
	}
	return nil
}

// insert creates the drafted tasks, each in its own savepoint, so that a refused task leaves nothing behind.
func (o *batchOutcome) insert(ctx context.Context, tx *store.Tx, w *World, actor Actor) error {
	for i, draft := range o.drafts {
		if draft == nil {
			continue
		}
		var row *taskRow
		err := tx.Try(ctx, func() (err error) {
			row, _, err = w.insertDraft(ctx, tx, actor, draft)
			return err
		})
		if err != nil {
			tx.Fail(o.refuse(i, err))
			continue
		}
		o.ids = append(o.ids, row.id)
		o.created = append(o.created, draft.wire(row, ""))
		if d := draft.destination; d != nil && len(d.destination.Warnings.Value()) > 0 {
			o.warned = append(o.warned, row.id)
		}
	}
	return nil
}

// finishBatch stores the outcome and records the event.
func (w *World) finishBatch(ctx context.Context, tx *store.Tx, actor Actor, id model.ID, status string, o *batchOutcome) error {
	now := w.Now()
	if tx.Write(ctx, "finish batch", "UPDATE batches SET status = $2, finished = $3, result = $4 WHERE id = $1 AND finished IS NULL",
		id, status, int64(now), asDoc(batchResult{Tasks: o.ids, Warned: o.warned, Errors: o.errors})) == 0 {
		return errBatchFinished
	}
	w.record(ctx, tx, actor.Org, Event{
		Trigger: model.TriggerBatchDone, Actor: actor, Time: now,
		Fill: func(e *model.Event) { o.fillEvent(e, id, status) },
	})
	return nil
}

func (o *batchOutcome) fillEvent(e *model.Event, id model.ID, status string) {
	e.JobID = model.Some(id)
	e.Status = model.Some(model.Raw(`"` + status + `"`))
	e.TasksReceived, e.TasksCreated = model.Some(model.Int(len(o.inputs))), model.Some(model.Int(len(o.ids)))
	e.TasksErrored, e.Errors = model.Some(model.Int(len(o.errors))), model.Some(o.errors)
	failed := []model.TaskInput{}
	for _, err := range o.errors {
		failed = append(failed, err.TaskData.Value())
	}
	created, warned := []model.Task{}, []model.Task{}
	for i, raw := range o.created {
		var task model.Task
		if err := model.Unmarshal(raw, &task); err != nil {
			continue // cannot happen: the same encoder wrote it
		}
		created = append(created, task)
		if slices.Contains(o.warned, o.ids[i]) {
			warned = append(warned, task)
		}
	}
	e.FailedTasks, e.NewTasks, e.NewTasksWithWarnings = model.Some(failed), model.Some(created), model.Some(warned)
}

// Batch reads the state of a batch.
func (w *World) Batch(ctx context.Context, org, id model.ID) (model.Raw, error) {
	return readTx(ctx, w.store, func(tx *store.Tx) (model.Raw, error) { return w.readBatch(ctx, tx, org, id) })
}

func (w *World) readBatch(ctx context.Context, q store.Querier, org, id model.ID) (model.Raw, error) {
	var created model.Millis
	var result batchResult
	answer := struct {
		Status               string             `json:"status"`
		Submitted            string             `json:"submitted"`
		TasksReceived        model.Int          `json:"tasksReceived"`
		TasksCreated         model.Int          `json:"tasksCreated"`
		TasksErrored         model.Int          `json:"tasksErrored"`
		NewTasks             []model.Raw        `json:"newTasks"`
		NewTasksWithWarnings []model.Raw        `json:"newTasksWithWarnings"`
		FailedTasks          []model.TaskInput  `json:"failedTasks"`
		Errors               []model.BatchError `json:"errors"`
	}{}
	if err := scanOwned(q.QueryRow(ctx, "SELECT org, status, received, created, result FROM batches WHERE id = $1", id), org,
		&answer.Status, &answer.TasksReceived, &created, fromDoc(&result)); err != nil {
		return nil, err
	}
	answer.Submitted = formatAgo(w.Now().Sub(created))
	answer.TasksCreated, answer.TasksErrored = model.Int(len(result.Tasks)), model.Int(len(result.Errors))
	answer.Errors = result.Errors
	for _, e := range result.Errors {
		answer.FailedTasks = append(answer.FailedTasks, e.TaskData.Value())
	}
	for _, task := range result.Tasks {
		raw, err := readTaskWire(ctx, q, task, org, "")
		if errors.Is(err, NotFound()) {
			continue // deleted
		}
		if err != nil {
			return nil, err
		}
		answer.NewTasks = append(answer.NewTasks, raw)
		if slices.Contains(result.Warned, task) {
			answer.NewTasksWithWarnings = append(answer.NewTasksWithWarnings, raw)
		}
	}
	return model.Marshal(answer)
}

// formatAgo says how long ago something was, in words.
func formatAgo(d time.Duration) string {
	switch minutes := int(d.Minutes()); {
	case minutes < 1:
		return "Less than a minute ago."
	case minutes == 1:
		return "A minute ago."
	case minutes < 60:
		return fmt.Sprintf("%d minutes ago.", minutes)
	case minutes < 120:
		return "An hour ago."
	case minutes < 48*60:
		return fmt.Sprintf("%d hours ago.", minutes/60)
	default:
		return fmt.Sprintf("%d days ago.", minutes/60/24)
	}
}
