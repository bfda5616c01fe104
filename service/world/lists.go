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

// TaskFilter is what a task list can be limited to. A task is compared by the time it was completed, or when it is
// not, by the time it was created.
type TaskFilter struct {
	From   model.Opt[model.Millis]
	To     model.Opt[model.Millis]
	LastID model.ID
	States []model.TaskState
	Worker model.ID
	// Team lists what is in the team's container.
	Team                 model.ID
	CompleteBeforeBefore model.Opt[model.Millis]
	CompleteAfterAfter   model.Opt[model.Millis]
	Dependencies         []model.ID // any of them
	Containers           []model.ID // ids of containers or of their owners
	Pickup               model.Opt[bool]
}

// What all lists have in common. Lists of ids are compared as one text: replacing an id in it changes the text
// exactly when the id is in it. A plus before a column keeps the engine from searching by it: only we know which way to
// read a list is short.
const (
	inSpan      = " AND +list_time >= $3 AND +list_time < $4"
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

	// The tasks that an organization owns and those that it fulfils for others, each behind a place of the list: made at
	// the same time but later, or at a later time. These follow the order of an index, and end where the page does.
	ownTasks    = "SELECT created, seq FROM tasks WHERE org = $1"
	sharedTasks = "SELECT created, seq FROM tasks WHERE executor = $1 AND executor <> org"
	sameTime    = " AND seq > $2 AND created = $12" + inSpan + listFilters
	laterTime   = " AND created > $12 AND created < $4" + inSpan + listFilters
	onwards     = ownTasks + sameTime + or + ownTasks + laterTime + or + sharedTasks + sameTime + or + sharedTasks + laterTime
	// What was made before the span but completed in it: it is looked through and sorted.
	completed     = " AND completed >= $3 AND completed < $4 AND +created < $3 AND (+created > $14 OR +created = $14 AND +seq > $13)" + listFilters
	caughtUp      = ownTasks + completed + or + sharedTasks + completed
	or            = " UNION ALL "
	creationOrder = " ORDER BY created, seq" + listJoin + "t.created, t.seq"

	listOnwards = listSelect + onwards + creationOrder
	listOfSpan  = listSelect + onwards + or + caughtUp + creationOrder

	// Of a worker and of a team, in the order in which they were stored, behind a task.
	behindTask   = " AND (org = $1 OR executor = $1) AND seq > $2" + inSpan + listFilters + " ORDER BY seq" + listJoin + "t.seq"
	listOfWorker = listSelect + "SELECT seq FROM tasks WHERE worker = $12" + behindTask
	listOfTeam   = listSelect + "SELECT seq FROM tasks WHERE container_owner = $12 AND state < 2" + behindTask
)

// place is where a list stands: behind a task, in order of creation.
type place struct{ created, seq int64 }

// Tasks lists tasks in order of creation, a page at a time.
func (w *World) Tasks(ctx context.Context, org model.ID, filter TaskFilter) (model.Raw, error) {
	if err := model.CheckSpan(filter.From, filter.To).Err(); err != nil {
		return nil, err
	}
	return w.listTasks(ctx, org, filter)
}

// WorkerTasks lists the tasks that a worker has yet to complete.
func (w *World) WorkerTasks(ctx context.Context, org, worker model.ID, filter TaskFilter) (model.Raw, error) {
	if _, err := findContainerOwner(ctx, w.store, org, model.WorkerContainer(worker)); err != nil {
		return nil, err
	}
	filter.Worker = worker
	filter.States = []model.TaskState{model.TaskAssigned, model.TaskActive}
	return w.listRecent(ctx, org, filter)
}

// TeamTasks lists the tasks of a team that no worker has.
func (w *World) TeamTasks(ctx context.Context, org, team model.ID, filter TaskFilter) (model.Raw, error) {
	if _, err := findContainerOwner(ctx, w.store, org, model.TeamContainer(team)); err != nil {
		return nil, err
	}
	filter.Team = team
	return w.listRecent(ctx, org, filter)
}

// listRecent lists the last week when the query does not say.
func (w *World) listRecent(ctx context.Context, org model.ID, filter TaskFilter) (model.Raw, error) {
	if !filter.From.Has() {
		filter.From = model.Some(w.Now().Add(-model.TeamTasksSpan))
	}
	if err := model.CheckSpan(filter.From, filter.To).Err(); err != nil {
		return nil, err
	}
	return w.listTasks(ctx, org, filter)
}

func (w *World) listTasks(ctx context.Context, org model.ID, filter TaskFilter) (model.Raw, error) {
	last, err := w.listPlace(ctx, org, filter.LastID)
	if err != nil {
		return nil, err
	}
	from := int64(filter.From.Value())
	// The end is exclusive, and by default now, whole millisecond included.
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
		query, args = listOnwards, append(args, last.created)
	default: // nothing of the span has been listed but what was made before it
		query, args = listOfSpan, append(args, from, last.seq, last.created)
		args[1] = int64(0)
	}
	rows, err := w.store.Query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("list tasks: %w", err)
	}
	return taskPage(rows)
}

// listPlace is where the page behind a task begins; without one, before all.
func (w *World) listPlace(ctx context.Context, org, lastID model.ID) (last place, err error) {
	if lastID == "" {
		return place{}, nil
	}
	var owner, executor model.ID
	err = w.store.QueryRow(ctx, "SELECT created, seq, org, executor FROM tasks WHERE id = $1", lastID).
		Scan(&last.created, &last.seq, &owner, &executor)
	if errors.Is(err, sql.ErrNoRows) {
		return last, Invalid("lastId: there is no task %s; it may have been deleted since. Start the list again.", lastID)
	}
	if err != nil {
		return last, fmt.Errorf("find the page: %w", err)
	}
	if owner != org && executor != org {
		return last, OtherOrganization()
	}
	return last, nil
}

// taskPage writes a page; one row more than fits says that the list goes on.
func taskPage(rows *sql.Rows) (model.Raw, error) {
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

// containerOwners are the owners of containers that are named by their own ids or by their owners'.
func containerOwners(ids []model.ID) string {
	both := make([]model.ID, 0, 2*len(ids))
	for _, id := range ids {
		both = append(both, id, containerID(id))
	}
	return joinIDs(both)
}

func joinIDs(ids []model.ID) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = string(id)
	}
	return strings.Join(texts, ",")
}

// TasksByMetadata lists the tasks that have every entry of a query.
func (w *World) TasksByMetadata(ctx context.Context, org model.ID, query []model.Metadata) (model.Raw, error) {
	list := append(make([]byte, 0, 4<<10), '[')
	err := w.store.Read(ctx, func(tx *store.Tx) error {
		ids, err := findByMetadata(ctx, tx, org, metadataTasks, query)
		if err != nil {
			return err
		}
		for i, id := range ids {
			raw, err := readTaskWire(tx.QueryRow(ctx, selectTaskWire+"WHERE t.id = $1", id), org, "")
			if err != nil {
				return err
			}
			if i > 0 {
				list = append(list, ',')
			}
			list = append(list, raw...)
		}
		return nil
	})
	return append(list, ']'), err
}
