package operations

import (
	"waybill/model"
	"waybill/operations/form"
)

// NewInsert puts the chosen tasks at a position of a worker's route.
func NewInsert(s Input) (Operation, error) {
	rows, skipped, err := s.pickAssignable()
	if err != nil {
		return Operation{}, err
	}
	who := form.Field{
		Name: fieldDriver, Title: "Who", About: "The worker whose route it goes into", Prompt: promptName,
		Suggest: s.suggestDrivers(rows, false), Echo: s.echoRoute, Check: s.checkWorker,
	}
	chosen := map[model.ID]bool{}
	for _, row := range rows {
		chosen[row.ID] = true
	}
	position := s.positionField(func(values form.Values) (stopList, bool) {
		w, err := FindWorker(s.Board, values.Get(fieldDriver))
		if err != nil {
			return stopList{}, false
		}
		return s.stopsOf(s.workerRoute(w.ID, w.Name), chosen)
	})
	v := Operation{ID: "route.insert", Title: "Insert " + tasksText(rows) + " into a route", FieldOf: fieldOfDriver}
	v.Form = s.newMoveForm(v.Title, rows, model.CanAssign, who, position)
	if from := ownersOf(rows); v.Form.Start[fieldDriver] == "" && len(from) == 1 {
		if w := s.Board.Workers.Get(from[0]); w != nil {
			v.Form.Start[fieldDriver] = s.workerText(w) // moving within the route is what one wants then
		}
	}
	v.Prepare = func(values form.Values) (Proposal, form.Problems) {
		to, err := FindWorker(s.Board, values.Get(fieldDriver))
		if err != nil {
			return Proposal{}, form.Problems{fieldDriver: err.Error()}
		}
		place := s.workerRoute(to.ID, to.Name)
		route, _ := s.stopsOf(place, chosen)
		if values.Get(fieldPosition) == "" {
			return Proposal{}, form.Problems{fieldPosition: "say where: 1 for the next stop, a stop's id, or last"}
		}
		at, err := route.parsePosition(values.Get(fieldPosition))
		if err != nil {
			return Proposal{}, form.Problems{fieldPosition: err.Error()}
		}
		return s.proposeMove(moveRequest{
			rows: rows, skipped: skipped, to: place, position: at, withPartners: movesPartners(&v.Form, values),
		})
	}
	return v, nil
}
