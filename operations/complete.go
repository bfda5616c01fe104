package operations

import (
	"context"
	"fmt"
	"strings"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// NewComplete is task.complete: completes started tasks as succeeded.
func NewComplete(s Input) (Operation, error) {
	return completeTasks(s, "task.complete", true, "notes on how it went")
}

// NewFail is task.fail: completes started tasks as failed. The interface takes notes on why, and no other reason.
func NewFail(s Input) (Operation, error) {
	return completeTasks(s, "task.fail", false, "why it failed")
}

func completeFields(Input) []form.Field {
	return []form.Field{{Name: "notes", Title: "Notes", About: "notes on how it went", Kind: form.Text}}
}

func completeTasks(s Input, id string, success bool, about string) (Operation, error) {
	tasks, skipped, err := splitSelection(s, "completed", func(row *board.TaskRow) string { return model.CompleteForbidden(row.State) })
	if err != nil {
		return Operation{}, err
	}
	outcome := "succeeded"
	if !success {
		outcome = "failed"
	}
	f := form.Form{Title: fmt.Sprintf("Complete %s as %s", labelTasks(tasks), outcome), Fields: completeFields(s)}
	f.Fields[0].About = about
	return Operation{
		ID: id, Title: f.Title, Form: f,
		FieldOf: fieldFinder(&f, nil, func(member string, values form.Values) string {
			return fieldOfMember(strings.TrimPrefix(member, "completionDetails."), values)
		}),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			details := model.CompleteDetails{Success: model.Some(success), Notes: optionalText(values.Get("notes"))}
			proposal := Proposal{
				Skipped: skipped, Summary: fmt.Sprintf("complete %s as %s", labelTasks(tasks), outcome),
				Irreversible: fmt.Sprintf("Complete %s%s as %s? This cannot be undone; a completed task can only be cloned.",
					labelTasks(tasks), organizationSuffix(s), outcome),
				Lines: describeSelection(tasks),
			}
			for _, t := range tasks {
				if t.row != nil && t.row.WorkerName != "" && len(tasks) == 1 {
					proposal.Lines = append(proposal.Lines, warnLine("%s is on the way to it.", t.row.WorkerName))
				}
				proposal.Steps = append(proposal.Steps, completeStep(t, details, outcome))
			}
			return proposal, nil
		},
	}, nil
}

func completeStep(t selectedTask, details model.CompleteDetails, outcome string) Step {
	var began sendTime
	return Step{
		Object: t.id, Label: t.label, Locks: []string{lockTask(t.id)},
		Do: func(ctx context.Context, client *apiclient.Client) (Result, error) {
			began.setNow()
			if err := client.CompleteTask(ctx, t.id, details); err != nil {
				return Result{}, err
			}
			result := Result{Object: t.id, Summary: "completed as " + outcome}
			// The service answers nothing. Without this read the board would show the change late.
			if task, err := client.Task(ctx, t.id); err == nil {
				result.Change = taskChange(task)
			}
			return result, nil
		},
		Lookup: began.lookupTask(t.id, func(now *model.Task) bool {
			return now.State == model.TaskCompleted && now.CompletionDetails.Success.Value() == details.Success.Value()
		}, "the task is completed as "+outcome, "the task is not completed as "+outcome),
	}
}
