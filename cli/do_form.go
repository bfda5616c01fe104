package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"waybill/model"
	"waybill/operations"
	"waybill/operations/form"
	"waybill/views/formview"
)

// applySetFlags sets the initial values of the form and those of --set.
func (d *doCommand) applySetFlags() error {
	d.values, d.preset = d.operation.Form.Start.Clone(), map[string]bool{}
	if d.values == nil {
		d.values = form.Values{}
	}
	for _, text := range d.flags.set {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return usageError{fmt.Errorf("invalid --set %.60q; use NAME=VALUE", model.Clean(text))}
		}
		f, ok := d.operation.Form.Field(name)
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
	return slices.DeleteFunc(slices.Clone(d.operation.Form.Fields), func(f form.Field) bool { return d.preset[f.Name] })
}

// printFields prints the fields of the form with their names for --set.
func (d *doCommand) printFields() error {
	for i := range d.operation.Form.Fields {
		f := &d.operation.Form.Fields[i]
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
	if len(d.operation.Form.Fields) == 0 {
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
	if d.operation.LoadNotes == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(d.notesTimeout, defaultNotesTimeout))
	defer cancel()
	notes := d.operation.LoadNotes(ctx, d.client, values)
	for i := range d.operation.Form.Fields {
		f := &d.operation.Form.Fields[i]
		if note := notes[f.Name]; note != "" && d.shownNotes[f.Name] != note {
			d.printLine("Note on %s: %s", f.Title, note)
			d.shownNotes[f.Name] = note
		}
	}
}

// prepareProposal prepares the proposal and asks again until the values are valid.
func (d *doCommand) prepareProposal(ctx context.Context) (operations.Proposal, error) {
	for {
		values := d.operation.Form.ShownValues(d.values)
		d.printNotes(ctx, values)
		plan, problems := d.operation.Prepare(values)
		if len(problems) == 0 {
			return plan, ctx.Err()
		}
		if d.flags.yes || len(d.operation.Form.Fields) == 0 {
			return plan, d.problemsError(problems)
		}
		if err := d.askFields("Please correct", d.printProblems(problems)); err != nil {
			return plan, err
		}
	}
}

// printProblems prints the problems and returns the fields to ask again: all of them if no field is at fault.
func (d *doCommand) printProblems(problems form.Problems) []form.Field {
	var again []form.Field
	told := 0
	for i := range d.operation.Form.Fields {
		f := &d.operation.Form.Fields[i]
		if problem, ok := problems[f.Name]; ok {
			d.printLine("Invalid %s: %s", f.Title, problem)
			told++
			if f.Shown(d.values) {
				again = append(again, *f)
			}
		}
	}
	if told < len(problems) {
		for _, name := range slices.Sorted(maps.Keys(problems)) {
			if _, ok := d.operation.Form.Field(name); !ok {
				d.printLine("Invalid: %s", problems[name])
			}
		}
	}
	if len(again) == 0 {
		return d.operation.Form.Fields
	}
	return again
}

// problemsError returns the problems as an error.
func (d *doCommand) problemsError(problems form.Problems) error {
	var all model.Problems
	for _, name := range slices.Sorted(maps.Keys(problems)) {
		at := name
		if name != "" && len(d.operation.Form.Fields) > 0 {
			at = "--set " + name
		}
		all = append(all, model.Problem{Field: at, Text: problems[name]})
	}
	return inputError{d.operation.Title, all}
}

// confirmSend asks whether to send the proposal. It reports whether the user wants to change the values instead.
func (d *doCommand) confirmSend(plan *operations.Proposal) (change bool, err error) {
	if d.flags.yes || plan.Direct {
		return false, nil
	}
	if len(d.operation.Form.Fields) > 0 {
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
	case answer == "change" && len(d.operation.Form.Fields) > 0:
		return true, nil
	}
	d.printLine("Nothing was sent.")
	return false, exitError{exitFailure}
}

// readLine reads one line and no further byte, because the rest answers later questions.
func readLine(in io.Reader) (string, error) {
	var line []byte
	letter := make([]byte, 1)
	for len(line) < maxSecret {
		n, err := in.Read(letter)
		switch {
		case n > 0 && letter[0] == '\n':
			return string(line), nil
		case n > 0:
			line = append(line, letter[0])
		case errors.Is(err, io.EOF):
			return string(line), formview.ErrInputEnded
		case err != nil:
			return "", err
		}
	}
	return string(line), nil
}

// answerReader reads answers until the context ends, so that Ctrl-C works at a question. It echoes answers from a pipe as
// a terminal would.
type answerReader struct {
	ctx     context.Context //nolint:containedctx // io.Reader takes no context
	in      io.Reader
	echo    io.Writer // nil when the terminal echoes input
	line    []byte    // the incomplete line
	results chan readResult
}

type readResult struct {
	data []byte
	err  error
}

func (d *doCommand) newAnswerReader(ctx context.Context) io.Reader {
	r := &answerReader{ctx: ctx, in: d.stdin, results: make(chan readResult, 1)}
	secret := slices.ContainsFunc(d.operation.Form.Fields, func(f form.Field) bool { return f.Kind == form.Secret })
	if !isTerminal(d.stdin) && !secret {
		r.echo = d.out
	}
	return r
}

func (r *answerReader) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, r.ctx.Err()
	}
	size := len(p)
	go func() {
		data := make([]byte, size)
		n, err := r.in.Read(data)
		r.results <- readResult{data[:n], err}
	}()
	select {
	case <-r.ctx.Done():
		return 0, r.ctx.Err() // later input is lost, but the program ends
	case got := <-r.results:
		r.echoLine(got)
		return copy(p, got.data), got.err
	}
}

// echoLine prints a line when it is complete, because only then it can be made safe for a terminal.
func (r *answerReader) echoLine(got readResult) {
	if r.echo == nil {
		return
	}
	r.line = append(r.line, got.data...)
	if n := len(r.line); n > 0 && (got.err != nil || r.line[n-1] == '\n') {
		fmt.Fprintln(r.echo, model.Clean(strings.TrimRight(string(r.line), "\r\n")))
		r.line = nil
	}
}

// Fd returns the descriptor of the terminal, so that secrets can be typed without echo.
func (r *answerReader) Fd() uintptr {
	if file, ok := r.in.(interface{ Fd() uintptr }); ok {
		return file.Fd()
	}
	return ^uintptr(0)
}
