package operations

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
	"waybill/operations/taskimport"
)

// NewUpdate is task.update: changes any members of one task. Only commands offer it; the console has an operation for
// each kind of change, with an undo.
func NewUpdate(s Input) (Operation, error) {
	tasks, _, err := splitSelection(s, "changed", func(*board.TaskRow) string { return "" })
	if err != nil {
		return Operation{}, err
	}
	if len(tasks) > 1 {
		return Operation{}, errors.New("update one task at a time")
	}
	task := tasks[0]
	return request[model.TaskInput]{
		id: "task.update", form: form.Form{Title: "Update " + task.label, Fields: updateFields(s)}, fieldOf: fieldOfMember,
		read: func(values form.Values, problems form.Problems) model.TaskInput {
			return updateInput(s, values, problems)
		},
		check: func(change model.TaskInput) model.Problems { return change.CheckUpdate(task.wireTask()) },
		propose: func(change model.TaskInput, _ form.Values) Proposal {
			return Proposal{Lines: describeSelection(tasks), Summary: "update " + task.label, Steps: []Step{updateStep(task, change)}}
		},
	}.operation(s)
}

// updateFields are what an update can change. Destinations and recipients can only be replaced by existing ones.
func updateFields(s Input) []form.Field {
	var fields []form.Field
	for _, name := range updateFieldNames() {
		f := taskField(s, name, capitalize(strings.ReplaceAll(name, "_", " ")), "")
		if name == "team" {
			f.Object = form.Team
		}
		fields = append(fields, f)
	}
	custom := customTextField(s, "")
	custom.Show = nil
	return append(fields, metadataField("", metadataFormat), custom, form.Field{
		Name: "clear", Title: "Clear", About: "fields to clear: " + strings.Join(clearableNames(), ", "),
		Flag:  form.Flag{Join: ",", Usage: "take these away: " + strings.Join(clearableNames(), ", ")},
		Check: func(value string) error { return clearMembers(new(model.TaskInput), value) },
	})
}

func updateFieldNames() []string {
	fixed := []string{"recipient_name", "recipient_phone", "recipient_notes", "skip_sms", "skip_phone_check"}
	for _, f := range taskimport.PlaceFields() {
		fixed = append(fixed, f.Name)
	}
	var names []string
	for _, f := range taskimport.Fields() {
		if f.Name == "destination" || !slices.Contains(fixed, f.Name) {
			names = append(names, f.Name)
		}
	}
	return names
}

func updateInput(s Input, values form.Values, problems form.Problems) model.TaskInput {
	change := readTask(s, values, problems)
	fillCustom(Input{Board: s.Board, Now: s.Now, Zone: s.Zone}, &change, values, problems)
	addError(problems, "clear", clearMembers(&change, values.Get("clear")))
	if len(problems) == 0 && len(change.Members()) == 0 {
		addProblem(problems, "", "Nothing would change.")
	}
	return change
}

func clearableNames() []string {
	return []string{"after", "before", "color", "depends-on", "override-name", "override-notes", "override-skip-sms"}
}

// clearMembers sets the named members to null.
func clearMembers(change *model.TaskInput, names string) error {
	for name := range strings.SplitSeq(names, ",") {
		switch strings.ReplaceAll(strings.TrimSpace(name), "_", "-") {
		case "":
		case "after":
			change.CompleteAfter = model.Null[model.Millis]()
		case "before":
			change.CompleteBefore = model.Null[model.Millis]()
		case "color":
			change.Appearance = model.Some(model.Appearance{TriangleColor: model.Null[model.Int]()})
		case "depends-on":
			change.Dependencies = model.Some([]model.ID{})
		case "override-name":
			change.RecipientName = model.Null[string]()
		case "override-notes":
			change.RecipientNotes = model.Null[string]()
		case "override-skip-sms":
			change.RecipientSkipSMSNotifications = model.Null[bool]()
		default:
			return fmt.Errorf("%.40q cannot be cleared; clear %s", model.Clean(name), strings.Join(clearableNames(), ", "))
		}
	}
	return nil
}

func updateStep(task selectedTask, change model.TaskInput) Step {
	return Step{
		Object: task.id, Label: task.label, Locks: []string{lockTask(task.id)},
		Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
			updated, err := c.UpdateTask(ctx, task.id, change)
			if err != nil {
				return Result{}, err
			}
			return Result{Object: task.id, Summary: "updated", Response: updated, Change: taskChange(updated)}, nil
		},
	}
}
