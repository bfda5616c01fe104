package operations

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

func templateFields(s Input) []form.Field {
	fields := []form.Field{
		{Name: "name", Title: "Name", About: "no other template may have it", Hint: "Cold chain"},
		{
			Name: "for", Title: "For", Kind: form.Choice, Flag: form.Flag{Usage: "the tasks it is for: pickup, dropoff or both"},
			Options: []form.Option{
				{Value: "both", Label: "pickups and drop-offs"},
				{Value: "pickups", Label: "pickups", Aliases: []string{"pickup"}},
				{Value: "dropoffs", Label: "drop-offs", Aliases: []string{"dropoff", "drop-off"}},
			},
		},
	}
	for _, f := range s.CustomFields {
		fields = append(fields, form.Field{
			Name: templateFieldName(f.Key), Title: f.Name, Kind: form.Yes, Flag: form.Flag{None: true},
			About: strings.TrimPrefix(fmt.Sprintf("%s; for %s", model.Clean(f.Description), f.Kinds()), "; "),
		})
	}
	keys := form.Field{
		Name: "fields", Title: "Custom fields", Kind: form.Text, About: "their keys, one per line, with upper and lower case",
		Flag: form.Flag{Name: "field", Join: "\n", Usage: "the keys of its custom fields"},
	}
	if len(s.CustomFields) > 0 {
		keys = hiddenField(keys)
	}
	return append(fields, keys)
}

// NewTemplate is create.template: creates a set of custom fields for pickups, drop-offs or both. The interface cannot
// delete a template.
func NewTemplate(s Input) (Operation, error) {
	return request[model.TemplateInput]{
		id:      "create.template",
		form:    form.Form{Title: "New task template", Fields: templateFields(s), Start: startFromArgument(s, "name")},
		read:    func(values form.Values, _ form.Problems) model.TemplateInput { return templateInput(s, values) },
		check:   func(in model.TemplateInput) model.Problems { return checkTemplate(s, in) },
		fieldOf: func(member string, values form.Values) string { return templateFieldOf(s, member, values) },
		propose: func(in model.TemplateInput, _ form.Values) Proposal {
			kinds, _ := model.KindsOf(in.ContextSaveConditions.Value())
			name, keys := model.Clean(in.Name.Value()), cmp.Or(strings.Join(in.Fields.Value(), ", "), "no custom fields")
			return Proposal{
				Lines:   []Line{plainLine("Template %s for %s, with %s.", name, kinds, keys), warnLine("Templates cannot be deleted.")},
				Summary: "create template " + name, Steps: []Step{templateStep(in)},
			}
		},
	}.operation(s)
}

func templateStep(in model.TemplateInput) Step {
	return Step{Label: "new template", Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
		made, err := c.CreateTemplate(ctx, in)
		if err != nil {
			return Result{}, err
		}
		return Result{
			Object: made.ID, Summary: "created " + made.Name, Response: made,
			Change: board.Change{IsWrite: true, Templates: []model.Template{made}},
		}, nil
	}}
}

func templateFieldName(key string) string { return "uses:" + key }

func templateInput(s Input, values form.Values) model.TemplateInput {
	keys := append([]string{}, splitLines(strings.ReplaceAll(values["fields"], ",", "\n"))...)
	for _, f := range s.CustomFields {
		if values.Yes(templateFieldName(f.Key)) {
			keys = append(keys, f.Key)
		}
	}
	kinds, ok := map[string]model.TaskKinds{"pickups": model.ForPickups, "dropoffs": model.ForDropoffs}[values.Get("for")]
	if !ok {
		kinds = model.ForBoth
	}
	return model.TemplateInput{
		Name: optionalText(values.Get("name")), ContextSaveConditions: model.Some(kinds.Conditions()), Fields: model.Some(keys),
	}
}

// checkTemplate checks a template. Keys are left to the service when the custom fields were not read.
func checkTemplate(s Input, in model.TemplateInput) model.Problems {
	known := s.CustomFields
	if len(known) == 0 {
		for _, key := range in.Fields.Value() {
			known = append(known, model.CustomField{Key: key})
		}
	}
	problems := in.Check(known)
	if slices.ContainsFunc(s.Templates, func(t model.Template) bool {
		return !t.DeletedAt.Has() && strings.EqualFold(strings.TrimSpace(t.Name), in.Name.Value())
	}) {
		problems = append(problems, model.Problem{Field: "name", Subcode: model.ErrorNotUnique, Text: "Another template has this name."})
	}
	return problems
}

func templateFieldOf(s Input, member string, values form.Values) string {
	for i, key := range templateInput(s, values).Fields.Value() {
		if member == fmt.Sprintf("fields[%d]", i) {
			return templateFieldName(key)
		}
	}
	if member == "contextSaveConditions" {
		return "for"
	}
	return member
}
