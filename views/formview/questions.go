package formview

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"

	"waybill/model"
	"waybill/operations/form"
	"waybill/views"
	"waybill/views/theme"
)

// ErrInputEnded is returned by [AskQuestions] when the input ends before the last question.
var ErrInputEnded = errors.New("the input ended before the last question was answered; nothing was sent")

// AskQuestions asks for the values of a form in plain lines, one question after another. It is for screen readers and
// for terminals that cannot draw. An invalid answer is asked for again; two dots keep all remaining values. The values
// so far are also returned with an error, so that they can be saved as a draft.
func AskQuestions(in io.Reader, out io.Writer, spec form.Form, values form.Values) (form.Values, error) {
	q := &questions{in: in, out: out, values: values.Clone()}
	if q.values == nil {
		q.values = form.Values{}
	}
	q.print("%s", spec.Title)
	if len(spec.Fields) >= manyQuestions {
		q.print("Type %s to keep all remaining values.", skipRest)
	}
	page := ""
	for i := range spec.Fields {
		f := &spec.Fields[i]
		if f.Show != nil && !f.Show(q.values) {
			continue
		}
		if f.Page != page {
			page = f.Page
			q.print("\n%s", page)
		}
		err := q.ask(f)
		if errors.Is(err, errSkipRest) {
			break
		}
		if err != nil {
			return q.values, err
		}
	}
	return q.values, nil
}

// manyQuestions is the number of questions from which on it is explained how to skip them.
const manyQuestions = 4

// skipRest is the answer that keeps all remaining values.
const skipRest = ".."

var errSkipRest = errors.New("keep the remaining values")

// questions asks for the values of a form.
type questions struct {
	in     io.Reader
	out    io.Writer
	values form.Values
}

func (q *questions) print(format string, args ...any) {
	fmt.Fprintln(q.out, cleanText(fmt.Sprintf(format, args...), true))
}

// ask asks for a field until its value is valid.
func (q *questions) ask(f *form.Field) error {
	fd := &field{spec: f, editor: newTextEditor(f, theme.NewMeasure(theme.ByCodePoint, false))}
	q.introduce(f)
	for {
		value, err := q.readValue(f)
		if err != nil {
			return err
		}
		value = fd.clean(value)
		fd.set(value)
		if err := fd.check(); err != nil {
			q.print("Invalid: %s. Try again.", strings.TrimRight(err.Error(), "."))
			continue
		}
		if delete(q.values, f.Name); value != "" {
			q.values[f.Name] = value
		}
		if f.Echo != nil {
			if echo := f.Echo(value, q.values); echo != "" && echo != value {
				q.print("Understood as %s.", strings.TrimRight(echo, "."))
			}
		}
		return nil
	}
}

func (q *questions) introduce(f *form.Field) {
	q.print("\n%s", f.Title)
	if f.About != "" {
		q.print("%s", f.About)
	}
	if f.Prompt != "" {
		q.print("%s.", model.Capitalize(f.Prompt))
	}
	if f.Hint != "" {
		q.print("Example: %s", f.Hint)
	}
	if f.Empty != "" && q.values[f.Name] == "" {
		q.print("If empty: %s.", f.Empty)
	}
	if f.Limit > 0 {
		q.print("At most %s characters.", views.Count(f.Limit))
	}
}

func (q *questions) readValue(f *form.Field) (string, error) {
	current := q.values[f.Name]
	switch f.Kind {
	case form.Choice:
		return q.readChoice(f, current)
	case form.Yes:
		return q.readYesNo(current)
	case form.Secret:
		return q.readSecret(current)
	case form.Text:
		return q.readText(current)
	default:
		return q.readOption(f, current)
	}
}

// readChoice reads an option by its number or its name.
func (q *questions) readChoice(f *form.Field, current string) (string, error) {
	if len(f.Options) == 0 {
		return current, nil
	}
	initial := f.Options[max(slices.IndexFunc(f.Options, func(o form.Option) bool { return o.Value == current }), 0)]
	q.print("Options:")
	q.printOptions(f.Options)
	q.print("Press Enter for %s.", optionLabel(initial))
	s := suggestions{}
	s.open(f.Options)
	for {
		line, err := q.readAnswer()
		if err != nil || line == "" {
			return initial.Value, err
		}
		if o, ok := numberedOption(f.Options, line); ok {
			return o.Value, nil
		}
		if o, ok := s.match(line); ok {
			return o.Value, nil
		}
		q.print("Type a number from 1 to %d, or a name.", len(f.Options))
	}
}

func (q *questions) printOptions(options []form.Option) {
	for i, o := range options {
		q.print("%d. %s", i+1, strings.TrimSuffix(optionLabel(o)+", "+o.Note, ", "))
	}
}

// numberedOption returns an option by its number in the printed list.
func numberedOption(options []form.Option, text string) (form.Option, bool) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > len(options) {
		return form.Option{}, false
	}
	return options[n-1], true
}

func (q *questions) readYesNo(current string) (string, error) {
	initial := "no"
	if current == "yes" {
		initial = "yes"
	}
	q.print("Yes or no? Press Enter for %s.", initial)
	for {
		line, err := q.readAnswer()
		if err != nil {
			return "", err
		}
		switch strings.ToLower(line) {
		case "":
			return current, nil
		case "y", "yes":
			return "yes", nil
		case "n", "no", "-":
			return "", nil
		}
		q.print("Type yes or no, or press Enter.")
	}
}

// readSecret reads a line. A terminal does not show it.
func (q *questions) readSecret(current string) (string, error) {
	if current != "" {
		q.print("A value is set. Press Enter to keep it.")
	}
	value, err := "", error(nil)
	if file, ok := q.in.(interface{ Fd() uintptr }); ok && term.IsTerminal(int(file.Fd())) {
		fmt.Fprint(q.out, "> ")
		var secret []byte
		secret, err = term.ReadPassword(int(file.Fd()))
		if value = string(secret); err != nil {
			err = fmt.Errorf("read the hidden answer: %w", err)
		}
		fmt.Fprintln(q.out)
	} else {
		value, err = q.readLine()
	}
	if err != nil {
		return "", err
	}
	if value == "" {
		return current, nil
	}
	return value, nil
}

// readText reads lines up to a single dot.
func (q *questions) readText(current string) (string, error) {
	if current != "" {
		q.print("Current text:\n%s\nPress Enter to keep it, type - to clear it.", current)
	}
	q.print("Type one or more lines. End with a line that contains only a dot.")
	var lines []string
	for {
		line, err := q.readLine()
		switch {
		case err != nil:
			return "", err
		case line == skipRest && len(lines) == 0:
			return "", errSkipRest
		case line == "" && len(lines) == 0:
			return current, nil
		case line == "-" && len(lines) == 0:
			return "", nil
		case line == ".":
			return strings.Join(lines, "\n"), nil
		}
		lines = append(lines, line)
	}
}

// readOption reads a line and, where the field has suggestions, asks which one is meant.
func (q *questions) readOption(f *form.Field, current string) (string, error) {
	if current != "" {
		q.print("Current value: %s. Press Enter to keep it, type - to clear it.", current)
	}
	if f.Suggest != nil {
		q.print("Type ? to list the options.")
	}
	for {
		text, err := q.readAnswer()
		switch {
		case err != nil:
			return "", err
		case text == "":
			return current, nil
		case text == "-":
			return "", nil
		case f.Suggest == nil:
			return text, nil
		}
		listAll := text == "?"
		if listAll {
			text = ""
		}
		value, ok, err := q.resolveOption(f.Suggest(text, q.values), text)
		if err != nil || ok {
			return value, err
		}
		if !listAll {
			return text, nil
		}
	}
}

// resolveOption returns the value of the option that a text means, and asks if it may mean several.
func (q *questions) resolveOption(options []form.Option, text string) (value string, ok bool, err error) {
	s := suggestions{}
	if s.open(options); !s.isOpen {
		if text == "" {
			q.print("There are no options.")
		}
		return text, text != "", nil
	}
	if o, ok := s.match(text); ok {
		q.print("Chosen: %s.", optionLabel(o))
		return o.Value, true, nil
	}
	q.printOptions(options)
	if text == "" {
		q.print("Type a number to choose one, or press Enter for none.")
	} else {
		q.print("Type a number to choose one, or press Enter to keep %s.", text)
	}
	for {
		line, err := q.readLine()
		if err != nil || line == "" {
			return text, text != "", err
		}
		if o, ok := numberedOption(options, line); ok {
			return o.Value, true, nil
		}
		q.print("Type a number from 1 to %d, or press Enter.", len(options))
	}
}

// readAnswer reads the answer to a question.
func (q *questions) readAnswer() (string, error) {
	line, err := q.readLine()
	if err == nil && line == skipRest {
		return "", errSkipRest
	}
	return line, err
}

// readLine reads a line byte by byte: what follows it in the input belongs to the next reader.
func (q *questions) readLine() (string, error) {
	fmt.Fprint(q.out, "> ")
	var line []byte
	next := make([]byte, 1)
	for {
		n, err := q.in.Read(next)
		switch {
		case n > 0 && next[0] != '\n':
			line = append(line, next[0])
		case n > 0 || err != nil && len(line) > 0:
			return strings.TrimRight(cleanText(string(line), false), " "), nil
		case errors.Is(err, io.EOF):
			return "", ErrInputEnded
		case err != nil:
			return "", fmt.Errorf("read the answers: %w", err)
		}
	}
}
