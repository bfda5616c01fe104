package operations

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"waybill/model"
	"waybill/operations/form"
)

// NewNotes is task.notes: the notes of the one chosen task, which it needs in full.
func NewNotes(s Input) (Operation, error) {
	fit, skipped := fitting(s, updatable("notes"))
	if err := mayBegin(fit, skipped); err != nil {
		return Operation{}, err
	}
	if s.Task == nil {
		return Operation{}, errors.New("the whole task could not be read, and the board has only the beginning of its notes; try again")
	}
	if reason := model.UpdateForbidden(s.Task.State, "notes"); reason != "" {
		return Operation{}, errors.New(reason)
	}
	task := chosen{s.Task.ID, s.Board.Tasks.Get(s.Task.ID), callMade(s.Task)}
	f := form.Form{
		Title:  "Notes of " + task.label,
		Fields: []form.Field{{Name: "notes", Title: "Notes", About: "what the driver should know", Kind: form.Text, Limit: model.MaxTaskNotes}},
		Start:  form.Values{"notes": s.Task.Notes},
	}
	return Operation{
		ID: "task.notes", Title: f.Title, Form: f, FieldOf: placeBy(&f, taskField),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			problems := form.Problems{}
			notes := model.CleanMultiline(values["notes"])
			change := model.TaskInput{Notes: model.Some(notes)}
			addRules(problems, &f, values, change.CheckUpdate(s.Task), taskField)
			if notes == s.Task.Notes {
				addProblem(problems, "notes", "These are the notes that the task has.")
			}
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			return notesPlan(s.Task, task, notes), nil
		},
	}, nil
}

func notesPlan(seen *model.Task, task chosen, notes string) Proposal {
	e := edit{
		task: task, what: "notes", members: []string{"notes"}, words: "notes changed",
		change: func(now *model.Task) (model.TaskInput, error) {
			// The text was written over what was seen; over anything else it would wipe out what a colleague wrote.
			if now.Notes != seen.Notes && now.Notes != notes {
				return model.TaskInput{}, errNotesChanged
			}
			return model.TaskInput{Notes: model.Some(notes)}, nil
		},
		restore: func(*model.Task) model.TaskInput { return model.TaskInput{Notes: model.Some(seen.Notes)} },
		holds:   func(now, _ *model.Task) bool { return now.Notes == notes },
		as: func(*model.Task) Command {
			return Command{Action: "task.notes", On: []model.ID{task.id}, With: form.Values{"notes": seen.Notes}}
		},
	}
	lines := describeChosen([]chosen{task})
	if notes == "" {
		lines = append(lines, mind("The notes are taken away."))
	} else {
		lines = append(lines, only("The notes become %s: %s", howMany(utf8.RuneCountInString(notes), "character"), some(notes)))
	}
	if seen.Notes != "" {
		lines = append(lines, only("Before: %s", some(seen.Notes)))
	}
	return Proposal{Lines: lines, Steps: []Step{e.step()}, Summary: fmt.Sprintf("change the notes of %s", task.label)}
}
