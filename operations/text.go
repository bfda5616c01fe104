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

// maxSuggestions is how many lines a picker has use for.
const maxSuggestions = 20

// inputZone is where clock times of a scene are read and told.
func inputZone(s Input) *time.Location {
	if s.Zone == nil {
		return time.UTC
	}
	return s.Zone
}

// formatTime tells a time so that nobody has to guess the day or the zone: "today 14:30 PST, in 2h".
func formatTime(s Input, at model.Millis) string {
	clock := model.FormatClock(at, s.Now, inputZone(s))
	if len(clock) == len("15:04") {
		clock = "today " + clock
	}
	full := model.FormatTime(at, inputZone(s))
	return clock + full[strings.LastIndexByte(full, ' '):] + ", " + model.FormatRelative(at, s.Now)
}

// formatWindow tells from when until when; what is open at an end is not mentioned there.
func formatWindow(s Input, after, before model.Opt[model.Millis]) string {
	from, hasFrom := after.Get()
	to, hasTo := before.Get()
	switch {
	case hasFrom && hasTo:
		return fmt.Sprintf("from %s until %s", formatTime(s, from), formatTime(s, to))
	case hasFrom:
		return "from " + formatTime(s, from)
	case hasTo:
		return "until " + formatTime(s, to)
	}
	return "at any time"
}

// countNoun is a number with its noun.
func countNoun(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// organizationSuffix names whose things a question is about.
func organizationSuffix(s Input) string {
	if s.Organization.Name == "" {
		return ""
	}
	return " of " + model.Clean(s.Organization.Name)
}

// startFromArgument fills in a field with what was typed behind the verb's word.
func startFromArgument(s Input, name string) form.Values {
	if text := strings.TrimSpace(s.Argument); text != "" {
		return form.Values{name: text}
	}
	return form.Values{}
}

// shortenText cuts a text that would fill the screen.
func shortenText(text string) string {
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

// taskLabel is how people call a task; its id only where the board has nothing better.
func taskLabel(snapshot *board.Snapshot, id model.ID) string {
	if snapshot != nil {
		if row := snapshot.Tasks.Get(id); row != nil && row.ShortID != "" {
			return "task " + string(row.ShortID)
		}
	}
	return "task " + string(id)
}

// newTaskLabel is how a task that the service has just answered is called.
func newTaskLabel(task *model.Task) string {
	if task.ShortID != "" {
		return "task " + string(task.ShortID)
	}
	return "task " + string(task.ID)
}

// describeTask says enough of a task to know it: "dropoff 5d20c1aa, 543 Howard St, for Ada Okafor".
func describeTask(row *board.TaskRow) string {
	text := row.Kind() + " " + string(row.ShortID)
	if row.Address != "" {
		text += ", " + shortenText(row.Address)
	}
	if row.RecipientName != "" {
		text += ", for " + shortenText(row.RecipientName)
	}
	return text
}

// workerLabel is a worker's name, or the id of one that the board does not have.
func workerLabel(snapshot *board.Snapshot, id model.ID) string {
	if row := snapshot.Workers.Get(id); row != nil && row.Name != "" {
		return row.Name
	}
	return "worker " + string(id)
}

// teamLabel is a team's name, or the id of one that the board does not have.
func teamLabel(snapshot *board.Snapshot, id model.ID) string {
	if row := snapshot.Teams.Get(id); row != nil && row.Name != "" {
		return row.Name
	}
	return "team " + string(id)
}

// namedObject is something with a name.
type namedObject struct {
	id   model.ID
	name string
	note string
}

func boardWorkers(snapshot *board.Snapshot) []namedObject {
	var all []namedObject
	for w := range snapshot.Workers.All() {
		note := w.State.String() + ", " + countNoun(w.Stops(), "stop")
		if w.TeamNames != "" {
			note += ", " + w.TeamNames
		}
		all = append(all, namedObject{w.ID, w.Name, note})
	}
	return sortByName(all)
}

func boardTeams(snapshot *board.Snapshot) []namedObject {
	var all []namedObject
	for t := range snapshot.Teams.All() {
		all = append(all, namedObject{t.ID, t.Name, countNoun(len(t.Workers), "worker")})
	}
	return sortByName(all)
}

func sortByName(all []namedObject) []namedObject {
	slices.SortFunc(all, func(a, b namedObject) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.name), strings.ToLower(b.name)), cmp.Compare(a.id, b.id))
	})
	return all
}

// resolveName takes an id, or a name in any mixture of upper and lower case. Namesakes have to be told apart by id.
func resolveName(all []namedObject, text, noun string) (model.ID, error) {
	if id := model.ID(text); id.Valid() {
		return id, nil
	}
	var found []namedObject
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

// resolveNames takes names or ids with commas between.
func resolveNames(all []namedObject, text, noun string) ([]model.ID, error) {
	var ids []model.ID
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		id, err := resolveName(all, part, noun)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// suggestNames lists those in whose name the text is found, those that begin with it first. A name that two have is
// kept as the id.
func suggestNames(all []namedObject, text string) []form.Option {
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
	return found[:min(len(found), maxSuggestions)]
}

// suggestNameList suggests for the last of several names and keeps those before it.
func suggestNameList(all []namedObject, text string) []form.Option {
	before, last := "", text
	if at := strings.LastIndexByte(text, ','); at >= 0 {
		before, last = text[:at+1]+" ", text[at+1:]
	}
	options := suggestNames(all, last)
	for i := range options {
		options[i].Value = before + options[i].Value
	}
	return options
}

// suggestOpenTasks lists tasks that others can wait for, in the order of their windows.
func suggestOpenTasks(snapshot *board.Snapshot, text string, wanted func(row *board.TaskRow) bool) []form.Option {
	folded := strings.ToLower(strings.TrimSpace(text))
	var rows []*board.TaskRow
	for row := range snapshot.Tasks.All() {
		if row.ShortID != "" && !row.Status.Closed() && wanted(row) && strings.Contains(strings.ToLower(describeTask(row)), folded) {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, func(a, b *board.TaskRow) int { return strings.Compare(string(a.ShortID), string(b.ShortID)) })
	options := make([]form.Option, 0, min(len(rows), maxSuggestions))
	for _, row := range rows[:min(len(rows), maxSuggestions)] {
		options = append(options, form.Option{Value: string(row.ShortID), Label: describeTask(row), Note: row.StatusText()})
	}
	return options
}

// resolveTask takes a task's id, or the short id of one that the board has.
func resolveTask(snapshot *board.Snapshot, text string) (model.ID, error) {
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

// plainLine is a plain line, mind one that warns.
func plainLine(format string, args ...any) Line { return Line{Text: fmt.Sprintf(format, args...)} }

func warnLine(format string, args ...any) Line {
	return Line{Text: fmt.Sprintf(format, args...), Warning: true}
}
