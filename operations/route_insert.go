package operations

import (
	"waybill/model"
	"waybill/operations/form"
)

// NewInsert puts the chosen tasks at a position of a worker's route.
func NewInsert(s Input) (Operation, error) {
	rows, skipped, err := s.assignable()
	if err != nil {
		return Operation{}, err
	}
	who := form.Field{
		Name: fieldWho, Title: "Who", About: "The worker whose route it goes into", Prompt: promptName,
		Suggest: s.suggestWho(rows, false), Echo: s.echoPlace, Check: s.checkWorker,
	}
	chosen := map[model.ID]bool{}
	for _, row := range rows {
		chosen[row.ID] = true
	}
	position := s.positionField(func(values form.Values) (queue, bool) {
		w, err := FindWorker(s.Board, values.Get(fieldWho))
		if err != nil {
			return queue{}, false
		}
		return s.queueOf(s.workerPlace(w.ID, w.Name), chosen)
	})
	v := Operation{ID: "route.insert", Title: "Insert " + nameTasks(rows) + " into a route", FieldOf: placeWho}
	v.Form = s.moveForm(v.Title, rows, model.AssignForbidden, who, position)
	if from := owners(rows); v.Form.Start[fieldWho] == "" && len(from) == 1 {
		if w := s.Board.Workers.Get(from[0]); w != nil {
			v.Form.Start[fieldWho] = s.typedWorker(w) // moving within the route is what one wants then
		}
	}
	v.Prepare = func(values form.Values) (Proposal, form.Problems) {
		to, err := FindWorker(s.Board, values.Get(fieldWho))
		if err != nil {
			return Proposal{}, form.Problems{fieldWho: err.Error()}
		}
		place := s.workerPlace(to.ID, to.Name)
		route, _ := s.queueOf(place, chosen)
		if values.Get(fieldPosition) == "" {
			return Proposal{}, form.Problems{fieldPosition: "say where: 1 for the next stop, a stop's id, or last"}
		}
		at, err := route.dockAt(values.Get(fieldPosition))
		if err != nil {
			return Proposal{}, form.Problems{fieldPosition: err.Error()}
		}
		return s.planMove(moving{
			rows: rows, skipped: skipped, to: place, dock: at, partners: keepsTogether(&v.Form, values),
		})
	}
	return v, nil
}
