package world

import (
	"context"
	"fmt"

	"waybill/model"
	"waybill/service/store"
)

// UpdateTask changes a task as far as its state allows, and moves it when the body names a container.
func (w *World) UpdateTask(ctx context.Context, actor Actor, id model.ID, in model.TaskInput) (model.Raw, error) {
	if err := w.checkUpdateRefs(ctx, actor, in); err != nil {
		return nil, err
	}
	var updated model.Raw
	err := w.store.Write(ctx, func(tx *store.Tx) error {
		row, err := loadTask(ctx, tx, actor.Org, id)
		if err != nil {
			return err
		}
		if err := w.updateTask(ctx, tx, actor, row, in); err != nil {
			return err
		}
		updated, err = row.wire(ctx, tx, "")
		return err
	})
	return updated, err
}

// checkUpdateRefs checks what the body names outside the transaction: places, people and organizations are never
// deleted.
func (w *World) checkUpdateRefs(ctx context.Context, actor Actor, in model.TaskInput) error {
	if ref, ok := in.Destination.Get(); ok && ref.Object == nil && ref.ID.Valid() {
		if _, err := readOwnedDoc(ctx, w.store, "SELECT org, doc FROM destinations WHERE id = $1", actor.Org, ref.ID); err != nil {
			return naming(err, "destination", ref.ID)
		}
	}
	for _, ref := range in.Recipients.Value() {
		if ref.Object == nil && ref.ID.Valid() {
			if _, err := readOwnedDoc(ctx, w.store, "SELECT org, doc FROM recipients WHERE id = $1", actor.Org, ref.ID); err != nil {
				return naming(err, "recipient", ref.ID)
			}
		}
	}
	if err := w.checkConnected(ctx, actor.Org, "merchant", in.Merchant.Or(actor.Org)); err != nil {
		return err
	}
	return w.checkConnected(ctx, actor.Org, "executor", in.Executor.Or(actor.Org))
}

func (w *World) updateTask(ctx context.Context, tx *store.Tx, actor Actor, row *taskRow, in model.TaskInput) error {
	task, err := row.task()
	if err != nil {
		return err
	}
	if err := in.CheckUpdate(&task).Err(); err != nil {
		return err
	}
	now := w.Now()
	before := *row
	changed, err := w.updateContent(ctx, tx, actor, row, &task, in, now)
	if err != nil {
		return err
	}
	triggers, err := w.updateContainer(ctx, tx, actor, row, in, before.executor, now)
	if err != nil {
		return err
	}
	if changed && len(triggers) == 0 {
		triggers = []model.Trigger{model.TriggerTaskUpdated}
	}
	if len(triggers) > 0 {
		if err := row.renewDelay(ctx, tx, task.CompleteBefore, now); err != nil {
			return err
		}
	}
	return w.recordMove(ctx, tx, actor, &before, row, now, triggers)
}

// updateContent changes everything but the container and reports whether anything is different now.
func (w *World) updateContent(
	ctx context.Context, tx *store.Tx, actor Actor, row *taskRow, task *model.Task, in model.TaskInput, now model.Millis,
) (bool, error) {
	w.applyInput(task, in)
	setIfPresentID(&task.Merchant, in.Merchant, row.org)
	setIfPresentID(&task.Executor, in.Executor, row.org)
	destination, recipient := row.destination, row.recipient
	if ref, ok := in.Destination.Get(); ok {
		destination = ref.ID
	}
	if in.Recipients.Present() {
		recipient = ""
		for _, ref := range in.Recipients.Value() {
			recipient = ref.ID
		}
	}
	if in.CustomFields.Present() {
		if err := w.updateCustomFields(ctx, tx, row.org, task, in); err != nil {
			return false, err
		}
	}
	doc, err := encodeTaskDoc(task)
	if err != nil {
		return false, err
	}
	if doc == row.doc && destination == row.destination && recipient == row.recipient {
		return false, nil
	}
	if err := w.updateIndexes(ctx, tx, actor, row, task, in); err != nil {
		return false, err
	}
	row.doc, row.modified = doc, now
	row.destination, row.recipient, row.executor = destination, recipient, task.Executor
	return true, row.store(ctx, tx, task)
}

// setIfPresentID takes over an organization that was sent; null puts back the task's own.
func setIfPresentID(field *model.ID, sent model.Opt[model.ID], own model.ID) {
	if sent.Present() {
		*field = sent.Or(own)
	}
}

// updateIndexes brings the tables by which tasks are found in line with what was sent.
func (w *World) updateIndexes(ctx context.Context, tx *store.Tx, actor Actor, row *taskRow, task *model.Task, in model.TaskInput) error {
	if in.Dependencies.Present() {
		if err := checkDependencies(ctx, tx, actor.Org, row.id, task.Dependencies); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "DELETE FROM dependencies WHERE task = $1", row.id); err != nil {
			return fmt.Errorf("replace dependencies: %w", err)
		}
		if err := addDependencies(ctx, tx, row.id, task.Dependencies); err != nil {
			return err
		}
	}
	if in.Metadata.Present() {
		return reindexMetadata(ctx, tx, row.org, metadataTasks, row.id, task.Metadata)
	}
	return nil
}

// store writes the row's content: the doc, and the columns that repeat parts of it for queries.
func (t *taskRow) store(ctx context.Context, tx *store.Tx, task *model.Task) error {
	if _, err := tx.Exec(ctx, `UPDATE tasks SET executor = $2, pickup = $3, destination = $4, recipient = $5, complete_after = $6,
		complete_before = $7, service_minutes = $8, modified = $9, doc = $10 WHERE id = $1`,
		t.id, t.executor, boolInt(task.PickupTask), t.destination, nullID(t.recipient), nullMillis(task.CompleteAfter),
		nullMillis(task.CompleteBefore), float64(task.ServiceTime), int64(t.modified), t.doc); err != nil {
		return fmt.Errorf("update task: %w", err)
	}
	return nil
}

func (w *World) updateCustomFields(ctx context.Context, q store.Querier, org model.ID, task *model.Task, in model.TaskInput) error {
	fields, err := readDocs[model.CustomField](q.Query(ctx, "SELECT doc FROM custom_fields WHERE org = $1 ORDER BY created, key", org))
	if err != nil {
		return err
	}
	current := task.CustomFields.Value()
	if in.CustomFields.IsNull() {
		current = nil
	}
	values := fieldValues(current, in.CustomFields.Value(), fields)
	kind := model.ForDropoffs
	if task.PickupTask {
		kind = model.ForPickups
	}
	// What the task has afterwards must fit, not only what was sent: a required field cannot be taken away.
	all := make([]model.CustomFieldInput, len(values))
	for i, v := range values {
		all[i] = model.CustomFieldInput{Key: v.Key, Value: v.Value}
	}
	if err := model.CheckCustomFields(all, fields, kind).Err(); err != nil {
		return err
	}
	task.CustomFields = model.Some(values)
	return nil
}

// updateContainer moves the task where the body says and returns the events of the move. A new executor gets the
// task into its own container, for the workers of the one before may not keep it.
func (w *World) updateContainer(
	ctx context.Context, tx *store.Tx, actor Actor, row *taskRow, in model.TaskInput, executor model.ID, now model.Millis,
) ([]model.Trigger, error) {
	var to model.ContainerRef
	switch {
	case in.Container.Has():
		ref, err := resolveContainer(ctx, tx, actor.Org, row.executor, in.Container.Value())
		if err != nil {
			return nil, err
		}
		to = ref
	case in.AutoAssign.Has():
		at, err := destinationLocation(ctx, tx, row.destination)
		if err != nil {
			return nil, err
		}
		needs, err := readIDs(tx.Query(ctx, "SELECT needs FROM dependencies WHERE task = $1", row.id))
		if err != nil {
			return nil, err
		}
		worker, err := chooseFor(ctx, tx, row.executor, at, needs, in.AutoAssign.Value())
		if err != nil || worker == "" {
			return nil, err
		}
		to = model.WorkerContainer(worker)
	case in.Container.IsNull(), executor != row.executor:
		to = model.OrganizationContainer(row.executor)
	default:
		return nil, nil
	}
	if to.Owner() == row.owner {
		return nil, nil
	}
	return row.appendTo(ctx, tx, actor, to, now)
}

// DeleteTask deletes a task that no driver has started.
func (w *World) DeleteTask(ctx context.Context, actor Actor, id model.ID) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		row, err := loadTask(ctx, tx, actor.Org, id)
		if err != nil {
			return err
		}
		if row.order != "" {
			return Invalid("The task belongs to an order. Cancel the order instead.")
		}
		return w.deleteTask(ctx, tx, actor, row)
	})
}

// deleteTask deletes a task inside a change. The event goes first, while the task can still be read.
func (w *World) deleteTask(ctx context.Context, tx *store.Tx, actor Actor, row *taskRow) error {
	if reason := model.DeleteForbidden(row.state); reason != "" {
		return Invalid("%s", reason)
	}
	now := w.Now()
	if err := w.recordTask(ctx, tx, actor, row, now, model.TriggerTaskDeleted); err != nil {
		return err
	}
	return row.remove(ctx, tx, now)
}
