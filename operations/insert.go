package operations

import (
	"waybill/model"
	"waybill/operations/form"
)

// NewInsert is route.insert: puts the selected tasks at a position of a driver's route.
func NewInsert(s Input) (Operation, error) {
	rows, skipped, err := s.pickAssignable()
	if err != nil {
		return Operation{}, err
	}
	selected := selectedRows(rows)
	driver := form.Field{
		Name: fieldDriver, Title: "Driver", About: "the driver whose route it goes on", Prompt: promptName, Object: form.Worker,
		Suggest: s.suggestDrivers(rows, false), Echo: s.echoRoute(), Check: checkText(s.resolveWorkerRoute),
	}
	position := s.positionField(func(values form.Values) (stopList, bool) { return s.workerStops(values.Get(fieldDriver), selected) })
	op := Operation{ID: "route.insert", Title: "Insert " + tasksText(rows) + " into a route", FieldOf: fieldOfDriver}
	op.Form = s.newMoveForm(op.Title, rows, model.AssignForbidden, driver, position)
	if from := ownersOf(rows); op.Form.Start[fieldDriver] == "" && len(from) == 1 {
		if w := s.Board.Workers.Get(from[0]); w != nil {
			op.Form.Start[fieldDriver] = s.WorkerText(w) // most inserts move a stop within its route
		}
	}
	op.Prepare = func(values form.Values) (Proposal, form.Problems) {
		to, err := s.resolveWorkerRoute(values.Get(fieldDriver))
		if err != nil {
			return Proposal{}, form.Problems{fieldDriver: sentence(err.Error())}
		}
		if values.Get(fieldPosition) == "" {
			return Proposal{}, form.Problems{fieldPosition: "Choose a position: 1 for the next stop, a stop's id, or last."}
		}
		stops, _ := s.stopsOf(to, selected)
		at, err := stops.parsePosition(values.Get(fieldPosition))
		if err != nil {
			return Proposal{}, form.Problems{fieldPosition: sentence(err.Error())}
		}
		return s.proposeMove(moveRequest{
			rows: rows, skipped: skipped, to: to, position: at, withPartners: s.movesPartners(&op.Form, values),
		})
	}
	return op, nil
}
