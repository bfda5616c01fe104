package world

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"waybill/model"
	"waybill/service/store"
)

// positionGap is the distance between neighbours in a container, so that a task can be inserted without changing the
// others. It allows about twenty insertions at one place before the container is renumbered.
const positionGap = 1 << 20

// addToContainer counts n tasks into a container and returns the last of n new positions at its end.
func addToContainer(ctx context.Context, tx *store.Tx, ref model.ContainerRef, n int, now model.Millis) (int64, error) {
	var size, last int64
	err := tx.QueryRow(ctx, `INSERT INTO containers (owner, kind, size, last, created, modified) VALUES ($1, $2, $3, $4, $5, $5)
		ON CONFLICT (owner) DO UPDATE SET size = containers.size + $3, last = containers.last + $4, modified = $5
		RETURNING size, last`,
		ref.Owner(), string(ref.Type), n, int64(max(n, 1))*positionGap, int64(now)).Scan(&size, &last)
	if err != nil {
		return 0, fmt.Errorf("enter container: %w", err)
	}
	if n > 0 {
		if err := model.CheckContainerSize(int(size)).Err(); err != nil {
			return 0, err
		}
	}
	return last, nil
}

// addOneToContainer counts one task into a container, whose last position is then the task's. Most containers exist and
// have room, so usually nothing is read.
func addOneToContainer(ctx context.Context, tx *store.Tx, ref model.ContainerRef, now model.Millis) error {
	if tx.Write(ctx, "enter container", `UPDATE containers SET size = size + 1, last = last + $2, modified = $3
		WHERE owner = $1 AND size < $4`, ref.Owner(), positionGap, int64(now), model.MaxContainerTasks) == 1 {
		return nil
	}
	_, err := addToContainer(ctx, tx, ref, 1, now)
	return err
}

func removeFromContainer(ctx context.Context, tx *store.Tx, owner model.ID, now model.Millis) {
	tx.Write(ctx, "leave container", "UPDATE containers SET size = size - 1, modified = $2 WHERE owner = $1", owner, int64(now))
}

// containerID returns the id of a container: its owner's id reversed, so that either can be computed from the other.
func containerID(owner model.ID) model.ID {
	reversed := []byte(owner)
	slices.Reverse(reversed)
	return model.ID(reversed)
}

// containerOwner is the organization, team or worker that owns a container.
type containerOwner struct {
	ref     model.ContainerRef
	org     model.ID
	created model.Millis
	active  model.ID // a worker's started task
}

// findContainerOwner reads the owner of a container that org may change.
func findContainerOwner(ctx context.Context, q store.Querier, org model.ID, ref model.ContainerRef) (containerOwner, error) {
	owner := containerOwner{ref: ref, org: org}
	var query string
	switch ref.Type {
	case model.ContainerWorker:
		query = "SELECT org, created, active_task FROM workers WHERE id = $1"
	case model.ContainerTeam:
		query = "SELECT org, created, NULL FROM teams WHERE id = $1"
	default:
		query = "SELECT id, created, NULL FROM organizations WHERE id = $1"
	}
	err := scanOwned(q.QueryRow(ctx, query, ref.Owner()), org, &owner.created, orZero(&owner.active))
	return owner, err
}

// resolveContainer checks the container that a body names for a task that executor fulfils. The container of the
// organization needs no id.
func resolveContainer(ctx context.Context, q store.Querier, org, executor model.ID, ref model.ContainerRef) (model.ContainerRef, error) {
	if ref.Type == model.ContainerOrganization {
		owner := ref.Organization.Or(org)
		if owner != org && owner != executor {
			return ref, OtherOrganization()
		}
		return model.OrganizationContainer(owner), nil
	}
	found, err := findContainerOwner(ctx, q, org, ref)
	if errors.Is(err, NotFound()) {
		return ref, Invalid("Invalid container identifier.")
	}
	if err != nil {
		return ref, err
	}
	if found.org != executor {
		return ref, Invalid("Invalid container identifier. Another organization fulfils the task.")
	}
	return containerRef(ref.Type, ref.Owner()), nil
}

// Container reads a container with its tasks in order.
func (w *World) Container(ctx context.Context, org model.ID, ref model.ContainerRef) (model.Container, error) {
	return readTx(ctx, w.store, func(tx *store.Tx) (model.Container, error) {
		owner, err := findContainerOwner(ctx, tx, org, ref)
		if err != nil {
			return model.Container{}, err
		}
		return readContainer(ctx, tx, owner)
	})
}

func readContainer(ctx context.Context, tx *store.Tx, owner containerOwner) (model.Container, error) {
	ref := owner.ref
	container := model.Container{
		ID: containerID(ref.Owner()), TimeCreated: owner.created.WholeSecond(), TimeLastModified: owner.created,
		Organization: owner.org, Type: ref.Type, ActiveTask: model.NullIfZero(owner.active), Team: ref.Team, Worker: ref.Worker,
	}
	err := scanRow(tx.QueryRow(ctx, "SELECT modified FROM containers WHERE owner = $1", ref.Owner()), &container.TimeLastModified)
	if errors.Is(err, NotFound()) {
		err = nil // the container has never had tasks
	}
	container.Tasks = readContainerTasks(ctx, tx, ref.Owner())
	return container, err
}

// readContainerTasks lists the tasks of a container in order.
func readContainerTasks(ctx context.Context, tx *store.Tx, owner model.ID) []model.ID {
	return readIDs(ctx, tx, selectContainerTasks, owner)
}

const selectContainerTasks = "SELECT id FROM tasks WHERE container_owner = $1 AND state < 2 ORDER BY position"

// UpdateContainer inserts tasks into a container or replaces the list of a worker.
func (w *World) UpdateContainer(
	ctx context.Context, actor Actor, ref model.ContainerRef, in model.ContainerUpdate,
) (model.Container, error) {
	return writeTx(ctx, w.store, func(tx *store.Tx) (model.Container, error) {
		owner, err := findContainerOwner(ctx, tx, actor.Org, ref)
		if err != nil {
			return model.Container{}, err
		}
		if err := in.Check(ref.Type).Err(); err != nil {
			return model.Container{}, err
		}
		ids := in.Tasks.IDs
		if in.ConsiderDependencies.Value() {
			ids = addDependenciesBefore(ctx, tx, ids)
		}
		if index, inserts := in.Tasks.Index.Get(); inserts {
			tx.Fail(w.insertIntoContainer(ctx, tx, actor, ref, int(index), ids))
		} else {
			tx.Fail(w.replaceContainer(ctx, tx, actor, ref, ids))
		}
		return readContainer(ctx, tx, owner)
	})
}

// addDependenciesBefore puts the open dependencies of each task before it, wherever they are now, unless they already
// come before it.
func addDependenciesBefore(ctx context.Context, tx *store.Tx, ids []model.ID) []model.ID {
	return orderByDependencies(ids, func(id model.ID) []model.ID {
		return readIDs(ctx, tx, `SELECT p.needs FROM dependencies p JOIN tasks t ON t.id = p.needs
			WHERE p.task = $1 AND t.state < 2 ORDER BY t.seq`, id)
	})
}

// insertIntoContainer puts tasks at an index of a container. Tasks that are already in it move. An index beyond the end,
// or -1, appends.
func (w *World) insertIntoContainer(
	ctx context.Context, tx *store.Tx, actor Actor, ref model.ContainerRef, index int, ids []model.ID,
) error {
	moved := idSet(ids)
	others := slices.DeleteFunc(readContainerTasks(ctx, tx, ref.Owner()), func(id model.ID) bool { return moved[id] })
	if index < 0 || index > len(others) {
		index = len(others)
	}
	return w.moveTasksBetween(ctx, tx, actor, ref, others[:index], ids, others[index:])
}

// replaceContainer makes ids the whole list of a worker. Tasks that are left out go to the organization that fulfils
// them.
func (w *World) replaceContainer(ctx context.Context, tx *store.Tx, actor Actor, ref model.ContainerRef, ids []model.ID) error {
	kept := idSet(ids)
	removed := slices.DeleteFunc(readContainerTasks(ctx, tx, ref.Owner()), func(id model.ID) bool { return kept[id] })
	w.releaseTasks(ctx, tx, actor, removed)
	return w.moveTasksBetween(ctx, tx, actor, ref, nil, ids, nil)
}

// moveTasksBetween places tasks between those before and after them.
func (w *World) moveTasksBetween(
	ctx context.Context, tx *store.Tx, actor Actor, ref model.ContainerRef, before, ids, after []model.ID,
) error {
	now := w.Now()
	rows, added, err := loadForContainer(ctx, tx, actor.Org, ref, ids)
	if err != nil {
		return err
	}
	last, err := addToContainer(ctx, tx, ref, added, now)
	if err != nil {
		return err
	}
	first, step, err := findGap(ctx, tx, before, after, len(ids), last)
	if err != nil {
		return err
	}
	if step == 0 { // no gap is left: renumber the whole container, beyond all positions in use
		renumberTasks(ctx, tx, before, last+positionGap)
		first, step = last+int64(len(before)+1)*positionGap, positionGap
		renumberTasks(ctx, tx, after, first+int64(len(ids))*positionGap)
		last = first + int64(len(ids)+len(after))*positionGap
	}
	for i, row := range rows {
		was := *row
		triggers, err := row.moveTo(ctx, tx, actor, ref, first+int64(i)*step, now)
		if err != nil {
			return err
		}
		w.recordMoveEvents(ctx, tx, actor, &was, row, now, triggers)
	}
	last = max(last, first+int64(len(ids))*step)
	tx.Write(ctx, "update container", "UPDATE containers SET last = $2 WHERE owner = $1", ref.Owner(), last)
	return nil
}

// loadForContainer loads the tasks that go into a container and counts those that are not in it yet.
func loadForContainer(ctx context.Context, q store.Querier, org model.ID, ref model.ContainerRef, ids []model.ID) ([]*taskRow, int, error) {
	rows := make([]*taskRow, len(ids))
	added := 0
	for i, id := range ids {
		row, err := loadNamedTask(ctx, q, org, id)
		if err != nil {
			return nil, 0, err
		}
		if ref.Type != model.ContainerOrganization && row.executor != org {
			return nil, 0, Invalid("Another organization fulfils task %s and assigns it.", id)
		}
		if row.owner != ref.Owner() {
			added++
		}
		rows[i] = row
	}
	return rows, added, nil
}

// findGap finds n positions between two neighbours: the first one and the step to the next. A step of 0 means that there
// is no room.
func findGap(ctx context.Context, q store.Querier, before, after []model.ID, n int, last int64) (first, step int64, err error) {
	if len(after) == 0 {
		return last + positionGap, positionGap, nil
	}
	next, err := readPosition(ctx, q, after[0])
	if err != nil {
		return 0, 0, err
	}
	if len(before) == 0 {
		return next - int64(n)*positionGap, positionGap, nil
	}
	previous, err := readPosition(ctx, q, before[len(before)-1])
	if err != nil {
		return 0, 0, err
	}
	step = (next - previous) / int64(n+1)
	return previous + step, step, nil
}

func readPosition(ctx context.Context, q store.Querier, id model.ID) (position int64, err error) {
	err = scanRow(q.QueryRow(ctx, "SELECT position FROM tasks WHERE id = $1", id), &position)
	return position, err
}

func renumberTasks(ctx context.Context, tx *store.Tx, ids []model.ID, first int64) {
	for i, id := range ids {
		tx.Write(ctx, "reorder task", "UPDATE tasks SET position = $2 WHERE id = $1", id, first+int64(i)*positionGap)
	}
}

// ReleaseContainer moves all tasks of a worker or team that is being deleted to the organization.
func (w *World) ReleaseContainer(ctx context.Context, tx *store.Tx, actor Actor, ref model.ContainerRef) {
	w.releaseTasks(ctx, tx, actor, readContainerTasks(ctx, tx, ref.Owner()))
	tx.Write(ctx, "delete container", "DELETE FROM containers WHERE owner = $1", ref.Owner())
}

// releaseTasks moves tasks to the containers of the organizations that fulfil them.
func (w *World) releaseTasks(ctx context.Context, tx *store.Tx, actor Actor, ids []model.ID) {
	for _, id := range ids {
		row, err := loadTask(ctx, tx, "", id)
		if err != nil {
			tx.Fail(err)
			return
		}
		w.moveTask(ctx, tx, actor, row, model.OrganizationContainer(row.executor), w.Now())
	}
}
