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
	fit, skipped := fitting(s, cannotDelete)
	if err := mayBegin(fit, skipped); err != nil {
		return Operation{}, err
	}
	title := "Delete " + callChosen(fit)
	return Operation{
		ID: "task.delete", Title: title, Form: form.Form{Title: title},
		Prepare: func(form.Values) (Proposal, form.Problems) {
			plan := Proposal{
				Lines: describeChosen(fit), Skipped: skipped, Summary: "delete " + callChosen(fit),
				Irreversible: fmt.Sprintf("Delete %s%s for good?", callChosen(fit), ofOrganization(s)),
			}
			plan.Lines = append(plan.Lines, deleteWarnings(s.Board, fit)...)
			for _, c := range fit {
				plan.Steps = append(plan.Steps, deleteStep(c))
			}
			return plan, nil
		},
	}, nil
}

func cannotDelete(row *board.TaskRow) string {
	if reason := model.DeleteForbidden(row.State); reason != "" {
		return reason
	}
	if row.Order != "" {
		return "The task belongs to an order; cancel the order instead."
	}
	return ""
}

// deleteWarnings tell who loses a stop and what waits for the tasks; of many, how many.
func deleteWarnings(snapshot *board.Snapshot, tasks []chosen) []Line {
	const enough = 5
	var routes, waiting []Line
	for _, c := range tasks {
		if c.row == nil {
			continue
		}
		if c.row.WorkerName != "" {
			routes = append(routes, mind("%s is on the route of %s.", capital(c.label), c.row.WorkerName))
		}
		for _, linked := range snapshot.LinkedTasks(c.row) {
			if linked.Relation == board.LinkedAfter {
				waiting = append(waiting, mind("%s waits for %s and will not any more.", capital(callTask(snapshot, linked.ID)), c.label))
			}
		}
	}
	if len(routes) > enough {
		routes = []Line{mind("%d of them are on the routes of workers.", len(routes))}
	}
	if len(waiting) > enough {
		waiting = []Line{mind("%d tasks wait for them and will not any more.", len(waiting))}
	}
	return append(routes, waiting...)
}

// deleteStep deletes one task. A task that is gone already is as good as deleted, but someone else did it.
func deleteStep(c chosen) Step {
	var began sent
	return Step{
		Object: c.id, Label: c.label, Locks: []string{lockTask(c.id)},
		Do: func(ctx context.Context, client *apiclient.Client) (Result, error) {
			began.now()
			err := client.DeleteTask(ctx, c.id)
			done := Result{Object: c.id, Summary: "deleted", Change: board.Change{IsWrite: true, Removed: []model.ID{c.id}}}
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
			return began.notFound("the task is still there"), nil
		},
	}
}
