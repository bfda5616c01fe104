package world

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"waybill/model"
	"waybill/service/store"
)

// selectTaskWire selects what an answer shows of a task.
const selectTaskWire = "SELECT " + wireColumns + `, d.doc, r.doc FROM tasks t
	JOIN destinations d ON d.id = t.destination LEFT JOIN recipients r ON r.id = t.recipient `

// Task reads a task in its wire form. Its owner and the organization that fulfils it may see it.
func (w *World) Task(ctx context.Context, org, id model.ID) (model.Raw, error) {
	return readTaskWire(ctx, w.store, id, org, "")
}

// TaskByShortID reads a task by its short id.
func (w *World) TaskByShortID(ctx context.Context, org model.ID, short model.ShortID) (model.Raw, error) {
	return scanTaskWire(w.store.QueryRow(ctx, selectTaskWire+"WHERE t.short_id = $1", short), org, "")
}

// TaskWithHistory reads a task with its assignment history.
func (w *World) TaskWithHistory(ctx context.Context, org, id model.ID) (model.Raw, error) {
	return readTx(ctx, w.store, func(tx *store.Tx) (model.Raw, error) {
		history, err := readAssignmentHistory(ctx, tx, id)
		if err != nil {
			return nil, err
		}
		encoded, err := model.Marshal(history)
		if err != nil {
			return nil, err
		}
		return readTaskWire(ctx, tx, id, org, `,"assignmentHistory":`+string(encoded))
	})
}

// ReadTask reads a task without checking who may see it.
func ReadTask(ctx context.Context, q store.Querier, id model.ID) (model.Task, error) {
	var task model.Task
	raw, err := readTaskWire(ctx, q, id, "", "")
	if err != nil {
		return task, err
	}
	if err := model.Unmarshal(raw, &task); err != nil {
		return task, fmt.Errorf("decode task %s: %w", id, err)
	}
	return task, nil
}

func readTaskWire(ctx context.Context, q store.Querier, id, org model.ID, extra string) (model.Raw, error) {
	return scanTaskWire(q.QueryRow(ctx, selectTaskWire+"WHERE t.id = $1", id), org, extra)
}

func scanTaskWire(row store.Row, org model.ID, extra string) (model.Raw, error) {
	var t taskRow
	var destination string
	var recipient sql.NullString
	err := t.scanWire(row.Scan, &destination, &recipient)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, NotFound()
	}
	if err != nil {
		return nil, fmt.Errorf("read task: %w", err)
	}
	if err := t.checkVisible(org); err != nil {
		return nil, err
	}
	size := len(t.doc) + len(destination) + len(recipient.String) + len(extra) + wireOverhead
	return t.appendWire(make([]byte, 0, size), destination, recipient.String, extra), nil
}

// checkVisible refuses organizations that may not see the task. The empty organization is the service itself.
func (t *taskRow) checkVisible(org model.ID) error {
	if org != "" && t.org != org && t.executor != org {
		return OtherOrganization()
	}
	return nil
}

// loadTask reads a task for a change.
func loadTask(ctx context.Context, q store.Querier, org, id model.ID) (*taskRow, error) {
	t, err := scanTask(q.QueryRow(ctx, "SELECT "+taskColumns+" FROM tasks t WHERE t.id = $1", id))
	if err != nil {
		return nil, err
	}
	return t, t.checkVisible(org)
}

// loadNamedTask is loadTask for a task that a body names; the error says which one.
func loadNamedTask(ctx context.Context, q store.Querier, org, id model.ID) (*taskRow, error) {
	t, err := loadTask(ctx, q, org, id)
	return t, withResource(err, "task", id)
}

// withResource adds the refused resource to the cause of an error.
func withResource(err error, what string, id model.ID) error {
	var refusal *Error
	if errors.As(err, &refusal) && !refusal.Cause.Present() {
		named := *refusal
		named.Cause = model.Some(model.CauseText(fmt.Sprintf("%s %s", what, id)))
		return &named
	}
	return err
}

// recordTaskEvents records events of a task for its owner and for the organization that fulfils it.
func (w *World) recordTaskEvents(
	ctx context.Context, tx *store.Tx, actor Actor, t *taskRow, now model.Millis, triggers ...model.Trigger,
) {
	if len(triggers) == 0 {
		return
	}
	events := make([]Event, len(triggers))
	for i, trigger := range triggers {
		events[i] = Event{Trigger: trigger, Actor: actor, Time: now, TaskID: t.id, Worker: t.worker}
	}
	w.record(ctx, tx, t.org, events...)
	if t.executor != t.org {
		w.record(ctx, tx, t.executor, events...)
	}
}
