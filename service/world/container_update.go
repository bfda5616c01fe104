package world

import (
	"context"
	"slices"

	"waybill/model"
	"waybill/service/store"
)

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
