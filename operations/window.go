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
		lines := []Line{plainLine("%s.", windowChangeText(s, change))}
		if before, ok := change.CompleteBefore.Get(); ok && before <= s.Now {
			lines = append(lines, warnLine("The due time has passed: the task will be overdue right away."))
		}
		return replaceValues(change, lines...)
	}
	return e.operation(s)
}

func windowEditFields(s Input) []form.Field {
	fields := windowFields(s, "")
	fields[1].Show = func(v form.Values) bool { return !v.Yes("no_after") }
	fields[2].Show = func(v form.Values) bool { return !v.Yes("no_before") }
	return append(fields,
		form.Field{Name: "no_after", Title: "No earliest time", About: "removes the current one", Kind: form.Yes},
		form.Field{Name: "no_before", Title: "No due time", About: "removes the current one", Kind: form.Yes},
	)
}

// windowFields ask for a window in one line, or for its two ends.
func windowFields(s Input, page string) []form.Field {
	parse := func(text string) (model.Millis, error) { return model.ParseTime(text, s.Now, s.zone()) }
	show := func(at model.Millis) string { return formatTime(s, at) }
	return []form.Field{
		{
			Name: "window", Title: "Window", Page: page, About: "both times in one line", Hint: "14:00-16:00",
			Flag: form.Flag{Usage: "the window, instead of after and before; such as 14:00-16:00"},
			Check: checkText(func(text string) (model.TimeWindow, error) {
				span, err := s.parseSpan(text)
				if err == nil && isReversed(s, text, span) {
					err = errors.New("it ends before it begins; give both times below if it ends the next day")
				}
				return span, err
			}),
			Echo: echoText(s.parseSpan, func(w model.TimeWindow) string {
				from, to := model.MillisOf(w.Start), model.MillisOf(w.End)
				return formatWindow(s, model.Some(from), model.Some(to)) + pastNote(s, to)
			}),
		},
		{
			Name: "after", Title: "Earliest", Page: page, About: "or the earliest time alone", Hint: "tomorrow 9am",
			Check: checkText(parse), Echo: echoText(parse, show),
			Flag: form.Flag{Usage: "the earliest time; such as tomorrow 9am"},
		},
		{
			Name: "before", Title: "Due before", Page: page, About: "or the due time alone", Hint: "+2h", Check: checkText(parse),
			Echo: echoText(parse, func(at model.Millis) string { return show(at) + pastNote(s, at) }),
			Flag: form.Flag{Usage: "the due time; such as tomorrow 11am"},
		},
	}
}

// isReversed reports a window that was probably typed the wrong way round: only clock times, over midnight, and longer than
// a night.
func isReversed(s Input, text string, span model.TimeWindow) bool {
	const longestNight = 14 * time.Hour
	day := func(at time.Time) int { return at.In(s.zone()).YearDay() }
	clock := strings.TrimFunc(text, func(r rune) bool { return strings.ContainsRune("0123456789:.-– ", r) }) == ""
	return clock && day(span.Start) != day(span.End) && span.End.Sub(span.Start) > longestNight
}

// pastNote warns of a due time that has passed.
func pastNote(s Input, end model.Millis) string {
	if end <= s.Now {
		return "; that has passed, the task would be overdue right away"
	}
	return ""
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
		addProblem(problems, "window", "Enter the window, or remove one of its times, not both.")
	}
	if !change.CompleteAfter.Present() && !change.CompleteBefore.Present() {
		addProblem(problems, "window", "Type a time.")
	}
	return change
}

// windowChangeText says what becomes of both times: one that is neither set nor removed stays.
func windowChangeText(s Input, change model.TaskInput) string {
	after, before := change.CompleteAfter, change.CompleteBefore
	switch {
	case after.IsNull() && before.IsNull():
		return "No window any more: at any time"
	case after.Has() && before.Has():
		return "Window: " + formatWindow(s, after, before)
	case after.Has():
		return "Window: " + formatWindow(s, after, before) + "; " + otherTimeText(before, "due time")
	case before.Has():
		return "Window: " + formatWindow(s, after, before) + "; " + otherTimeText(after, "earliest time")
	case after.IsNull():
		return "No earliest time any more; the due time stays"
	}
	return "No due time any more; the earliest time stays"
}

// otherTimeText says what becomes of the time that is not set.
func otherTimeText(other model.Opt[model.Millis], name string) string {
	if other.IsNull() {
		return "no " + name + " any more"
	}
	return "the " + name + " stays"
}
