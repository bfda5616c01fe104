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

// NewTransfer is route.transfer: moves tasks from their drivers to another driver and keeps their order. It moves the
// selected tasks, or everything that the selected drivers have not started.
func NewTransfer(s Input) (Operation, error) {
	if len(s.Tasks) == 0 {
		if err := s.selectRoutes(); err != nil {
			return Operation{}, err
		}
	}
	rows, skipped, err := s.pickTasks(func(t *board.TaskRow) string { return model.UnassignForbidden(t.State) }, "moved")
	if err != nil {
		return Operation{}, err
	}
	s.sortByRoute(rows)
	driver := form.Field{
		Name: fieldDriver, Title: "Driver", About: "the driver who takes over", Prompt: promptName, Object: form.Worker,
		Suggest: s.suggestDrivers(rows, false, onlyOwner(rows)...), Echo: s.echoRoute(), Check: checkText(s.resolveWorkerRoute),
	}
	op := Operation{ID: "route.transfer", Title: "Move " + tasksText(rows) + " to another driver", FieldOf: fieldOfDriver}
	op.Form = s.newMoveForm(op.Title, rows, model.AssignForbidden, driver)
	op.Prepare = func(values form.Values) (Proposal, form.Problems) {
		to, err := s.resolveWorkerRoute(values.Get(fieldDriver))
		if err != nil {
			return Proposal{}, form.Problems{fieldDriver: sentence(err.Error())}
		}
		return s.proposeMove(moveRequest{
			rows: rows, skipped: skipped, to: to, withPartners: s.movesPartners(&op.Form, values), skipsThere: true, asksFirst: true,
		})
	}
	return op, nil
}

// selectRoutes selects every task of the selected drivers.
func (s *Input) selectRoutes() error {
	if len(s.Workers) == 0 {
		return errors.New("select a driver or tasks first")
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
		return errors.New("the driver is no longer on the board")
	case len(s.Tasks) == 0:
		return fmt.Errorf("%s %s no tasks to move", joinNames(names, 3), plural(len(names), "has", "have"))
	}
	return nil
}

// sortByRoute sorts tasks by driver, in the order shown, and by their position on the route.
func (s Input) sortByRoute(rows []*board.TaskRow) {
	workers := ownersOf(rows)
	slices.SortStableFunc(rows, func(a, b *board.TaskRow) int {
		return cmp.Or(
			cmp.Compare(slices.Index(workers, a.Worker), slices.Index(workers, b.Worker)),
			cmp.Compare(s.Board.RoutePosition(a), s.Board.RoutePosition(b)),
		)
	})
}

// ownersOf are the drivers of tasks, each once.
func ownersOf(rows []*board.TaskRow) []model.ID {
	var list []model.ID
	for _, row := range rows {
		if row.Worker != "" {
			list = appendNew(list, row.Worker)
		}
	}
	return list
}
