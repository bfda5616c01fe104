package operations

import (
	"context"
	"fmt"
	"slices"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/form"
)

// BodyError is a request body that is not the JSON of its type.
type BodyError struct{ Err error }

func (e *BodyError) Error() string { return "cannot read the JSON body: " + e.Err.Error() }

func (e *BodyError) Unwrap() error { return e.Err }

// request is an operation that sends one body. The body comes from a form, or from [Input.Body] in its place.
type request[T any] struct {
	id   string
	form form.Form
	// read makes the body from the values of visible fields, and reports texts that it does not understand.
	read func(values form.Values, problems form.Problems) T
	// check returns the rules that a body breaks.
	check   func(in T) model.Problems
	fieldOf memberFields
	// propose gets no values when the body is not from the form.
	propose   func(in T, values form.Values) Proposal
	loadNotes notesLoader
}

// memberFields maps a member of a request to the field of the form that it was typed in.
type memberFields func(member string, values form.Values) string

func (r request[T]) operation(s Input) (Operation, error) {
	if s.Body != nil {
		return r.bodyOperation(s.Body)
	}
	op := Operation{ID: r.id, Title: r.form.Title, Form: r.form, FieldOf: fieldFinder(&r.form, nil, r.fieldOf)}
	if r.loadNotes != nil {
		op.LoadNotes = func(ctx context.Context, c *apiclient.Client, values form.Values) map[string]string {
			return r.loadNotes(ctx, c, r.form.ShownValues(values))
		}
	}
	op.Prepare = func(values form.Values) (Proposal, form.Problems) {
		values = r.form.ShownValues(values)
		problems := form.Problems{}
		in := r.read(values, problems)
		if len(problems) == 0 {
			addRules(problems, &r.form, values, r.check(in), r.fieldOf)
		}
		if len(problems) > 0 {
			return Proposal{}, problems
		}
		proposal := r.propose(in, values)
		for i := range proposal.Steps {
			proposal.Steps[i].Do = r.markField(proposal.Steps[i].Do, values)
		}
		return proposal, nil
	}
	return op, nil
}

func (r request[T]) bodyOperation(body []byte) (Operation, error) {
	var in T
	if err := model.Unmarshal(body, &in); err != nil {
		return Operation{}, &BodyError{err}
	}
	return Operation{
		ID: r.id, Title: r.form.Title, Form: form.Form{Title: r.form.Title},
		Prepare: func(form.Values) (Proposal, form.Problems) {
			problems := form.Problems{}
			for _, p := range r.check(in) {
				addProblem(problems, p.Field, p.Text)
			}
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			return r.propose(in, nil), nil
		},
	}, nil
}

// markField marks a service's error with the visible field that it is about: only the step knows the values.
func (r request[T]) markField(do stepFunc, values form.Values) stepFunc {
	visible := r.form
	visible.Fields = slices.DeleteFunc(slices.Clone(visible.Fields), func(f form.Field) bool { return !f.Shown(values) })
	return func(ctx context.Context, c *apiclient.Client) (Result, error) {
		result, err := do(ctx, c)
		if name, ok := fieldFinder(&visible, values, r.fieldOf)(err); ok {
			err = fieldError{err, name}
		}
		return result, err
	}
}

// customTextField asks for custom fields by key, where the form has no field for each. Only commands fill it in.
func customTextField(s Input, page string) form.Field {
	return hiddenField(form.Field{
		Name: "custom_fields", Title: "Custom fields", Page: page, Kind: form.Text, About: "one per line: key=value or key:type=value",
		Flag:  form.Flag{Name: "field", Join: "\n", Usage: "a custom field as KEY=VALUE or KEY:TYPE=VALUE; repeatable"},
		Check: checkText(func(text string) ([]model.CustomFieldInput, error) { return parseCustomText(s, text) }),
	})
}

func parseCustomText(s Input, text string) ([]model.CustomFieldInput, error) {
	draft := newDraft(s)
	for _, line := range splitLines(text) {
		key, value, err := cutEntry(line)
		if err != nil {
			return nil, err
		}
		if err := draft.Set("field:"+key, value); err != nil {
			return nil, fmt.Errorf("%s: %w", model.Clean(key), err)
		}
	}
	in, err := draft.Changes()
	return in.CustomFields.Value(), err
}
