package operations

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"waybill/model"
	"waybill/operations/form"
)

// NewNotes is task.notes: changes the notes of one task.
func NewNotes(s Input) (Operation, error) {
	fit, skipped := splitSelection(s, refuseUpdate("notes"))
	if err := checkSelection(fit, skipped); err != nil {
		return Operation{}, err
	}
	if s.Task == nil {
		return Operation{}, errors.New("the task could not be read in full; try again")
	}
	if reason := model.UpdateForbidden(s.Task.State, "notes"); reason != "" {
		return Operation{}, errors.New(reason)
	}
	task := selectedTask{s.Task.ID, s.Board.Tasks.Get(s.Task.ID), newTaskLabel(s.Task)}
	f := form.Form{
		Title:  "Notes of " + task.label,
		Fields: []form.Field{{Name: "notes", Title: "Notes", About: "what the driver should know", Kind: form.Text, Limit: model.MaxTaskNotes}},
		Start:  form.Values{"notes": s.Task.Notes},
	}
	return Operation{
		ID: "task.notes", Title: f.Title, Form: f, FieldOf: fieldFinder(&f, fieldOfMember),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			problems := form.Problems{}
			notes := model.CleanMultiline(values["notes"])
			change := model.TaskInput{Notes: model.Some(notes)}
			addRules(problems, &f, values, change.CheckUpdate(s.Task), fieldOfMember)
			if notes == s.Task.Notes {
				addProblem(problems, "notes", "Nothing would change.")
			}
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			return notesProposal(s.Task, task, notes), nil
		},
	}, nil
}

func notesProposal(seen *model.Task, task selectedTask, notes string) Proposal {
	e := edit{
		task: task, noun: "notes", members: []string{"notes"}, summary: "notes changed",
		change: func(now *model.Task) (model.TaskInput, error) {
			// The text was edited from the notes that were shown. Sending it would overwrite somebody else's change.
			if now.Notes != seen.Notes && now.Notes != notes {
				return model.TaskInput{}, errNotesChanged
			}
			return model.TaskInput{Notes: model.Some(notes)}, nil
		},
		restore:   func(*model.Task) model.TaskInput { return model.TaskInput{Notes: model.Some(seen.Notes)} },
		isApplied: func(now, _ *model.Task) bool { return now.Notes == notes },
		undoCommand: func(*model.Task) Command {
			return Command{Action: "task.notes", Objects: []model.ID{task.id}, Values: form.Values{"notes": seen.Notes}}
		},
	}
	lines := describeSelection([]selectedTask{task})
	if notes == "" {
		lines = append(lines, warnLine("The notes are removed."))
	} else {
		lines = append(lines, plainLine("New notes, %s: %s", countNoun(utf8.RuneCountInString(notes), "character"), shortenText(notes)))
	}
	if seen.Notes != "" {
		lines = append(lines, plainLine("Before: %s", shortenText(seen.Notes)))
	}
	return Proposal{Lines: lines, Steps: []Step{e.step()}, Summary: fmt.Sprintf("change the notes of %s", task.label)}
}
