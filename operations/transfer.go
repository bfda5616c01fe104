package operations

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// NewTransfer moves tasks from their workers to another worker in the order they had: the chosen tasks, or all that the
// chosen workers have and have not started.
func NewTransfer(s Input) (Operation, error) {
	if len(s.Tasks) == 0 {
		if err := s.selectRoutes(); err != nil {
			return Operation{}, err
		}
	}
	rows, skipped, err := s.pickTasks(func(t *board.TaskRow) string { return model.CanUnassign(t.State) }, "be moved")
	if err != nil {
		return Operation{}, err
	}
	s.sortByRoute(rows)
	who := form.Field{
		Name: fieldDriver, Title: "To", About: "The worker who takes over", Prompt: promptName,
		Suggest: s.suggestDrivers(rows, false, onlyOwner(rows)...), Echo: s.echoRoute, Check: s.checkWorker,
	}
	v := Operation{ID: "route.transfer", Title: "Move " + tasksText(rows) + " to another worker", FieldOf: fieldOfDriver}
	v.Form = s.newMoveForm(v.Title, rows, model.CanAssign, who)
	v.Prepare = func(values form.Values) (Proposal, form.Problems) {
		to, err := FindWorker(s.Board, values.Get(fieldDriver))
		if err != nil {
			return Proposal{}, form.Problems{fieldDriver: err.Error()}
		}
		return s.proposeMove(moveRequest{
			rows: rows, skipped: skipped, to: s.workerRoute(to.ID, to.Name), withPartners: movesPartners(&v.Form, values),
			skipsThere: true, asksFirst: true,
		})
	}
	return v, nil
}

func (s Input) checkWorker(text string) error {
	if text == "" {
		return nil
	}
	_, err := FindWorker(s.Board, text)
	return err
}

// selectRoutes chooses everything that the chosen workers have.
func (s *Input) selectRoutes() error {
	if len(s.Workers) == 0 {
		return errors.New("choose a worker or tasks first")
	}
	var names []string
	for _, id := range s.Workers {
		w := s.Board.Workers.Get(id)
		if w == nil {
			continue
		}
		names = append(names, w.Name)
		for _, stop := range s.Board.Route(w) {
			s.Tasks = append(s.Tasks, stop.ID)
		}
	}
	switch {
	case len(names) == 0:
		return errors.New("the worker is not on the board any more")
	case len(s.Tasks) == 0:
		return fmt.Errorf("%s %s no tasks to move", joinNames(names, 3), plural(len(names), "has", "have"))
	}
	return nil
}

// sortByRoute sorts tasks as their workers have them, worker by worker as they were shown.
func (s Input) sortByRoute(rows []*board.TaskRow) {
	workers := ownersOf(rows)
	slices.SortStableFunc(rows, func(a, b *board.TaskRow) int {
		return cmp.Or(
			cmp.Compare(slices.Index(workers, a.Worker), slices.Index(workers, b.Worker)),
			cmp.Compare(s.Board.RoutePosition(a), s.Board.RoutePosition(b)),
		)
	})
}

// ownersOf are the workers of tasks, in the order they come up.
func ownersOf(rows []*board.TaskRow) []model.ID {
	var list []model.ID
	for _, row := range rows {
		if row.Worker != "" && !slices.Contains(list, row.Worker) {
			list = append(list, row.Worker)
		}
	}
	return list
}

// NewUnassign takes the chosen tasks off their workers, back to a team's list or the organization's.
func NewUnassign(s Input) (Operation, error) {
	rows, skipped, err := s.pickTasks(func(t *board.TaskRow) string { return model.CanUnassign(t.State) }, "be unassigned")
	if err != nil {
		return Operation{}, err
	}
	s.sortByRoute(rows)
	places := s.unassignRoutes(rows)
	if len(places) == 0 {
		return Operation{}, errors.New("the organization's id is not known yet; wait until the board has loaded and try again")
	}
	v := Operation{ID: "route.unassign", Title: "Unassign " + tasksText(rows)}
	v.Form = s.newMoveForm(v.Title, rows, model.CanUnassign)
	if len(places) > 1 {
		v.Form.Fields = append([]form.Field{{Name: fieldTarget, Title: "Back to", Kind: form.Choice, Options: routeOptions(places)}}, v.Form.Fields...)
		v.Form.Start[fieldTarget] = string(places[0].ref.Owner())
	}
	v.Prepare = func(values form.Values) (Proposal, form.Problems) {
		to := places[0]
		if chosen := values.Get(fieldTarget); chosen != "" {
			at := slices.IndexFunc(places, func(p route) bool { return string(p.ref.Owner()) == chosen })
			if at < 0 {
				return Proposal{}, form.Problems{fieldTarget: "Choose one of the lists."}
			}
			to = places[at]
		}
		return s.proposeMove(moveRequest{rows: rows, skipped: skipped, to: to, withPartners: movesPartners(&v.Form, values), unassigns: true, asksFirst: true})
	}
	return v, nil
}

// unassignRoutes are the lists that tasks can go back to, the likeliest first: the one team that all their workers are in,
// else the organization's, which everyone sees.
func (s Input) unassignRoutes(rows []*board.TaskRow) []route {
	var teams []route
	common := -1
	workers := ownersOf(rows)
	for t := range s.Board.Teams.All() {
		members := 0
		for _, id := range workers {
			if w := s.Board.Workers.Get(id); w != nil && slices.Contains(w.Teams, t.ID) {
				members++
			}
		}
		if members > 0 {
			teams = append(teams, s.teamRoute(t.ID, t.Name))
		}
		if members > 0 && members == len(workers) {
			common++
		}
	}
	slices.SortFunc(teams, func(a, b route) int { return cmp.Compare(a.name, b.name) })
	var places []route
	if s.Organization.ID != "" {
		places = append(places, s.organizationRoute())
	}
	if len(teams) == 1 && common == 0 {
		return append(teams, places...)
	}
	return append(places, teams...)
}

func routeOptions(places []route) []form.Option {
	options := make([]form.Option, len(places))
	for i, p := range places {
		options[i] = form.Option{Value: string(p.ref.Owner()), Label: p.name}
	}
	return options
}
