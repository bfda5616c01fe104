package operations

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// zone is where times are told; UTC when the scene does not say.
func (s Input) zone() *time.Location {
	if s.Zone == nil {
		return time.UTC
	}
	return s.Zone
}

// formatDue is a time for a preview, with its zone: "14:30 PST, in 12m".
func (s Input) formatDue(at model.Millis) string {
	return s.formatClock(at) + ", " + model.FormatRelative(at, s.Now)
}

// formatClock is a time with its zone.
func (s Input) formatClock(at model.Millis) string {
	return model.FormatClock(at, s.Now, s.zone()) + " " + s.zoneAt(at)
}

// zoneAt is the zone's abbreviation, or its offset where it has none.
func (s Input) zoneAt(at model.Millis) string {
	name, _ := at.Time().In(s.zone()).Zone()
	if strings.HasPrefix(name, "+") || strings.HasPrefix(name, "-") {
		return "UTC" + name
	}
	return name
}

// route is a list that tasks are in or go to: a worker's route, a team's list, or the organization's.
type route struct {
	ref  model.ContainerRef
	name string // "Ada Okafor", "team North", "the organization's list"
}

func (s Input) workerRoute(id model.ID, name string) route {
	if w := s.Board.Workers.Get(id); w != nil {
		name = w.Name
	}
	return route{model.WorkerContainer(id), cmp.Or(name, "worker "+shortID(id))}
}

func (s Input) teamRoute(id model.ID, name string) route {
	if t := s.Board.Teams.Get(id); t != nil {
		name = t.Name
	}
	return route{model.TeamContainer(id), "team " + cmp.Or(name, shortID(id))}
}

func (s Input) organizationRoute() route {
	return route{model.OrganizationContainer(s.Organization.ID), "the organization's list"}
}

// routeOf is the list that a task was seen in, and its index there; -1 when the board does not tell.
func (s Input) routeOf(t *board.TaskRow) (route, int) {
	switch {
	case t.Worker != "":
		index := -1
		if w := s.Board.Workers.Get(t.Worker); w != nil {
			index = slices.Index(w.Tasks, t.ID)
		}
		return s.workerRoute(t.Worker, t.WorkerName), index
	case t.Team != "":
		index := -1
		if team := s.Board.Teams.Get(t.Team); team != nil {
			index = slices.Index(team.Tasks, t.ID)
		}
		return s.teamRoute(t.Team, t.TeamName), index
	}
	return s.organizationRoute(), -1
}

// isSame reports whether two places are the same list. An organization has one, whether its id is known or not.
func (p route) isSame(other model.ContainerRef) bool {
	if p.ref.Type == model.ContainerOrganization {
		return other.Type == model.ContainerOrganization
	}
	return p.ref.Type == other.Type && p.ref.Owner() == other.Owner()
}

func (p route) isWorker() bool { return p.ref.Type == model.ContainerWorker }

// lock names the list, so that its changes follow each other.
func (p route) lock() string {
	if p.ref.Type == model.ContainerOrganization {
		return "container of the organization"
	}
	return "container " + string(p.ref.Owner())
}

// endText says where an appended task goes.
func (p route) endText() string {
	switch p.ref.Type {
	case model.ContainerWorker:
		return "the end of the route of " + p.name
	case model.ContainerTeam:
		return "the list of " + p.name
	}
	return p.name
}

// shortID is what stands in for a name that is not known.
func shortID(id model.ID) string {
	if len(id) <= model.ShortIDLength {
		return model.Clean(string(id))
	}
	return model.Clean(string(id[:model.ShortIDLength])) + "…"
}

// labelTask is how a task is called on the screen.
func (s Input) labelTask(id model.ID) string {
	if t := s.Board.Tasks.Get(id); t != nil && t.ShortID != "" {
		return "task " + string(t.ShortID)
	}
	return "task " + shortID(id)
}

// taskLine describes a task in a preview.
func (s Input) taskLine(t *board.TaskRow) string {
	words := []string{string(t.ShortID) + " " + t.Kind()}
	if t.Address != "" {
		words = append(words, t.Address)
	}
	if t.Before != 0 {
		words = append(words, "due "+s.formatDue(t.Before))
	}
	return strings.Join(words, ", ")
}

// routeCountNoun is "1 task", "3 tasks".
func routeCountNoun(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// joinNames joins names with commas and an "and"; beyond limit it counts the rest.
func joinNames(names []string, limit int) string {
	if rest := len(names) - limit; rest > 0 {
		names = append(slices.Clone(names[:limit]), fmt.Sprintf("%d more", rest))
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// FindWorker finds a worker on the board by what someone typed: an id, a name, or the beginning of one of its words
// that no other worker's has.
func FindWorker(snapshot *board.Snapshot, text string) (*board.WorkerRow, error) {
	if w := snapshot.Workers.Get(model.ID(strings.TrimSpace(text))); w != nil {
		return w, nil
	}
	return findRowByName(snapshot.Workers.All(), func(w *board.WorkerRow) string { return w.Name }, text, "worker")
}

// FindTeam finds a team on the board like [FindWorker] does a worker.
func FindTeam(snapshot *board.Snapshot, text string) (*board.TeamRow, error) {
	if t := snapshot.Teams.Get(model.ID(strings.TrimSpace(text))); t != nil {
		return t, nil
	}
	return findRowByName(snapshot.Teams.All(), func(t *board.TeamRow) string { return t.Name }, text, "team")
}

// errUnknownName says that nothing on the board fits a text.
var errUnknownName = errors.New("is not on the board")

func findRowByName[R any](rows iter.Seq[*R], name func(*R) string, text, what string) (*R, error) {
	wanted := strings.ToLower(strings.TrimSpace(text))
	if wanted == "" {
		return nil, fmt.Errorf("say which %s", what)
	}
	var same, near []*R
	for row := range rows {
		switch called := strings.ToLower(strings.TrimSpace(name(row))); {
		case called == wanted:
			same = append(same, row)
		case startsWord(called, wanted):
			near = append(near, row)
		}
	}
	found := same
	if len(same) == 0 {
		found = near
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("a %s called %.60q %w; choose from the list", what, model.Clean(text), errUnknownName)
	case 1:
		return found[0], nil
	}
	if len(same) > 1 {
		return nil, fmt.Errorf("%d %ss are called %.60q; choose the one you mean from the list", len(same), what, model.Clean(text))
	}
	names := make([]string, len(found))
	for i, row := range found {
		names[i] = name(row)
	}
	slices.Sort(names)
	return nil, fmt.Errorf("%.60q could be %s; type more of the name", model.Clean(text), strings.Replace(joinNames(names, 4), " and ", " or ", 1))
}

// startsWord reports whether a name has a word, or a run of words, that starts with the text.
func startsWord(name, text string) bool {
	for {
		if strings.HasPrefix(name, text) {
			return true
		}
		_, rest, more := strings.Cut(name, " ")
		if !more {
			return false
		}
		name = strings.TrimLeft(rest, " ")
	}
}

const teamPrefix = "team "

// resolveRoute finds a worker, or a team when the text starts with "team" or no worker fits.
func (s Input) resolveRoute(text string) (route, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return route{}, errors.New("say who gets it: a worker, or a team")
	}
	if rest, ok := cutTeamPrefix(text); ok {
		team, err := FindTeam(s.Board, rest)
		if err != nil {
			return route{}, err
		}
		return s.teamRoute(team.ID, team.Name), nil
	}
	worker, err := FindWorker(s.Board, text)
	if err == nil {
		return s.workerRoute(worker.ID, worker.Name), nil
	}
	if errors.Is(err, errUnknownName) {
		team, teamErr := FindTeam(s.Board, text)
		switch {
		case teamErr == nil:
			return s.teamRoute(team.ID, team.Name), nil
		case !errors.Is(teamErr, errUnknownName):
			return route{}, teamErr
		}
		err = fmt.Errorf("no worker and no team on the board is called %.60q; choose from the list", model.Clean(text))
	}
	return route{}, err
}

// cutTeamPrefix takes the word off the front that says that a team is meant.
func cutTeamPrefix(text string) (string, bool) {
	if n := len(teamPrefix); len(text) > n && strings.EqualFold(text[:n], teamPrefix) {
		return text[n:], true
	}
	return text, false
}

// uniqueText is the text that finds a row again: its name, or its id where another has the same name.
func uniqueText[R any](rows iter.Seq[*R], name func(*R) string, one *R, id model.ID) string {
	for row := range rows {
		if row != one && strings.EqualFold(strings.TrimSpace(name(row)), strings.TrimSpace(name(one))) {
			return string(id)
		}
	}
	return name(one)
}

func (s Input) workerText(w *board.WorkerRow) string {
	return uniqueText(s.Board.Workers.All(), func(w *board.WorkerRow) string { return w.Name }, w, w.ID)
}

func (s Input) teamText(t *board.TeamRow) string {
	return uniqueText(s.Board.Teams.All(), func(t *board.TeamRow) string { return t.Name }, t, t.ID)
}

// suggestTeams lists the teams that fit a text, by name.
func (s Input) suggestTeams(text, prefix string) []form.Option {
	wanted := strings.ToLower(strings.TrimSpace(text))
	wanted, _ = cutTeamPrefix(wanted)
	var options []form.Option
	for t := range s.Board.Teams.All() {
		if containsFold(t.Name, wanted) {
			options = append(options, form.Option{
				Value: prefix + s.teamText(t), Label: prefix + t.Name,
				Note: routeCountNoun(len(t.Workers), "worker") + ", " + routeCountNoun(len(t.Tasks), "task") + " waiting",
			})
		}
	}
	slices.SortFunc(options, func(a, b form.Option) int { return cmp.Compare(a.Label, b.Label) })
	return options
}

// containsFold reports whether a name could be meant by what was typed so far.
func containsFold(name, wanted string) bool { return strings.Contains(strings.ToLower(name), wanted) }
