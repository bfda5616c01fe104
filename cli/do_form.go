package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"waybill/model"
	"waybill/operations/form"
	"waybill/views/formview"
)

// applySetFlags sets the initial values of the form and those of --set.
func (d *doCommand) applySetFlags() error {
	d.values = form.Values{}
	maps.Copy(d.values, d.Form.Start)
	for _, text := range d.flags.set {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return usageError{fmt.Errorf("invalid --set %.60q; use NAME=VALUE", model.Clean(text))}
		}
		f, ok := d.Form.Field(name)
		if !ok {
			id := d.entry.action.ID
			return usageError{fmt.Errorf("%s has no field %.60q; list fields with: waybill do %s … --fields", id, model.Clean(name), id)}
		}
		value, err := f.Parse(value, d.values)
		if err != nil {
			return usageError{fmt.Errorf("--set %s: %w", name, err)}
		}
		d.values[name], d.preset[name] = value, true
	}
	return nil
}

// unansweredFields returns the fields that --set does not set.
func (d *doCommand) unansweredFields() []form.Field {
	return slices.DeleteFunc(slices.Clone(d.Form.Fields), func(f form.Field) bool { return d.preset[f.Name] })
}

// printFields prints the fields of the form with their names for --set.
func (d *doCommand) printFields() error {
	for i := range d.Form.Fields {
		f := &d.Form.Fields[i]
		options := f.OptionNames()
		if d.app.flags.json {
			err := d.printJSONLine(struct {
				Name    string   `json:"name"`
				Title   string   `json:"title"`
				About   string   `json:"about,omitzero"`
				Page    string   `json:"page,omitzero"`
				Options []string `json:"options,omitzero"`
				Value   string   `json:"value,omitzero"`
			}{f.Name, f.Title, f.About, f.Page, options, d.values[f.Name]})
			if err != nil {
				return err
			}
			continue
		}
		line := f.Name + ": " + f.Title
		if f.Hint != "" {
			line += " (" + f.Hint + ")"
		}
		for _, part := range []struct{ before, text string }{
			{"; left empty ", f.Empty},
			{"; ", f.About},
			{"; one of ", strings.Join(options, ", ")},
			{"; now ", firstLineOf(d.values[f.Name])},
		} {
			if part.text != "" {
				line += part.before + part.text
			}
		}
		if f.Kind == form.Yes {
			line += "; yes or no"
		}
		d.printLine("%s", line)
	}
	if len(d.Form.Fields) == 0 {
		d.printLine("%s has no fields.", d.entry.action.ID)
	}
	return nil
}

func firstLineOf(text string) string {
	first, _, more := strings.Cut(text, "\n")
	if more {
		first += "…"
	}
	return first
}

// printLine prints a line, made safe for a terminal.
func (d *doCommand) printLine(format string, args ...any) {
	fmt.Fprintln(d.out, model.Clean(fmt.Sprintf(format, args...)))
}

// askFields asks for the values of fields, unless --yes is set.
func (d *doCommand) askFields(title string, fields []form.Field) error {
	if d.flags.yes || len(fields) == 0 {
		return nil
	}
	values, err := formview.AskQuestions(d.in, d.out, form.Form{Title: title, Fields: fields}, d.values)
	d.values = values
	fmt.Fprintln(d.out)
	return d.explainEndOfInput(err)
}

// explainEndOfInput adds a hint to the error for input that ended too early.
func (d *doCommand) explainEndOfInput(err error) error {
	if errors.Is(err, formview.ErrInputEnded) {
		return usageError{fmt.Errorf("%w; pipe in one line per question, or use --set and --yes", err)}
	}
	return err
}

// defaultNotesTimeout limits how long loading the notes of a form may take.
const defaultNotesTimeout = 10 * time.Second

// printNotes loads and prints what the service knows about the values.
func (d *doCommand) printNotes(ctx context.Context, values form.Values) {
	if d.LoadNotes == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(d.notesTimeout, defaultNotesTimeout))
	defer cancel()
	notes := d.LoadNotes(ctx, d.client, values)
	for i := range d.Form.Fields {
		f := &d.Form.Fields[i]
		if note := notes[f.Name]; note != "" && d.shownNotes[f.Name] != note {
			d.printLine("Note on %s: %s", f.Title, note)
			d.shownNotes[f.Name] = note
		}
	}
}

// prepareProposal prepares the proposal and asks again until the values are valid.
func (d *doCommand) prepareProposal(ctx context.Context) error {
	for {
		values := d.Form.ShownValues(d.values)
		d.printNotes(ctx, values)
		var problems form.Problems
		if d.proposal, problems = d.Prepare(values); len(problems) == 0 {
			return ctx.Err()
		}
		if d.flags.yes || len(d.Form.Fields) == 0 {
			return problemsError(d.Title, problems, func(name string) string {
				if name != "" && len(d.Form.Fields) > 0 {
					return "--set " + name
				}
				return name
			})
		}
		if err := d.askFields("Please correct", d.printProblems(problems)); err != nil {
			return err
		}
	}
}

// printProblems prints the problems and returns the fields to ask again: all of them if no field is at fault.
func (d *doCommand) printProblems(problems form.Problems) []form.Field {
	var again []form.Field
	for i := range d.Form.Fields {
		f := &d.Form.Fields[i]
		problem, ok := problems[f.Name]
		if !ok {
			continue
		}
		d.printLine("Invalid %s: %s", f.Title, problem)
		if f.Shown(d.values) {
			again = append(again, *f)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(problems)) {
		if _, ok := d.Form.Field(name); !ok {
			d.printLine("Invalid: %s", problems[name])
		}
	}
	if len(again) == 0 {
		return d.Form.Fields
	}
	return again
}

// confirmSend asks whether to send the proposal. It reports whether the user wants to change the values instead.
func (d *doCommand) confirmSend() (change bool, err error) {
	if d.flags.yes || d.proposal.Direct {
		return false, nil
	}
	if len(d.Form.Fields) > 0 {
		d.printLine("Type change to edit the values.")
	}
	fmt.Fprint(d.out, "Send? Type yes: ")
	answer, err := readLine(d.in)
	switch answer = strings.ToLower(strings.TrimSpace(answer)); {
	case err != nil && answer == "":
		fmt.Fprintln(d.out)
		return false, d.explainEndOfInput(err)
	case answer == "yes":
		return false, nil
	case answer == "change" && len(d.Form.Fields) > 0:
		return true, nil
	}
	d.printLine("Nothing was sent.")
	return false, exitError{exitFailure}
}
