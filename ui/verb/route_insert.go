package verb

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

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
		Name: fieldWho, Title: "Who", About: "The worker whose route it goes into", Hint: "name",
		Suggest: s.suggestWho(rows, false), Echo: s.echoPlace, Check: s.checkWorker,
	}
	chosen := map[model.ID]bool{}
	for _, row := range rows {
		chosen[row.ID] = true
	}
	position := field.Field{
		Name: fieldPosition, Title: "Position", About: "1 is the next stop after the one under way; or the stop to go in front of, or last", Hint: "1",
		Suggest: func(text string, values field.Values) []field.Option { return s.suggestPosition(text, values, chosen) },
		Echo:    func(text string, values field.Values) string { return s.echoPosition(text, values, chosen) },
	}
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
		at, err := s.dockAt(to, values.Get(fieldPosition), chosen)
		if err != nil {
			return Plan{}, field.Problems{fieldPosition: err.Error()}
		}
		return s.planMove(moving{
			rows: rows, skipped: skipped, to: s.workerPlace(to.ID, to.Name), dock: at, partners: keepsTogether(&v.Form, values),
		})
	}
	return v, nil
}

// others are the stops of a route that can have something in front of them: not the active one, nor what moves.
func (s Scene) others(w *model.WorkerRow, moving map[model.ID]bool) []model.ID {
	return slices.DeleteFunc(slices.Clone(w.Tasks), func(id model.ID) bool { return moving[id] || id == w.ActiveTask })
}

// dockAt reads a position: a number from 1, the short id of the stop to go in front of, or a word for either end.
func (s Scene) dockAt(w *model.WorkerRow, text string, moving map[model.ID]bool) (dock, error) {
	others := s.others(w, moving)
	before := func(i int) dock {
		if i >= len(others) {
			return dock{}
		}
		return dock{before: others[i], beforeLabel: strings.TrimPrefix(s.routeLabel(others[i]), "task ")}
	}
	switch text = strings.ToLower(strings.TrimSpace(text)); text {
	case "":
		return dock{}, errors.New("say where: 1 for the next stop, a stop's id, or last")
	case "first", "next", "front":
		return before(0), nil
	case "last", "end":
		return dock{}, nil
	}
	for i, id := range others {
		if row := s.Board.Tasks.Get(id); row != nil && string(row.ShortID) == text {
			return before(i), nil
		}
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return dock{}, fmt.Errorf("%.40q is neither a position nor a stop of %s", model.Clean(text), w.Name)
	case n < 1 || n > len(others)+1:
		return dock{}, fmt.Errorf("%s has positions 1 to %d", w.Name, len(others)+1)
	}
	return before(n - 1), nil
}

func (s Scene) suggestPosition(text string, values field.Values, moving map[model.ID]bool) []field.Option {
	w, err := FindWorker(s.Board, values.Get(fieldWho))
	if err != nil {
		return nil
	}
	var options []field.Option
	wanted := strings.ToLower(strings.TrimSpace(text))
	for i, id := range s.others(w, moving) {
		row := s.Board.Tasks.Get(id)
		if row == nil {
			continue
		}
		option := field.Option{Value: strconv.Itoa(i + 1), Label: fmt.Sprintf("%d, in front of %s", i+1, row.ShortID), Note: s.routeLine(row)}
		if nameFits(option.Label+" "+option.Note, wanted) {
			options = append(options, option)
		}
	}
	if nameFits("last", wanted) {
		options = append(options, field.Option{Value: "last", Label: "last, at the end of the route"})
	}
	return options
}

func (s Scene) echoPosition(text string, values field.Values, moving map[model.ID]bool) string {
	w, err := FindWorker(s.Board, values.Get(fieldWho))
	if err != nil {
		return ""
	}
	at, err := s.dockAt(w, text, moving)
	switch {
	case err != nil:
		return ""
	case at.before == "":
		return "at the end of the route"
	}
	return "in front of " + at.beforeLabel
}
