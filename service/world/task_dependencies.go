package world

import (
	"context"
	"fmt"
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
func checkDependencies(ctx context.Context, q store.Querier, org, task model.ID, needs []model.ID) error {
	for _, need := range needs {
		if _, err := loadNamedTask(ctx, q, org, need); err != nil {
			return err
		}
	}
	if task == "" {
		return nil
	}
	seen := map[model.ID]bool{}
	next := slices.Clone(needs)
	for len(next) > 0 {
		need := next[len(next)-1]
		next = next[:len(next)-1]
		if need == task {
			return Invalid("dependencies: The task would depend on itself through another task.")
		}
		if seen[need] {
			continue
		}
		seen[need] = true
		further, err := readIDs(q.Query(ctx, "SELECT needs FROM dependencies WHERE task = $1", need))
		if err != nil {
			return err
		}
		next = append(next, further...)
	}
	return nil
}

// openDependencies counts the tasks that must be completed before this one can start. Deleted tasks do not count.
func openDependencies(ctx context.Context, q store.Querier, task model.ID) (n int, err error) {
	err = q.QueryRow(ctx, `SELECT count(*) FROM dependencies p JOIN tasks t ON t.id = p.needs
		WHERE p.task = $1 AND t.state <> 3`, task).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count open dependencies: %w", err)
	}
	return n, nil
}

// releaseDependents removes a task that is being deleted from the dependencies of others.
func (t *taskRow) releaseDependents(ctx context.Context, tx *store.Tx, now model.Millis) error {
	dependents, err := readIDs(tx.Query(ctx, "SELECT task FROM dependencies WHERE needs = $1", t.id))
	if err != nil {
		return err
	}
	for _, id := range dependents {
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
