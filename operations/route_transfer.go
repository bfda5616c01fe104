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
		if err := s.takeRoutes(); err != nil {
			return Operation{}, err
		}
	}
	rows, skipped, err := s.pick(func(t *board.TaskRow) string { return model.UnassignForbidden(t.State) }, "be moved")
	if err != nil {
		return Operation{}, err
	}
	s.inRouteOrder(rows)
	who := form.Field{
		Name: fieldWho, Title: "To", About: "The worker who takes over", Prompt: promptName,
		Suggest: s.suggestWho(rows, false, soleOwner(rows)...), Echo: s.echoPlace, Check: s.checkWorker,
	}
	v := Operation{ID: "route.transfer", Title: "Move " + nameTasks(rows) + " to another worker", FieldOf: placeWho}
	v.Form = s.moveForm(v.Title, rows, model.AssignForbidden, who)
	v.Prepare = func(values form.Values) (Proposal, form.Problems) {
		to, err := FindWorker(s.Board, values.Get(fieldWho))
		if err != nil {
			return Proposal{}, form.Problems{fieldWho: err.Error()}
		}
		return s.planMove(moving{
			rows: rows, skipped: skipped, to: s.workerPlace(to.ID, to.Name), partners: keepsTogether(&v.Form, values),
			leaveThere: true, danger: true,
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

// takeRoutes chooses everything that the chosen workers have.
func (s *Input) takeRoutes() error {
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
		return fmt.Errorf("%s %s no tasks to move", routeList(names, 3), routePlural(len(names), "has", "have"))
	}
	return nil
}

// inRouteOrder sorts tasks as their workers have them, worker by worker as they were shown.
func (s Input) inRouteOrder(rows []*board.TaskRow) {
	workers := owners(rows)
	slices.SortStableFunc(rows, func(a, b *board.TaskRow) int {
		return cmp.Or(
			cmp.Compare(slices.Index(workers, a.Worker), slices.Index(workers, b.Worker)),
			cmp.Compare(s.Board.RoutePosition(a), s.Board.RoutePosition(b)),
		)
	})
}

// owners are the workers of tasks, in the order they come up.
func owners(rows []*board.TaskRow) []model.ID {
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
	rows, skipped, err := s.pick(func(t *board.TaskRow) string { return model.UnassignForbidden(t.State) }, "be unassigned")
	if err != nil {
		return Operation{}, err
	}
	s.inRouteOrder(rows)
	places := s.placesBack(rows)
	if len(places) == 0 {
		return Operation{}, errors.New("the organization's id is not known yet; wait until the board has loaded and try again")
	}
	v := Operation{ID: "route.unassign", Title: "Unassign " + nameTasks(rows)}
	v.Form = s.moveForm(v.Title, rows, model.UnassignForbidden)
	if len(places) > 1 {
		v.Form.Fields = append([]form.Field{{Name: fieldBack, Title: "Back to", Kind: form.Choice, Options: placeOptions(places)}}, v.Form.Fields...)
		v.Form.Start[fieldBack] = string(places[0].ref.Owner())
	}
	v.Prepare = func(values form.Values) (Proposal, form.Problems) {
		to := places[0]
		if chosen := values.Get(fieldBack); chosen != "" {
			at := slices.IndexFunc(places, func(p routePlace) bool { return string(p.ref.Owner()) == chosen })
			if at < 0 {
				return Proposal{}, form.Problems{fieldBack: "Choose one of the lists."}
			}
			to = places[at]
		}
		return s.planMove(moving{rows: rows, skipped: skipped, to: to, partners: keepsTogether(&v.Form, values), takesOff: true, danger: true})
	}
	return v, nil
}

// placesBack are the lists that tasks can go back to, the likeliest first: the one team that all their workers are in,
// else the organization's, which everyone sees.
func (s Input) placesBack(rows []*board.TaskRow) []routePlace {
	var teams []routePlace
	common := -1
	workers := owners(rows)
	for t := range s.Board.Teams.All() {
		members := 0
		for _, id := range workers {
			if w := s.Board.Workers.Get(id); w != nil && slices.Contains(w.Teams, t.ID) {
				members++
			}
		}
		if members > 0 {
			teams = append(teams, s.teamPlace(t.ID, t.Name))
		}
		if members > 0 && members == len(workers) {
			common++
		}
	}
	slices.SortFunc(teams, func(a, b routePlace) int { return cmp.Compare(a.name, b.name) })
	var places []routePlace
	if s.Organization.ID != "" {
		places = append(places, s.organizationPlace())
	}
	if len(teams) == 1 && common == 0 {
		return append(teams, places...)
	}
	return append(places, teams...)
}

func placeOptions(places []routePlace) []form.Option {
	options := make([]form.Option, len(places))
	for i, p := range places {
		options[i] = form.Option{Value: string(p.ref.Owner()), Label: p.name}
	}
	return options
}
