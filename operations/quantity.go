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
	fit, skipped := splitSelection(s, refuseUpdate("quantity", "additionalQuantities"))
	if err := checkSelection(fit, skipped); err != nil {
		return Operation{}, err
	}
	f := form.Form{Title: "Quantities of " + labelTasks(fit), Start: form.Values{}}
	now := currentQuantities(s, fit)
	f.Fields = quantityFields(s, "")
	for i := range f.Fields {
		field := &f.Fields[i]
		field.Hint, field.Empty = "", "unchanged"
		if value := now[field.Name]; value != "" {
			field.Empty = "unchanged, " + value
		}
	}
	return Operation{
		ID: "task.quantity", Title: f.Title, Form: f, FieldOf: fieldFinder(&f, fieldOfMember),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			problems := form.Problems{}
			draft := newDraft(s)
			fillDraft(draft, values, []string{"quantity", "quantity_a", "quantity_b", "quantity_c"}, problems)
			change, err := draft.Changes()
			if err != nil {
				addProblem(problems, "", sentence(err.Error()))
			}
			if len(problems) == 0 && len(change.Members()) == 0 {
				addProblem(problems, "quantity", "Type at least one number.")
			}
			addRules(problems, &f, values, change.CheckUpdate(&model.Task{}), fieldOfMember)
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			plan := Proposal{Skipped: skipped, Summary: "change the quantities of " + labelTasks(fit)}
			plan.Lines = append(describeSelection(fit), plainLine("New quantities: %s.", quantitiesText(change)))
			for _, c := range fit {
				plan.Steps = append(plan.Steps, quantityEdit(c, change).step())
			}
			return plan, nil
		},
	}, nil
}

// currentQuantities are the quantities of a single selected task, as far as they are known.
func currentQuantities(s Input, fit []selectedTask) map[string]string {
	now := map[string]string{}
	if len(fit) != 1 {
		return now
	}
	if row := fit[0].row; row != nil {
		now["quantity"] = fmt.Sprint(row.Quantity)
	}
	if s.Task != nil && s.Task.ID == fit[0].id {
		more := s.Task.AdditionalQuantities
		now["quantity_a"], now["quantity_b"], now["quantity_c"] = fmt.Sprint(more.A), fmt.Sprint(more.B), fmt.Sprint(more.C)
	}
	return now
}

func quantitiesText(change model.TaskInput) string {
	more := change.AdditionalQuantities.Value()
	var parts []string
	for _, q := range []struct {
		name  string
		value model.Opt[float64]
	}{{"quantity", change.Quantity}, {"A", more.A}, {"B", more.B}, {"C", more.C}} {
		if n, ok := q.value.Get(); ok {
			parts = append(parts, fmt.Sprintf("%s %g", q.name, n))
		}
	}
	return strings.Join(parts, ", ")
}

// quantityEdit sends all additional quantities when one changes, because services differ in whether the others stay.
func quantityEdit(task selectedTask, wish model.TaskInput) edit {
	after := func(now *model.Task) (float64, model.Quantities) {
		more, set := now.AdditionalQuantities, wish.AdditionalQuantities.Value()
		more.A, more.B, more.C = set.A.Or(more.A), set.B.Or(more.B), set.C.Or(more.C)
		return wish.Quantity.Or(now.Quantity), more
	}
	all := func(quantity float64, more model.Quantities) model.TaskInput {
		var in model.TaskInput
		if wish.Quantity.Has() {
			in.Quantity = model.Some(quantity)
		}
		if wish.AdditionalQuantities.Has() {
			in.AdditionalQuantities = model.Some(model.QuantitiesInput{A: model.Some(more.A), B: model.Some(more.B), C: model.Some(more.C)})
		}
		return in
	}
	return edit{
		task: task, noun: "quantities", members: []string{"quantity", "additionalQuantities"}, summary: "quantities changed",
		change:  func(now *model.Task) (model.TaskInput, error) { return all(after(now)), nil },
		restore: func(before *model.Task) model.TaskInput { return all(before.Quantity, before.AdditionalQuantities) },
		undoCommand: func(before *model.Task) Command {
			with := form.Values{}
			if wish.Quantity.Has() {
				with["quantity"] = fmt.Sprint(before.Quantity)
			}
			if more := before.AdditionalQuantities; wish.AdditionalQuantities.Has() {
				with["quantity_a"], with["quantity_b"], with["quantity_c"] = fmt.Sprint(more.A), fmt.Sprint(more.B), fmt.Sprint(more.C)
			}
			return Command{Action: "task.quantity", Objects: []model.ID{task.id}, Values: with}
		},
		isApplied: func(now, before *model.Task) bool {
			quantity, more := after(before)
			is := now.AdditionalQuantities
			return (!wish.Quantity.Has() || now.Quantity == quantity) &&
				(!wish.AdditionalQuantities.Has() || is.A == more.A && is.B == more.B && is.C == more.C)
		},
	}
}
