package world

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"

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
		return named.because(model.CauseText(fmt.Sprintf("%s %s", what, id)))
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

// The assignment history of a task lists its containers and who put it there. The first entry is a column of the task
// because every task has one; the others are rows.

// encodeAssignment returns the current container as an entry of the assignment history.
func (t *taskRow) encodeAssignment(actor Actor) string {
	b := make([]byte, 0, 192)
	b = strconv.AppendInt(append(b, `{"time":`...), int64(t.modified), 10)
	b = append(append(append(b, `,"actionContext":{"type":"`...), actor.Type...), `","id":`...)
	b = append(appendID(b, actor.ID), `},"containerDescription":`...)
	return string(append(t.appendContainer(b), '}'))
}

func (t *taskRow) addAssignment(ctx context.Context, tx *store.Tx, actor Actor, now model.Millis) {
	tx.Write(ctx, "write assignment history", `INSERT INTO assignments (task, time, actor_type, actor, container, owner, org)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		t.id, int64(now), actor.Type, actor.ID, string(t.kind), t.owner, t.executor)
}

func readAssignmentHistory(ctx context.Context, q store.Querier, task model.ID) ([]model.AssignmentEntry, error) {
	entries, err := readLaterAssignments(ctx, q, task)
	if err != nil {
		return nil, err
	}
	var first model.Opt[model.AssignmentEntry]
	err = scanRow(q.QueryRow(ctx, "SELECT first_assignment FROM tasks WHERE id = $1", task), fromDoc(&first))
	if errors.Is(err, NotFound()) {
		return entries, nil
	}
	if entry, ok := first.Get(); ok { // databases of earlier versions have rows only
		entries = slices.Insert(entries, 0, entry)
	}
	return entries, err
}

// readLaterAssignments reads the entries of a task's history that have their own rows.
func readLaterAssignments(ctx context.Context, q store.Querier, task model.ID) ([]model.AssignmentEntry, error) {
	entries := []model.AssignmentEntry{}
	err := eachRow(ctx, q, "read assignment history",
		"SELECT time, actor_type, actor, container, owner FROM assignments WHERE task = $1 ORDER BY time",
		[]any{task}, func(row *sql.Rows) error {
			var entry model.AssignmentEntry
			var actor model.ActionContext
			var kind model.ContainerType
			var owner model.ID
			err := row.Scan(&entry.Time, &actor.Type, &actor.ID, &kind, &owner)
			entry.ActionContext = model.Some(actor)
			entry.ContainerDescription = containerRef(kind, owner)
			entries = append(entries, entry)
			return err
		})
	return entries, err
}

func addDependencies(ctx context.Context, tx *store.Tx, task model.ID, needs []model.ID) {
	for _, need := range needs {
		tx.Write(ctx, "insert dependency",
			"INSERT INTO dependencies (task, needs) VALUES ($1, $2) ON CONFLICT (task, needs) DO NOTHING",
			task, need)
	}
}

// checkDependencies refuses dependencies that org cannot see and those that would make the task depend on itself. A new
// task has no id yet, because nothing can depend on it.
func checkDependencies(ctx context.Context, tx *store.Tx, org, task model.ID, needs []model.ID) error {
	for _, need := range needs {
		if _, err := loadNamedTask(ctx, tx, org, need); err != nil {
			return err
		}
	}
	if task == "" {
		return nil
	}
	all := orderByDependencies(needs, func(id model.ID) []model.ID { return readNeeds(ctx, tx, id) })
	if slices.Contains(all, task) {
		return Invalid("dependencies: The task would depend on itself through another task.")
	}
	return nil
}

// orderByDependencies returns ids and what they need, each id after what it needs.
func orderByDependencies(ids []model.ID, needs func(model.ID) []model.ID) []model.ID {
	ordered := make([]model.ID, 0, len(ids))
	seen := make(map[model.ID]bool, len(ids))
	var visit func([]model.ID)
	visit = func(ids []model.ID) {
		for _, id := range ids {
			if !seen[id] {
				seen[id] = true
				visit(needs(id))
				ordered = append(ordered, id)
			}
		}
	}
	visit(ids)
	return ordered
}

// readNeeds lists the tasks that a task depends on.
func readNeeds(ctx context.Context, tx *store.Tx, task model.ID) []model.ID {
	return readIDs(ctx, tx, "SELECT needs FROM dependencies WHERE task = $1", task)
}

// openDependencies counts the tasks that must be completed before this one can start. Deleted tasks do not count.
func openDependencies(ctx context.Context, q store.Querier, task model.ID) (int, error) {
	return countRows(ctx, q, "FROM dependencies p JOIN tasks t ON t.id = p.needs WHERE p.task = $1 AND t.state <> 3", task)
}

// releaseDependents removes a task that is being deleted from the dependencies of others.
func (t *taskRow) releaseDependents(ctx context.Context, tx *store.Tx, now model.Millis) error {
	for _, id := range readIDs(ctx, tx, "SELECT task FROM dependencies WHERE needs = $1", t.id) {
		row, err := loadTask(ctx, tx, "", id)
		if err != nil {
			return err
		}
		task, err := row.decode()
		if err != nil {
			return err
		}
		task.Dependencies = slices.DeleteFunc(task.Dependencies, func(need model.ID) bool { return need == t.id })
		saveTaskDoc(ctx, tx, row, &task, now)
	}
	tx.Write(ctx, "delete dependencies", "DELETE FROM dependencies WHERE needs = $1", t.id)
	return nil
}
