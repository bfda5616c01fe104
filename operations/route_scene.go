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

// when is a time for a preview, with its zone: "14:30 PST, in 12m".
func (s Input) when(at model.Millis) string {
	return s.sayClock(at) + ", " + model.FormatRelative(at, s.Now)
}

// sayClock is a time with its zone.
func (s Input) sayClock(at model.Millis) string {
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

// routePlace is a list that tasks are in or go to: a worker's route, a team's list, or the organization's.
type routePlace struct {
	ref  model.ContainerRef
	name string // "Ada Okafor", "team North", "the organization's list"
}

func (s Input) workerPlace(id model.ID, name string) routePlace {
	if w := s.Board.Workers.Get(id); w != nil {
		name = w.Name
	}
	return routePlace{model.WorkerContainer(id), cmp.Or(name, "worker "+routeShort(id))}
}

func (s Input) teamPlace(id model.ID, name string) routePlace {
	if t := s.Board.Teams.Get(id); t != nil {
		name = t.Name
	}
	return routePlace{model.TeamContainer(id), "team " + cmp.Or(name, routeShort(id))}
}

func (s Input) organizationPlace() routePlace {
	return routePlace{model.OrganizationContainer(s.Organization.ID), "the organization's list"}
}

// whereabouts is the list that a task was seen in, and its index there; -1 when the board does not tell.
func (s Input) whereabouts(t *board.TaskRow) (routePlace, int) {
	switch {
	case t.Worker != "":
		index := -1
		if w := s.Board.Workers.Get(t.Worker); w != nil {
			index = slices.Index(w.Tasks, t.ID)
		}
		return s.workerPlace(t.Worker, t.WorkerName), index
	case t.Team != "":
		index := -1
		if team := s.Board.Teams.Get(t.Team); team != nil {
			index = slices.Index(team.Tasks, t.ID)
		}
		return s.teamPlace(t.Team, t.TeamName), index
	}
	return s.organizationPlace(), -1
}

// is reports whether two places are the same list. An organization has one, whether its id is known or not.
func (p routePlace) is(other model.ContainerRef) bool {
	if p.ref.Type == model.ContainerOrganization {
		return other.Type == model.ContainerOrganization
	}
	return p.ref.Type == other.Type && p.ref.Owner() == other.Owner()
}

func (p routePlace) isWorker() bool { return p.ref.Type == model.ContainerWorker }

// lock names the list, so that its changes follow each other.
func (p routePlace) lock() string {
	if p.ref.Type == model.ContainerOrganization {
		return "container of the organization"
	}
	return "container " + string(p.ref.Owner())
}

// end says where an appended task goes.
func (p routePlace) end() string {
	switch p.ref.Type {
	case model.ContainerWorker:
		return "the end of the route of " + p.name
	case model.ContainerTeam:
		return "the list of " + p.name
	}
	return p.name
}

// routeShort is what stands in for a name that is not known.
func routeShort(id model.ID) string {
	if len(id) <= model.ShortIDLength {
		return model.Clean(string(id))
	}
	return model.Clean(string(id[:model.ShortIDLength])) + "…"
}

// routeLabel is how a task is called on the screen.
func (s Input) routeLabel(id model.ID) string {
	if t := s.Board.Tasks.Get(id); t != nil && t.ShortID != "" {
		return "task " + string(t.ShortID)
	}
	return "task " + routeShort(id)
}

// routeLine describes a task in a preview.
func (s Input) routeLine(t *board.TaskRow) string {
	words := []string{string(t.ShortID) + " " + t.Kind()}
	if t.Address != "" {
		words = append(words, t.Address)
	}
	if t.Due != 0 {
		words = append(words, "due "+s.when(t.Due))
	}
	return strings.Join(words, ", ")
}

// routeCount is "1 task", "3 tasks".
func routeCount(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// routeList joins names with commas and an "and"; beyond limit it counts the rest.
func routeList(names []string, limit int) string {
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
	return findNamedRow(snapshot.Workers.All(), func(w *board.WorkerRow) string { return w.Name }, text, "worker")
}

// FindTeam finds a team on the board like [FindWorker] does a worker.
func FindTeam(snapshot *board.Snapshot, text string) (*board.TeamRow, error) {
	if t := snapshot.Teams.Get(model.ID(strings.TrimSpace(text))); t != nil {
		return t, nil
	}
	return findNamedRow(snapshot.Teams.All(), func(t *board.TeamRow) string { return t.Name }, text, "team")
}

// errNobody says that nothing on the board fits a text.
var errNobody = errors.New("is not on the board")

func findNamedRow[R any](rows iter.Seq[*R], name func(*R) string, text, what string) (*R, error) {
	wanted := strings.ToLower(strings.TrimSpace(text))
	if wanted == "" {
		return nil, fmt.Errorf("say which %s", what)
	}
	var same, near []*R
	for row := range rows {
		switch called := strings.ToLower(strings.TrimSpace(name(row))); {
		case called == wanted:
			same = append(same, row)
		case beginsWord(called, wanted):
			near = append(near, row)
		}
	}
	found := same
	if len(same) == 0 {
		found = near
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("a %s called %.60q %w; choose from the list", what, model.Clean(text), errNobody)
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
	return nil, fmt.Errorf("%.60q could be %s; type more of the name", model.Clean(text), strings.Replace(routeList(names, 4), " and ", " or ", 1))
}

// beginsWord reports whether a name has a word, or a run of words, that starts with the text.
func beginsWord(name, text string) bool {
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

const routeTeamPrefix = "team "

// findPlace finds a worker, or a team when the text starts with "team" or no worker fits.
func (s Input) findPlace(text string) (routePlace, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return routePlace{}, errors.New("say who gets it: a worker, or a team")
	}
	if rest, ok := cutTeam(text); ok {
		team, err := FindTeam(s.Board, rest)
		if err != nil {
			return routePlace{}, err
		}
		return s.teamPlace(team.ID, team.Name), nil
	}
	worker, err := FindWorker(s.Board, text)
	if err == nil {
		return s.workerPlace(worker.ID, worker.Name), nil
	}
	if errors.Is(err, errNobody) {
		team, teamErr := FindTeam(s.Board, text)
		switch {
		case teamErr == nil:
			return s.teamPlace(team.ID, team.Name), nil
		case !errors.Is(teamErr, errNobody):
			return routePlace{}, teamErr
		}
		err = fmt.Errorf("no worker and no team on the board is called %.60q; choose from the list", model.Clean(text))
	}
	return routePlace{}, err
}

// cutTeam takes the word off the front that says that a team is meant.
func cutTeam(text string) (string, bool) {
	if n := len(routeTeamPrefix); len(text) > n && strings.EqualFold(text[:n], routeTeamPrefix) {
		return text[n:], true
	}
	return text, false
}

// typedName is the text that finds a row again: its name, or its id where another has the same name.
func typedName[R any](rows iter.Seq[*R], name func(*R) string, one *R, id model.ID) string {
	for row := range rows {
		if row != one && strings.EqualFold(strings.TrimSpace(name(row)), strings.TrimSpace(name(one))) {
			return string(id)
		}
	}
	return name(one)
}

func (s Input) typedWorker(w *board.WorkerRow) string {
	return typedName(s.Board.Workers.All(), func(w *board.WorkerRow) string { return w.Name }, w, w.ID)
}

func (s Input) typedTeam(t *board.TeamRow) string {
	return typedName(s.Board.Teams.All(), func(t *board.TeamRow) string { return t.Name }, t, t.ID)
}

// teamOptions lists the teams that fit a text, by name.
func (s Input) teamOptions(text, prefix string) []form.Option {
	wanted := strings.ToLower(strings.TrimSpace(text))
	wanted, _ = cutTeam(wanted)
	var options []form.Option
	for t := range s.Board.Teams.All() {
		if nameFits(t.Name, wanted) {
			options = append(options, form.Option{
				Value: prefix + s.typedTeam(t), Label: prefix + t.Name,
				Note: routeCount(len(t.Workers), "worker") + ", " + routeCount(len(t.Tasks), "task") + " waiting",
			})
		}
	}
	slices.SortFunc(options, func(a, b form.Option) int { return cmp.Compare(a.Label, b.Label) })
	return options
}

// nameFits reports whether a name could be meant by what was typed so far.
func nameFits(name, wanted string) bool { return strings.Contains(strings.ToLower(name), wanted) }
