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

// A task's assignment history is the containers that it has been in, and who put it there. The first is a column of the
// task, because every task has one; the others are rows of their own.

// encodeAssignment is the task's present container as a line of its history.
func (t *taskRow) encodeAssignment(actor Actor) string {
	b := make([]byte, 0, 192)
	b = strconv.AppendInt(append(b, `{"time":`...), int64(t.modified), 10)
	b = append(append(append(b, `,"actionContext":{"type":"`...), actor.Type...), `","id":`...)
	b = append(appendID(b, actor.ID), `},"containerDescription":`...)
	return string(append(t.appendContainer(b), '}'))
}

func (t *taskRow) addAssignment(ctx context.Context, tx *store.Tx, actor Actor, now model.Millis) error {
	if _, err := tx.Exec(ctx, `INSERT INTO assignments (task, time, actor_type, actor, container, owner, org)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		t.id, int64(now), actor.Type, actor.ID, string(t.kind), t.owner, t.executor); err != nil {
		return fmt.Errorf("write assignment history: %w", err)
	}
	return nil
}

func readAssignmentHistory(ctx context.Context, q store.Querier, task model.ID) ([]model.AssignmentEntry, error) {
	entries, err := readLaterAssignments(ctx, q, task)
	if err != nil {
		return nil, err
	}
	var doc sql.NullString
	err = q.QueryRow(ctx, "SELECT first_assignment FROM tasks WHERE id = $1", task).Scan(&doc)
	if errors.Is(err, sql.ErrNoRows) || err == nil && !doc.Valid { // before there was the column, all were rows
		return entries, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read assignment history: %w", err)
	}
	var first model.AssignmentEntry
	if err := model.Unmarshal([]byte(doc.String), &first); err != nil {
		return nil, fmt.Errorf("decode stored assignment of task %s: %w", task, err)
	}
	return slices.Insert(entries, 0, first), nil
}

// readLaterAssignments are those of a task's history that have rows of their own.
func readLaterAssignments(ctx context.Context, q store.Querier, task model.ID) ([]model.AssignmentEntry, error) {
	rows, err := q.Query(ctx, "SELECT time, actor_type, actor, container, owner FROM assignments WHERE task = $1 ORDER BY time", task)
	if err != nil {
		return nil, fmt.Errorf("read assignment history: %w", err)
	}
	defer rows.Close()
	entries := []model.AssignmentEntry{}
	for rows.Next() {
		var entry model.AssignmentEntry
		var actor Actor
		var kind model.ContainerType
		var owner model.ID
		if err := rows.Scan(&entry.Time, &actor.Type, &actor.ID, &kind, &owner); err != nil {
			return nil, fmt.Errorf("read assignment history: %w", err)
		}
		entry.ActionContext = model.Some(actor.Context())
		entry.ContainerDescription = containerRef(kind, owner)
		entries = append(entries, entry)
	}
	return entries, rows.Err()
}
