package operations

import (
	"fmt"

	"waybill/model"
	"waybill/operations/form"
)

// BodyError is a request body that is not the JSON of its type.
type BodyError struct{ Err error }

func (e *BodyError) Error() string { return "cannot read the JSON body: " + e.Err.Error() }

func (e *BodyError) Unwrap() error { return e.Err }

// newBodyOperation makes an operation from [Input.Body] in place of a form.
func newBodyOperation[T any](
	s Input, id, title string, check func(T) model.Problems, propose func(T) Proposal,
) (Operation, error) {
	var in T
	if err := model.Unmarshal(s.Body, &in); err != nil {
		return Operation{}, &BodyError{err}
	}
	return Operation{
		ID: id, Title: title, Form: form.Form{Title: title},
		Prepare: func(form.Values) (Proposal, form.Problems) {
			problems := form.Problems{}
			for _, p := range check(in) {
				addProblem(problems, p.Field, p.Text)
			}
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			return propose(in), nil
		},
	}, nil
}

// customTextField asks for custom fields by key, where the form has no field for each. Only commands fill it in.
func customTextField(s Input, page string) form.Field {
	return hiddenField(form.Field{
		Name: "custom_fields", Title: "Custom fields", Page: page, Kind: form.Text, About: "one per line: key=value or key:type=value",
		Flag: form.Flag{Name: "field", Join: "\n", Usage: "a custom field as KEY=VALUE or KEY:TYPE=VALUE; may be given several times"},
		Check: func(value string) error {
			_, err := parseCustomText(s, value)
			return err
		},
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
