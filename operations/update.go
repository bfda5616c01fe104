package operations

import (
	"context"
	"errors"
	"fmt"
	"maps"
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
	fixed := mapList(taskimport.PlaceFields(), func(f taskimport.Field) string { return f.Name })
	fixed = append(fixed, "recipient_name", "recipient_phone", "recipient_notes", "skip_sms", "skip_phone_check")
	var fields []form.Field
	for _, known := range taskimport.Fields() {
		if slices.Contains(fixed, known.Name) && known.Name != "destination" {
			continue
		}
		f := taskField(s, known.Name, titleOf(known.Name), "")
		switch f.Name {
		case "team":
			f.Object = form.Team
		case "kind":
			f.Flag.Usage = "pickup or dropoff" // without the default of a new task
		}
		fields = append(fields, f)
	}
	custom := customTextField(s, "")
	custom.Show = nil
	return append(fields, metadataField("", metadataFormat), custom, form.Field{
		Name: "clear", Title: "Clear", About: "fields to clear: " + clearableNames(),
		Flag:  form.Flag{Join: ",", Usage: "clear these: " + clearableNames()},
		Check: func(value string) error { return clearMembers(new(model.TaskInput), value) },
	})
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

// clearable are the members that an update can clear, by the names of their flags.
func clearable() map[string]func(change *model.TaskInput) {
	return map[string]func(change *model.TaskInput){
		"after":  func(in *model.TaskInput) { in.CompleteAfter = model.Null[model.Millis]() },
		"before": func(in *model.TaskInput) { in.CompleteBefore = model.Null[model.Millis]() },
		"color": func(in *model.TaskInput) {
			in.Appearance = model.Some(model.Appearance{TriangleColor: model.Null[model.Int]()})
		},
		"depends-on":        func(in *model.TaskInput) { in.Dependencies = model.Some([]model.ID{}) },
		"override-name":     func(in *model.TaskInput) { in.RecipientName = model.Null[string]() },
		"override-notes":    func(in *model.TaskInput) { in.RecipientNotes = model.Null[string]() },
		"override-skip-sms": func(in *model.TaskInput) { in.RecipientSkipSMSNotifications = model.Null[bool]() },
	}
}

func clearableNames() string { return strings.Join(slices.Sorted(maps.Keys(clearable())), ", ") }

// clearMembers clears the named members.
func clearMembers(change *model.TaskInput, names string) error {
	for name := range strings.SplitSeq(names, ",") {
		if strings.TrimSpace(name) == "" {
			continue
		}
		clearMember, ok := clearable()[strings.ReplaceAll(strings.TrimSpace(name), "_", "-")]
		if !ok {
			return fmt.Errorf("%.40q cannot be cleared; clear %s", model.Clean(name), clearableNames())
		}
		clearMember(change)
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
