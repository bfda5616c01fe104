package world

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"

	"waybill/model"
	"waybill/service/store"
)

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
