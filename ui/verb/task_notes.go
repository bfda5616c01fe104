package verb

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"waybill/model"
	"waybill/ui/field"
)

// NewNotes is task.notes: the notes of the one chosen task, which it needs in full.
func NewNotes(s Scene) (Verb, error) {
	fit, skipped := fitting(s, updatable("notes"))
	if err := mayBegin(fit, skipped); err != nil {
		return Verb{}, err
	}
	if s.Task == nil {
		return Verb{}, errors.New("the whole task could not be read, and the board has only the beginning of its notes; try again")
	}
	if reason := model.CanUpdate(s.Task.State, "notes"); reason != "" {
		return Verb{}, errors.New(reason)
	}
	task := chosen{s.Task.ID, s.Board.Tasks.Get(s.Task.ID), callMade(s.Task)}
	form := field.Form{
		Title:  "Notes of " + task.label,
		Fields: []field.Field{{Name: "notes", Title: "Notes", About: "what the driver should know", Kind: field.Text, Limit: model.MaxTaskNotes}},
		Start:  field.Values{"notes": s.Task.Notes},
	}
	return Verb{
		ID: "task.notes", Title: form.Title, Form: form, Place: placeBy(&form, taskField),
		Prepare: func(values field.Values) (Plan, field.Problems) {
			problems := field.Problems{}
			notes := model.CleanMultiline(values["notes"])
			change := model.TaskInput{Notes: model.Some(notes)}
			addRules(problems, &form, values, change.CheckUpdate(s.Task), taskField)
			if notes == s.Task.Notes {
				addProblem(problems, "notes", "These are the notes that the task has.")
			}
			if len(problems) > 0 {
				return Plan{}, problems
			}
			return notesPlan(s.Task, task, notes), nil
		},
	}, nil
}

func notesPlan(seen *model.Task, task chosen, notes string) Plan {
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
			return Command{Action: "task.notes", On: []model.ID{task.id}, With: field.Values{"notes": seen.Notes}}
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
	return Plan{Words: lines, Steps: []Step{e.step()}, Summary: fmt.Sprintf("change the notes of %s", task.label)}
}
