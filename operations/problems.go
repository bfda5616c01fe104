package operations

import (
	"errors"
	"strings"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/form"
)

// addProblem adds a problem behind those that the field has already.
func addProblem(problems form.Problems, name, text string) {
	switch before, taken := problems[name]; {
	case text == "" || strings.Contains(before, text):
	case taken:
		problems[name] = before + " " + text
	default:
		problems.Add(name, text)
	}
}

// addError adds an error as a problem of a field; nil adds nothing.
func addError(problems form.Problems, name string, err error) {
	if err != nil {
		addProblem(problems, name, sentence(err.Error()))
	}
}

// addRules adds broken rules to the fields that break them. A rule that belongs to no visible field becomes a problem of
// the whole form, with the name of the member.
func addRules(problems form.Problems, f *form.Form, values form.Values, broken model.Problems, fieldOf memberFields) {
	for _, p := range broken {
		name, text := fieldOf(p.Field, values), translateMembers(p.Text)
		if f.Shown(name, values) {
			addProblem(problems, name, text)
			continue
		}
		if p.Field != "" {
			text = p.Field + ": " + text
		}
		addProblem(problems, "", text)
	}
}

// translateMembers replaces the names of members by the words of the form.
func translateMembers(text string) string {
	return strings.NewReplacer(
		"completeAfter", "the earliest time", "completeBefore", "the due time",
		", as value and units", "",
		"readyBy", "the time it is ready", "dueBy", "the time it is due",
	).Replace(text)
}

// fieldError is a service's error about one field, where only the step knows which.
type fieldError struct {
	error
	field string
}

func (e fieldError) Unwrap() error { return e.error }

// fieldFinder makes an operation's FieldOf from a function that maps members to fields.
func fieldFinder(f *form.Form, values form.Values, fieldOf memberFields) func(err error) (string, bool) {
	return func(err error) (string, bool) {
		if e, ok := errors.AsType[fieldError](err); ok {
			return e.field, true
		}
		e, ok := errors.AsType[*apiclient.Error](err)
		if !ok {
			return "", false
		}
		if key, _, ok := e.Duplicate(); ok {
			return firstMatchingField(f, values, fieldOf, key)
		}
		cause, ok := e.Cause.Get()
		if !ok {
			return "", false
		}
		return firstMatchingField(f, values, fieldOf, membersInCause(cause.Text)...)
	}
}

func firstMatchingField(f *form.Form, values form.Values, fieldOf memberFields, members ...string) (string, bool) {
	for _, member := range members {
		// A member without a field of its own belongs to the field of the member around it.
		for path := member; path != ""; path = parentPath(path) {
			if name := fieldOf(path, values); name != "" {
				if _, ok := f.Field(name); ok {
					return name, true
				}
			}
		}
	}
	return "", false
}

func parentPath(path string) string {
	at := strings.LastIndexAny(path, ".[")
	if at < 0 {
		return ""
	}
	return path[:at]
}

// membersInCause finds the members that a cause is about. It either lists broken rules as "member: text; member: text"
// or mentions the subject in its text.
func membersInCause(cause string) []string {
	var members []string
	inside := "" // the member that the first rule is about
	for part := range strings.SplitSeq(cause, "; ") {
		var chain []string
		for {
			member, rest, ok := strings.Cut(part, ": ")
			if !ok || strings.Contains(member, " ") {
				break
			}
			chain, part = append(chain, member), rest
		}
		if len(chain) > 0 {
			// "pickupTask: destination.address.city: …" names a member inside another.
			members = append(append(members, strings.Join(chain, ".")), chain...)
			if inside == "" {
				inside = members[0] + "."
			}
		}
	}
	if what, id, ok := strings.Cut(cause, " "); ok && model.ID(id).Valid() {
		members = append(members, what) // "destination 2Ej*f…" does not exist
	}
	lower := strings.ToLower(cause)
	for _, known := range []struct{ words, member string }{
		{"phone number", "phone"},
		{"container identifier", "container"},
		{"not unique", "name"},
		{"geocoding", "destination"},
		{"could not be looked up", "destination"},
	} {
		if strings.Contains(lower, known.words) {
			members = append(members, inside+known.member, known.member)
		}
	}
	return members
}
