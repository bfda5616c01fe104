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
	fit, skipped := fitting(s, updatable(members...))
	if err := mayBegin(fit, skipped); err != nil {
		return Operation{}, err
	}
	f := form.Form{Title: "Time window of " + callChosen(fit), Fields: windowEditFields(s), Start: form.Values{}}
	if row := fit[0].row; len(fit) == 1 && row != nil {
		f.Fields[0].About = "now " + sayWindow(s, model.NullIfZero(row.Earliest), model.NullIfZero(row.Due))
	}
	return Operation{
		ID: "task.window", Title: f.Title, Form: f, FieldOf: placeBy(&f, taskField),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			values = shownValues(&f, values)
			problems := form.Problems{}
			change := windowChange(s, values, problems)
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			return windowPlan(s, &f, values, fit, skipped, change)
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
		_, err := model.ParseTime(value, s.Now, zoneOf(s))
		return err
	}
	echo := func(value string, _ form.Values) string {
		at, err := model.ParseTime(value, s.Now, zoneOf(s))
		if err != nil {
			return ""
		}
		return sayTime(s, at)
	}
	latest := func(value string, values form.Values) string {
		at, err := model.ParseTime(value, s.Now, zoneOf(s))
		if err != nil {
			return ""
		}
		return echo(value, values) + ifPast(s, at)
	}
	return []form.Field{
		{
			Name: "window", Title: "Window", Page: page, About: "from when until when, in one line", Hint: "14:00-16:00",
			Check: unlessEmpty(func(value string) error {
				from, to, err := model.ParseWindow(value, s.Now, zoneOf(s))
				if err == nil && isTurned(s, value, from, to) {
					return errors.New("it ends before it begins; give its ends below if it lasts until the next day")
				}
				return err
			}),
			Echo: func(value string, _ form.Values) string {
				from, to, err := model.ParseWindow(value, s.Now, zoneOf(s))
				if err != nil {
					return ""
				}
				return sayWindow(s, model.Some(from), model.Some(to)) + ifPast(s, to)
			},
		},
		{Name: "after", Title: "Not before", Page: page, About: "or the earliest time alone", Hint: "tomorrow 9am", Check: unlessEmpty(check), Echo: echo},
		{Name: "before", Title: "At the latest", Page: page, About: "or the latest time alone", Hint: "+2h", Check: unlessEmpty(check), Echo: latest},
	}
}

// isTurned reports a window that was most likely typed the wrong way round: it crosses midnight, which no word of it
// says, and lasts longer than any night.
func isTurned(s Input, text string, from, to model.Millis) bool {
	const longestNight = 14 * time.Hour
	day := func(at model.Millis) int { return at.Time().In(zoneOf(s)).YearDay() }
	clock := strings.TrimFunc(text, func(r rune) bool { return strings.ContainsRune("0123456789:.-– ", r) }) == ""
	return clock && day(from) != day(to) && to.Sub(from) > longestNight
}

// ifPast is a remark on an end that is over.
func ifPast(s Input, end model.Millis) string {
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

// oneWindow refuses a window in one line beside an end of one: it would not be clear which counts.
func oneWindow(values form.Values, problems form.Problems) {
	if values.Get("window") != "" && (values.Get("after") != "" || values.Get("before") != "") {
		addProblem(problems, "window", "Give the window in one line, or its ends below, not both.")
	}
}

func windowChange(s Input, values form.Values, problems form.Problems) model.TaskInput {
	draft := taskimport.NewDraft(draftOptions(s))
	fill(draft, values, []string{"window", "after", "before"}, problems)
	oneWindow(values, problems)
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

// windowPlan leaves out tasks whose other end would contradict the new one. Of a single task that is a problem.
func windowPlan(s Input, f *form.Form, values form.Values, fit []chosen, skipped []Skipped, change model.TaskInput) (Proposal, form.Problems) {
	plan := Proposal{Skipped: skipped}
	var kept []chosen
	for _, c := range fit {
		broken := change.CheckUpdate(c.wireTask())
		switch {
		case len(broken) == 0:
			kept = append(kept, c)
			plan.Steps = append(plan.Steps, windowEdit(c, change).step())
		case len(fit) == 1:
			problems := form.Problems{}
			addRules(problems, f, values, broken, windowField(values))
			return Proposal{}, problems
		default:
			plan.Skipped = append(plan.Skipped, Skipped{c.label, inFormWords(broken[0].Text)})
		}
	}
	if len(kept) == 0 {
		return Proposal{}, form.Problems{"": "No chosen task can have this window; the other end of each contradicts it."}
	}
	plan.Lines = append(describeChosen(kept), only("To be done %s.", saysWindowChange(s, change)))
	if before, ok := change.CompleteBefore.Get(); ok && before <= s.Now {
		plan.Lines = append(plan.Lines, mind("The latest time is past: it will be late at once."))
	}
	plan.Summary = fmt.Sprintf("change the time window of %s", callChosen(kept))
	return plan, nil
}

// windowField knows in which field an end of the window was typed.
func windowField(values form.Values) func(member string) string {
	return func(member string) string {
		name := taskField(member)
		if (name == "after" || name == "before") && values.Get(name) == "" && values.Get("window") != "" {
			return "window"
		}
		return name
	}
}

func saysWindowChange(s Input, change model.TaskInput) string {
	text := sayWindow(s, change.CompleteAfter, change.CompleteBefore)
	if change.CompleteAfter.IsNull() {
		text += ", with no earliest time"
	}
	if change.CompleteBefore.IsNull() {
		text += ", with no latest time"
	}
	return text
}

func windowEdit(task chosen, change model.TaskInput) edit {
	return edit{
		task: task, what: "times", members: []string{"completeAfter", "completeBefore"}, words: "time window changed",
		change: func(*model.Task) (model.TaskInput, error) { return change, nil },
		restore: func(before *model.Task) model.TaskInput {
			var back model.TaskInput
			if change.CompleteAfter.Present() {
				back.CompleteAfter = orNull(before.CompleteAfter)
			}
			if change.CompleteBefore.Present() {
				back.CompleteBefore = orNull(before.CompleteBefore)
			}
			return back
		},
		as: func(before *model.Task) Command {
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
			return Command{Action: "task.window", On: []model.ID{task.id}, With: with}
		},
		holds: func(now, _ *model.Task) bool {
			return leaves(now.CompleteAfter, change.CompleteAfter) && leaves(now.CompleteBefore, change.CompleteBefore)
		},
	}
}

// orNull sends a value that is absent as null, which takes away what is there.
func orNull[T any](value model.Opt[T]) model.Opt[T] {
	if v, ok := value.Get(); ok {
		return model.Some(v)
	}
	return model.Null[T]()
}

// leaves reports whether a member is as a change leaves it.
func leaves[T comparable](now, change model.Opt[T]) bool {
	return !change.Present() || now.Has() == change.Has() && now.Value() == change.Value()
}
