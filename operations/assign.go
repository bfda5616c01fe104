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

// Names of the fields of route operations.
const (
	fieldDriver   = "who"
	fieldAssignee = "team"
	fieldTogether = "together"
	fieldPosition = "position"
	fieldTarget   = "back"
)

// NewAssign is route.assign: assigns the selected tasks to a driver or a team. The argument presets whom.
func NewAssign(s Input) (Operation, error) {
	rows, skipped, err := s.pickAssignable()
	if err != nil {
		return Operation{}, err
	}
	op := Operation{ID: "route.assign", Title: "Assign " + tasksText(rows), FieldOf: fieldOfDriver}
	op.Form = s.newMoveForm(op.Title, rows, model.AssignForbidden, s.assignFormFields(rows)...)
	op.Prepare = func(values form.Values) (Proposal, form.Problems) {
		name, field := values.Get(fieldDriver), fieldDriver
		if team := values.Get(fieldAssignee); team != "" {
			name, field = teamPrefix+team, fieldAssignee
		}
		to, err := s.resolveRoute(name)
		if err != nil {
			return Proposal{}, form.Problems{field: sentence(err.Error())}
		}
		list, known := s.stopsOf(to, selectedRows(rows))
		at, err := list.parsePosition(values.Get(fieldPosition))
		if err != nil && known {
			return Proposal{}, form.Problems{fieldPosition: sentence(err.Error())}
		}
		return s.proposeMove(moveRequest{
			rows: rows, skipped: skipped, to: to, position: at, withPartners: s.movesPartners(&op.Form, values), skipsThere: !s.NamedOnly,
		})
	}
	return op, nil
}

func assignFormFields(s Input) []form.Field {
	return append(s.assignFormFields(nil), togetherField("with-dependencies"))
}

// assignFormFields ask whom the tasks go to. Teams and positions of their own are for commands.
func (s Input) assignFormFields(rows []*board.TaskRow) []form.Field {
	position := s.positionField(func(values form.Values) (stopList, bool) {
		to, err := s.resolveRoute(values.Get(fieldDriver))
		if err != nil {
			return stopList{}, false
		}
		return s.stopsOf(to, selectedRows(rows))
	})
	return []form.Field{
		{
			Name: fieldDriver, Title: "Assign to", About: "a driver, or a team for its list", Prompt: promptName, Object: form.Worker,
			Suggest: s.suggestDrivers(rows, true, onlyOwner(rows)...), Echo: s.echoRoute(), Check: checkText(s.resolveRoute),
			Flag: form.Flag{Name: "worker", Usage: "the worker who gets them, by id or name"},
		},
		hiddenField(form.Field{
			Name: fieldAssignee, Title: "Team", Object: form.Team,
			Flag: form.Flag{Usage: "the team that gets them, by id or name"},
		}),
		hiddenField(position),
	}
}

func selectedRows(rows []*board.TaskRow) map[model.ID]bool {
	selected := map[model.ID]bool{}
	for _, row := range rows {
		selected[row.ID] = true
	}
	return selected
}

// newMoveForm is a form of the given fields, followed by the question about linked tasks when there are any.
func (s Input) newMoveForm(title string, rows []*board.TaskRow, can func(model.TaskState) string, fields ...form.Field) form.Form {
	f := form.Form{Title: title, Fields: fields, Start: form.Values{}}
	if preset := strings.TrimSpace(s.Argument); preset != "" {
		f.Start[fieldDriver] = preset
	}
	together := togetherField("with-dependencies")
	if s.hasPartners(rows, can) {
		f.Start[fieldTogether] = "yes"
	} else {
		together = hiddenField(together)
	}
	f.Fields = append(f.Fields, together)
	return f
}

func togetherField(flag string) form.Field {
	return form.Field{
		Name: fieldTogether, Title: "Keep linked tasks together", Kind: form.Yes,
		About: "a pickup and its drop-off stay with one driver, the pickup first",
		Flag:  form.Flag{Name: flag, Usage: "move what the tasks depend on along with them"},
	}
}

// movesPartners reports whether linked tasks move along. Where the console's form did not ask, the board has none, and
// the service moves those that it knows; a command moves them only when asked to.
func (s Input) movesPartners(f *form.Form, values form.Values) bool {
	return values.Yes(fieldTogether) || !s.NamedOnly && f.Start[fieldTogether] == ""
}

// pickAssignable is the part of the selection that can be assigned.
func (s Input) pickAssignable() ([]*board.TaskRow, []Skipped, error) {
	return s.pickTasks(func(t *board.TaskRow) string { return model.AssignForbidden(t.State) }, "assigned")
}

// pickTasks is [splitSelection] for operations that need the rows of all tasks.
func (s Input) pickTasks(refuse func(*board.TaskRow) string, verb string) ([]*board.TaskRow, []Skipped, error) {
	rows := make([]*board.TaskRow, len(s.Tasks))
	for i, id := range s.Tasks {
		if rows[i] = s.Board.Tasks.Get(id); rows[i] == nil {
			rows[i] = &board.TaskRow{ID: id}
		}
	}
	return splitObjects(rows, "a task", verb, func(row *board.TaskRow) (label, reason string) {
		if !s.Board.Tasks.Has(row.ID) {
			return taskLabel(s.Board, row.ID), "The task is no longer on the board."
		}
		return taskLabel(s.Board, row.ID), refuse(row)
	})
}

// onlyOwner is the driver who has all of the tasks. Assigning them to that driver would change nothing.
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
	return model.FormatCount(len(rows), "task")
}

// fieldOfDriver is the driver's field for a refusal because the route does not exist.
func fieldOfDriver(err error) (string, bool) {
	return fieldDriver, errors.Is(err, apiclient.ErrNotFound) || errors.Is(err, apiclient.ErrOtherOrganization)
}
