package operations

import (
	"context"
	"fmt"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// NewComplete is task.complete: ends started tasks as succeeded.
func NewComplete(s Input) (Operation, error) { return completeTasks(s, "task.complete", true) }

// NewFail is task.fail: ends started tasks as failed. The interface takes notes on why, and no reason beside them.
func NewFail(s Input) (Operation, error) { return completeTasks(s, "task.fail", false) }

func completeTasks(s Input, id string, success bool) (Operation, error) {
	fit, skipped := splitSelection(s, func(row *board.TaskRow) string { return model.CanComplete(row.State) })
	if err := checkSelection(fit, skipped); err != nil {
		return Operation{}, err
	}
	outcome, about := "succeeded", "what to remember about it"
	if !success {
		outcome, about = "failed", "why it failed"
	}
	f := form.Form{
		Title: fmt.Sprintf("Complete %s as %s", labelTasks(fit), outcome),
		Fields: []form.Field{{
			Name: "notes", Title: "Notes", About: about, Kind: form.Text,
		}},
	}
	return Operation{
		ID: id, Title: f.Title, Form: f,
		FieldOf: fieldFinder(&f, func(member string) string {
			if member == "completionDetails.notes" {
				return "notes"
			}
			return fieldOfMember(member)
		}),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			details := model.CompleteDetails{Success: model.Some(success)}
			if notes := values.Get("notes"); notes != "" {
				details.Notes = model.Some(notes)
			}
			plan := Proposal{
				Skipped: skipped, Summary: fmt.Sprintf("complete %s as %s", labelTasks(fit), outcome),
				Irreversible: fmt.Sprintf("Complete %s%s as %s? It cannot be taken back; the way back is a clone.",
					labelTasks(fit), organizationSuffix(s), outcome),
				Lines: describeSelection(fit),
			}
			for _, c := range fit {
				if c.row != nil && c.row.WorkerName != "" && len(fit) == 1 {
					plan.Lines = append(plan.Lines, warnLine("%s is on the way for it.", c.row.WorkerName))
				}
				plan.Steps = append(plan.Steps, completeStep(c, details, outcome))
			}
			return plan, nil
		},
	}, nil
}

func completeStep(c selectedTask, details model.CompleteDetails, outcome string) Step {
	var began sendTime
	return Step{
		Object: c.id, Label: c.label, Locks: []string{lockTask(c.id)},
		Do: func(ctx context.Context, client *apiclient.Client) (Result, error) {
			began.setNow()
			if err := client.CompleteTask(ctx, c.id, details); err != nil {
				return Result{}, err
			}
			done := Result{Object: c.id, Summary: "completed as " + outcome}
			// The service answers with nothing; without this look the board would learn of it late, but it is done.
			if task, err := client.Task(ctx, c.id); err == nil {
				done.Change = taskChange(task)
			}
			return done, nil
		},
		Lookup: began.lookupTask(c.id, func(now *model.Task) bool {
			return now.State == model.TaskCompleted && now.CompletionDetails.Success.Value() == details.Success.Value()
		}, "the task is completed as "+outcome, "the task is not completed as "+outcome),
	}
}
