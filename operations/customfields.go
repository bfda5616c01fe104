package operations

import (
	"fmt"
	"slices"
	"strings"

	"waybill/model"
	"waybill/operations/form"
	"waybill/operations/taskimport"
)

// customName is the name of a custom field's field in a form.
func customName(key string) string { return "field:" + key }

// customFields ask for the template and its fields. Without a template all fields of the organization apply, as in the
// service.
func customFields(s Input, page string) []form.Field {
	var fields []form.Field
	options := []form.Option{{Value: "", Label: "none"}}
	for _, t := range s.Templates {
		if kinds, ok := model.KindsOf(t.ContextSaveConditions); ok && !t.DeletedAt.Has() {
			options = append(options, form.Option{Value: string(t.ID), Label: t.Name, Note: "for " + kinds.String()})
		}
	}
	if len(options) > 1 {
		fields = append(fields, form.Field{
			Name: "template", Title: "Template", Page: page, About: "which custom fields the task has", Kind: form.Choice, Options: options,
		})
	} else {
		fields = append(fields, hiddenField(taskField(s, "template", "Template", page)))
	}
	for _, f := range s.CustomFields {
		fields = append(fields, customField(s, f, page))
	}
	return fields
}

func customField(s Input, f model.CustomField, page string) form.Field {
	shows := form.Field{
		Name: customName(f.Key), Title: f.Name, About: f.Description, Page: page,
		Show: func(values form.Values) bool { return slices.Contains(fieldKeys(s, values), f.Key) }, Flag: form.Flag{None: true},
	}
	if shows.Title == "" {
		shows.Title = f.Key
	}
	switch {
	case f.AsArray:
		shows.Kind, shows.Prompt = form.Text, "one per line"
	case f.Type == model.FieldMultiLine:
		shows.Kind = form.Text
	case f.Type == model.FieldBoolean:
		shows.Kind = form.Yes
	case f.Type == model.FieldDate:
		shows.Hint = "2026-11-20"
	case f.Type == model.FieldURL:
		shows.Hint = "https://example.com"
	}
	if shows.Kind != form.Yes {
		shows.Check = checkText(func(value string) (model.Raw, error) {
			raw, err := customValue(s, f, value)
			if err != nil {
				return nil, err
			}
			// The kind of task only decides what is required, which is not checked here.
			return raw, model.CheckCustomFields([]model.CustomFieldInput{{Key: f.Key, Value: model.Some(raw)}}, []model.CustomField{f}, 0).Err()
		})
	}
	return shows
}

// fieldKeys are the custom fields of the chosen template.
func fieldKeys(s Input, values form.Values) []string {
	if chosen := values.Get("template"); chosen != "" {
		for _, t := range s.Templates {
			if string(t.ID) == chosen {
				return t.Fields
			}
		}
		return nil
	}
	return mapList(s.CustomFields, func(f model.CustomField) string { return f.Key })
}

// customValue is a typed value as JSON.
func customValue(s Input, f model.CustomField, value string) (model.Raw, error) {
	if !f.AsArray {
		return customElement(s, f.Type, value)
	}
	list := []model.Raw{}
	for _, line := range splitLines(value) {
		element, err := customElement(s, f.Type, line)
		if err != nil {
			return nil, err
		}
		list = append(list, element)
	}
	return model.Marshal(list)
}

func customElement(s Input, kind, value string) (model.Raw, error) {
	switch kind {
	case model.FieldBoolean:
		yes, err := taskimport.ParseYesNo(value)
		if err != nil {
			return nil, err
		}
		return model.Marshal(yes)
	case model.FieldInteger, model.FieldDecimal:
		raw := model.Raw(value)
		if !raw.IsValid() {
			return nil, fmt.Errorf("%.40q is not a number", model.Clean(value))
		}
		return raw, nil
	case model.FieldDate:
		at, err := model.ParseTime(value, s.Now, s.zone())
		if err != nil {
			return nil, err
		}
		return model.Marshal(at.Time().In(s.zone()).Format("2006-01-02"))
	}
	return model.Marshal(value)
}

// fillCustom sets the custom fields of a task.
func fillCustom(s Input, in *model.TaskInput, values form.Values, problems form.Problems) {
	list, err := parseCustomText(s, values["custom_fields"])
	addError(problems, "custom_fields", err)
	for _, f := range s.CustomFields {
		name := customName(f.Key)
		value := values.Get(name)
		if value == "" {
			continue
		}
		raw, err := customValue(s, f, value)
		addError(problems, name, err)
		list = append(list, model.CustomFieldInput{Key: f.Key, Value: model.Some(raw)})
	}
	if list != nil {
		in.CustomFields = model.Some(list)
	}
}

// checkCustom reports a template for the other kind of task, and custom fields that are wrong or missing.
func checkCustom(s Input, in model.TaskInput) model.Problems {
	var problems model.Problems
	kind := model.ForDropoffs
	if in.IsPickup() {
		kind = model.ForPickups
	}
	fields := s.CustomFields
	if id, ok := in.Template.Get(); ok {
		at := slices.IndexFunc(s.Templates, func(t model.Template) bool { return t.ID == id })
		if at < 0 {
			return nil // the service decides
		}
		template := s.Templates[at]
		if kinds, _ := model.KindsOf(template.ContextSaveConditions); kinds&kind == 0 {
			problems = append(problems, model.Problem{
				Field: "template", Subcode: model.ErrorInvalid, Text: fmt.Sprintf("The template %q is for %s.", template.Name, kinds),
			})
		}
		fields = slices.DeleteFunc(slices.Clone(fields), func(f model.CustomField) bool { return !slices.Contains(template.Fields, f.Key) })
	}
	// One at a time, so that a missing value is a problem of its own field.
	for _, f := range fields {
		for _, p := range model.CheckCustomFields(in.CustomFields.Value(), []model.CustomField{f}, kind) {
			p.Field = customName(f.Key)
			problems = append(problems, p)
		}
	}
	return problems
}

// metadataField asks for metadata, one entry per line.
func metadataField(page, about string) form.Field {
	return form.Field{
		Name: "metadata", Title: "Metadata", Page: page, Kind: form.Text, About: about, Hint: "invoice=4711",
		Flag:  form.Flag{Name: "meta", Join: "\n", Usage: "metadata as NAME=VALUE or NAME:TYPE=VALUE; repeatable"},
		Check: checkText(parseMetadataLines),
	}
}

// parseMetadataLines reads name=value or name:type=value, one entry per line.
func parseMetadataLines(text string) ([]model.Metadata, error) {
	var entries []model.Metadata
	for _, line := range splitLines(text) {
		name, value, err := cutEntry(line)
		if err != nil {
			return nil, err
		}
		entry, err := taskimport.ParseMetadata(name, strings.TrimSpace(value))
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(entries, func(e model.Metadata) bool { return e.Name == entry.Name }) {
			return nil, fmt.Errorf("%.60q is given twice", model.Clean(entry.Name))
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// splitLines are the lines of a text that are not empty, without surrounding space.
func splitLines(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// cutEntry splits name=value.
func cutEntry(line string) (name, value string, err error) {
	name, value, ok := strings.Cut(line, "=")
	if !ok {
		return "", "", fmt.Errorf("%.60q has no value; write name=value or name:type=value", model.Clean(line))
	}
	return name, value, nil
}
