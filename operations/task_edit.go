package operations

import (
	"context"
	"errors"
	"fmt"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
)

// edit is a change of one task that can be taken back.
type edit struct {
	task chosen
	what string // "notes", "time window"
	// members are what it changes, as rules name them.
	members []string
	// change is what to send, given the task as it is.
	change func(now *model.Task) (model.TaskInput, error)
	// restore puts back what a task had.
	restore func(before *model.Task) model.TaskInput
	// holds reports whether a task is as the edit leaves it, given how it was before.
	holds func(now, before *model.Task) bool
	words string // "notes changed"
	// as is the verb that puts back what a task had; nil when none does.
	as func(before *model.Task) Command
}

// step reads the task first: what it had is what undo restores, and an edit may depend on it.
func (e edit) step() Step {
	var began sent
	before := new(model.Task)
	return Step{
		Object: e.task.id, Label: e.task.label, Locks: []string{lockTask(e.task.id)},
		Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
			current, err := c.Task(ctx, e.task.id)
			if err != nil {
				return Result{}, err
			}
			change, err := e.change(&current)
			if err != nil {
				return Result{}, err
			}
			*before = current
			began.now()
			updated, err := c.UpdateTask(ctx, e.task.id, change)
			if err != nil {
				return Result{}, err
			}
			return Result{Object: e.task.id, Summary: e.words, Change: tookTask(updated), Undo: e.undo(current)}, nil
		},
		Lookup: began.lookAtTask(e.task.id, func(now *model.Task) bool { return e.holds(now, before) },
			"the "+e.what+" of the task are changed", "the "+e.what+" of the task are not changed"),
	}
}

// undo puts back what the task had, unless someone has changed it again.
func (e edit) undo(before model.Task) *Undo {
	var began sent
	restored := e.restore(&before)
	var as Command
	if e.as != nil {
		as = e.as(&before)
	}
	return &Undo{
		Command: as,
		Title:   fmt.Sprintf("put the %s of %s back", e.what, e.task.label),
		Unavailable: func(snapshot *board.Snapshot) string {
			row := snapshot.Tasks.Get(e.task.id)
			if row == nil {
				return "The task is not on the board any more."
			}
			return cannotUpdate(row.State, e.members)
		},
		Step: Step{
			Object: e.task.id, Label: e.task.label, Locks: []string{lockTask(e.task.id)},
			Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
				current, err := c.Task(ctx, e.task.id)
				switch {
				case err != nil:
					return Result{}, err
				case !e.holds(&current, &before):
					return Result{}, fmt.Errorf("the %s of %s have been changed again since, so they were left as they are", e.what, e.task.label)
				}
				began.now()
				updated, err := c.UpdateTask(ctx, e.task.id, restored)
				if err != nil {
					return Result{}, err
				}
				return Result{Object: e.task.id, Summary: e.what + " put back", Change: tookTask(updated)}, nil
			},
			Lookup: began.lookAtTask(e.task.id, func(now *model.Task) bool { return !e.holds(now, &before) },
				"the "+e.what+" of the task are as they were", "the "+e.what+" of the task are not put back"),
		},
	}
}

// cannotUpdate says why a state does not allow to change any of some members.
func cannotUpdate(state model.TaskState, members []string) string {
	for _, member := range members {
		if reason := model.UpdateForbidden(state, member); reason != "" {
			return reason
		}
	}
	return ""
}

func updatable(members ...string) func(row *board.TaskRow) string {
	return func(row *board.TaskRow) string { return cannotUpdate(row.State, members) }
}

var errNotesChanged = errors.New("someone else has changed the notes while you were writing, so yours were not sent; " +
	"open them again and add what is yours")
