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
// exactly when the id is in it. A plus before a column keeps the engine from searching by it: of the two ways to
// read a list, along the order of creation or along the times, only we know which is short.
const (
	bySeq  = " AND seq > $2 AND +list_time >= $3 AND +list_time < $4"
	byTime = " AND +seq > $2 AND list_time >= $3 AND list_time < $4"

	listFilters = `
		AND ($5 = 0 OR (1 << state) & $5 <> 0)
		AND ($6 < 0 OR pickup = $6)
		AND ($7 = 0 OR complete_before < $7)
		AND ($8 = 0 OR complete_after > $8)
		AND ($9 = '' OR state < 2 AND replace($9, container_owner, '') <> $9)
		AND ($10 = '' OR EXISTS (SELECT 1 FROM dependencies p WHERE p.task = tasks.id AND replace($10, p.needs, '') <> $10))`
	listSelect = "SELECT " + wireColumns + ", d.doc, r.doc FROM ("
	listJoin   = ` ORDER BY seq LIMIT $11) page JOIN tasks t ON t.seq = page.seq
		JOIN destinations d ON d.id = t.destination LEFT JOIN recipients r ON r.id = t.recipient ORDER BY t.seq`
	sharedTasks = " UNION ALL SELECT seq FROM tasks WHERE executor = $1 AND executor <> org" + bySeq + listFilters

	listOfOrganization = listSelect + "SELECT seq FROM tasks WHERE org = $1 AND $12 = ''" + bySeq + listFilters + sharedTasks + listJoin
	listOfShortSpan    = listSelect + "SELECT seq FROM tasks WHERE org = $1 AND $12 = ''" + byTime + listFilters + sharedTasks + listJoin
	listOfWorker       = listSelect + "SELECT seq FROM tasks WHERE worker = $12 AND (org = $1 OR executor = $1)" + bySeq + listFilters + listJoin
	listOfTeam         = listSelect + "SELECT seq FROM tasks WHERE container_owner = $12 AND state < 2 AND (org = $1 OR executor = $1)" +
		bySeq + listFilters + listJoin
)

// shortSpan is how many tasks a span may hold to be read along the times and sorted.
const shortSpan = 2000

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
	after := int64(0)
	if filter.LastID != "" {
		var owner, executor model.ID
		err := w.store.QueryRow(ctx, "SELECT seq, org, executor FROM tasks WHERE id = $1", filter.LastID).Scan(&after, &owner, &executor)
		if errors.Is(err, sql.ErrNoRows) {
			return nil, Invalid("lastId: there is no task %s; it may have been deleted since. Start the list again.", filter.LastID)
		}
		if err != nil {
			return nil, fmt.Errorf("find the page: %w", err)
		}
		if owner != org && executor != org {
			return nil, OtherOrganization()
		}
	}
	// The end is exclusive, and by default now, whole millisecond included.
	to := filter.To.Or(w.Now() + 1)
	query, owner, err := w.listQuery(ctx, org, filter, to)
	if err != nil {
		return nil, err
	}
	rows, err := w.store.Query(ctx, query, org, after, int64(filter.From.Value()), int64(to), stateMask(filter.States),
		pickupFilter(filter.Pickup), int64(filter.CompleteBeforeBefore.Value()), int64(filter.CompleteAfterAfter.Value()),
		containerOwners(filter.Containers), joinIDs(filter.Dependencies), model.MaxPageTasks+1, owner)
	if err != nil {
		return nil, fmt.Errorf("list tasks: %w", err)
	}
	return taskPage(rows)
}

// listQuery chooses how to read a list, and whose it is.
func (w *World) listQuery(ctx context.Context, org model.ID, filter TaskFilter, to model.Millis) (query string, owner model.ID, err error) {
	switch {
	case filter.Worker != "":
		return listOfWorker, filter.Worker, nil
	case filter.Team != "":
		return listOfTeam, filter.Team, nil
	case filter.From.Value() == 0:
		return listOfOrganization, "", nil
	}
	var n int
	err = w.store.QueryRow(ctx, `SELECT count(*) FROM
		(SELECT 1 FROM tasks WHERE org = $1 AND list_time >= $2 AND list_time < $3 LIMIT $4) span`,
		org, int64(filter.From.Value()), int64(to), shortSpan+1).Scan(&n)
	if err != nil {
		return "", "", fmt.Errorf("measure the span: %w", err)
	}
	if n > shortSpan {
		return listOfOrganization, "", nil
	}
	return listOfShortSpan, "", nil
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
		ids, err := FindByMetadata(ctx, tx, org, metadataTasks, query)
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
