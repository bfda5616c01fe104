package formview

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/huh/v2"
	"golang.org/x/term"

	"waybill/operations/form"
)

// ErrInputEnded is returned by [Accessible] when there is nothing more to read before the last question.
var ErrInputEnded = errors.New("the input ended before the last question was answered; nothing was sent")

// AskQuestions asks for a form in plain lines, one question after another, for screen readers and for terminals that
// cannot draw. A problem is said in words and the question asked again; two dots answer all that is left with what is
// there. The values so far come back with any error, so that they can be kept as a draft.
func AskQuestions(in io.Reader, out io.Writer, spec form.Form, values form.Values) (form.Values, error) {
	q := &questions{in: &lineReader{in: in}, raw: in, out: out, values: values.Clone()}
	if q.values == nil {
		q.values = form.Values{}
	}
	q.say("%s", spec.Title)
	if len(spec.Fields) >= manyQuestions {
		q.say("Two dots alone take the rest as it is.")
	}
	page := ""
	for i := range spec.Fields {
		f := &spec.Fields[i]
		if f.Show != nil && !f.Show(q.values) {
			continue
		}
		if f.Page != page {
			page = f.Page
			q.say("\n%s", page)
		}
		err := q.ask(f)
		if errors.Is(err, errTheRest) {
			break
		}
		if err != nil {
			return q.values, err
		}
	}
	return q.values, nil
}

// manyQuestions is from how many on the way past the rest of them is told.
const manyQuestions = 4

// errTheRest is the answer that nothing more is to be asked.
var errTheRest = errors.New("the rest is left as it is")

// questions are being asked.
type questions struct {
	in     *lineReader
	raw    io.Reader
	out    io.Writer
	values form.Values
}

func (q *questions) say(format string, parts ...any) {
	fmt.Fprintln(q.out, clean(fmt.Sprintf(format, parts...), true))
}

// ask asks for one field until its value is right.
func (q *questions) ask(f *form.Field) error {
	e := &entry{spec: f, editor: &answer{}}
	q.introduce(f)
	for {
		value, err := q.answer(e)
		if err != nil {
			return err
		}
		value = e.clean(value)
		e.editor.set(value)
		if err := e.check(); err != nil {
			q.say("Not right: %s. Once more.", strings.TrimRight(err.Error(), "."))
			continue
		}
		if delete(q.values, f.Name); value != "" {
			q.values[f.Name] = value
		}
		if f.Echo != nil {
			if echo := f.Echo(value, q.values); echo != "" && echo != value {
				q.say("That is %s.", strings.TrimRight(echo, "."))
			}
		}
		return nil
	}
}

func (q *questions) introduce(f *form.Field) {
	q.say("\n%s", f.Title)
	if f.About != "" {
		q.say("%s", f.About)
	}
	if f.Prompt != "" {
		q.say("%s.", capital(f.Prompt))
	}
	if f.Hint != "" {
		q.say("For example: %s", f.Hint)
	}
	if f.Empty != "" && q.values[f.Name] == "" {
		q.say("Left empty: %s.", f.Empty)
	}
	if f.Limit > 0 {
		q.say("Up to %s characters.", thousands(f.Limit))
	}
}

func (q *questions) answer(e *entry) (string, error) {
	now := q.values[e.spec.Name]
	switch e.spec.Kind {
	case form.Choice:
		return q.choice(e.spec, now)
	case form.Yes:
		return q.yes(now)
	case form.Secret:
		return q.secret(now)
	case form.Text:
		return q.text(now)
	default:
		return q.oneLine(e.spec, now)
	}
}

// plainTheme has no colours and no boxes.
func plainTheme() huh.Theme {
	styles := &huh.Styles{}
	return huh.ThemeFunc(func(bool) *huh.Styles { return styles })
}

// choice takes an option by its number or by its name.
func (q *questions) choice(f *form.Field, now string) (string, error) {
	if len(f.Options) == 0 {
		return now, nil
	}
	current := f.Options[0]
	q.say("One of:")
	for i, o := range f.Options {
		q.say("%d. %s", i+1, strings.TrimSuffix(label(o)+", "+o.Note, ", "))
		if o.Value == now {
			current = o
		}
	}
	q.say("Enter alone takes %s.", label(current))
	s := suggestions{}
	s.show(f.Options)
	for {
		line, err := q.line()
		if err != nil || line == "" {
			return current.Value, err
		}
		if n, err := strconv.Atoi(line); err == nil && n >= 1 && n <= len(f.Options) {
			return f.Options[n-1].Value, nil
		}
		if o, ok := s.meant(line); ok {
			return o.Value, nil
		}
		q.say("A number from 1 to %d, or the name of one.", len(f.Options))
	}
}

func (q *questions) yes(now string) (string, error) {
	kept := "no"
	if now == "yes" {
		kept = "yes"
	}
	q.say("Yes or no? Enter alone takes %s.", kept)
	for {
		line, err := q.line()
		if err != nil {
			return "", err
		}
		switch strings.ToLower(line) {
		case "":
			return now, nil
		case "y", "yes":
			return "yes", nil
		case "n", "no", "-":
			return "", nil
		}
		q.say("Yes or no, or Enter alone.")
	}
}

// secret reads without showing what is typed, where there is a terminal to do so.
func (q *questions) secret(now string) (string, error) {
	value := ""
	if now != "" {
		q.say("It is set; Enter alone keeps it.")
	}
	if file, ok := q.raw.(interface{ Fd() uintptr }); ok && term.IsTerminal(int(file.Fd())) {
		ask := huh.NewInput().EchoMode(huh.EchoModePassword).Title(">").Value(&value).WithTheme(plainTheme())
		if err := ask.RunAccessible(q.out, q.raw); err != nil {
			return "", fmt.Errorf("read what is not shown: %w", err)
		}
	} else {
		var err error
		if value, err = q.in.line(q.out); err != nil {
			return "", err
		}
	}
	if value == "" {
		return now, nil
	}
	return value, nil
}

// text reads lines up to one with a dot alone.
func (q *questions) text(now string) (string, error) {
	if now != "" {
		q.say("Now it says:\n%s\nEnter alone keeps it, a dash alone empties it.", now)
	}
	q.say("Several lines; end with a dot on a line of its own.")
	var lines []string
	for {
		line, err := q.in.line(q.out)
		switch {
		case err != nil:
			return "", err
		case line == theRest && len(lines) == 0:
			return "", errTheRest
		case line == "" && len(lines) == 0:
			return now, nil
		case line == "-" && len(lines) == 0:
			return "", nil
		case line == ".":
			return strings.Join(lines, "\n"), nil
		}
		lines = append(lines, line)
	}
}

// oneLine reads a line, and asks what is meant when it could be several things.
func (q *questions) oneLine(f *form.Field, now string) (string, error) {
	if now != "" {
		q.say("Now it is %s. Enter alone keeps it, a dash alone empties it.", now)
	}
	if f.Suggest != nil {
		q.say("A question mark lists what there is.")
	}
	for {
		text, err := q.line()
		switch {
		case err != nil:
			return "", err
		case text == "":
			return now, nil
		case text == "-":
			return "", nil
		case f.Suggest == nil:
			return text, nil
		}
		asked := text == "?"
		if asked {
			text = ""
		}
		value, ok, err := q.meant(f.Suggest(text, q.values), text)
		if err != nil || ok {
			return value, err
		}
		if !asked {
			return text, nil
		}
	}
}

// meant is the value of the option that a text means, after a question where that is not clear.
func (q *questions) meant(options []form.Option, text string) (value string, ok bool, err error) {
	s := suggestions{}
	if s.show(options); !s.open {
		if text == "" {
			q.say("Nothing is known.")
		}
		return text, text != "", nil
	}
	if o, ok := s.meant(text); ok {
		q.say("Taken: %s.", label(o))
		return o.Value, true, nil
	}
	for i, o := range options {
		q.say("%d. %s", i+1, strings.TrimSuffix(label(o)+", "+o.Note, ", "))
	}
	if text == "" {
		q.say("A number takes one; Enter alone takes none.")
	} else {
		q.say("A number takes one; Enter alone keeps %s as it is.", text)
	}
	for {
		line, err := q.in.line(q.out)
		if err != nil || line == "" {
			return text, text != "", err
		}
		if n, err := strconv.Atoi(line); err == nil && n >= 1 && n <= len(options) {
			return options[n-1].Value, true, nil
		}
		q.say("A number from 1 to %d, or Enter alone.", len(options))
	}
}

const theRest = ".."

// line reads the answer to a question.
func (q *questions) line() (string, error) {
	line, err := q.in.line(q.out)
	if err == nil && line == theRest {
		return "", errTheRest
	}
	return line, err
}

// answer is an editor for what was asked for in words.
type answer struct {
	editor
	given string
}

func (a *answer) value() string    { return a.given }
func (a *answer) set(value string) { a.given = value }

// lineReader hands out a line at a time and reads not a byte further, because each question of huh reads through a
// buffer of its own and would take the answers to the next ones with it. A last line without an end gets one.
type lineReader struct {
	in      io.Reader
	err     error
	inLine  bool
	starved bool // somebody wanted more than there was
}

func (r *lineReader) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		read := 0
		if r.err == nil {
			read, r.err = r.in.Read(p[n : n+1])
		}
		switch {
		case read > 0:
		case r.err != nil && r.inLine:
			p[n] = '\n'
		case r.err != nil:
			r.starved = true
			return n, r.err
		default:
			continue
		}
		n++
		if r.inLine = p[n-1] != '\n'; !r.inLine {
			break
		}
	}
	return n, nil
}

// line reads a line of its own.
func (r *lineReader) line(out io.Writer) (string, error) {
	fmt.Fprint(out, "> ")
	var line []byte
	buffer := make([]byte, 256)
	for {
		n, err := r.Read(buffer)
		line = append(line, buffer[:n]...)
		if err != nil {
			return "", r.ended()
		}
		if text, whole := strings.CutSuffix(string(line), "\n"); whole {
			return strings.TrimRight(clean(text, false), " "), nil
		}
	}
}

// ended is the error of an input that had nothing more to read.
func (r *lineReader) ended() error {
	switch {
	case !r.starved:
		return nil
	case errors.Is(r.err, io.EOF):
		return ErrInputEnded
	}
	return fmt.Errorf("read the answers: %w", r.err)
}

// capital begins a text with a capital letter.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
