package operations

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"waybill/model"
	"waybill/operations/form"
)

// NewWindow is task.window: changes the window of the selected tasks.
func NewWindow(s Input) (Operation, error) {
	members := []string{"completeAfter", "completeBefore"}
	fit, skipped := splitSelection(s, refuseUpdate(members...))
	if err := checkSelection(fit, skipped); err != nil {
		return Operation{}, err
	}
	f := form.Form{Title: "Window of " + labelTasks(fit), Fields: windowEditFields(s), Start: form.Values{}}
	if row := fit[0].row; len(fit) == 1 && row != nil {
		f.Fields[0].About = "now " + formatWindow(s, model.NullIfZero(row.Earliest), model.NullIfZero(row.Due))
	}
	return Operation{
		ID: "task.window", Title: f.Title, Form: f, FieldOf: fieldFinder(&f, fieldOfMember),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			values = f.ShownValues(values)
			problems := form.Problems{}
			change := windowChange(s, values, problems)
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			return windowProposal(s, &f, values, fit, skipped, change)
		},
	}, nil
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
	check := func(value string) error {
		_, err := model.ParseTime(value, s.Now, s.zone())
		return err
	}
	echo := func(value string, _ form.Values) string {
		at, err := model.ParseTime(value, s.Now, s.zone())
		if err != nil {
			return ""
		}
		return formatTime(s, at)
	}
	latest := func(value string, values form.Values) string {
		at, err := model.ParseTime(value, s.Now, s.zone())
		if err != nil {
			return ""
		}
		return echo(value, values) + pastNote(s, at)
	}
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
			Check: unlessEmpty(check), Echo: echo,
			Flag: form.Flag{Usage: "not before this time; such as tomorrow 9am"},
		},
		{
			Name: "before", Title: "Due before", Page: page, About: "or the due time alone", Hint: "+2h", Check: unlessEmpty(check), Echo: latest,
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

// checkOneWindow refuses a window in one line together with one of its ends.
func checkOneWindow(values form.Values, problems form.Problems) {
	if values.Get("window") != "" && (values.Get("after") != "" || values.Get("before") != "") {
		addProblem(problems, "window", "Give the window in one line, or its two times, not both.")
	}
}

func windowChange(s Input, values form.Values, problems form.Problems) model.TaskInput {
	draft := newDraft(s)
	fillDraft(draft, values, []string{"window", "after", "before"}, problems)
	checkOneWindow(values, problems)
	change, err := draft.Changes()
	if err != nil {
		addProblem(problems, "", sentence(err.Error()))
	}
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

// windowProposal skips tasks whose other time contradicts the new one. For a single task that is a problem.
func windowProposal(s Input, f *form.Form, values form.Values, fit []selectedTask, skipped []Skipped,
	change model.TaskInput,
) (Proposal, form.Problems) {
	plan := Proposal{Skipped: skipped}
	var kept []selectedTask
	for _, c := range fit {
		broken := change.CheckUpdate(c.wireTask())
		switch {
		case len(broken) == 0:
			kept = append(kept, c)
			plan.Steps = append(plan.Steps, windowEdit(c, change).step())
		case len(fit) == 1:
			problems := form.Problems{}
			addRules(problems, f, values, broken, windowFieldOf(values))
			return Proposal{}, problems
		default:
			plan.Skipped = append(plan.Skipped, Skipped{c.label, translateMembers(broken[0].Text)})
		}
	}
	if len(kept) == 0 {
		return Proposal{}, form.Problems{"": "No selected task can have this window: its other time contradicts it."}
	}
	plan.Lines = append(describeSelection(kept), plainLine("Window: %s.", windowChangeText(s, change)))
	if before, ok := change.CompleteBefore.Get(); ok && before <= s.Now {
		plan.Lines = append(plan.Lines, warnLine("The due time has passed: the task is overdue at once."))
	}
	plan.Summary = fmt.Sprintf("change the window of %s", labelTasks(kept))
	return plan, nil
}

// windowFieldOf maps a time to the field that it was typed in.
func windowFieldOf(values form.Values) func(member string) string {
	return func(member string) string {
		name := fieldOfMember(member)
		if (name == "after" || name == "before") && values.Get(name) == "" && values.Get("window") != "" {
			return "window"
		}
		return name
	}
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

func windowEdit(task selectedTask, change model.TaskInput) edit {
	return edit{
		task: task, noun: "times", members: []string{"completeAfter", "completeBefore"}, summary: "window changed",
		change: func(*model.Task) (model.TaskInput, error) { return change, nil },
		restore: func(before *model.Task) model.TaskInput {
			var back model.TaskInput
			if change.CompleteAfter.Present() {
				back.CompleteAfter = valueOrNull(before.CompleteAfter)
			}
			if change.CompleteBefore.Present() {
				back.CompleteBefore = valueOrNull(before.CompleteBefore)
			}
			return back
		},
		undoCommand: func(before *model.Task) Command {
			with := form.Values{}
			for _, end := range []struct {
				name        string
				change, was model.Opt[model.Millis]
			}{{"after", change.CompleteAfter, before.CompleteAfter}, {"before", change.CompleteBefore, before.CompleteBefore}} {
				at, had := end.was.Get()
				switch {
				case !end.change.Present():
				case !had || at == 0:
					with["no_"+end.name] = "yes"
				default:
					with[end.name] = at.Time().UTC().Format(time.RFC3339Nano)
				}
			}
			return Command{Action: "task.window", Objects: []model.ID{task.id}, Values: with}
		},
		isApplied: func(now, _ *model.Task) bool {
			return matchesChange(now.CompleteAfter, change.CompleteAfter) && matchesChange(now.CompleteBefore, change.CompleteBefore)
		},
	}
}

// valueOrNull is a value, or null, which clears the member.
func valueOrNull[T any](value model.Opt[T]) model.Opt[T] {
	if v, ok := value.Get(); ok {
		return model.Some(v)
	}
	return model.Null[T]()
}

// matchesChange reports whether a member has the value that a change gives it.
func matchesChange[T comparable](now, change model.Opt[T]) bool {
	return !change.Present() || now.Has() == change.Has() && now.Value() == change.Value()
}
