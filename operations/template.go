package operations

import (
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
	asked := form.Form{Title: "New task template", Fields: templateFields(s), Start: startFromArgument(s, "name")}
	return Operation{
		ID: "create.template", Title: asked.Title, Form: asked, FieldOf: fieldFinder(&asked, templateFieldOf(nil)),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			in, keys := templateInput(s, values)
			problems := form.Problems{}
			addRules(problems, &asked, values, checkTemplate(s, in, keys), templateFieldOf(keys))
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			kinds, _ := model.KindsOf(in.ContextSaveConditions.Value())
			name := model.Clean(in.Name.Value())
			lines := []Line{plainLine("Template %s for %s, with %s.", name, kinds, keysText(keys)), warnLine("Templates cannot be deleted.")}
			return Proposal{
				Lines: lines, Summary: "create template " + name,
				Steps: []Step{{Label: "new template", Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
					made, err := c.CreateTemplate(ctx, in)
					if err != nil {
						return Result{}, errorOnShownField(err, &asked, values, templateFieldOf(keys))
					}
					return Result{
						Object: made.ID, Summary: "created " + made.Name, Response: made, Change: board.Change{
							IsWrite:   true,
							Templates: []model.Template{made},
						},
					}, nil
				}}},
			}, nil
		},
	}, nil
}

func templateFieldName(key string) string { return "uses:" + key }

func keysText(keys []string) string {
	if len(keys) == 0 {
		return "no custom fields"
	}
	return strings.Join(keys, ", ")
}

func templateInput(s Input, values form.Values) (model.TemplateInput, []string) {
	keys := append([]string{}, splitLines(strings.ReplaceAll(values["fields"], ",", "\n"))...)
	for _, f := range s.CustomFields {
		if values.Yes(templateFieldName(f.Key)) {
			keys = append(keys, f.Key)
		}
	}
	kinds := model.ForBoth
	switch values.Get("for") {
	case "pickups":
		kinds = model.ForPickups
	case "dropoffs":
		kinds = model.ForDropoffs
	}
	return model.TemplateInput{
		Name: optionalText(values.Get("name")), ContextSaveConditions: model.Some(kinds.Conditions()), Fields: model.Some(keys),
	}, keys
}

// checkTemplate checks a template. Keys are left to the service when the custom fields were not read.
func checkTemplate(s Input, in model.TemplateInput, keys []string) model.Problems {
	known := s.CustomFields
	if len(known) == 0 {
		for _, key := range keys {
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

func templateFieldOf(keys []string) func(member string) string {
	return func(member string) string {
		for i, key := range keys {
			if member == fmt.Sprintf("fields[%d]", i) {
				return templateFieldName(key)
			}
		}
		switch member {
		case "contextSaveConditions":
			return "for"
		case "fields":
			return "fields"
		}
		return member
	}
}
