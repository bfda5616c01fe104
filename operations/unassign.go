package operations

import (
	"cmp"
	"errors"
	"slices"

	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// NewUnassign is route.unassign: takes the selected tasks from their drivers, back to a team's list or the organization's.
func NewUnassign(s Input) (Operation, error) {
	rows, skipped, err := s.pickTasks(func(t *board.TaskRow) string {
		if s.NamedOnly && t.State == model.TaskUnassigned {
			return "" // a command may be repeated, and may take a task from a team's list
		}
		return model.UnassignForbidden(t.State)
	}, "unassigned")
	if err != nil {
		return Operation{}, err
	}
	s.sortByRoute(rows)
	targets := s.unassignRoutes(rows)
	if len(targets) == 0 {
		return Operation{}, errors.New("the organization is not loaded yet; wait for the board and try again")
	}
	op := Operation{ID: "route.unassign", Title: "Unassign " + tasksText(rows)}
	op.Form = s.newMoveForm(op.Title, rows, model.UnassignForbidden)
	if len(targets) > 1 {
		options := mapList(targets, func(r route) form.Option { return form.Option{Value: string(r.ref.Owner()), Label: r.name} })
		target := form.Field{Name: fieldTarget, Title: "Move to", Kind: form.Choice, Options: options}
		op.Form.Fields = append([]form.Field{target}, op.Form.Fields...)
		op.Form.Start[fieldTarget] = string(targets[0].ref.Owner())
	}
	op.Prepare = func(values form.Values) (Proposal, form.Problems) {
		to := targets[0]
		if chosen := values.Get(fieldTarget); chosen != "" {
			i := slices.IndexFunc(targets, func(r route) bool { return string(r.ref.Owner()) == chosen })
			if i < 0 {
				return Proposal{}, form.Problems{fieldTarget: "Choose one of the lists."}
			}
			to = targets[i]
		}
		return s.proposeMove(moveRequest{
			rows: rows, skipped: skipped, to: to, withPartners: s.movesPartners(&op.Form, values), unassigns: true, asksFirst: true,
		})
	}
	return op, nil
}

// unassignRoutes are the lists that tasks can go back to, the likeliest first: the one team that all their drivers are
// in, or else the organization's, which everyone sees. Commands use the organization's.
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
	var targets []route
	if s.Organization.ID != "" {
		targets = append(targets, s.organizationRoute())
	}
	if len(teams) == 1 && common == 0 && !s.NamedOnly {
		return append(teams, targets...)
	}
	return append(targets, teams...)
}
