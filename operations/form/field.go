// Package form describes what an operation asks for, independent of how it is drawn. Operations build forms with it, views/formview
// draws them, and values are the texts that a person typed, so a draft is simply those texts.
package form

import (
	"cmp"
	"maps"
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

// Field is one thing that a form asks for.
type Field struct {
	Name  string // of the value, and where problems are shown
	Title string
	About string // a few words under the title
	Hint  string // an example, shown in the empty field
	// Prompt and Empty are shown there in place of an example: what to do, and what it means to leave it empty.
	Prompt, Empty string

	Page string // fields of one page are shown together; pages follow each other in the order they first come up
	Kind Kind

	// Options are what a Choice chooses from. The first is taken when nothing else is said.
	Options []Option
	// Suggest lists what could be meant by a text, best first: names on the board, known addresses. It asks nobody.
	Suggest func(text string, values Values) []Option
	// Limit is how many characters fit, shown as a counter; zero for no limit.
	Limit int
	// Check says what is wrong with a value on its own, as soon as the field is left.
	Check func(value string) error
	// Echo says what a value is taken for, such as "today 14:30 PST, in 2h" or a worker's name for an id.
	Echo func(value string, values Values) string
	// Show hides the field while it says false; nil shows it always.
	Show func(values Values) bool
}

// Placeholder is what the empty field shows.
func (f *Field) Placeholder() string { return cmp.Or(f.Prompt, f.Empty, f.Hint) }

// Option is something to choose: what is kept, and what is shown of it.
type Option struct {
	Value string
	Label string
	Note  string
}

// Values are the texts of a form by the names of its fields. A name without a text is left out.
type Values map[string]string

// Get is a value without the spaces around it.
func (v Values) Get(name string) string { return strings.TrimSpace(v[name]) }

// Yes reports whether a Yes field was switched on.
func (v Values) Yes(name string) bool { return v.Get(name) == "yes" }

// Clone is a copy that can be changed.
func (v Values) Clone() Values { return maps.Clone(v) }

// Problems are what is wrong, by the names of fields. What is wrong with the form as a whole has no name.
type Problems map[string]string

// Add keeps the first problem of each field.
func (p Problems) Add(name, text string) {
	if _, taken := p[name]; !taken && text != "" {
		p[name] = text
	}
}

// Form is everything that is asked for at once.
type Form struct {
	Title  string
	Fields []Field
	// Start is what the fields hold when there is no draft.
	Start Values
	// First is the field that is gone to first; empty for the first there is.
	First string
}

// Field finds a field by its name.
func (f *Form) Field(name string) (*Field, bool) {
	for i := range f.Fields {
		if f.Fields[i].Name == name {
			return &f.Fields[i], true
		}
	}
	return nil, false
}

// Pages are the names of the pages in order.
func (f *Form) Pages() []string {
	var pages []string
	seen := map[string]bool{}
	for i := range f.Fields {
		if name := f.Fields[i].Page; !seen[name] {
			seen[name] = true
			pages = append(pages, name)
		}
	}
	return pages
}
