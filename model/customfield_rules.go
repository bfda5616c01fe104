package model

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// CheckCustomFields reports values that do not fit the organization's fields, and missing values of fields required for
// the kind of task. Unknown keys are no problem: the service drops them silently.
func CheckCustomFields(values []CustomFieldInput, fields []CustomField, kind TaskKinds) Problems {
	var ps Problems
	for i, value := range values {
		at := slices.IndexFunc(fields, func(f CustomField) bool { return f.Key == value.Key })
		if at >= 0 {
			ps.addWithin(elementPath("customFields", i)+".value", fields[at].checkValue(value.Value))
		}
	}
	for _, field := range fields {
		if field.requiredFor(kind) && !isFilled(values, field) {
			ps.add("customFields", ErrorMissing, "The field %.60q is required.", Clean(field.Key))
		}
	}
	return ps
}

func (f CustomField) requiredFor(kind TaskKinds) bool {
	return slices.ContainsFunc(f.Contexts, func(c FieldContext) bool {
		kinds, ok := KindsOf(c.Conditions)
		return c.IsRequired && ok && kinds&kind != 0
	})
}

// isFilled reports whether a required field has a value. A required boolean must be true.
func isFilled(values []CustomFieldInput, field CustomField) bool {
	return slices.ContainsFunc(values, func(value CustomFieldInput) bool {
		raw, ok := value.Value.Get()
		text := string(raw)
		return value.Key == field.Key && ok && text != `""` && text != `[]` && (field.Type != FieldBoolean || text == "true")
	})
}

// checkValue reports a value of the wrong kind. Null clears.
func (f CustomField) checkValue(value Opt[Raw]) Problems {
	raw, ok := value.Get()
	if !ok {
		return nil
	}
	if !f.AsArray {
		return checkFieldValue(f.Type, raw)
	}
	var ps Problems
	var list []Raw
	if err := json.Unmarshal(raw, &list); err != nil {
		ps.add("", ErrorInvalid, "Must be a list.")
		return ps
	}
	for i, element := range list {
		ps.addWithin(elementPath("", i), checkFieldValue(f.Type, element))
	}
	return ps
}

func checkFieldValue(fieldType string, raw Raw) Problems {
	var ps Problems
	var text string
	kind := raw.Kind()
	isText := kind == jsontext.KindString && json.Unmarshal(raw, &text) == nil
	number, err := strconv.ParseFloat(string(raw), 64)
	isNumber := kind == jsontext.KindNumber && err == nil
	switch fieldType {
	case FieldSingleLine, FieldMultiLine:
		if !isText {
			ps.add("", ErrorInvalid, "Must be text.")
		}
	case FieldBoolean:
		if kind != jsontext.KindTrue && kind != jsontext.KindFalse {
			ps.add("", ErrorInvalid, "Must be true or false.")
		}
	case FieldInteger:
		if !isNumber || number != math.Trunc(number) {
			ps.add("", ErrorInvalid, "Must be a whole number.")
		}
	case FieldDecimal:
		if !isNumber {
			ps.add("", ErrorInvalid, "Must be a number.")
		}
	case FieldDate:
		if !isNumber && !isDate(text) {
			ps.add("", ErrorInvalid, "Must be a date such as 2026-11-20, or a time in Unix milliseconds.")
		}
	case FieldURL, "Url":
		if address, err := url.Parse(text); !isText || err != nil || address.Host == "" {
			ps.add("", ErrorInvalid, "Must be a web address such as https://example.com.")
		}
	}
	return ps
}

func isDate(text string) bool {
	_, dateErr := time.Parse(time.DateOnly, text)
	_, timeErr := time.Parse(time.RFC3339, text)
	return dateErr == nil || timeErr == nil
}

// FieldType spells a field type as it is stored: one published client writes Url.
func FieldType(name string) string {
	if name == "Url" {
		return FieldURL
	}
	return name
}

func fieldTypes() []string {
	return []string{FieldSingleLine, FieldMultiLine, FieldBoolean, FieldInteger, FieldDecimal, FieldDate, FieldURL}
}

// Check reports what is wrong with custom fields to be created.
func (in CustomFieldChange) Check() Problems {
	return in.check(func(f CustomFieldPart) Problems {
		var ps Problems
		ps.checkRequired("name", f.Name.Value(), "The field's name")
		switch types := strings.Join(fieldTypes(), ", "); {
		case f.Type.Value() == "":
			ps.add("type", ErrorMissing, "The field's type is required: one of %s.", types)
		case !slices.Contains(fieldTypes(), FieldType(f.Type.Value())):
			ps.add("type", ErrorInvalid, "Unknown field type %.40q. Must be one of %s.", Clean(f.Type.Value()), types)
		}
		ps.checkFieldMembers(f)
		return ps
	})
}

// CheckUpdate reports what is wrong with changes of custom fields.
func (in CustomFieldChange) CheckUpdate() Problems {
	return in.check(func(f CustomFieldPart) Problems {
		var ps Problems
		ps.checkName("name", f.Name, "The field's name", false)
		ps.checkFieldMembers(f)
		return ps
	})
}

// CheckDelete reports what is wrong with a list of custom fields to be deleted.
func (in CustomFieldChange) CheckDelete() Problems {
	return in.check(func(CustomFieldPart) Problems { return nil })
}

func (in CustomFieldChange) check(checkField func(CustomFieldPart) Problems) Problems {
	var ps Problems
	if in.Model != "" && !strings.EqualFold(in.Model, "Task") {
		ps.add("model", ErrorInvalid, "Only tasks have custom fields: it must be Task.")
	}
	if len(in.Fields) == 0 {
		ps.add("fields", ErrorMissing, "At least one field is required.")
	}
	seen := map[string]bool{}
	for i, field := range in.Fields {
		path := elementPath("fields", i)
		ps.checkRequired(path+".key", field.Key, "The field's key")
		if seen[field.Key] {
			ps.add(path+".key", ErrorInvalid, "The key is listed twice.")
		}
		seen[field.Key] = true
		ps.addWithin(path, checkField(field))
	}
	return ps
}

func (ps *Problems) checkFieldMembers(f CustomFieldPart) {
	ps.checkEachOf("visibility", f.Visibility.Value(), "admin", "api", "worker")
	ps.checkEachOf("editability", f.Editability.Value(), "admin", "api", "worker")
	for i, context := range f.Contexts.Value() {
		if _, ok := KindsOf(context.Conditions); !ok {
			ps.add(elementPath("contexts", i)+".conditions", ErrorInvalid, conditionsRule)
		}
	}
}
