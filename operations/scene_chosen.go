package operations

import (
	"errors"
	"fmt"

	"waybill/board"
	"waybill/model"
)

var errNothingChosen = errors.New("no task is chosen; put the cursor on one, or mark some")

// chosen is a task that a verb acts on. The row is nil when the board does not have it; the service then decides what
// is allowed.
type chosen struct {
	id    model.ID
	row   *board.TaskRow
	label string
}

func chosenTasks(s Input) []chosen {
	all := make([]chosen, len(s.Tasks))
	for i, id := range s.Tasks {
		all[i] = chosen{id, s.Board.Tasks.Get(id), callTask(s.Board, id)}
	}
	return all
}

// fitting splits what was chosen into what a verb fits and what it does not, by the reason that fits gives.
func fitting(s Input, fits func(row *board.TaskRow) string) ([]chosen, []Skipped) {
	var fit []chosen
	var skipped []Skipped
	for _, c := range chosenTasks(s) {
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

// mayBegin says why a verb cannot begin: nothing is chosen, or it fits nothing of it.
func mayBegin(fit []chosen, skipped []Skipped) error {
	switch {
	case len(fit) > 0:
		return nil
	case len(skipped) == 0:
		return errNothingChosen
	case len(skipped) == 1:
		return errors.New(skipped[0].Reason)
	}
	return fmt.Errorf("this fits none of the %d chosen tasks; of %s: %s", len(skipped), skipped[0].Label, skipped[0].Reason)
}

// callChosen is one task by its name, several by their number.
func callChosen(tasks []chosen) string {
	if len(tasks) == 1 {
		return tasks[0].label
	}
	return howMany(len(tasks), "task")
}

// describeChosen is a line about the one task, so that nobody acts on the wrong one.
func describeChosen(tasks []chosen) []Line {
	if len(tasks) == 1 && tasks[0].row != nil {
		return []Line{only("%s", describeTask(tasks[0].row))}
	}
	return nil
}

// wireTask is as much of a task as the board knows and rules ask for.
func (c chosen) wireTask() *model.Task {
	task := &model.Task{ID: c.id}
	if c.row != nil {
		task.State = c.row.State
		task.CompleteAfter, task.CompleteBefore = model.NullIfZero(c.row.Earliest), model.NullIfZero(c.row.Due)
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
