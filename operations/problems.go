package operations

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/form"
	"waybill/operations/taskimport"
)

// addProblem keeps every problem: a second one of a field is told behind the first.
func addProblem(problems form.Problems, name, text string) {
	switch before, taken := problems[name]; {
	case text == "" || strings.Contains(before, text):
	case taken:
		problems[name] = before + " " + text
	default:
		problems.Add(name, text)
	}
}

// addRules puts broken rules on the fields that break them. What belongs to no field that is shown is told of the form
// as a whole, with the name of the member.
func addRules(problems form.Problems, f *form.Form, values form.Values, broken model.Problems, fieldOf func(member string) string) {
	for _, p := range broken {
		name, text := fieldOf(p.Field), translateMembers(p.Text)
		if isShown(f, name, values) {
			addProblem(problems, name, text)
			continue
		}
		if p.Field != "" {
			text = p.Field + ": " + text
		}
		addProblem(problems, "", text)
	}
}

// translateMembers says members of the wire as the form does.
func translateMembers(text string) string {
	return strings.NewReplacer(
		"completeAfter", "the earliest time", "completeBefore", "the latest time",
		", as value and units", "",
		"readyBy", "the time it is ready", "dueBy", "the time it is due",
	).Replace(text)
}

// isShown reports whether a form has a field and shows it.
func isShown(asked *form.Form, name string, values form.Values) bool {
	f, ok := asked.Field(name)
	return ok && (f.Show == nil || f.Show(values))
}

// shownValues leaves out what stands in fields that are not shown: nobody sees it, so it must not be sent.
func shownValues(f *form.Form, values form.Values) form.Values {
	kept := form.Values{}
	for name, value := range values {
		if isShown(f, name, values) {
			kept[name] = value
		}
	}
	return kept
}

// notesOfShown lets a look see only what is shown.
func notesOfShown(f *form.Form, look func(context.Context, *apiclient.Client, form.Values) map[string]string,
) func(context.Context, *apiclient.Client, form.Values) map[string]string {
	return func(ctx context.Context, c *apiclient.Client, values form.Values) map[string]string {
		return look(ctx, c, shownValues(f, values))
	}
}

// fillDraft gives a draft the values of fields that it knows by the same name.
func fillDraft(draft *taskimport.Draft, values form.Values, names []string, problems form.Problems) {
	for _, name := range names {
		if err := draft.Set(name, values.Get(name)); err != nil {
			addProblem(problems, name, sentence(err.Error()))
		}
	}
}

// sentence makes a whole sentence of an error's text.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	text = capitalize(text)
	if strings.HasSuffix(text, ".") || strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}

// errorText is an error without the request that it came from, for where there is little room.
func errorText(err error) string {
	if e, ok := errors.AsType[*apiclient.Error](err); ok {
		return e.What()
	}
	return err.Error()
}

// capitalize begins a text with a capital letter.
func capitalize(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// uncapitalize begins a text with a small letter.
func uncapitalize(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(first)) + text[size:]
}

// fieldError is an error of the service that is about one field, where only the step knows which.
type fieldError struct {
	error
	field string
}

func (e fieldError) Unwrap() error { return e.error }

// errorOnShownField puts an error of the service on the field that it is about, among those that are shown.
func errorOnShownField(err error, asked *form.Form, values form.Values, fieldOf func(member string) string) error {
	visible := *asked
	visible.Fields = slices.DeleteFunc(slices.Clone(asked.Fields), func(f form.Field) bool { return f.Show != nil && !f.Show(values) })
	if name, ok := fieldFinder(&visible, fieldOf)(err); ok {
		return fieldError{err, name}
	}
	return err
}

// fieldFinder makes a verb's Place from what its members are called in the form.
func fieldFinder(f *form.Form, fieldOf func(member string) string) func(err error) (string, bool) {
	return func(err error) (string, bool) {
		if e, ok := errors.AsType[fieldError](err); ok {
			return e.field, true
		}
		e, ok := errors.AsType[*apiclient.Error](err)
		if !ok {
			return "", false
		}
		if key, _, ok := e.Duplicate(); ok {
			return firstMatchingField(f, fieldOf, key)
		}
		cause, ok := e.Cause.Get()
		if !ok {
			return "", false
		}
		return firstMatchingField(f, fieldOf, membersInCause(cause.Text)...)
	}
}

func firstMatchingField(f *form.Form, fieldOf func(member string) string, members ...string) (string, bool) {
	for _, member := range members {
		// A part of a member that has no field of its own belongs to the field of the whole.
		for path := member; path != ""; path = parentPath(path) {
			if name := fieldOf(path); name != "" {
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

// membersInCause finds the members that a cause is about: it lists broken rules as "member: text; member: text", or names
// what it is about in its words.
func membersInCause(cause string) []string {
	var members []string
	inside := "" // the member that the first words are about
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
			// "pickupTask: destination.address.city: …" is about the member inside the other.
			members = append(append(members, strings.Join(chain, ".")), chain...)
			if inside == "" {
				inside = members[0] + "."
			}
		}
	}
	if what, id, ok := strings.Cut(cause, " "); ok && model.ID(id).Valid() {
		members = append(members, what) // "destination 2Ej*f…" is one that the service does not have
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
