package operations

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

func plainLine(format string, args ...any) Line { return Line{Text: fmt.Sprintf(format, args...)} }

func warnLine(format string, args ...any) Line {
	return Line{Text: fmt.Sprintf(format, args...), Warning: true}
}

// warningLines are the service's warnings about what it has created.
func warningLines(warnings []string) []Line {
	var lines []Line
	for _, warning := range warnings {
		lines = append(lines, warnLine("%s", sentence(model.Clean(warning))))
	}
	return lines
}

// mapList applies a function to every element.
func mapList[T, R any](list []T, apply func(T) R) []R {
	results := make([]R, len(list))
	for i, one := range list {
		results[i] = apply(one)
	}
	return results
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// joinNames joins names with commas and "and"; beyond the limit it counts the rest.
func joinNames(names []string, limit int) string {
	if rest := len(names) - limit; rest > 0 {
		names = append(slices.Clone(names[:limit]), fmt.Sprintf("%d more", rest))
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// shortenText cuts a text that would fill the screen.
func shortenText(text string) string {
	const limit = 60
	line, _, more := strings.Cut(model.CleanMultiline(text), "\n")
	runes := []rune(line)
	switch {
	case len(runes) > limit:
		return string(runes[:limit]) + "…"
	case more:
		return line + " …"
	}
	return line
}

// containsFold reports whether a text contains another that is in lower case.
func containsFold(text, wanted string) bool { return strings.Contains(strings.ToLower(text), wanted) }

// sentence makes a whole sentence of an error's text.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	text = model.Capitalize(text)
	if strings.HasSuffix(text, ".") || strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}

// optionalText is null when the text is empty.
func optionalText(text string) model.Opt[string] { return model.SomeIf(text, text != "") }

// zone is the time zone in which times are read and shown; UTC when the input has none.
func (s Input) zone() *time.Location {
	if s.Zone == nil {
		return time.UTC
	}
	return s.Zone
}

// formatTime shows a time with its day and zone: "today 14:30 PST, in 2h".
func formatTime(s Input, at model.Millis) string {
	text := s.formatClock(at) + ", " + model.FormatRelative(at, s.Now)
	if len(model.FormatClock(at, s.Now, s.zone())) == len("15:04") {
		text = "today " + text
	}
	return text
}

// formatClock is a time with its zone: "14:30 PST".
func (s Input) formatClock(at model.Millis) string {
	full := model.FormatTime(at, s.zone())
	return model.FormatClock(at, s.Now, s.zone()) + full[strings.LastIndexByte(full, ' '):]
}

// formatWindow shows a window, which may be open at either end.
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

// formatSpan is a span of clock times with its zone: "14:00 – 18:00 PST".
func (s Input) formatSpan(w model.TimeWindow) string {
	return model.FormatClock(model.MillisOf(w.Start), s.Now, s.zone()) + " – " + s.formatClock(model.MillisOf(w.End))
}

// organizationSuffix names the organization in a question: " of Bay Couriers".
func organizationSuffix(s Input) string {
	if s.Organization.Name == "" {
		return ""
	}
	return " of " + model.Clean(s.Organization.Name)
}

// startFromArgument fills a field with the argument of the palette.
func startFromArgument(s Input, name string) form.Values {
	if text := strings.TrimSpace(s.Argument); text != "" {
		return form.Values{name: text}
	}
	return form.Values{}
}

// shortID stands in for a name that is not known.
func shortID(id model.ID) string {
	if len(id) <= model.ShortIDLength {
		return model.Clean(string(id))
	}
	return model.Clean(string(id[:model.ShortIDLength])) + "…"
}

// taskLabel is what people call a task: its short id, or its id when the board does not have it.
func taskLabel(snapshot *board.Snapshot, id model.ID) string {
	if row := snapshot.Tasks.Get(id); row != nil && row.ShortID != "" {
		return "task " + string(row.ShortID)
	}
	return "task " + string(id)
}

// newTaskLabel is what people call a task that the service has just returned.
func newTaskLabel(task *model.Task) string {
	if task.ShortID != "" {
		return "task " + string(task.ShortID)
	}
	return "task " + string(task.ID)
}

// teamLabel is a team's name, or the id when the board does not have the team.
func teamLabel(snapshot *board.Snapshot, id model.ID) string {
	if row := snapshot.Teams.Get(id); row != nil && row.Name != "" {
		return row.Name
	}
	return "team " + string(id)
}

// describeTask identifies a task: "dropoff 5d20c1aa, 543 Howard St, for Ada Okafor".
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
