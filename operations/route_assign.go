package operations

import (
	"errors"
	"slices"
	"strings"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// Names of the fields of route verbs.
const (
	fieldWho      = "who"
	fieldTogether = "together"
	fieldPosition = "position"
	fieldBack     = "back"
)

// NewAssign gives the chosen tasks to a worker or a team, at the end of the route. The scene's argument presets who.
func NewAssign(s Input) (Operation, error) {
	rows, skipped, err := s.assignable()
	if err != nil {
		return Operation{}, err
	}
	who := form.Field{
		Name: fieldWho, Title: "Who", About: "A worker, or a team whose list it goes to", Prompt: promptName,
		Suggest: s.suggestWho(rows, true, soleOwner(rows)...), Echo: s.echoPlace, Check: s.checkPlace,
	}
	v := Operation{ID: "route.assign", Title: "Assign " + nameTasks(rows), FieldOf: placeWho}
	v.Form = s.moveForm(v.Title, rows, model.AssignForbidden, who)
	v.Prepare = func(values form.Values) (Proposal, form.Problems) {
		to, err := s.findPlace(values.Get(fieldWho))
		if err != nil {
			return Proposal{}, form.Problems{fieldWho: err.Error()}
		}
		return s.planMove(moving{rows: rows, skipped: skipped, to: to, partners: keepsTogether(&v.Form, values), leaveThere: true})
	}
	return v, nil
}

// moveForm is a form of the given fields, with the question about partners behind them where there are any.
func (s Input) moveForm(title string, rows []*board.TaskRow, can func(model.TaskState) string, fields ...form.Field) form.Form {
	f := form.Form{Title: title, Fields: fields, Start: form.Values{}}
	if preset := strings.TrimSpace(s.Argument); preset != "" {
		f.Start[fieldWho] = preset
	}
	if s.hasPartners(rows, can) {
		f.Start[fieldTogether] = "yes"
		f.Fields = append(f.Fields, form.Field{
			Name: fieldTogether, Title: "Together with linked pickup and drop-off", Kind: form.Yes,
			About: "They stay with one driver, the pickup first",
		})
	}
	return f
}

// keepsTogether reports whether partners move along. A form that did not ask has none, and then it does no harm.
func keepsTogether(f *form.Form, values form.Values) bool {
	_, asked := f.Field(fieldTogether)
	return !asked || values.Yes(fieldTogether)
}

// assignable are the chosen tasks that can be given to someone.
func (s Input) assignable() ([]*board.TaskRow, []Skipped, error) {
	return s.pick(func(t *board.TaskRow) string { return model.AssignForbidden(t.State) }, "be assigned")
}

// pick sorts the chosen tasks into those that a verb fits and those that it does not.
func (s Input) pick(refuse func(*board.TaskRow) string, doing string) ([]*board.TaskRow, []Skipped, error) {
	var rows []*board.TaskRow
	var skipped []Skipped
	for _, id := range s.Tasks {
		row := s.Board.Tasks.Get(id)
		if row == nil {
			skipped = append(skipped, Skipped{s.routeLabel(id), "It is not on the board any more."})
			continue
		}
		if why := refuse(row); why != "" {
			skipped = append(skipped, Skipped{s.routeLabel(id), why})
			continue
		}
		rows = append(rows, row)
	}
	switch {
	case len(s.Tasks) == 0:
		return nil, nil, errors.New("choose a task first")
	case len(rows) == 0 && len(skipped) == 1:
		return nil, nil, errors.New(skipped[0].Reason)
	case len(rows) == 0:
		return nil, nil, errors.New("none of the " + routeCount(len(skipped), "task") + " can " + doing + ": " + skipped[0].Reason)
	}
	return rows, skipped, nil
}

// soleOwner is the worker who has all of the tasks; giving them to that one would change nothing.
func soleOwner(rows []*board.TaskRow) []model.ID {
	if slices.ContainsFunc(rows, func(row *board.TaskRow) bool { return row.Worker != rows[0].Worker }) {
		return nil
	}
	return owners(rows)
}

func nameTasks(rows []*board.TaskRow) string {
	if len(rows) == 1 {
		return string(rows[0].ShortID)
	}
	return routeCount(len(rows), "task")
}

func (s Input) checkPlace(text string) error {
	if strings.TrimSpace(text) == "" {
		return nil // that is said at the end
	}
	_, err := s.findPlace(text)
	return err
}

// placeWho puts the refusal of a list that does not exist onto the field that named it.
func placeWho(err error) (string, bool) {
	return fieldWho, errors.Is(err, apiclient.ErrNotFound) || errors.Is(err, apiclient.ErrOtherOrganization)
}
