package feed

import (
	"waybill/board"
	"waybill/model"
)

// MovedTasks returns the tasks that joined or left a route between two snapshots.
func MovedTasks(before, after *board.Snapshot, changed []board.RowDelta) []model.ID {
	var moved []model.ID
	for _, d := range changed {
		if d.Kind == board.RowChanged && !d.Fields.Has(board.FieldRoute|board.FieldActiveTask) {
			continue
		}
		was, is := routeOf(before.Workers.Get(d.ID)), routeOf(after.Workers.Get(d.ID))
		for id := range was {
			if _, still := is[id]; !still || was[id] != is[id] {
				moved = append(moved, id)
			}
		}
		for id := range is {
			if _, already := was[id]; !already && len(was) > 0 {
				moved = append(moved, id)
			}
		}
	}
	return moved
}

// routeOf is the set of tasks of a worker; the value is true for the active one.
func routeOf(w *board.WorkerRow) map[model.ID]bool {
	if w == nil {
		return nil
	}
	route := make(map[model.ID]bool, len(w.Tasks)+1)
	for _, id := range w.Tasks {
		route[id] = false
	}
	if w.ActiveTask != "" {
		route[w.ActiveTask] = true
	}
	return route
}
