package operations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// route is a container that tasks are in or go to: a driver's route, a team's list, or the organization's.
type route struct {
	ref  model.ContainerRef
	name string // "Ada Okafor", "team North", "the organization"
}

func (s Input) workerRoute(id model.ID, name string) route {
	if w := s.Board.Workers.Get(id); w != nil {
		name = w.Name
	}
	return route{model.WorkerContainer(id), cmp.Or(name, "driver "+shortID(id))}
}

func (s Input) teamRoute(id model.ID, name string) route {
	if t := s.Board.Teams.Get(id); t != nil {
		name = t.Name
	}
	return route{model.TeamContainer(id), "team " + cmp.Or(name, shortID(id))}
}

func (s Input) organizationRoute() route {
	return route{model.OrganizationContainer(s.Organization.ID), "the organization"}
}

// routeOf is the route that the board shows a task on, and its index there; -1 when the board does not know it.
func (s Input) routeOf(t *board.TaskRow) (route, int) {
	r := s.organizationRoute()
	switch {
	case t.Worker != "":
		r = s.workerRoute(t.Worker, t.WorkerName)
	case t.Team != "":
		r = s.teamRoute(t.Team, t.TeamName)
	}
	tasks, _ := s.tasksOn(r)
	return r, slices.Index(tasks, t.ID)
}

// tasksOn are the tasks of a route; false when the board does not have the route.
func (s Input) tasksOn(r route) ([]model.ID, bool) {
	if w := s.Board.Workers.Get(r.ref.Owner()); w != nil {
		return w.Tasks, true
	}
	if t := s.Board.Teams.Get(r.ref.Owner()); t != nil {
		return t.Tasks, true
	}
	return nil, false
}

// insertTasks moves tasks to an index of a route with one request.
func (r route) insertTasks(ctx context.Context, c *apiclient.Client, index int, ids ...model.ID) (model.Container, error) {
	return c.UpdateContainer(ctx, r.ref, model.ContainerUpdate{Tasks: model.ContainerTasks{Index: model.Some(model.Int(index)), IDs: ids}})
}

// isSame reports whether a container is this route. An organization has one, whether its id is known or not.
func (r route) isSame(other model.ContainerRef) bool {
	if r.ref.Type == model.ContainerOrganization {
		return other.Type == model.ContainerOrganization
	}
	return r.ref.Type == other.Type && r.ref.Owner() == other.Owner()
}

func (r route) isWorker() bool { return r.ref.Type == model.ContainerWorker }

func (r route) lock() string { return lockContainer(r.ref) }

// endText says where an appended task goes.
func (r route) endText() string {
	switch r.ref.Type {
	case model.ContainerWorker:
		return "the end of the route of " + r.name
	case model.ContainerTeam:
		return "the list of " + r.name
	default:
		return r.name
	}
}

// taskLine describes a task in a preview.
func (s Input) taskLine(t *board.TaskRow) string {
	parts := []string{string(t.ShortID) + " " + t.Kind()}
	if t.Address != "" {
		parts = append(parts, t.Address)
	}
	if t.Due != 0 {
		parts = append(parts, "due "+s.formatClock(t.Due)+", "+model.FormatRelative(t.Due, s.Now))
	}
	return strings.Join(parts, ", ")
}

const teamPrefix = "team "

// resolveRoute finds the route that a text means: a driver's, or a team's when the text starts with "team" or fits no
// driver.
func (s Input) resolveRoute(text string) (route, error) {
	if strings.TrimSpace(text) == "" {
		return route{}, errors.New("choose a driver or a team")
	}
	if name, ok := cutTeamPrefix(strings.TrimSpace(text)); ok {
		return s.resolveTeamRoute(name)
	}
	if s.Board.Teams.Has(model.ID(strings.TrimSpace(text))) {
		return s.resolveTeamRoute(text)
	}
	to, err := s.resolveWorkerRoute(text)
	if !isUnknownName(err) {
		return to, err
	}
	team, teamErr := s.resolveTeamRoute(text)
	if isUnknownName(teamErr) {
		names := append(boardWorkers(s.Board), boardTeams(s.Board)...)
		_, err = ResolveName(names, text, "driver or team")
		return route{}, err
	}
	return team, teamErr
}

func (s Input) resolveWorkerRoute(text string) (route, error) {
	id, err := resolveName(boardWorkers(s.Board), text, "driver")
	if err != nil {
		return route{}, err
	}
	return s.workerRoute(id, ""), nil
}

func (s Input) resolveTeamRoute(text string) (route, error) {
	id, err := resolveName(boardTeams(s.Board), text, "team")
	if err != nil {
		return route{}, err
	}
	return s.teamRoute(id, ""), nil
}

// cutTeamPrefix removes the word that marks a team.
func cutTeamPrefix(text string) (string, bool) {
	if n := len(teamPrefix); len(text) > n && strings.EqualFold(text[:n], teamPrefix) {
		return text[n:], true
	}
	return text, false
}

// uniqueText is the text that finds an object again: its name, or its id when another object has the same name.
func uniqueText(all []Named, one Named) string {
	for _, n := range all {
		if n.ID != one.ID && strings.EqualFold(strings.TrimSpace(n.Name), strings.TrimSpace(one.Name)) {
			return string(one.ID)
		}
	}
	return one.Name
}

// WorkerText is the text that finds a driver again in a form.
func (s Input) WorkerText(w *board.WorkerRow) string {
	return uniqueText(boardWorkers(s.Board), Named{ID: w.ID, Name: w.Name})
}

func (s Input) teamText(t *board.TeamRow) string {
	return uniqueText(boardTeams(s.Board), Named{ID: t.ID, Name: t.Name})
}

// suggestTeams lists the teams that fit a text, by name.
func (s Input) suggestTeams(text, prefix string) []form.Option {
	wanted, _ := cutTeamPrefix(strings.ToLower(strings.TrimSpace(text)))
	var options []form.Option
	for t := range s.Board.Teams.All() {
		if containsFold(t.Name, wanted) {
			options = append(options, form.Option{
				Value: prefix + s.teamText(t), Label: prefix + t.Name,
				Note: fmt.Sprintf("%s, %s waiting", model.FormatCount(len(t.Workers), "driver"), model.FormatCount(len(t.Tasks), "task")),
			})
		}
	}
	slices.SortFunc(options, func(a, b form.Option) int { return cmp.Compare(a.Label, b.Label) })
	return options
}
