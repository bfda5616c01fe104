package operations

import (
	"context"
	"errors"
	"fmt"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// NewDelete is task.delete: deletes the selected tasks.
func NewDelete(s Input) (Operation, error) {
	tasks, skipped, err := splitSelection(s, "deleted", deleteRefusal)
	if err != nil {
		return Operation{}, err
	}
	title := "Delete " + labelTasks(tasks)
	return Operation{
		ID: "task.delete", Title: title, Form: form.Form{Title: title},
		Prepare: func(form.Values) (Proposal, form.Problems) {
			proposal := Proposal{
				Lines: describeSelection(tasks), Skipped: skipped, Summary: "delete " + labelTasks(tasks),
				Irreversible: fmt.Sprintf("Delete %s%s? This cannot be undone.", labelTasks(tasks), organizationSuffix(s)),
			}
			proposal.Lines = append(proposal.Lines, deleteWarnings(s.Board, tasks)...)
			for _, c := range tasks {
				proposal.Steps = append(proposal.Steps, deleteStep(c))
			}
			return proposal, nil
		},
	}, nil
}

func deleteRefusal(row *board.TaskRow) string {
	if reason := model.DeleteForbidden(row.State); reason != "" {
		return reason
	}
	if row.Order != "" {
		return model.DeleteInOrderForbidden()
	}
	return ""
}

// deleteWarnings warn of routes and dependent tasks; of many, only the number.
func deleteWarnings(snapshot *board.Snapshot, tasks []selectedTask) []Line {
	const enough = 5
	var routes, waiting []Line
	for _, c := range tasks {
		if c.row == nil {
			continue
		}
		if c.row.WorkerName != "" {
			routes = append(routes, warnLine("%s is on the route of %s.", model.Capitalize(c.label), c.row.WorkerName))
		}
		for _, linked := range snapshot.LinkedTasks(c.row) {
			if linked.Relation == board.LinkedAfter {
				waiting = append(waiting, warnLine("%s depends on %s and will be unlinked.", model.Capitalize(taskLabel(snapshot, linked.ID)), c.label))
			}
		}
	}
	if len(routes) > enough {
		routes = []Line{warnLine("%d of them are on routes.", len(routes))}
	}
	if len(waiting) > enough {
		waiting = []Line{warnLine("%d tasks depend on them and will be unlinked.", len(waiting))}
	}
	return append(routes, waiting...)
}

// deletion deletes one object. It succeeds when somebody else has deleted the object already.
type deletion struct {
	noun   string
	step   Step // without its functions
	change board.Change
	remove func(ctx context.Context, c *apiclient.Client) error
	// read reads the object, to find out whether it is deleted.
	read func(ctx context.Context, c *apiclient.Client) error
}

func (d deletion) newStep() Step {
	var began sendTime
	d.step.Do = func(ctx context.Context, c *apiclient.Client) (Result, error) {
		began.setNow()
		err := d.remove(ctx, c)
		result := Result{Object: d.step.Object, Summary: "deleted", Change: d.change}
		switch {
		case errors.Is(err, apiclient.ErrNotFound):
			result.Summary, result.AlreadyGone = "was already deleted", true
		case err != nil:
			return Result{}, err
		}
		return result, nil
	}
	d.step.Lookup = func(ctx context.Context, c *apiclient.Client) (LookupResult, error) {
		err := d.read(ctx, c)
		switch {
		case errors.Is(err, apiclient.ErrNotFound):
			return LookupResult{Happened: true, Certain: true, Summary: "the " + d.noun + " is deleted"}, nil
		case err != nil:
			return LookupResult{}, err
		}
		return began.notFoundResult("the " + d.noun + " still exists"), nil
	}
	return d.step
}

func deleteStep(t selectedTask) Step {
	return deletion{
		noun: "task", step: Step{Object: t.id, Label: t.label, Locks: []string{lockTask(t.id)}},
		change: board.Change{IsWrite: true, Removed: []model.ID{t.id}},
		remove: func(ctx context.Context, c *apiclient.Client) error { return c.DeleteTask(ctx, t.id) },
		read: func(ctx context.Context, c *apiclient.Client) error {
			_, err := c.Task(ctx, t.id)
			return err
		},
	}.newStep()
}
