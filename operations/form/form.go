// Package form describes what an operation asks for, independent of how it is shown. Operations build forms, views/formview
// draws them, commands turn their fields into flags. Values are the texts that a person typed, so a draft is those texts.
package form

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Kind is how a field is filled in.
type Kind uint8

// The kinds of field.
const (
	Line   Kind = iota // a line of text, with suggestions where there are any
	Text               // several lines
	Choice             // one of a few
	Yes                // "yes" or nothing
	Secret             // a line that is not shown
)

// Object is the kind of object that a field's value names.
type Object string

// The kinds of object that fields name.
const (
	Worker Object = "worker"
	Team   Object = "team"
	Hub    Object = "hub"
	Task   Object = "task"
)

// Field is one value that a form asks for.
type Field struct {
	Name  string // key of the value and of its problem
	Title string
	About string // a few words under the title
	Hint  string // an example, shown in the empty field
	// Prompt and Empty replace the example in the empty field: what to do, and what leaving it empty means.
	Prompt, Empty string

	Page string // fields of one page are shown together; pages appear in the order of their first fields
	Kind Kind

	// Options are what a Choice chooses from. The first is the default.
	Options []Option
	// Suggest lists what a text could mean, best first: names on the board, known addresses. It sends no request.
	Suggest func(text string, values Values) []Option
	// Limit is how many characters fit, shown as a counter; zero for no limit.
	Limit int
	// Check reports what is wrong with a value on its own. It runs when the field is left.
	Check func(value string) error
	// Echo shows how a value is understood, such as "today 14:30 PST, in 2h" or a driver's name for an id.
	Echo func(value string, values Values) string
	// Show reports whether the field is visible; nil shows it always.
	Show func(values Values) bool

	// Object is the kind of object that the value names, so that commands can read the names they need.
	Object Object
	Flag   Flag
}

// Placeholder is what the empty field shows.
func (f *Field) Placeholder() string { return cmp.Or(f.Prompt, f.Empty, f.Hint) }

// Shown reports whether the field is visible beside these values.
func (f *Field) Shown(values Values) bool { return f.Show == nil || f.Show(values) }

// Option is something to choose.
type Option struct {
	Value string // what the form keeps
	Label string // what people read
	Note  string
	// Aliases are other words that commands accept for it.
	Aliases []string
}

// Values are the texts of a form by the names of its fields. Empty values are left out.
type Values map[string]string

// Get is a value without surrounding space.
func (v Values) Get(name string) string { return strings.TrimSpace(v[name]) }

// Yes reports whether a Yes field is switched on.
func (v Values) Yes(name string) bool { return v.Get(name) == "yes" }

// Clone is a copy that can be changed.
func (v Values) Clone() Values { return maps.Clone(v) }

// Problems say what is wrong, by the names of fields. A problem of the form as a whole has no name.
type Problems map[string]string

// Add sets the problem of a field that has none yet.
func (p Problems) Add(name, text string) {
	if _, taken := p[name]; !taken && text != "" {
		p[name] = text
	}
}

// Form is everything that an operation asks for.
type Form struct {
	Title  string
	Fields []Field
	// Start is what the fields hold when there is no draft.
	Start Values
	// First is the field that gets the cursor first; empty for the first field.
	First string
}

// Field finds a field by its name.
func (f *Form) Field(name string) (*Field, bool) {
	i := slices.IndexFunc(f.Fields, func(field Field) bool { return field.Name == name })
	if i < 0 {
		return nil, false
	}
	return &f.Fields[i], true
}

// Shown reports whether the form has the field and shows it beside these values.
func (f *Form) Shown(name string, values Values) bool {
	field, ok := f.Field(name)
	return ok && field.Shown(values)
}

// ShownValues are the values of visible fields. Nobody sees the others, so they must not be sent.
func (f *Form) ShownValues(values Values) Values {
	shown := Values{}
	for name, value := range values {
		if f.Shown(name, values) {
			shown[name] = value
		}
	}
	return shown
}

// Pages are the names of the pages in order.
func (f *Form) Pages() []string {
	var pages []string
	for i := range f.Fields {
		if page := f.Fields[i].Page; !slices.Contains(pages, page) {
			pages = append(pages, page)
		}
	}
	return pages
}
