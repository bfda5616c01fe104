package operations

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"waybill/model"
	"waybill/operations/form"
	"waybill/operations/taskimport"
)

// NewWindow is task.window: from when until when the chosen tasks may be done.
func NewWindow(s Input) (Operation, error) {
	members := []string{"completeAfter", "completeBefore"}
	fit, skipped := splitSelection(s, refuseUpdate(members...))
	if err := checkSelection(fit, skipped); err != nil {
		return Operation{}, err
	}
	f := form.Form{Title: "Time window of " + labelTasks(fit), Fields: windowEditFields(s), Start: form.Values{}}
	if row := fit[0].row; len(fit) == 1 && row != nil {
		f.Fields[0].About = "now " + formatWindow(s, model.NullIfZero(row.After), model.NullIfZero(row.Before))
	}
	return Operation{
		ID: "task.window", Title: f.Title, Form: f, FieldOf: fieldFinder(&f, fieldOfMember),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			values = shownValues(&f, values)
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
		form.Field{Name: "no_after", Title: "No earliest time", About: "takes away the one that is there", Kind: form.Yes},
		form.Field{Name: "no_before", Title: "No latest time", About: "takes away the one that is there", Kind: form.Yes},
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

// windowFields ask for a window in one line, or for its ends.
func windowFields(s Input, page string) []form.Field {
	check := func(value string) error {
		_, err := model.ParseTime(value, s.Now, inputZone(s))
		return err
	}
	echo := func(value string, _ form.Values) string {
		at, err := model.ParseTime(value, s.Now, inputZone(s))
		if err != nil {
			return ""
		}
		return formatTime(s, at)
	}
	latest := func(value string, values form.Values) string {
		at, err := model.ParseTime(value, s.Now, inputZone(s))
		if err != nil {
			return ""
		}
		return echo(value, values) + pastNote(s, at)
	}
	return []form.Field{
		{
			Name: "window", Title: "Window", Page: page, About: "from when until when, in one line", Hint: "14:00-16:00",
			Check: unlessEmpty(func(value string) error {
				from, to, err := model.ParseWindow(value, s.Now, inputZone(s))
				if err == nil && isReversed(s, value, from, to) {
					return errors.New("it ends before it begins; give its ends below if it lasts until the next day")
				}
				return err
			}),
			Echo: func(value string, _ form.Values) string {
				from, to, err := model.ParseWindow(value, s.Now, inputZone(s))
				if err != nil {
					return ""
				}
				return formatWindow(s, model.Some(from), model.Some(to)) + pastNote(s, to)
			},
		},
		{Name: "after", Title: "Not before", Page: page, About: "or the earliest time alone", Hint: "tomorrow 9am", Check: unlessEmpty(check), Echo: echo},
		{Name: "before", Title: "At the latest", Page: page, About: "or the latest time alone", Hint: "+2h", Check: unlessEmpty(check), Echo: latest},
	}
}

// isReversed reports a window that was most likely typed the wrong way round: it crosses midnight, which no word of it
// says, and lasts longer than any night.
func isReversed(s Input, text string, from, to model.Millis) bool {
	const longestNight = 14 * time.Hour
	day := func(at model.Millis) int { return at.Time().In(inputZone(s)).YearDay() }
	clock := strings.TrimFunc(text, func(r rune) bool { return strings.ContainsRune("0123456789:.-– ", r) }) == ""
	return clock && day(from) != day(to) && to.Sub(from) > longestNight
}

// pastNote is a remark on an end that is over.
func pastNote(s Input, end model.Millis) string {
	if end <= s.Now {
		return "; that is past, it would be late at once"
	}
	return ""
}

// unlessEmpty lets a field stay empty.
func unlessEmpty(check func(value string) error) func(value string) error {
	return func(value string) error {
		if strings.TrimSpace(value) == "" {
			return nil
		}
		return check(value)
	}
}

// checkOneWindow refuses a window in one line beside an end of one: it would not be clear which counts.
func checkOneWindow(values form.Values, problems form.Problems) {
	if values.Get("window") != "" && (values.Get("after") != "" || values.Get("before") != "") {
		addProblem(problems, "window", "Give the window in one line, or its ends below, not both.")
	}
}

func windowChange(s Input, values form.Values, problems form.Problems) model.TaskInput {
	draft := taskimport.NewDraft(draftOptions(s))
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
		addProblem(problems, "window", "A window has both ends; give the other end alone.")
	}
	if !change.CompleteAfter.Present() && !change.CompleteBefore.Present() {
		addProblem(problems, "window", "Say when it may be done.")
	}
	return change
}

// windowProposal leaves out tasks whose other end would contradict the new one. Of a single task that is a problem.
func windowProposal(s Input, f *form.Form, values form.Values, fit []selectedTask, skipped []Skipped, change model.TaskInput) (Proposal, form.Problems) {
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
		return Proposal{}, form.Problems{"": "No chosen task can have this window; the other end of each contradicts it."}
	}
	plan.Lines = append(describeSelection(kept), plainLine("To be done %s.", windowChangeText(s, change)))
	if before, ok := change.CompleteBefore.Get(); ok && before <= s.Now {
		plan.Lines = append(plan.Lines, warnLine("The latest time is past: it will be late at once."))
	}
	plan.Summary = fmt.Sprintf("change the time window of %s", labelTasks(kept))
	return plan, nil
}

// windowFieldOf knows in which field an end of the window was typed.
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
		text += ", with no earliest time"
	}
	if change.CompleteBefore.IsNull() {
		text += ", with no latest time"
	}
	return text
}

func windowEdit(task selectedTask, change model.TaskInput) edit {
	return edit{
		task: task, noun: "times", members: []string{"completeAfter", "completeBefore"}, summary: "time window changed",
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

// valueOrNull sends a value that is absent as null, which takes away what is there.
func valueOrNull[T any](value model.Opt[T]) model.Opt[T] {
	if v, ok := value.Get(); ok {
		return model.Some(v)
	}
	return model.Null[T]()
}

// matchesChange reports whether a member is as a change leaves it.
func matchesChange[T comparable](now, change model.Opt[T]) bool {
	return !change.Present() || now.Has() == change.Has() && now.Value() == change.Value()
}
