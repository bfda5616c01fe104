package verb

import (
	"context"
	"fmt"

	"waybill/apiclient"
	"waybill/model"
	"waybill/ui/field"
)

// NewComplete is task.complete: ends started tasks as succeeded.
func NewComplete(s Scene) (Verb, error) { return endTasks(s, "task.complete", true) }

// NewFail is task.fail: ends started tasks as failed. The interface takes notes on why, and no reason beside them.
func NewFail(s Scene) (Verb, error) { return endTasks(s, "task.fail", false) }

func endTasks(s Scene, id string, success bool) (Verb, error) {
	fit, skipped := fitting(s, func(row *model.TaskRow) string { return model.CanComplete(row.State) })
	if err := mayBegin(fit, skipped); err != nil {
		return Verb{}, err
	}
	outcome, about := "succeeded", "what to remember about it"
	if !success {
		outcome, about = "failed", "why it failed"
	}
	form := field.Form{
		Title: fmt.Sprintf("Complete %s as %s", callChosen(fit), outcome),
		Fields: []field.Field{{
			Name: "notes", Title: "Notes", About: about, Kind: field.Text,
		}},
	}
	return Verb{
		ID: id, Title: form.Title, Form: form,
		Place: placeBy(&form, func(member string) string {
			if member == "completionDetails.notes" {
				return "notes"
			}
			return taskField(member)
		}),
		Prepare: func(values field.Values) (Plan, field.Problems) {
			details := model.CompleteDetails{Success: model.Some(success)}
			if notes := values.Get("notes"); notes != "" {
				details.Notes = model.Some(notes)
			}
			plan := Plan{
				Skipped: skipped, Summary: fmt.Sprintf("complete %s as %s", callChosen(fit), outcome),
				Danger: fmt.Sprintf("Complete %s%s as %s? It cannot be taken back; the way back is a clone.",
					callChosen(fit), ofOrganization(s), outcome),
				Words: describeChosen(fit),
			}
			for _, c := range fit {
				if c.row != nil && c.row.WorkerName != "" && len(fit) == 1 {
					plan.Words = append(plan.Words, mind("%s is on the way for it.", c.row.WorkerName))
				}
				plan.Steps = append(plan.Steps, endStep(c, details, outcome))
			}
			return plan, nil
		},
	}, nil
}

func endStep(c chosen, details model.CompleteDetails, outcome string) Step {
	var began sent
	return Step{
		Object: c.id, Label: c.label, Locks: []string{lockTask(c.id)},
		Do: func(ctx context.Context, client *apiclient.Client) (Done, error) {
			began.now()
			if err := client.CompleteTask(ctx, c.id, details); err != nil {
				return Done{}, err
			}
			done := Done{Object: c.id, Words: "completed as " + outcome}
			// The service answers with nothing; without this look the board would learn of it late, but it is done.
			if task, err := client.Task(ctx, c.id); err == nil {
				done.Change = tookTask(task)
			}
			return done, nil
		},
		LookUp: began.lookAtTask(c.id, func(now *model.Task) bool {
			return now.State == model.TaskCompleted && now.CompletionDetails.Success.Value() == details.Success.Value()
		}, "the task is completed as "+outcome, "the task is not completed as "+outcome),
	}
}
