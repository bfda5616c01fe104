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
const selectTaskWire = "SELECT " + wireColumns + `, d.doc, r.doc FROM tasks t JOIN destinations d ON d.id = t.destination LEFT JOIN recipients r ON r.id = t.recipient `

// Task reads a task as it goes over the wire. Its owner and the organization that fulfils it may see it.
func (w *World) Task(ctx context.Context, org, id model.ID) (model.Raw, error) {
	return readTaskWire(w.store.QueryRow(ctx, selectTaskWire+"WHERE t.id = $1", id), org, "")
}

// TaskByShortID reads a task by the eight digits that people use.
func (w *World) TaskByShortID(ctx context.Context, org model.ID, short model.ShortID) (model.Raw, error) {
	return readTaskWire(w.store.QueryRow(ctx, selectTaskWire+"WHERE t.short_id = $1", short), org, "")
}

// TaskWithHistory reads a task with the containers it has been in.
func (w *World) TaskWithHistory(ctx context.Context, org, id model.ID) (raw model.Raw, err error) {
	err = w.store.Read(ctx, func(tx *store.Tx) error {
		history, err := assignmentHistory(ctx, tx, id)
		if err != nil {
			return err
		}
		encoded, err := model.Marshal(history)
		if err != nil {
			return err
		}
		raw, err = readTaskWire(tx.QueryRow(ctx, selectTaskWire+"WHERE t.id = $1", id), org,
			`,"assignmentHistory":`+string(encoded))
		return err
	})
	return raw, err
}

// ReadTask is the task as it is inside a running change, whoever may see it.
func ReadTask(ctx context.Context, q store.Querier, id model.ID) (model.Task, error) {
	var task model.Task
	raw, err := readTaskWire(q.QueryRow(ctx, selectTaskWire+"WHERE t.id = $1", id), "", "")
	if err != nil {
		return task, err
	}
	if err := model.Unmarshal(raw, &task); err != nil {
		return task, fmt.Errorf("decode task %s: %w", id, err)
	}
	return task, nil
}

func readTaskWire(row store.Row, org model.ID, extra string) (model.Raw, error) {
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
	if err := t.visibleTo(org); err != nil {
		return nil, err
	}
	size := len(t.doc) + len(destination) + len(recipient.String) + len(extra) + wireSize
	return t.appendWire(make([]byte, 0, size), destination, recipient.String, extra), nil
}

// visibleTo refuses strangers. The empty organization is the service itself.
func (t *taskRow) visibleTo(org model.ID) error {
	if org != "" && t.org != org && t.executor != org {
		return OtherOrganization()
	}
	return nil
}

// loadTask reads a task for a change.
func loadTask(ctx context.Context, q store.Querier, org, id model.ID) (*taskRow, error) {
	t, err := scanTask(q.QueryRow(ctx, "SELECT "+taskColumns+" FROM tasks t WHERE t.id = $1", id))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, NotFound()
	}
	if err != nil {
		return nil, fmt.Errorf("read task: %w", err)
	}
	return t, t.visibleTo(org)
}

// loadNamedTask is loadTask for a task that a body names: the refusal says which one.
func loadNamedTask(ctx context.Context, q store.Querier, org, id model.ID) (*taskRow, error) {
	t, err := loadTask(ctx, q, org, id)
	return t, naming(err, "task", id)
}

// naming says which of the resources that a body names was refused.
func naming(err error, what string, id model.ID) error {
	var refusal *Error
	if errors.As(err, &refusal) && !refusal.Cause.Present() {
		named := *refusal
		named.Cause = model.Some(model.CauseText(fmt.Sprintf("%s %s", what, id)))
		return &named
	}
	return err
}

// wire is the task as it goes over the wire, read inside a change.
func (t *taskRow) wire(ctx context.Context, q store.Querier, extra string) (model.Raw, error) {
	return readTaskWire(q.QueryRow(ctx, selectTaskWire+"WHERE t.id = $1", t.id), "", extra)
}

// recordTask records events of a task for its owner and for the organization that fulfils it.
func (w *World) recordTask(ctx context.Context, tx *store.Tx, actor Actor, t *taskRow, now model.Millis, triggers ...model.Trigger) error {
	if len(triggers) == 0 {
		return nil
	}
	events := make([]Event, len(triggers))
	for i, trigger := range triggers {
		events[i] = Event{Trigger: trigger, Actor: actor, Time: now, TaskID: t.id, Worker: t.worker}
	}
	if err := w.events.Record(ctx, tx, t.org, events...); err != nil {
		return fmt.Errorf("record events: %w", err)
	}
	if t.executor == t.org {
		return nil
	}
	if err := w.events.Record(ctx, tx, t.executor, events...); err != nil {
		return fmt.Errorf("record events: %w", err)
	}
	return nil
}
