package operations

import (
	"errors"
	"strings"
	"time"

	"waybill/model"
	"waybill/operations/form"
)

// NewWindow is task.window: changes the window of the selected tasks.
func NewWindow(s Input) (Operation, error) {
	e := taskEdit{id: "task.window", noun: "window", members: []string{"completeAfter", "completeBefore"}}
	if err := e.selectEditable(s); err != nil {
		return Operation{}, err
	}
	e.form = form.Form{Title: "Window of " + labelTasks(e.tasks), Fields: windowEditFields(s), Start: form.Values{}}
	if row := e.tasks[0].row; len(e.tasks) == 1 && row != nil {
		e.form.Fields[0].About = "now " + formatWindow(s, model.NullIfZero(row.Earliest), model.NullIfZero(row.Due))
	}
	e.read = func(values form.Values, problems form.Problems) edit {
		change := windowChange(s, values, problems)
		lines := []Line{plainLine("Window: %s.", windowChangeText(s, change))}
		if before, ok := change.CompleteBefore.Get(); ok && before <= s.Now {
			lines = append(lines, warnLine("The due time has passed: the task is overdue at once."))
		}
		return replaceValues(change, lines...)
	}
	return e.operation(s)
}

func windowEditFields(s Input) []form.Field {
	fields := windowFields(s, "")
	fields = append(fields,
		form.Field{Name: "no_after", Title: "No earliest time", About: "removes the present one", Kind: form.Yes},
		form.Field{Name: "no_before", Title: "No due time", About: "removes the present one", Kind: form.Yes},
	)
	for i := range fields {
		switch fields[i].Name {
		case "after":
			fields[i].Show = func(v form.Values) bool { return !v.Yes("no_after") }
		case "before":
			fields[i].Show = func(v form.Values) bool { return !v.Yes("no_before") }
		}
	}
	return fields
}

// windowFields ask for a window in one line, or for its two ends.
func windowFields(s Input, page string) []form.Field {
	check := unlessEmpty(func(value string) error {
		_, err := model.ParseTime(value, s.Now, s.zone())
		return err
	})
	echo := func(note func(s Input, at model.Millis) string) func(string, form.Values) string {
		return func(value string, _ form.Values) string {
			at, err := model.ParseTime(value, s.Now, s.zone())
			if err != nil {
				return ""
			}
			return formatTime(s, at) + note(s, at)
		}
	}
	noNote := func(Input, model.Millis) string { return "" }
	return []form.Field{
		{
			Name: "window", Title: "Window", Page: page, About: "both times in one line", Hint: "14:00-16:00",
			Flag: form.Flag{Usage: "from when until when, in place of after and before; such as 14:00-16:00"},
			Check: unlessEmpty(func(value string) error {
				from, to, err := model.ParseWindow(value, s.Now, s.zone())
				if err == nil && isReversed(s, value, from, to) {
					return errors.New("it ends before it begins; give both times below if it ends the next day")
				}
				return err
			}),
			Echo: func(value string, _ form.Values) string {
				from, to, err := model.ParseWindow(value, s.Now, s.zone())
				if err != nil {
					return ""
				}
				return formatWindow(s, model.Some(from), model.Some(to)) + pastNote(s, to)
			},
		},
		{
			Name: "after", Title: "Earliest", Page: page, About: "or the earliest time alone", Hint: "tomorrow 9am",
			Check: check, Echo: echo(noNote),
			Flag: form.Flag{Usage: "not before this time; such as tomorrow 9am"},
		},
		{
			Name: "before", Title: "Due before", Page: page, About: "or the due time alone", Hint: "+2h", Check: check, Echo: echo(pastNote),
			Flag: form.Flag{Usage: "at the latest at this time; such as tomorrow 11am"},
		},
	}
}

// isReversed reports a window that was probably typed the wrong way round: only clock times, over midnight, and longer than
// a night.
func isReversed(s Input, text string, from, to model.Millis) bool {
	const longestNight = 14 * time.Hour
	day := func(at model.Millis) int { return at.Time().In(s.zone()).YearDay() }
	clock := strings.TrimFunc(text, func(r rune) bool { return strings.ContainsRune("0123456789:.-– ", r) }) == ""
	return clock && day(from) != day(to) && to.Sub(from) > longestNight
}

// pastNote warns of a due time that has passed.
func pastNote(s Input, end model.Millis) string {
	if end <= s.Now {
		return "; that has passed, the task would be overdue at once"
	}
	return ""
}

// unlessEmpty accepts an empty value and checks any other.
func unlessEmpty(check func(value string) error) func(value string) error {
	return func(value string) error {
		if strings.TrimSpace(value) == "" {
			return nil
		}
		return check(value)
	}
}

func windowChange(s Input, values form.Values, problems form.Problems) model.TaskInput {
	change := readTask(s, values, problems)
	if values.Yes("no_after") {
		change.CompleteAfter = model.Null[model.Millis]()
	}
	if values.Yes("no_before") {
		change.CompleteBefore = model.Null[model.Millis]()
	}
	if values.Get("window") != "" && (values.Yes("no_after") || values.Yes("no_before")) {
		addProblem(problems, "window", "A window has both times. Give the other time alone.")
	}
	if !change.CompleteAfter.Present() && !change.CompleteBefore.Present() {
		addProblem(problems, "window", "Type a time.")
	}
	return change
}

func windowChangeText(s Input, change model.TaskInput) string {
	text := formatWindow(s, change.CompleteAfter, change.CompleteBefore)
	if change.CompleteAfter.IsNull() {
		text += ", without an earliest time"
	}
	if change.CompleteBefore.IsNull() {
		text += ", without a due time"
	}
	return text
}
