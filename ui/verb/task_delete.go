package verb

import (
	"context"
	"errors"
	"fmt"

	"waybill/apiclient"
	"waybill/model"
	"waybill/ui/field"
)

// NewDelete is task.delete: takes the chosen tasks away for good.
func NewDelete(s Scene) (Verb, error) {
	fit, skipped := fitting(s, cannotDelete)
	if err := mayBegin(fit, skipped); err != nil {
		return Verb{}, err
	}
	title := "Delete " + callChosen(fit)
	return Verb{
		ID: "task.delete", Title: title, Form: field.Form{Title: title},
		Prepare: func(field.Values) (Plan, field.Problems) {
			plan := Plan{
				Words: describeChosen(fit), Skipped: skipped, Summary: "delete " + callChosen(fit),
				Danger: fmt.Sprintf("Delete %s%s for good?", callChosen(fit), ofOrganization(s)),
			}
			plan.Words = append(plan.Words, deleteWarnings(s.Board, fit)...)
			for _, c := range fit {
				plan.Steps = append(plan.Steps, deleteStep(c))
			}
			return plan, nil
		},
	}, nil
}

func cannotDelete(row *model.TaskRow) string {
	if reason := model.CanDelete(row.State); reason != "" {
		return reason
	}
	if row.Order != "" {
		return "The task belongs to an order; cancel the order instead."
	}
	return ""
}

// deleteWarnings tell who loses a stop and what waits for the tasks; of many, how many.
func deleteWarnings(board *model.Snapshot, tasks []chosen) []Line {
	const enough = 5
	var routes, waiting []Line
	for _, c := range tasks {
		if c.row == nil {
			continue
		}
		if c.row.WorkerName != "" {
			routes = append(routes, mind("%s is on the route of %s.", capital(c.label), c.row.WorkerName))
		}
		for _, linked := range board.LinkedTasks(c.row) {
			if linked.Relation == model.LinkedAfter {
				waiting = append(waiting, mind("%s waits for %s and will not any more.", capital(callTask(board, linked.ID)), c.label))
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
		Do: func(ctx context.Context, client *apiclient.Client) (Done, error) {
			began.now()
			err := client.DeleteTask(ctx, c.id)
			done := Done{Object: c.id, Words: "deleted", Change: model.Change{Write: true, Removed: []model.ID{c.id}}}
			switch {
			case errors.Is(err, apiclient.ErrNotFound):
				done.Words = "was gone already"
			case err != nil:
				return Done{}, err
			}
			return done, nil
		},
		LookUp: func(ctx context.Context, client *apiclient.Client) (Found, error) {
			_, err := client.Task(ctx, c.id)
			switch {
			case errors.Is(err, apiclient.ErrNotFound):
				return Found{Happened: true, Certain: true, Words: "the task is gone"}, nil
			case err != nil:
				return Found{}, err
			}
			return began.notFound("the task is still there"), nil
		},
	}
}
