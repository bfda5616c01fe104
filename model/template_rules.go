package model

import "slices"

// TaskKinds is a set of the two kinds of tasks.
type TaskKinds uint8

// Kinds of tasks that a template or field is for.
const (
	ForPickups TaskKinds = 1 << iota
	ForDropoffs
	ForBoth = ForPickups | ForDropoffs
)

// Parts of the one condition that templates know.
const (
	ConditionPickupTask = "pickupTask"
	ConditionEqualTo    = "equal_to"
)

const conditionsRule = "Must be empty, or one condition with fieldName pickupTask, comparison equal_to and targetValue true or false."

// KindsOf reads the conditions of a template. They are empty for both kinds, or compare pickupTask with true or false.
func KindsOf(conditions []Condition) (TaskKinds, bool) {
	if len(conditions) == 0 {
		return ForBoth, true
	}
	c := conditions[0]
	if len(conditions) > 1 || c.FieldName != ConditionPickupTask || c.Comparison != ConditionEqualTo {
		return 0, false
	}
	switch string(c.TargetValue.Value()) {
	case "true":
		return ForPickups, true
	case "false":
		return ForDropoffs, true
	}
	return 0, false
}

// Conditions returns the conditions for a set of kinds.
func (k TaskKinds) Conditions() []Condition {
	target := "true"
	switch k {
	case ForPickups:
	case ForDropoffs:
		target = "false"
	default:
		return []Condition{}
	}
	return []Condition{{FieldName: ConditionPickupTask, Comparison: ConditionEqualTo, TargetValue: Some(Raw(target))}}
}

// Kinds returns the kinds of tasks that a custom field is for: those of all its contexts, or both when it has none.
func (f CustomField) Kinds() TaskKinds {
	var kinds TaskKinds
	for _, context := range f.Contexts {
		of, ok := KindsOf(context.Conditions)
		if !ok {
			of = ForBoth // a condition on something else restricts neither kind
		}
		kinds |= of
	}
	if kinds == 0 {
		return ForBoth
	}
	return kinds
}

// Check reports what is wrong with a template, given the organization's custom fields. Every field must serve every
// kind of task that the template is for. Whether the name is taken is for the service to find out.
func (in TemplateInput) Check(fields []CustomField) Problems {
	var ps Problems
	ps.checkRequired("name", in.Name.Value(), "The template's name")
	kinds, valid := KindsOf(in.ContextSaveConditions.Value())
	switch {
	case !in.ContextSaveConditions.Has():
		ps.add("contextSaveConditions", ErrorMissing, "The conditions are required. An empty list means pickups and drop-offs.")
	case !valid:
		ps.add("contextSaveConditions", ErrorInvalid, conditionsRule)
	}
	if !in.Fields.Has() {
		ps.add("fields", ErrorMissing, "The keys of the custom fields are required.")
	}
	for i, key := range in.Fields.Value() {
		at := slices.IndexFunc(fields, func(f CustomField) bool { return f.Key == key })
		if at < 0 {
			ps.add(elementPath("fields", i), ErrorInvalid, "There is no custom field %.60q. Keys are case-sensitive.", Clean(key))
		} else if valid {
			ps.checkTemplateField(elementPath("fields", i), kinds, fields[at].Kinds())
		}
		if slices.Contains(in.Fields.Value()[:i], key) {
			ps.add(elementPath("fields", i), ErrorInvalid, "The field %.60q is listed twice.", Clean(key))
		}
	}
	return ps
}

func (ps *Problems) checkTemplateField(path string, template, field TaskKinds) {
	switch template &^ field {
	case ForPickups:
		ps.add(path, ErrorInvalid, "The field is for drop-offs only, but the template is for %s.", template)
	case ForDropoffs:
		ps.add(path, ErrorInvalid, "The field is for pickups only, but the template is for %s.", template)
	case ForBoth:
	}
}

// String returns the set in words.
func (k TaskKinds) String() string {
	switch k {
	case ForPickups:
		return "pickups"
	case ForDropoffs:
		return "drop-offs"
	case ForBoth:
		return "pickups and drop-offs"
	}
	return "no tasks"
}
