package operations

import (
	"errors"
	"fmt"

	"waybill/board"
	"waybill/model"
)

var errNothingSelected = errors.New("select a task first")

// selectedTask is a task that an operation changes. The row is nil when the board does not have the task; the service then
// decides what is allowed.
type selectedTask struct {
	id    model.ID
	row   *board.TaskRow
	label string
}

func selectedTasks(s Input) []selectedTask {
	all := make([]selectedTask, len(s.Tasks))
	for i, id := range s.Tasks {
		all[i] = selectedTask{id, s.Board.Tasks.Get(id), taskLabel(s.Board, id)}
	}
	return all
}

// splitSelection splits the selected tasks into those that can be changed and those that are skipped.
func splitSelection(s Input, refuse func(row *board.TaskRow) string) ([]selectedTask, []Skipped) {
	var fit []selectedTask
	var skipped []Skipped
	for _, c := range selectedTasks(s) {
		reason := ""
		if c.row != nil {
			reason = refuse(c.row)
		}
		if reason == "" {
			fit = append(fit, c)
		} else {
			skipped = append(skipped, Skipped{c.label, reason})
		}
	}
	return fit, skipped
}

// checkSelection says why an operation cannot start: nothing is selected, or all of it is skipped.
func checkSelection(fit []selectedTask, skipped []Skipped) error {
	switch {
	case len(fit) > 0:
		return nil
	case len(skipped) == 0:
		return errNothingSelected
	case len(skipped) == 1:
		return errors.New(skipped[0].Reason)
	}
	return fmt.Errorf("none of the %d selected tasks can be changed; %s: %s", len(skipped), skipped[0].Label, skipped[0].Reason)
}

// labelTasks is the label of one task, or the number of several.
func labelTasks(tasks []selectedTask) string {
	if len(tasks) == 1 {
		return tasks[0].label
	}
	return countNoun(len(tasks), "task")
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
		task.State = c.row.State
		task.CompleteAfter, task.CompleteBefore = model.NullIfZero(c.row.Earliest), model.NullIfZero(c.row.Due)
	}
	return task
}

// lockTask and lockContainer are the locks of a task and a container.
func lockTask(id model.ID) string { return "task " + string(id) }

func lockContainer(of model.ContainerRef) string {
	if of.Type == model.ContainerOrganization {
		return "container of the organization"
	}
	return "container " + string(of.Owner())
}
