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
	task selectedTask
	noun string // "notes", "time window"
	// members are what it changes, as rules name them.
	members []string
	// change is what to send, given the task as it is.
	change func(now *model.Task) (model.TaskInput, error)
	// restore puts back what a task had.
	restore func(before *model.Task) model.TaskInput
	// isApplied reports whether a task is as the edit leaves it, given how it was before.
	isApplied func(now, before *model.Task) bool
	summary   string // "notes changed"
	// undoCommand is the verb that puts back what a task had; nil when none does.
	undoCommand func(before *model.Task) Command
}

// step reads the task first: what it had is what undo restores, and an edit may depend on it.
func (e edit) step() Step {
	var began sendTime
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
			began.setNow()
			updated, err := c.UpdateTask(ctx, e.task.id, change)
			if err != nil {
				return Result{}, err
			}
			return Result{Object: e.task.id, Summary: e.summary, Change: taskChange(updated), Undo: e.undo(current)}, nil
		},
		Lookup: began.lookupTask(e.task.id, func(now *model.Task) bool { return e.isApplied(now, before) },
			"the "+e.noun+" of the task are changed", "the "+e.noun+" of the task are not changed"),
	}
}

// undo puts back what the task had, unless someone has changed it again.
func (e edit) undo(before model.Task) *Undo {
	var began sendTime
	restored := e.restore(&before)
	var as Command
	if e.undoCommand != nil {
		as = e.undoCommand(&before)
	}
	return &Undo{
		Command: as,
		Title:   fmt.Sprintf("put the %s of %s back", e.noun, e.task.label),
		Unavailable: func(snapshot *board.Snapshot) string {
			row := snapshot.Tasks.Get(e.task.id)
			if row == nil {
				return "The task is not on the board any more."
			}
			return updateRefusal(row.State, e.members)
		},
		Step: Step{
			Object: e.task.id, Label: e.task.label, Locks: []string{lockTask(e.task.id)},
			Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
				current, err := c.Task(ctx, e.task.id)
				switch {
				case err != nil:
					return Result{}, err
				case !e.isApplied(&current, &before):
					return Result{}, fmt.Errorf("the %s of %s have been changed again since, so they were left as they are", e.noun, e.task.label)
				}
				began.setNow()
				updated, err := c.UpdateTask(ctx, e.task.id, restored)
				if err != nil {
					return Result{}, err
				}
				return Result{Object: e.task.id, Summary: e.noun + " put back", Change: taskChange(updated)}, nil
			},
			Lookup: began.lookupTask(e.task.id, func(now *model.Task) bool { return !e.isApplied(now, &before) },
				"the "+e.noun+" of the task are as they were", "the "+e.noun+" of the task are not put back"),
		},
	}
}

// updateRefusal says why a state does not allow to change any of some members.
func updateRefusal(state model.TaskState, members []string) string {
	for _, member := range members {
		if reason := model.CanUpdate(state, member); reason != "" {
			return reason
		}
	}
	return ""
}

func refuseUpdate(members ...string) func(row *board.TaskRow) string {
	return func(row *board.TaskRow) string { return updateRefusal(row.State, members) }
}

var errNotesChanged = errors.New("someone else has changed the notes while you were writing, so yours were not sent; " +
	"open them again and add what is yours")
