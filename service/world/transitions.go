package world

import (
	"context"
	"database/sql"
	"fmt"

	"waybill/model"
	"waybill/service/store"
)

// Every way of a task from one state to another is a function of this file:
//
//	            insert ──► unassigned ◄──relocate──► assigned ──start──► active ──finish──► completed
//	            (insert with a worker's container ──► assigned)
//	                       remove ◄── unassigned, assigned
//
// A task is in exactly one container until it is started or deleted; containers count their tasks, and each change of
// container is a line of the task's assignment history.

// insert stores a new task behind all others of its container.
func (t *taskRow) insert(ctx context.Context, tx *store.Tx, actor Actor, task *model.Task) error {
	if err := countIn(ctx, tx, t.ref(), t.modified); err != nil {
		return err
	}
	result, err := tx.Exec(ctx, `INSERT INTO tasks (id, org, executor, short_id, state, worker, container, container_owner, position,
		pickup, destination, recipient, order_id, route_plan, complete_after, complete_before, service_minutes, list_time,
		created, modified, first_assignment, doc)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, (SELECT last FROM containers WHERE owner = $8), $9, $10, $11, $12, NULL, $13,
		$14, $15, $16, $16, $17, $18, $19)
		ON CONFLICT (short_id) DO NOTHING`,
		t.id, t.org, t.executor, task.ShortID, int64(t.state), nullID(t.worker), string(t.kind), t.owner,
		boolInt(task.PickupTask), t.destination, nullID(t.recipient), nullID(t.order), nullMillis(task.CompleteAfter),
		nullMillis(task.CompleteBefore), float64(task.ServiceTime), int64(t.created), int64(t.modified), t.assignment(actor), t.doc)
	if err != nil {
		return fmt.Errorf("insert task: %w", err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return errShortIDTaken
	}
	if err := addDependencies(ctx, tx, t.id, task.Dependencies); err != nil {
		return err
	}
	return indexMetadata(ctx, tx, t.org, metadataTasks, t.id, task.Metadata)
}

// relocate puts a task into a container at a position that the caller has found free; when the container is another
// one, the caller has counted the task in. It returns the events that the move stands for.
func (t *taskRow) relocate(
	ctx context.Context, tx *store.Tx, actor Actor, to model.ContainerRef, position int64, now model.Millis,
) ([]model.Trigger, error) {
	if reason := model.AssignForbidden(t.state); reason != "" {
		return nil, Invalid("Task %s: %s", t.id, reason)
	}
	if to.Owner() == t.owner {
		t.position = position
		if _, err := tx.Exec(ctx, "UPDATE tasks SET position = $2 WHERE id = $1", t.id, position); err != nil {
			return nil, fmt.Errorf("reorder task: %w", err)
		}
		return nil, nil
	}
	if err := leaveContainer(ctx, tx, t.owner, now); err != nil {
		return nil, err
	}
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
	if _, err := tx.Exec(ctx, `UPDATE tasks SET state = $2, worker = $3, container = $4, container_owner = $5, position = $6,
		modified = $7, completion = NULL, arrival = NULL, eta = NULL, delay = NULL WHERE id = $1`,
		t.id, int64(t.state), nullID(t.worker), string(t.kind), t.owner, t.position, int64(t.modified)); err != nil {
		return nil, fmt.Errorf("move task: %w", err)
	}
	return append(triggers, model.TriggerTaskUpdated), t.addHistory(ctx, tx, actor, now)
}

// appendTo puts a task at the end of a container and returns the events of the move. A task that is there already
// goes to the end, too.
func (t *taskRow) appendTo(ctx context.Context, tx *store.Tx, actor Actor, to model.ContainerRef, now model.Millis) ([]model.Trigger, error) {
	newcomers := 1
	if t.owner == to.Owner() {
		newcomers = 0
	}
	position, err := enterContainer(ctx, tx, to, newcomers, now)
	if err != nil {
		return nil, err
	}
	return t.relocate(ctx, tx, actor, to, position, now)
}

// start takes a task out of its container: its driver is on the way.
func (t *taskRow) start(ctx context.Context, tx *store.Tx, task *model.Task, meters float64, now model.Millis) error {
	if err := leaveContainer(ctx, tx, t.owner, now); err != nil {
		return err
	}
	if err := t.save(task, now); err != nil {
		return err
	}
	t.state, t.completion = model.TaskActive, sql.NullInt64{}
	if _, err := tx.Exec(ctx, `UPDATE tasks SET state = $2, started = $3, modified = $3, start_meters = $4, completion = NULL, doc = $5
		WHERE id = $1`, t.id, int64(t.state), int64(now), meters, t.doc); err != nil {
		return fmt.Errorf("start task: %w", err)
	}
	if _, err := tx.Exec(ctx, "UPDATE workers SET active_task = $2, modified = $3 WHERE id = $1", t.worker, t.id, int64(now)); err != nil {
		return fmt.Errorf("set active task: %w", err)
	}
	return nil
}

// finish ends a started task, well or not, as its completion details say. Lists find it by the time it ended.
func (t *taskRow) finish(ctx context.Context, tx *store.Tx, task *model.Task, now model.Millis) error {
	if err := t.save(task, now); err != nil {
		return err
	}
	t.state = model.TaskCompleted
	t.completion, t.arrival, t.eta, t.delay = sql.NullInt64{}, sql.NullInt64{}, sql.NullInt64{}, sql.NullInt64{}
	if _, err := tx.Exec(ctx, `UPDATE tasks SET state = $2, completed = $3, list_time = $3, modified = $3, doc = $4,
		completion = NULL, arrival = NULL, eta = NULL, delay = NULL WHERE id = $1`,
		t.id, int64(t.state), int64(now), t.doc); err != nil {
		return fmt.Errorf("complete task: %w", err)
	}
	if _, err := tx.Exec(ctx, "UPDATE workers SET active_task = NULL, modified = $3 WHERE id = $1 AND active_task = $2",
		t.worker, t.id, int64(now)); err != nil {
		return fmt.Errorf("clear active task: %w", err)
	}
	return nil
}

// remove deletes a task that no driver has started. Tasks that waited for it wait no more.
func (t *taskRow) remove(ctx context.Context, tx *store.Tx, now model.Millis) error {
	if err := leaveContainer(ctx, tx, t.owner, now); err != nil {
		return err
	}
	if err := t.releaseDependents(ctx, tx, now); err != nil {
		return err
	}
	for _, statement := range []string{
		"DELETE FROM dependencies WHERE task = $1",
		"DELETE FROM metadata WHERE resource = $1",
		"DELETE FROM assignments WHERE task = $1",
		"DELETE FROM tasks WHERE id = $1",
	} {
		if _, err := tx.Exec(ctx, statement, t.id); err != nil {
			return fmt.Errorf("delete task: %w", err)
		}
	}
	return nil
}

// save encodes a changed task into the row; the caller's statement stores it.
func (t *taskRow) save(task *model.Task, now model.Millis) error {
	doc, err := encodeTaskDoc(task)
	if err != nil {
		return err
	}
	t.doc, t.modified = doc, now
	return nil
}

func nullID(id model.ID) any {
	if id == "" {
		return nil
	}
	return string(id)
}

func nullMillis(t model.Opt[model.Millis]) any {
	if v, ok := t.Get(); ok {
		return int64(v)
	}
	return nil
}

func boolInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
