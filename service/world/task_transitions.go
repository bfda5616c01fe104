package world

import (
	"cmp"
	"context"
	"database/sql"

	"waybill/model"
	"waybill/service/store"
)

// The functions in this file make every change of a task's state:
//
//	            insert ──► unassigned ◄──moveTo──► assigned ──start──► active ──finish──► completed
//	            (insert with a worker's container ──► assigned)
//	                       remove ◄── unassigned, assigned
//
// A task is in exactly one container until it is started or deleted. Containers count their tasks, and each change of
// container is an entry of the assignment history.

// insert stores a new task at the end of its container.
func (t *taskRow) insert(ctx context.Context, tx *store.Tx, actor Actor, task *model.Task) error {
	tx.Fail(addOneToContainer(ctx, tx, t.container(), t.modified))
	if tx.Write(ctx, "insert task", `INSERT INTO tasks (id, org, executor, short_id, state, worker, container, container_owner, position,
		pickup, destination, recipient, order_id, route_plan, complete_after, complete_before, service_minutes, list_time,
		created, modified, first_assignment, doc)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, (SELECT last FROM containers WHERE owner = $8), $9, $10, $11, $12, NULL, $13,
		$14, $15, $16, $16, $17, $18, $19)
		ON CONFLICT (short_id) DO NOTHING`,
		t.id, t.org, t.executor, task.ShortID, int64(t.state), nullID(t.worker), string(t.kind), t.owner,
		boolInt(task.PickupTask), t.destination, nullID(t.recipient), nullID(t.order), nullMillis(task.CompleteAfter),
		nullMillis(task.CompleteBefore), float64(task.ServiceTime), int64(t.created), int64(t.modified), t.encodeAssignment(actor), t.doc) == 0 {
		return cmp.Or(tx.Err(), errShortIDTaken)
	}
	addDependencies(ctx, tx, t.id, task.Dependencies)
	indexMetadata(ctx, tx, t.org, kindTasks, t.id, task.Metadata)
	return nil
}

// moveTo moves a task to a free position of a container and returns the events of the move. The caller has already
// counted the task into a new container.
func (t *taskRow) moveTo(
	ctx context.Context, tx *store.Tx, actor Actor, to model.ContainerRef, position int64, now model.Millis,
) ([]model.Trigger, error) {
	if reason := model.AssignForbidden(t.state); reason != "" {
		return nil, Invalid("Task %s: %s", t.id, reason)
	}
	if to.Owner() == t.owner {
		t.position = position
		tx.Write(ctx, "reorder task", "UPDATE tasks SET position = $2 WHERE id = $1", t.id, position)
		return nil, nil
	}
	removeFromContainer(ctx, tx, t.owner, now)
	triggers := make([]model.Trigger, 0, 3)
	if t.worker != "" {
		triggers = append(triggers, model.TriggerTaskUnassigned)
	}
	t.kind, t.owner, t.position, t.modified = to.Type, to.Owner(), position, now
	t.state, t.worker = model.TaskUnassigned, ""
	if to.Type == model.ContainerWorker {
		t.state, t.worker = model.TaskAssigned, t.owner
		triggers = append(triggers, model.TriggerTaskAssigned)
	}
	t.completion, t.arrival, t.eta, t.delay = sql.NullInt64{}, sql.NullInt64{}, sql.NullInt64{}, sql.NullInt64{}
	tx.Write(ctx, "move task", `UPDATE tasks SET state = $2, worker = $3, container = $4, container_owner = $5, position = $6,
		modified = $7, completion = NULL, arrival = NULL, eta = NULL, delay = NULL WHERE id = $1`,
		t.id, int64(t.state), nullID(t.worker), string(t.kind), t.owner, t.position, int64(t.modified))
	t.addAssignment(ctx, tx, actor, now)
	return append(triggers, model.TriggerTaskUpdated), nil
}

// moveToEnd moves a task to the end of a container, even of its own, and returns the events of the move.
func (t *taskRow) moveToEnd(
	ctx context.Context, tx *store.Tx, actor Actor, to model.ContainerRef, now model.Millis,
) ([]model.Trigger, error) {
	added := 1
	if t.owner == to.Owner() {
		added = 0
	}
	position, err := addToContainer(ctx, tx, to, added, now)
	if err != nil {
		return nil, err
	}
	return t.moveTo(ctx, tx, actor, to, position, now)
}

// start takes a task out of its container because its driver is on the way.
func (t *taskRow) start(ctx context.Context, tx *store.Tx, task *model.Task, meters float64, now model.Millis) {
	removeFromContainer(ctx, tx, t.owner, now)
	tx.Fail(t.encode(task, now))
	t.state, t.completion = model.TaskActive, sql.NullInt64{}
	tx.Write(ctx, "start task",
		`UPDATE tasks SET state = $2, started = $3, modified = $3, start_meters = $4, completion = NULL, doc = $5
		WHERE id = $1`, t.id, int64(t.state), int64(now), meters, t.doc)
	tx.Write(ctx, "set active task", "UPDATE workers SET active_task = $2, modified = $3 WHERE id = $1", t.worker, t.id, int64(now))
}

// finish completes a started task with the outcome in its completion details. Lists find it by the time of completion.
func (t *taskRow) finish(ctx context.Context, tx *store.Tx, task *model.Task, now model.Millis) {
	tx.Fail(t.encode(task, now))
	t.state = model.TaskCompleted
	t.completion, t.arrival, t.eta, t.delay = sql.NullInt64{}, sql.NullInt64{}, sql.NullInt64{}, sql.NullInt64{}
	tx.Write(ctx, "complete task", `UPDATE tasks SET state = $2, completed = $3, list_time = $3, modified = $3, doc = $4,
		completion = NULL, arrival = NULL, eta = NULL, delay = NULL WHERE id = $1`,
		t.id, int64(t.state), int64(now), t.doc)
	tx.Write(ctx, "clear active task", "UPDATE workers SET active_task = NULL, modified = $3 WHERE id = $1 AND active_task = $2",
		t.worker, t.id, int64(now))
}

// remove deletes a task that no driver has started. Tasks that depend on it no longer do.
func (t *taskRow) remove(ctx context.Context, tx *store.Tx, now model.Millis) {
	removeFromContainer(ctx, tx, t.owner, now)
	tx.Fail(t.releaseDependents(ctx, tx, now))
	for _, statement := range []string{
		"DELETE FROM dependencies WHERE task = $1",
		"DELETE FROM metadata WHERE resource = $1",
		"DELETE FROM assignments WHERE task = $1",
		"DELETE FROM tasks WHERE id = $1",
	} {
		tx.Write(ctx, "delete task", statement, t.id)
	}
}

// encode encodes a changed task into the row. The caller stores it.
func (t *taskRow) encode(task *model.Task, now model.Millis) error {
	doc, err := encodeTaskDoc(task)
	if err != nil {
		return err
	}
	t.doc, t.modified = doc, now
	return nil
}
