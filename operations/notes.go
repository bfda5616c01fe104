package operations

import (
	"errors"
	"unicode/utf8"

	"waybill/model"
	"waybill/operations/form"
)

// NewNotes is task.notes: changes the notes of one task.
func NewNotes(s Input) (Operation, error) {
	e := taskEdit{id: "task.notes", noun: "notes", members: []string{"notes"}, seen: s.Task}
	if err := e.selectEditable(s); err != nil {
		return Operation{}, err
	}
	if s.Task == nil {
		return Operation{}, errors.New("the task could not be read in full; try again")
	}
	if reason := model.UpdateForbidden(s.Task.State, "notes"); reason != "" {
		return Operation{}, errors.New(reason)
	}
	e.form = form.Form{
		Title:  "Notes of " + newTaskLabel(s.Task),
		Fields: []form.Field{{Name: "notes", Title: "Notes", About: "what the driver should know", Kind: form.Text, Limit: model.MaxTaskNotes}},
		Start:  form.Values{"notes": s.Task.Notes},
	}
	e.read = func(values form.Values, problems form.Problems) edit {
		notes := model.CleanMultiline(values["notes"])
		if notes == s.Task.Notes {
			addProblem(problems, "notes", "Nothing would change.")
		}
		lines := []Line{warnLine("The notes are removed.")}
		if notes != "" {
			lines = []Line{plainLine("New notes, %s: %s", model.FormatCount(utf8.RuneCountInString(notes), "character"), shortenText(notes))}
		}
		if s.Task.Notes != "" {
			lines = append(lines, plainLine("Before: %s", shortenText(s.Task.Notes)))
		}
		return replaceValues(model.TaskInput{Notes: model.Some(notes)}, lines...)
	}
	return e.operation(s)
}
