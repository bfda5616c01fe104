package verb

import (
	"waybill/model"
	"waybill/ui/field"
)

// NewInsert puts the chosen tasks at a position of a worker's route.
func NewInsert(s Scene) (Verb, error) {
	rows, skipped, err := s.assignable()
	if err != nil {
		return Verb{}, err
	}
	who := field.Field{
		Name: fieldWho, Title: "Who", About: "The worker whose route it goes into", Prompt: promptName,
		Suggest: s.suggestWho(rows, false), Echo: s.echoPlace, Check: s.checkWorker,
	}
	chosen := map[model.ID]bool{}
	for _, row := range rows {
		chosen[row.ID] = true
	}
	position := s.positionField(func(values field.Values) (queue, bool) {
		w, err := FindWorker(s.Board, values.Get(fieldWho))
		if err != nil {
			return queue{}, false
		}
		return s.queueOf(s.workerPlace(w.ID, w.Name), chosen)
	})
	v := Verb{ID: "route.insert", Title: "Insert " + nameTasks(rows) + " into a route", Place: placeWho}
	v.Form = s.moveForm(v.Title, rows, model.CanAssign, who, position)
	if from := owners(rows); v.Form.Start[fieldWho] == "" && len(from) == 1 {
		if w := s.Board.Workers.Get(from[0]); w != nil {
			v.Form.Start[fieldWho] = s.typedWorker(w) // moving within the route is what one wants then
		}
	}
	v.Prepare = func(values field.Values) (Plan, field.Problems) {
		to, err := FindWorker(s.Board, values.Get(fieldWho))
		if err != nil {
			return Plan{}, field.Problems{fieldWho: err.Error()}
		}
		place := s.workerPlace(to.ID, to.Name)
		route, _ := s.queueOf(place, chosen)
		if values.Get(fieldPosition) == "" {
			return Plan{}, field.Problems{fieldPosition: "say where: 1 for the next stop, a stop's id, or last"}
		}
		at, err := route.dockAt(values.Get(fieldPosition))
		if err != nil {
			return Plan{}, field.Problems{fieldPosition: err.Error()}
		}
		return s.planMove(moving{
			rows: rows, skipped: skipped, to: place, dock: at, partners: keepsTogether(&v.Form, values),
		})
	}
	return v, nil
}
