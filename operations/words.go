package operations

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// promptName stands in an empty field that is filled in from a list of names.
const promptName = "type a part of the name"

// mostSuggestions is how many lines a picker has use for.
const mostSuggestions = 20

// zoneOf is where clock times of a scene are read and told.
func zoneOf(s Input) *time.Location {
	if s.Zone == nil {
		return time.UTC
	}
	return s.Zone
}

// sayTime tells a time so that nobody has to guess the day or the zone: "today 14:30 PST, in 2h".
func sayTime(s Input, at model.Millis) string {
	clock := model.FormatClock(at, s.Now, zoneOf(s))
	if len(clock) == len("15:04") {
		clock = "today " + clock
	}
	full := model.FormatTime(at, zoneOf(s))
	return clock + full[strings.LastIndexByte(full, ' '):] + ", " + model.FormatRelative(at, s.Now)
}

// sayWindow tells from when until when; what is open at an end is not mentioned there.
func sayWindow(s Input, after, before model.Opt[model.Millis]) string {
	from, hasFrom := after.Get()
	to, hasTo := before.Get()
	switch {
	case hasFrom && hasTo:
		return fmt.Sprintf("from %s until %s", sayTime(s, from), sayTime(s, to))
	case hasFrom:
		return "from " + sayTime(s, from)
	case hasTo:
		return "until " + sayTime(s, to)
	}
	return "at any time"
}

// howMany is a number with its noun.
func howMany(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// ofOrganization names whose things a question is about.
func ofOrganization(s Input) string {
	if s.Organization.Name == "" {
		return ""
	}
	return " of " + model.Clean(s.Organization.Name)
}

// argumentAs fills in a field with what was typed behind the verb's word.
func argumentAs(s Input, name string) form.Values {
	if text := strings.TrimSpace(s.Argument); text != "" {
		return form.Values{name: text}
	}
	return form.Values{}
}

// some cuts a text that would fill the screen.
func some(text string) string {
	const enough = 60
	line, _, more := strings.Cut(model.CleanMultiline(text), "\n")
	runes := []rune(line)
	switch {
	case len(runes) > enough:
		return string(runes[:enough]) + "…"
	case more:
		return line + " …"
	}
	return line
}

// callTask is how people call a task; its id only where the board has nothing better.
func callTask(snapshot *board.Snapshot, id model.ID) string {
	if snapshot != nil {
		if row := snapshot.Tasks.Get(id); row != nil && row.ShortID != "" {
			return "task " + string(row.ShortID)
		}
	}
	return "task " + string(id)
}

// callMade is how a task that the service has just answered is called.
func callMade(task *model.Task) string {
	if task.ShortID != "" {
		return "task " + string(task.ShortID)
	}
	return "task " + string(task.ID)
}

// describeTask says enough of a task to know it: "dropoff 5d20c1aa, 543 Howard St, for Ada Okafor".
func describeTask(row *board.TaskRow) string {
	text := row.Kind() + " " + string(row.ShortID)
	if row.Address != "" {
		text += ", " + some(row.Address)
	}
	if row.RecipientName != "" {
		text += ", for " + some(row.RecipientName)
	}
	return text
}

// callWorker is a worker's name, or the id of one that the board does not have.
func callWorker(snapshot *board.Snapshot, id model.ID) string {
	if row := snapshot.Workers.Get(id); row != nil && row.Name != "" {
		return row.Name
	}
	return "worker " + string(id)
}

// callTeam is a team's name, or the id of one that the board does not have.
func callTeam(snapshot *board.Snapshot, id model.ID) string {
	if row := snapshot.Teams.Get(id); row != nil && row.Name != "" {
		return row.Name
	}
	return "team " + string(id)
}

// called is something with a name.
type called struct {
	id   model.ID
	name string
	note string
}

func workersOf(snapshot *board.Snapshot) []called {
	var all []called
	for w := range snapshot.Workers.All() {
		note := w.State.String() + ", " + howMany(w.Stops(), "stop")
		if w.TeamNames != "" {
			note += ", " + w.TeamNames
		}
		all = append(all, called{w.ID, w.Name, note})
	}
	return byName(all)
}

func teamsOf(snapshot *board.Snapshot) []called {
	var all []called
	for t := range snapshot.Teams.All() {
		all = append(all, called{t.ID, t.Name, howMany(len(t.Workers), "worker")})
	}
	return byName(all)
}

func byName(all []called) []called {
	slices.SortFunc(all, func(a, b called) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.name), strings.ToLower(b.name)), cmp.Compare(a.id, b.id))
	})
	return all
}

// findCalled takes an id, or a name in any mixture of upper and lower case. Namesakes have to be told apart by id.
func findCalled(all []called, text, noun string) (model.ID, error) {
	if id := model.ID(text); id.Valid() {
		return id, nil
	}
	var found []called
	for _, c := range all {
		if strings.EqualFold(strings.TrimSpace(c.name), strings.TrimSpace(text)) {
			found = append(found, c)
		}
	}
	switch len(found) {
	case 1:
		return found[0].id, nil
	case 0:
		return "", fmt.Errorf("the board has no %s called %.60q; choose one of the list", noun, model.Clean(text))
	}
	ids := make([]string, len(found))
	for i, c := range found {
		ids[i] = string(c.id)
	}
	return "", fmt.Errorf("%d %ss are called %.60q; say which by id: %s", len(found), noun, model.Clean(text), strings.Join(ids, ", "))
}

// findSeveral takes names or ids with commas between.
func findSeveral(all []called, text, noun string) ([]model.ID, error) {
	var ids []model.ID
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		id, err := findCalled(all, part, noun)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// suggestCalled lists those in whose name the text is found, those that begin with it first. A name that two have is
// kept as the id.
func suggestCalled(all []called, text string) []form.Option {
	folded := strings.ToLower(strings.TrimSpace(text))
	names := map[string]int{}
	for _, c := range all {
		names[strings.ToLower(c.name)]++
	}
	var begins, holds []form.Option
	for _, c := range all {
		name := strings.ToLower(c.name)
		option := form.Option{Value: c.name, Label: c.name, Note: c.note}
		if names[name] > 1 || c.name == "" {
			option.Value = string(c.id)
		}
		switch {
		case strings.HasPrefix(name, folded):
			begins = append(begins, option)
		case strings.Contains(name, folded):
			holds = append(holds, option)
		}
	}
	found := append(begins, holds...)
	return found[:min(len(found), mostSuggestions)]
}

// suggestSeveral suggests for the last of several names and keeps those before it.
func suggestSeveral(all []called, text string) []form.Option {
	before, last := "", text
	if at := strings.LastIndexByte(text, ','); at >= 0 {
		before, last = text[:at+1]+" ", text[at+1:]
	}
	options := suggestCalled(all, last)
	for i := range options {
		options[i].Value = before + options[i].Value
	}
	return options
}

// openTasks lists tasks that others can wait for, in the order of their windows.
func openTasks(snapshot *board.Snapshot, text string, wanted func(row *board.TaskRow) bool) []form.Option {
	folded := strings.ToLower(strings.TrimSpace(text))
	var rows []*board.TaskRow
	for row := range snapshot.Tasks.All() {
		if row.ShortID != "" && !row.Status.Closed() && wanted(row) && strings.Contains(strings.ToLower(describeTask(row)), folded) {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, func(a, b *board.TaskRow) int { return strings.Compare(string(a.ShortID), string(b.ShortID)) })
	options := make([]form.Option, 0, min(len(rows), mostSuggestions))
	for _, row := range rows[:min(len(rows), mostSuggestions)] {
		options = append(options, form.Option{Value: string(row.ShortID), Label: describeTask(row), Note: row.StatusText()})
	}
	return options
}

// findTask takes a task's id, or the short id of one that the board has.
func findTask(snapshot *board.Snapshot, text string) (model.ID, error) {
	switch short := model.ShortID(strings.ToLower(text)); {
	case model.ID(text).Valid():
		return model.ID(text), nil
	case !short.Valid():
		return "", fmt.Errorf("%.40q does not name a task; short ids have %d hex digits", model.Clean(text), model.ShortIDLength)
	default:
		if row := snapshot.TaskByShortID(short); row != nil {
			return row.ID, nil
		}
		return "", fmt.Errorf("the board has no task %s; give its long id if it is an older one", short)
	}
}

// only is a plain line, mind one that warns.
func only(format string, args ...any) Line { return Line{Text: fmt.Sprintf(format, args...)} }

func mind(format string, args ...any) Line {
	return Line{Text: fmt.Sprintf(format, args...), Warning: true}
}
