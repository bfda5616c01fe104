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

// NewDelete is task.delete: takes the chosen tasks away for good.
func NewDelete(s Input) (Operation, error) {
	fit, skipped := splitSelection(s, deleteRefusal)
	if err := checkSelection(fit, skipped); err != nil {
		return Operation{}, err
	}
	title := "Delete " + labelTasks(fit)
	return Operation{
		ID: "task.delete", Title: title, Form: form.Form{Title: title},
		Prepare: func(form.Values) (Proposal, form.Problems) {
			plan := Proposal{
				Lines: describeSelection(fit), Skipped: skipped, Summary: "delete " + labelTasks(fit),
				Irreversible: fmt.Sprintf("Delete %s%s for good?", labelTasks(fit), organizationSuffix(s)),
			}
			plan.Lines = append(plan.Lines, deleteWarnings(s.Board, fit)...)
			for _, c := range fit {
				plan.Steps = append(plan.Steps, deleteStep(c))
			}
			return plan, nil
		},
	}, nil
}

func deleteRefusal(row *board.TaskRow) string {
	if reason := model.CanDelete(row.State); reason != "" {
		return reason
	}
	if row.Order != "" {
		return "The task belongs to an order; cancel the order instead."
	}
	return ""
}

// deleteWarnings tell who loses a stop and what waits for the tasks; of many, how many.
func deleteWarnings(snapshot *board.Snapshot, tasks []selectedTask) []Line {
	const enough = 5
	var routes, waiting []Line
	for _, c := range tasks {
		if c.row == nil {
			continue
		}
		if c.row.WorkerName != "" {
			routes = append(routes, warnLine("%s is on the route of %s.", capitalize(c.label), c.row.WorkerName))
		}
		for _, linked := range snapshot.LinkedTasks(c.row) {
			if linked.Relation == board.LinkedAfter {
				waiting = append(waiting, warnLine("%s waits for %s and will not any more.", capitalize(taskLabel(snapshot, linked.ID)), c.label))
			}
		}
	}
	if len(routes) > enough {
		routes = []Line{warnLine("%d of them are on the routes of workers.", len(routes))}
	}
	if len(waiting) > enough {
		waiting = []Line{warnLine("%d tasks wait for them and will not any more.", len(waiting))}
	}
	return append(routes, waiting...)
}

// deleteStep deletes one task. A task that is gone already is as good as deleted, but someone else did it.
func deleteStep(c selectedTask) Step {
	var began sendTime
	return Step{
		Object: c.id, Label: c.label, Locks: []string{lockTask(c.id)},
		Do: func(ctx context.Context, client *apiclient.Client) (Result, error) {
			began.setNow()
			err := client.DeleteTask(ctx, c.id)
			done := Result{Object: c.id, Summary: "deleted", Change: board.Change{Write: true, Removed: []model.ID{c.id}}}
			switch {
			case errors.Is(err, apiclient.ErrNotFound):
				done.Summary = "was gone already"
			case err != nil:
				return Result{}, err
			}
			return done, nil
		},
		Lookup: func(ctx context.Context, client *apiclient.Client) (LookupResult, error) {
			_, err := client.Task(ctx, c.id)
			switch {
			case errors.Is(err, apiclient.ErrNotFound):
				return LookupResult{Happened: true, Certain: true, Summary: "the task is gone"}, nil
			case err != nil:
				return LookupResult{}, err
			}
			return began.notFoundResult("the task is still there"), nil
		},
	}
}
