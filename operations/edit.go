package operations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// taskEdit is an operation that changes values of the selected tasks and can be undone.
type taskEdit struct {
	id      string
	noun    string // "notes", "quantities"
	members []string
	tasks   []selectedTask
	skipped []Skipped
	form    form.Form
	// seen is the task whose values the form shows. They are not overwritten when somebody else has changed them since. It is
	// nil when the form does not show them.
	seen *model.Task
	read func(values form.Values, problems form.Problems) edit
}

// edit is a change of the values of tasks.
type edit struct {
	// apply is what to send, given the present task.
	apply   func(now *model.Task) model.TaskInput
	lines   []Line
	summary string // "notes changed" when empty
}

// replaceValues is an edit that sends the same values for every task.
func replaceValues(change model.TaskInput, lines ...Line) edit {
	return edit{apply: func(*model.Task) model.TaskInput { return change }, lines: lines}
}

// selectEditable sets the tasks whose members can be changed.
func (e *taskEdit) selectEditable(s Input) (err error) {
	e.tasks, e.skipped, err = splitSelection(s, "changed", func(row *board.TaskRow) string { return updateRefusal(row.State, e.members) })
	return err
}

func (e taskEdit) operation(s Input) (Operation, error) {
	return request[edit]{
		id: e.id, form: e.form, fieldOf: fieldOfMember, read: e.read,
		check: func(change edit) model.Problems {
			var broken model.Problems
			for _, task := range e.tasks {
				if broken = checkEdit(change, task); len(broken) == 0 {
					return nil
				}
			}
			return broken
		},
		propose: func(change edit, _ form.Values) Proposal {
			proposal := Proposal{Skipped: e.skipped}
			var kept []selectedTask
			for _, task := range e.tasks {
				if broken := checkEdit(change, task); len(broken) > 0 {
					proposal.Skipped = append(proposal.Skipped, Skipped{task.label, translateMembers(broken[0].Text)})
					continue
				}
				kept = append(kept, task)
				proposal.Steps = append(proposal.Steps, e.step(change, task))
			}
			proposal.Lines = append(describeSelection(kept), change.lines...)
			proposal.Summary = fmt.Sprintf("change the %s of %s", e.noun, labelTasks(kept))
			return proposal
		},
	}.operation(s)
}

// checkEdit returns the rules that an edit of a task breaks, such as a due time before its earliest time.
func checkEdit(change edit, task selectedTask) model.Problems {
	now := task.wireTask()
	return change.apply(now).CheckUpdate(now)
}

// step reads the task first: undo restores it, and the change may depend on it.
func (e taskEdit) step(change edit, task selectedTask) Step {
	var began sendTime
	before := new(model.Task)
	return Step{
		Object: task.id, Label: task.label, Locks: []string{lockTask(task.id)},
		Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
			current, err := c.Task(ctx, task.id)
			if err != nil {
				return Result{}, err
			}
			values := change.apply(&current)
			if e.seen != nil {
				if !hasValues(&current, previousValues(e.seen, values)) && !hasValues(&current, values) {
					return Result{}, fmt.Errorf("the %s %w", e.noun, errEditedMeanwhile)
				}
				current = *e.seen
			}
			*before = current
			began.setNow()
			updated, err := c.UpdateTask(ctx, task.id, values)
			if err != nil {
				return Result{}, err
			}
			return Result{
				Object: task.id, Summary: cmp.Or(change.summary, e.noun+" changed"), Response: updated, Change: taskChange(updated),
				Undo: e.undo(task, values, previousValues(before, values)),
			}, nil
		},
		Lookup: began.lookupTask(task.id, func(now *model.Task) bool { return hasValues(now, change.apply(before)) },
			"the task has the new "+e.noun, "the task does not have the new "+e.noun),
	}
}

// errEditedMeanwhile says that somebody else has changed what the form showed.
var errEditedMeanwhile = errors.New("changed in the meantime, so nothing was sent; open the form again")

// undo restores the previous values, unless somebody has changed them again.
func (e taskEdit) undo(task selectedTask, values, previous model.TaskInput) *Undo {
	var began sendTime
	undo := &Undo{
		Title: fmt.Sprintf("restore the %s of %s", e.noun, task.label),
		Unavailable: func(snapshot *board.Snapshot) string {
			row := snapshot.Tasks.Get(task.id)
			if row == nil {
				return "The task is no longer on the board."
			}
			return updateRefusal(row.State, e.members)
		},
		Step: Step{
			Object: task.id, Label: task.label, Locks: []string{lockTask(task.id)},
			Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
				current, err := c.Task(ctx, task.id)
				switch {
				case err != nil:
					return Result{}, err
				case !hasValues(&current, values):
					return Result{}, fmt.Errorf("the %s of %s changed again in the meantime, so nothing was sent", e.noun, task.label)
				}
				began.setNow()
				updated, err := c.UpdateTask(ctx, task.id, previous)
				if err != nil {
					return Result{}, err
				}
				return Result{Object: task.id, Summary: e.noun + " restored", Change: taskChange(updated)}, nil
			},
			Lookup: began.lookupTask(task.id, func(now *model.Task) bool { return !hasValues(now, values) },
				"the task has its previous "+e.noun, "the task does not have its previous "+e.noun),
		},
	}
	if !previous.Metadata.Has() { // entries may not fit on lines
		undo.Command = Command{Action: e.id, Objects: []model.ID{task.id}, Values: editValues(previous)}
	}
	return undo
}

// previousValues are the values of a task that a change replaces.
func previousValues(task *model.Task, change model.TaskInput) model.TaskInput {
	more := task.AdditionalQuantities
	all := model.QuantitiesInput{A: model.Some(more.A), B: model.Some(more.B), C: model.Some(more.C)}
	return model.TaskInput{
		Notes:                previousValue(model.Some(task.Notes), change.Notes),
		Quantity:             previousValue(model.Some(task.Quantity), change.Quantity),
		AdditionalQuantities: previousValue(model.Some(all), change.AdditionalQuantities),
		Dependencies:         previousValue(model.Some(append([]model.ID{}, task.Dependencies...)), change.Dependencies),
		Metadata:             previousValue(model.Some(append([]model.Metadata{}, task.Metadata...)), change.Metadata),
		CompleteAfter:        previousValue(task.CompleteAfter, change.CompleteAfter),
		CompleteBefore:       previousValue(task.CompleteBefore, change.CompleteBefore),
	}
}

// previousValue is the value that a change replaces: null for a member without a value, absent when it does not change.
func previousValue[T any](value, change model.Opt[T]) model.Opt[T] {
	switch {
	case !change.Present():
		return model.Opt[T]{}
	case !value.Has():
		return model.Null[T]()
	}
	return value
}

// hasValues reports whether a task has the values of a change.
func hasValues(task *model.Task, change model.TaskInput) bool {
	more, now := change.AdditionalQuantities.Value(), task.AdditionalQuantities
	return change.Notes.Or(task.Notes) == task.Notes && change.Quantity.Or(task.Quantity) == task.Quantity &&
		more.A.Or(now.A) == now.A && more.B.Or(now.B) == now.B && more.C.Or(now.C) == now.C &&
		sameIDs(change.Dependencies.Or(task.Dependencies), task.Dependencies) &&
		sameMetadata(change.Metadata.Or(task.Metadata), task.Metadata) &&
		matchesTime(task.CompleteAfter, change.CompleteAfter) && matchesTime(task.CompleteBefore, change.CompleteBefore)
}

func matchesTime(now, change model.Opt[model.Millis]) bool {
	return !change.Present() || now.Has() == change.Has() && now.Value() == change.Value()
}

// editValues are the values of the forms of edits that make a change.
func editValues(change model.TaskInput) form.Values {
	values := form.Values{}
	if notes, ok := change.Notes.Get(); ok {
		values["notes"] = notes
	}
	if ids, ok := change.Dependencies.Get(); ok {
		values["depends_on"] = typedIDs(ids)
	}
	for _, q := range quantitiesOf(change) {
		if n, ok := q.value.Get(); ok {
			values[q.field] = strconv.FormatFloat(n, 'g', -1, 64)
		}
	}
	for name, end := range map[string]model.Opt[model.Millis]{"after": change.CompleteAfter, "before": change.CompleteBefore} {
		switch at, ok := end.Get(); {
		case ok && at != 0:
			values[name] = at.Time().UTC().Format(time.RFC3339Nano)
		case end.Present():
			values["no_"+name] = "yes"
		}
	}
	return values
}

// updateRefusal says why one of the members cannot be changed in a state.
func updateRefusal(state model.TaskState, members []string) string {
	for _, member := range members {
		if reason := model.UpdateForbidden(state, member); reason != "" {
			return reason
		}
	}
	return ""
}
