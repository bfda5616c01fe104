package world

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"waybill/model"
	"waybill/service/store"
)

// TaskFilter limits a task list. The time of a task is when it was completed or, if it is not, when it was created.
type TaskFilter struct {
	From   model.Opt[model.Millis]
	To     model.Opt[model.Millis]
	LastID model.ID
	States []model.TaskState
	Worker model.ID
	// Team lists the tasks in the team's container.
	Team                 model.ID
	CompleteBeforeBefore model.Opt[model.Millis]
	CompleteAfterAfter   model.Opt[model.Millis]
	Dependencies         []model.ID // any of them
	Containers           []model.ID // ids of containers or of their owners
	Pickup               model.Opt[bool]
}

// These are the parts of the list queries. A list of ids is passed as one text: replacing an id in it changes the text
// exactly when the list contains the id. A plus before a column keeps SQLite from using its index, because only the code
// below knows which index makes a list short.
const (
	spanFilter  = " AND +list_time >= $3 AND +list_time < $4"
	listFilters = `
		AND ($5 = 0 OR (1 << state) & $5 <> 0)
		AND ($6 < 0 OR pickup = $6)
		AND ($7 = 0 OR complete_before < $7)
		AND ($8 = 0 OR complete_after > $8)
		AND ($9 = '' OR state < 2 AND replace($9, container_owner, '') <> $9)
		AND ($10 = '' OR EXISTS (SELECT 1 FROM dependencies p WHERE p.task = tasks.id AND replace($10, p.needs, '') <> $10))`
	listSelect = "SELECT " + wireColumns + ", d.doc, r.doc FROM ("
	listJoin   = ` LIMIT $11) page JOIN tasks t ON t.seq = page.seq
		JOIN destinations d ON d.id = t.destination LEFT JOIN recipients r ON r.id = t.recipient ORDER BY `

	// Tasks after a position in the list that an organization owns or fulfils for others. They are read in the order of
	// an index and end with the page.
	ownTasks          = "SELECT created, seq FROM tasks WHERE org = $1"
	sharedTasks       = "SELECT created, seq FROM tasks WHERE executor = $1 AND executor <> org"
	createdAtPosition = " AND seq > $2 AND created = $12" + spanFilter + listFilters
	createdLater      = " AND created > $12 AND created < $4" + spanFilter + listFilters
	afterPosition     = ownTasks + createdAtPosition + unionAll + ownTasks + createdLater +
		unionAll + sharedTasks + createdAtPosition + unionAll + sharedTasks + createdLater
	// Tasks created before the span but completed in it. They are all read and sorted.
	completedInSpan = " AND completed >= $3 AND completed < $4 AND +created < $3" +
		" AND (+created > $14 OR +created = $14 AND +seq > $13)" + listFilters
	createdBeforeSpan = ownTasks + completedInSpan + unionAll + sharedTasks + completedInSpan
	unionAll          = " UNION ALL "
	creationOrder     = " ORDER BY created, seq" + listJoin + "t.created, t.seq"

	listAfterPosition = listSelect + afterPosition + creationOrder
	listOfSpan        = listSelect + afterPosition + unionAll + createdBeforeSpan + creationOrder

	// Tasks of a worker or a team, in the order in which they were stored, after a task.
	afterTask    = " AND (org = $1 OR executor = $1) AND seq > $2" + spanFilter + listFilters + " ORDER BY seq" + listJoin + "t.seq"
	listOfWorker = listSelect + "SELECT seq FROM tasks WHERE worker = $12" + afterTask
	listOfTeam   = listSelect + "SELECT seq FROM tasks WHERE container_owner = $12 AND state < 2" + afterTask
)

// listPosition is a position in a list: after a task, in order of creation.
type listPosition struct{ created, seq int64 }

// Tasks lists tasks in order of creation, one page at a time.
func (w *World) Tasks(ctx context.Context, org model.ID, filter TaskFilter) (model.Raw, error) {
	if err := model.CheckSpan(filter.From, filter.To).Err(); err != nil {
		return nil, err
	}
	return w.listTaskPage(ctx, org, filter)
}

// WorkerTasks lists the open tasks of a worker.
func (w *World) WorkerTasks(ctx context.Context, org, worker model.ID, filter TaskFilter) (model.Raw, error) {
	if _, err := findContainerOwner(ctx, w.store, org, model.WorkerContainer(worker)); err != nil {
		return nil, err
	}
	filter.Worker = worker
	filter.States = []model.TaskState{model.TaskAssigned, model.TaskActive}
	return w.listRecent(ctx, org, filter)
}

// TeamTasks lists the tasks of a team that are not assigned to a worker.
func (w *World) TeamTasks(ctx context.Context, org, team model.ID, filter TaskFilter) (model.Raw, error) {
	if _, err := findContainerOwner(ctx, w.store, org, model.TeamContainer(team)); err != nil {
		return nil, err
	}
	filter.Team = team
	return w.listRecent(ctx, org, filter)
}

// listRecent lists the last week unless the filter has a start.
func (w *World) listRecent(ctx context.Context, org model.ID, filter TaskFilter) (model.Raw, error) {
	if !filter.From.Has() {
		filter.From = model.Some(w.Now().Add(-model.TeamTasksSpan))
	}
	if err := model.CheckSpan(filter.From, filter.To).Err(); err != nil {
		return nil, err
	}
	return w.listTaskPage(ctx, org, filter)
}

func (w *World) listTaskPage(ctx context.Context, org model.ID, filter TaskFilter) (model.Raw, error) {
	last, err := w.findListPosition(ctx, org, filter.LastID)
	if err != nil {
		return nil, err
	}
	from := int64(filter.From.Value())
	// The end is exclusive and by default includes the current millisecond.
	to := int64(filter.To.Or(w.Now() + 1))
	args := []any{
		org, last.seq, from, to, stateMask(filter.States), pickupFilter(filter.Pickup),
		int64(filter.CompleteBeforeBefore.Value()), int64(filter.CompleteAfterAfter.Value()),
		containerOwners(filter.Containers), joinIDs(filter.Dependencies), model.MaxPageTasks + 1,
	}
	var query string
	switch {
	case filter.Worker != "":
		query, args = listOfWorker, append(args, filter.Worker)
	case filter.Team != "":
		query, args = listOfTeam, append(args, filter.Team)
	case last.created >= from:
		query, args = listAfterPosition, append(args, last.created)
	default: // the list has only shown tasks created before the span so far
		query, args = listOfSpan, append(args, from, last.seq, last.created)
		args[1] = int64(0)
	}
	rows, err := w.store.Query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("list tasks: %w", err)
	}
	return writeTaskPage(rows)
}

// findListPosition returns where the page after a task begins; without a task, at the start.
func (w *World) findListPosition(ctx context.Context, org, lastID model.ID) (last listPosition, err error) {
	if lastID == "" {
		return listPosition{}, nil
	}
	var owner, executor model.ID
	err = w.store.QueryRow(ctx, "SELECT created, seq, org, executor FROM tasks WHERE id = $1", lastID).
		Scan(&last.created, &last.seq, &owner, &executor)
	if errors.Is(err, sql.ErrNoRows) {
		return last, Invalid("lastId: There is no task %s. It may have been deleted. Start again at the first page.", lastID)
	}
	if err != nil {
		return last, fmt.Errorf("find the start of the page: %w", err)
	}
	if owner != org && executor != org {
		return last, OtherOrganization()
	}
	return last, nil
}

// writeTaskPage writes a page. One row more than fits means that the list continues.
func writeTaskPage(rows *sql.Rows) (model.Raw, error) {
	defer rows.Close()
	const head = `{"tasks":[`
	page := append(make([]byte, 0, 64<<10), head...)
	var lastID model.ID
	for n := 0; rows.Next(); n++ {
		if n == model.MaxPageTasks {
			page = append(page, `],"lastId":`...)
			return append(appendID(page, lastID), '}'), rows.Err()
		}
		var t taskRow
		var destination string
		var recipient sql.NullString
		if err := t.scanWire(rows.Scan, &destination, &recipient); err != nil {
			return nil, fmt.Errorf("list tasks: %w", err)
		}
		if n > 0 {
			page = append(page, ',')
		}
		page = t.appendWire(page, destination, recipient.String, "")
		lastID = t.id
	}
	return append(page, "]}"...), rows.Err()
}

func stateMask(states []model.TaskState) int64 {
	mask := int64(0)
	for _, state := range states {
		mask |= 1 << state
	}
	return mask
}

func pickupFilter(pickup model.Opt[bool]) int64 {
	if value, ok := pickup.Get(); ok {
		return boolInt(value)
	}
	return -1
}

// containerOwners returns the ids of container owners. ids may hold ids of containers or of their owners.
func containerOwners(ids []model.ID) string {
	both := make([]model.ID, 0, 2*len(ids))
	for _, id := range ids {
		both = append(both, id, containerID(id))
	}
	return joinIDs(both)
}

func joinIDs(ids []model.ID) string {
	var list strings.Builder
	for _, id := range ids {
		list.WriteString(string(id) + ",")
	}
	return list.String()
}

// TasksByMetadata lists the tasks that have every metadata entry of the query.
func (w *World) TasksByMetadata(ctx context.Context, org model.ID, query []model.Metadata) (model.Raw, error) {
	tasks, err := findAllByMetadata(ctx, w.store, kindTasks, org, query, func(tx *store.Tx, id model.ID) (model.Raw, error) {
		return readTaskWire(ctx, tx, id, org, "")
	})
	if err != nil {
		return nil, err
	}
	return model.Marshal(tasks)
}
