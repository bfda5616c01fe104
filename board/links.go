package board

import (
	"cmp"
	"slices"

	"waybill/model"
)

// Relation is how one task is linked to another.
type Relation uint8

// Relations.
const (
	LinkedBefore Relation = iota + 1 // must be done first
	LinkedAfter                      // waits for this one
	LinkedOrder                      // the other task of the same order
)

// LinkedTask is a task that is linked to another.
type LinkedTask struct {
	ID       model.ID
	Row      *TaskRow // nil when the board does not have it
	Relation Relation
}

// LinkedTasks lists the tasks linked to a task: its dependencies, the tasks that depend on it, and the other task of its
// order.
func (s *Snapshot) LinkedTasks(task *TaskRow) []LinkedTask {
	var linked []LinkedTask
	add := func(id model.ID, row *TaskRow, relation Relation) {
		if id != task.ID && !slices.ContainsFunc(linked, func(l LinkedTask) bool { return l.ID == id }) {
			linked = append(linked, LinkedTask{id, row, relation})
		}
	}
	for _, id := range task.Dependencies {
		add(id, s.Tasks.Get(id), LinkedBefore)
	}
	for _, row := range s.linkedBy(string(task.ID)) {
		if slices.Contains(row.Dependencies, task.ID) {
			add(row.ID, row, LinkedAfter)
		}
	}
	if task.Order != "" {
		for _, row := range s.linkedBy(string(task.Order)) {
			if row.Order == task.Order {
				add(row.ID, row, LinkedOrder)
			}
		}
	}
	return linked
}

// WorkerTasks lists all tasks of a worker that the board has, closed ones too, sorted by id.
func (s *Snapshot) WorkerTasks(worker model.ID) []*TaskRow {
	return slices.DeleteFunc(s.linkedBy(string(worker)), func(r *TaskRow) bool { return r.Worker != worker })
}

func (s *Snapshot) linkedBy(key string) []*TaskRow {
	slots, _ := s.links.get(key)
	rows := make([]*TaskRow, 0, len(slots))
	for _, slot := range slots {
		if row := s.Tasks.at(slot); row != nil {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, func(a, b *TaskRow) int { return cmp.Compare(a.ID, b.ID) })
	return rows
}

// Stop is one task of a route.
type Stop struct {
	Position int // 0 is the active task, or the first when none is
	ID       model.ID
	Row      *TaskRow // nil when the board does not have it
	Active   bool
}

// Route returns the stops of a worker in order.
func (s *Snapshot) Route(w *WorkerRow) []Stop {
	stops := make([]Stop, 0, w.Stops())
	if w.ActiveTask != "" {
		stops = append(stops, Stop{0, w.ActiveTask, s.Tasks.Get(w.ActiveTask), true})
	}
	for _, id := range w.Tasks {
		if id != w.ActiveTask {
			stops = append(stops, Stop{len(stops), id, s.Tasks.Get(id), false})
		}
	}
	return stops
}

// RoutePosition returns the position of a task on its worker's route; -1 when it is not on one.
func (s *Snapshot) RoutePosition(task *TaskRow) int {
	w := s.Workers.Get(task.Worker)
	if w == nil {
		return -1
	}
	for _, stop := range s.Route(w) {
		if stop.ID == task.ID {
			return stop.Position
		}
	}
	return -1
}
