package operations

import (
	"fmt"
	"strings"

	"waybill/model"
	"waybill/operations/form"
)

// NewQuantity is task.quantity: changes the quantities of the selected tasks. For a single task the form shows the present
// quantities.
func NewQuantity(s Input) (Operation, error) {
	e := taskEdit{id: "task.quantity", noun: "quantities", members: []string{"quantity", "additionalQuantities"}}
	if err := e.selectEditable(s); err != nil {
		return Operation{}, err
	}
	e.form = form.Form{Title: "Quantities of " + labelTasks(e.tasks), Fields: quantityFields(s, ""), Start: form.Values{}}
	now := currentQuantities(s, e.tasks)
	for i := range e.form.Fields {
		field := &e.form.Fields[i]
		field.Hint, field.Empty = "", "unchanged"
		if value := now[field.Name]; value != "" {
			field.Empty = "unchanged, " + value
		}
	}
	e.read = func(values form.Values, problems form.Problems) edit {
		change := readTask(s, values, problems)
		if len(problems) == 0 && len(change.Members()) == 0 {
			addProblem(problems, "quantity", "Type at least one number.")
		}
		return edit{
			apply: func(now *model.Task) model.TaskInput { return withAllQuantities(now, change) },
			lines: []Line{plainLine("New quantities: %s.", quantitiesText(change))},
		}
	}
	return e.operation(s)
}

// currentQuantities are the quantities of a single selected task, as far as they are known.
func currentQuantities(s Input, tasks []selectedTask) form.Values {
	now := form.Values{}
	if len(tasks) != 1 {
		return now
	}
	if s.Task != nil && s.Task.ID == tasks[0].id {
		all := model.TaskInput{Quantity: model.Some(0.0), AdditionalQuantities: model.Some(model.QuantitiesInput{})}
		return editValues(previousValues(s.Task, all))
	}
	if row := tasks[0].row; row != nil {
		now["quantity"] = fmt.Sprint(row.Quantity)
	}
	return now
}

// taskQuantity is one of the quantities of a task.
type taskQuantity struct {
	field, label string
	value        model.Opt[float64]
}

func quantitiesOf(change model.TaskInput) []taskQuantity {
	more := change.AdditionalQuantities.Value()
	return []taskQuantity{
		{"quantity", "quantity", change.Quantity}, {"quantity_a", "A", more.A}, {"quantity_b", "B", more.B}, {"quantity_c", "C", more.C},
	}
}

func quantitiesText(change model.TaskInput) string {
	var parts []string
	for _, q := range quantitiesOf(change) {
		if n, ok := q.value.Get(); ok {
			parts = append(parts, fmt.Sprintf("%s %g", q.label, n))
		}
	}
	return strings.Join(parts, ", ")
}

// withAllQuantities sends all additional quantities when one changes, because services differ in whether the others stay.
func withAllQuantities(now *model.Task, change model.TaskInput) model.TaskInput {
	if set, ok := change.AdditionalQuantities.Get(); ok {
		more := now.AdditionalQuantities
		change.AdditionalQuantities = model.Some(model.QuantitiesInput{
			A: model.Some(set.A.Or(more.A)), B: model.Some(set.B.Or(more.B)), C: model.Some(set.C.Or(more.C)),
		})
	}
	return change
}
