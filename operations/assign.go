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
	fieldDriver   = "who"
	fieldTogether = "together"
	fieldPosition = "position"
	fieldTarget   = "back"
)

// NewAssign gives the chosen tasks to a worker or a team, at the end of the route. The scene's argument presets who.
func NewAssign(s Input) (Operation, error) {
	rows, skipped, err := s.pickAssignable()
	if err != nil {
		return Operation{}, err
	}
	who := form.Field{
		Name: fieldDriver, Title: "Who", About: "A worker, or a team whose list it goes to", Prompt: promptName,
		Suggest: s.suggestDrivers(rows, true, onlyOwner(rows)...), Echo: s.echoRoute, Check: s.checkRoute,
	}
	v := Operation{ID: "route.assign", Title: "Assign " + tasksText(rows), FieldOf: fieldOfDriver}
	v.Form = s.newMoveForm(v.Title, rows, model.CanAssign, who)
	v.Prepare = func(values form.Values) (Proposal, form.Problems) {
		to, err := s.resolveRoute(values.Get(fieldDriver))
		if err != nil {
			return Proposal{}, form.Problems{fieldDriver: err.Error()}
		}
		return s.proposeMove(moveRequest{rows: rows, skipped: skipped, to: to, withPartners: movesPartners(&v.Form, values), skipsThere: true})
	}
	return v, nil
}

// newMoveForm is a form of the given fields, with the question about partners behind them where there are any.
func (s Input) newMoveForm(title string, rows []*board.TaskRow, can func(model.TaskState) string, fields ...form.Field) form.Form {
	f := form.Form{Title: title, Fields: fields, Start: form.Values{}}
	if preset := strings.TrimSpace(s.Argument); preset != "" {
		f.Start[fieldDriver] = preset
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

// movesPartners reports whether partners move along. A form that did not ask has none, and then it does no harm.
func movesPartners(f *form.Form, values form.Values) bool {
	_, asked := f.Field(fieldTogether)
	return !asked || values.Yes(fieldTogether)
}

// pickAssignable are the chosen tasks that can be given to someone.
func (s Input) pickAssignable() ([]*board.TaskRow, []Skipped, error) {
	return s.pickTasks(func(t *board.TaskRow) string { return model.CanAssign(t.State) }, "be assigned")
}

// pickTasks sorts the chosen tasks into those that a verb fits and those that it does not.
func (s Input) pickTasks(refuse func(*board.TaskRow) string, doing string) ([]*board.TaskRow, []Skipped, error) {
	var rows []*board.TaskRow
	var skipped []Skipped
	for _, id := range s.Tasks {
		row := s.Board.Tasks.Get(id)
		if row == nil {
			skipped = append(skipped, Skipped{s.labelTask(id), "It is not on the board any more."})
			continue
		}
		if why := refuse(row); why != "" {
			skipped = append(skipped, Skipped{s.labelTask(id), why})
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
		return nil, nil, errors.New("none of the " + routeCountNoun(len(skipped), "task") + " can " + doing + ": " + skipped[0].Reason)
	}
	return rows, skipped, nil
}

// onlyOwner is the worker who has all of the tasks; giving them to that one would change nothing.
func onlyOwner(rows []*board.TaskRow) []model.ID {
	if slices.ContainsFunc(rows, func(row *board.TaskRow) bool { return row.Worker != rows[0].Worker }) {
		return nil
	}
	return ownersOf(rows)
}

func tasksText(rows []*board.TaskRow) string {
	if len(rows) == 1 {
		return string(rows[0].ShortID)
	}
	return routeCountNoun(len(rows), "task")
}

func (s Input) checkRoute(text string) error {
	if strings.TrimSpace(text) == "" {
		return nil // that is said at the end
	}
	_, err := s.resolveRoute(text)
	return err
}

// fieldOfDriver puts the refusal of a list that does not exist onto the field that named it.
func fieldOfDriver(err error) (string, bool) {
	return fieldDriver, errors.Is(err, apiclient.ErrNotFound) || errors.Is(err, apiclient.ErrOtherOrganization)
}
