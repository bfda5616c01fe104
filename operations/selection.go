package operations

import (
	"errors"
	"fmt"

	"waybill/board"
	"waybill/model"
)

var errNothingSelected = errors.New("no task is chosen; put the cursor on one, or mark some")

// selectedTask is a task that a verb acts on. The row is nil when the board does not have it; the service then decides what
// is allowed.
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

// splitSelection splits what was chosen into what a verb fits and what it does not, by the reason that fits gives.
func splitSelection(s Input, fits func(row *board.TaskRow) string) ([]selectedTask, []Skipped) {
	var fit []selectedTask
	var skipped []Skipped
	for _, c := range selectedTasks(s) {
		reason := ""
		if c.row != nil {
			reason = fits(c.row)
		}
		if reason == "" {
			fit = append(fit, c)
		} else {
			skipped = append(skipped, Skipped{c.label, reason})
		}
	}
	return fit, skipped
}

// checkSelection says why a verb cannot begin: nothing is chosen, or it fits nothing of it.
func checkSelection(fit []selectedTask, skipped []Skipped) error {
	switch {
	case len(fit) > 0:
		return nil
	case len(skipped) == 0:
		return errNothingSelected
	case len(skipped) == 1:
		return errors.New(skipped[0].Reason)
	}
	return fmt.Errorf("this fits none of the %d chosen tasks; of %s: %s", len(skipped), skipped[0].Label, skipped[0].Reason)
}

// labelTasks is one task by its name, several by their number.
func labelTasks(tasks []selectedTask) string {
	if len(tasks) == 1 {
		return tasks[0].label
	}
	return countNoun(len(tasks), "task")
}

// describeSelection is a line about the one task, so that nobody acts on the wrong one.
func describeSelection(tasks []selectedTask) []Line {
	if len(tasks) == 1 && tasks[0].row != nil {
		return []Line{plainLine("%s", describeTask(tasks[0].row))}
	}
	return nil
}

// wireTask is as much of a task as the board knows and rules ask for.
func (c selectedTask) wireTask() *model.Task {
	task := &model.Task{ID: c.id}
	if c.row != nil {
		task.State = c.row.State
		task.CompleteAfter, task.CompleteBefore = model.NullIfZero(c.row.After), model.NullIfZero(c.row.Before)
	}
	return task
}

// lockTask and lockContainer name what one step at a time may change.
func lockTask(id model.ID) string { return "task " + string(id) }

func lockContainer(of model.ContainerRef) string {
	if of.Type == model.ContainerOrganization {
		return "container of the organization"
	}
	return "container " + string(of.Owner())
}
