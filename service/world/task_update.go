package world

import (
	"context"

	"waybill/model"
	"waybill/service/store"
)

// UpdateTask changes a task as far as its state allows, and moves it when the body contains a container.
func (w *World) UpdateTask(ctx context.Context, actor Actor, id model.ID, in model.TaskInput) (model.Raw, error) {
	if err := w.checkUpdateRefs(ctx, actor, in); err != nil {
		return nil, err
	}
	return writeTx(ctx, w.store, func(tx *store.Tx) (model.Raw, error) {
		row, err := loadTask(ctx, tx, actor.Org, id)
		if err != nil {
			return nil, err
		}
		tx.Fail(w.updateTask(ctx, tx, actor, row, in))
		return readTaskWire(ctx, tx, id, "", "")
	})
}

// checkUpdateRefs checks references outside of the transaction, because destinations, recipients and organizations are
// never deleted.
func (w *World) checkUpdateRefs(ctx context.Context, actor Actor, in model.TaskInput) error {
	if ref, ok := in.Destination.Get(); ok && ref.Object == nil && ref.ID.Valid() {
		if _, err := readOwnedDoc(ctx, w.store, "destinations", actor.Org, ref.ID); err != nil {
			return withResource(err, "destination", ref.ID)
		}
	}
	for _, ref := range in.Recipients.Value() {
		if ref.Object == nil && ref.ID.Valid() {
			if _, err := readOwnedDoc(ctx, w.store, "recipients", actor.Org, ref.ID); err != nil {
				return withResource(err, "recipient", ref.ID)
			}
		}
	}
	if err := w.checkConnected(ctx, actor.Org, "merchant", in.Merchant.Or(actor.Org)); err != nil {
		return err
	}
	return w.checkConnected(ctx, actor.Org, "executor", in.Executor.Or(actor.Org))
}

func (w *World) updateTask(ctx context.Context, tx *store.Tx, actor Actor, row *taskRow, in model.TaskInput) error {
	task, err := row.decode()
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
		row.updateDelay(ctx, tx, task.CompleteBefore, now)
	}
	w.recordMoveEvents(ctx, tx, actor, &before, row, now, triggers)
	return nil
}

// updateContent changes everything but the container and reports whether anything has changed.
func (w *World) updateContent(
	ctx context.Context, tx *store.Tx, actor Actor, row *taskRow, task *model.Task, in model.TaskInput, now model.Millis,
) (bool, error) {
	w.applyInput(task, in)
	setOrganizationIfSent(&task.Merchant, in.Merchant, row.org)
	setOrganizationIfSent(&task.Executor, in.Executor, row.org)
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
	w.updateIndexes(ctx, tx, actor, row, task, in)
	row.doc, row.modified = doc, now
	row.destination, row.recipient, row.executor = destination, recipient, task.Executor
	row.update(ctx, tx, task)
	return true, nil
}

// setOrganizationIfSent sets an organization that was sent; null restores the task's own.
func setOrganizationIfSent(field *model.ID, sent model.Opt[model.ID], own model.ID) {
	if sent.Present() {
		*field = sent.Or(own)
	}
}

// updateIndexes updates the tables by which tasks are found.
func (w *World) updateIndexes(ctx context.Context, tx *store.Tx, actor Actor, row *taskRow, task *model.Task, in model.TaskInput) {
	if in.Dependencies.Present() {
		tx.Fail(checkDependencies(ctx, tx, actor.Org, row.id, task.Dependencies))
		tx.Write(ctx, "replace dependencies", "DELETE FROM dependencies WHERE task = $1", row.id)
		addDependencies(ctx, tx, row.id, task.Dependencies)
	}
	if in.Metadata.Present() {
		reindexMetadata(ctx, tx, row.org, kindTasks, row.id, task.Metadata)
	}
}

// update stores the content of the row: the doc, and the columns that repeat parts of it for queries.
func (t *taskRow) update(ctx context.Context, tx *store.Tx, task *model.Task) {
	tx.Write(ctx, "update task", `UPDATE tasks SET executor = $2, pickup = $3, destination = $4, recipient = $5, complete_after = $6,
		complete_before = $7, service_minutes = $8, modified = $9, doc = $10 WHERE id = $1`,
		t.id, t.executor, boolInt(task.PickupTask), t.destination, nullID(t.recipient), nullMillis(task.CompleteAfter),
		nullMillis(task.CompleteBefore), float64(task.ServiceTime), int64(t.modified), t.doc)
}

func (w *World) updateCustomFields(ctx context.Context, q store.Querier, org model.ID, task *model.Task, in model.TaskInput) error {
	fields, err := readCustomFields(ctx, q, org)
	if err != nil {
		return err
	}
	current := task.CustomFields.Value()
	if in.CustomFields.IsNull() {
		current = nil
	}
	values := mergeFieldValues(current, in.CustomFields.Value(), fields)
	kind := model.ForDropoffs
	if task.PickupTask {
		kind = model.ForPickups
	}
	// The result must be valid, not only what was sent: a required field cannot be removed.
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

// updateContainer moves the task as the body says and returns the events of the move. A new executor gets the task in
// its own container, because the workers of the previous one cannot keep it.
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
		worker, err := chooseWorkerAt(ctx, tx, row.executor, at, readNeeds(ctx, tx, row.id), in.AutoAssign.Value())
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
	return row.moveToEnd(ctx, tx, actor, to, now)
}

// DeleteTask deletes a task that no driver has started.
func (w *World) DeleteTask(ctx context.Context, actor Actor, id model.ID) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		row, err := loadTask(ctx, tx, actor.Org, id)
		if err != nil {
			return err
		}
		if row.order != "" {
			return Invalid("%s", model.DeleteInOrderForbidden())
		}
		return w.deleteTask(ctx, tx, actor, row)
	})
}

// deleteTask deletes a task. The event is recorded first, while the task can still be read.
func (w *World) deleteTask(ctx context.Context, tx *store.Tx, actor Actor, row *taskRow) error {
	if reason := model.DeleteForbidden(row.state); reason != "" {
		return Invalid("%s", reason)
	}
	now := w.Now()
	w.recordTaskEvents(ctx, tx, actor, row, now, model.TriggerTaskDeleted)
	row.remove(ctx, tx, now)
	return nil
}
