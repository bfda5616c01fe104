package operations

import (
	"context"
	"errors"
	"fmt"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
)

// edit is a change of one task that can be undone.
type edit struct {
	task selectedTask
	noun string // "notes", "time window"
	// members are the members that it changes.
	members []string
	// change is what to send, given the present task.
	change func(now *model.Task) (model.TaskInput, error)
	// restore is what to send to undo the change.
	restore func(before *model.Task) model.TaskInput
	// isApplied reports whether the task has the change, given the task before.
	isApplied func(now, before *model.Task) bool
	summary   string // "notes changed"
	// undoCommand is the operation that undoes the change; nil when there is none.
	undoCommand func(before *model.Task) Command
}

// step reads the task first: undo restores it, and the change may depend on it.
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
			return Result{Object: e.task.id, Summary: e.summary, Response: updated, Change: taskChange(updated), Undo: e.undo(current)}, nil
		},
		Lookup: began.lookupTask(e.task.id, func(now *model.Task) bool { return e.isApplied(now, before) },
			"the "+e.noun+" of the task are changed", "the "+e.noun+" of the task are not changed"),
	}
}

// undo restores what the task had, unless somebody has changed it again.
func (e edit) undo(before model.Task) *Undo {
	var began sendTime
	restored := e.restore(&before)
	var as Command
	if e.undoCommand != nil {
		as = e.undoCommand(&before)
	}
	return &Undo{
		Command: as,
		Title:   fmt.Sprintf("restore the %s of %s", e.noun, e.task.label),
		Unavailable: func(snapshot *board.Snapshot) string {
			row := snapshot.Tasks.Get(e.task.id)
			if row == nil {
				return "The task is no longer on the board."
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
					return Result{}, fmt.Errorf("the %s of %s were changed again meanwhile, so nothing was sent", e.noun, e.task.label)
				}
				began.setNow()
				updated, err := c.UpdateTask(ctx, e.task.id, restored)
				if err != nil {
					return Result{}, err
				}
				return Result{Object: e.task.id, Summary: e.noun + " restored", Change: taskChange(updated)}, nil
			},
			Lookup: began.lookupTask(e.task.id, func(now *model.Task) bool { return !e.isApplied(now, &before) },
				"the "+e.noun+" of the task are restored", "the "+e.noun+" of the task are not restored"),
		},
	}
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

func refuseUpdate(members ...string) func(row *board.TaskRow) string {
	return func(row *board.TaskRow) string { return updateRefusal(row.State, members) }
}

var errNotesChanged = errors.New("somebody else changed the notes meanwhile, so yours were not sent; open them again and add yours")
