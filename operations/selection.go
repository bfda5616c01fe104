package operations

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"waybill/board"
	"waybill/model"
)

// selectedTask is a task that an operation changes. The row is nil when the board does not have the task; the service then
// decides what is allowed.
type selectedTask struct {
	id    model.ID
	row   *board.TaskRow
	label string
}

func (s Input) selectTask(id model.ID) selectedTask {
	return selectedTask{id, s.Board.Tasks.Get(id), taskLabel(s.Board, id)}
}

// splitSelection splits the selected tasks into those that can be changed and those that are skipped. The verb says in the
// error what cannot be done: "none of the 3 selected tasks can be cloned".
func splitSelection(s Input, verb string, refuse func(row *board.TaskRow) string) ([]selectedTask, []Skipped, error) {
	return splitObjects(mapList(s.Tasks, s.selectTask), "a task", verb, func(t selectedTask) (label, reason string) {
		if t.row == nil {
			return t.label, ""
		}
		return t.label, refuse(t.row)
	})
}

// splitObjects splits objects such as "a task" into those that can be changed and those that are skipped, with an error when
// none is left.
func splitObjects[T any](all []T, object, verb string, refuse func(one T) (label, reason string)) (kept []T, skipped []Skipped, err error) {
	for _, one := range all {
		if label, reason := refuse(one); reason == "" {
			kept = append(kept, one)
		} else {
			skipped = append(skipped, Skipped{label, reason})
		}
	}
	switch {
	case len(kept) > 0:
	case len(skipped) == 0:
		err = fmt.Errorf("select %s first", object)
	case len(skipped) == 1:
		err = errors.New(skipped[0].Reason)
	default:
		_, noun, _ := strings.Cut(object, " ")
		err = fmt.Errorf("none of the %d selected %ss can be %s; %s: %s", len(skipped), noun, verb, skipped[0].Label, skipped[0].Reason)
	}
	return kept, skipped, err
}

// labelTasks is the label of one task, or the number of several.
func labelTasks(tasks []selectedTask) string {
	if len(tasks) == 1 {
		return tasks[0].label
	}
	return model.FormatCount(len(tasks), "task")
}

// describeSelection is a line about a single selected task.
func describeSelection(tasks []selectedTask) []Line {
	if len(tasks) == 1 && tasks[0].row != nil {
		return []Line{plainLine("%s", describeTask(tasks[0].row))}
	}
	return nil
}

// wireTask is the part of a task that rules need and the board knows.
func (c selectedTask) wireTask() *model.Task {
	task := &model.Task{ID: c.id}
	if c.row != nil {
		task.State, task.Dependencies = c.row.State, c.row.Dependencies
		task.CompleteAfter, task.CompleteBefore = model.NullIfZero(c.row.Earliest), model.NullIfZero(c.row.Due)
	}
	return task
}

// uniqueLocks are the locks of a step in the one order that every step takes them in.
func uniqueLocks(locks []string) []string {
	slices.Sort(locks)
	return slices.Compact(locks)
}

// lockTask and lockContainer are the locks of a task and a container.
func lockTask(id model.ID) string { return "task " + string(id) }

func lockContainer(of model.ContainerRef) string {
	if of.Type == model.ContainerOrganization {
		return "container of the organization"
	}
	return "container " + string(of.Owner())
}
