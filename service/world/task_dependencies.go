package world

import (
	"context"
	"slices"

	"waybill/model"
	"waybill/service/store"
)

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
