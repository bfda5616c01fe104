package model

// Template restricts a set of custom fields to pickups, drop-offs or both.
type Template struct {
	ID                    ID          `json:"id"`
	Name                  string      `json:"name"`
	DeletedAt             Opt[Raw]    `json:"deletedAt,omitzero"`
	ContextSaveConditions []Condition `json:"contextSaveConditions"`
	Fields                []string    `json:"fields"`
	IsDefault             bool        `json:"isDefault"`
	Extra                 Extra       `json:",embed"`
}

// Condition is when a template or field applies.
type Condition struct {
	FieldName   string   `json:"fieldName"`
	Comparison  string   `json:"comparison"`
	TargetValue Opt[Raw] `json:"targetValue,omitzero"`
	Extra       Extra    `json:",embed"`
}

// TemplateInput is the body that creates a template.
type TemplateInput struct {
	Name                  Opt[string]      `json:"name,omitzero"`
	ContextSaveConditions Opt[[]Condition] `json:"contextSaveConditions,omitzero"`
	Fields                Opt[[]string]    `json:"fields,omitzero"`
	Extra                 Extra            `json:",embed"`
}

// CustomField defines a field that an organization adds to its tasks.
type CustomField struct {
	Key         string         `json:"key"`
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Type        string         `json:"type"`
	AsArray     bool           `json:"asArray"`
	Visibility  []string       `json:"visibility"`
	Editability []string       `json:"editability"`
	Contexts    []FieldContext `json:"contexts"`
	Extra       Extra          `json:",embed"`
}

// Custom field types.
const (
	FieldSingleLine = "single_line_text_field"
	FieldMultiLine  = "multi_line_text_field"
	FieldBoolean    = "boolean"
	FieldInteger    = "integer"
	FieldDecimal    = "decimal"
	FieldDate       = "date"
	FieldURL        = "url"
)

// FieldContext is where a field is used and whether it must be filled there.
type FieldContext struct {
	Name       string      `json:"name"`
	IsRequired bool        `json:"isRequired"`
	Conditions []Condition `json:"conditions"`
	Extra      Extra       `json:",embed"`
}

// CustomFieldValue is a field on a task: its definition with the value beside it.
type CustomFieldValue struct {
	CustomField
	Value Opt[Raw] `json:"value,omitzero"`
}

// CustomFieldInput sets a field on a task.
type CustomFieldInput struct {
	Key   string   `json:"key"`
	Value Opt[Raw] `json:"value,omitzero"`
	Extra Extra    `json:",embed"`
}

// CustomFieldList is the answer of the field list.
type CustomFieldList struct {
	Fields []CustomField `json:"fields"`
	Extra  Extra         `json:",embed"`
}

// CustomFieldChange is the body that defines, changes or removes custom fields. Each field is given by what it needs:
// a whole definition to create, the key to remove.
type CustomFieldChange struct {
	Model  string            `json:"model"`
	Fields []CustomFieldPart `json:"fields"`
	Extra  Extra             `json:",embed"`
}

// CustomFieldPart is as much of a custom field's definition as a change needs.
type CustomFieldPart struct {
	Key         string              `json:"key"`
	Name        Opt[string]         `json:"name,omitzero"`
	Description Opt[string]         `json:"description,omitzero"`
	Type        Opt[string]         `json:"type,omitzero"`
	AsArray     Opt[bool]           `json:"asArray,omitzero"`
	Visibility  Opt[[]string]       `json:"visibility,omitzero"`
	Editability Opt[[]string]       `json:"editability,omitzero"`
	Contexts    Opt[[]FieldContext] `json:"contexts,omitzero"`
	Extra       Extra               `json:",embed"`
}
