package formview

import (
	"maps"
	"slices"
	"strings"

	"waybill/operations/form"
)

// SetProblems shows what is wrong at the fields and goes to the first of them. What belongs to no field that is shown is
// said on top. A field's problem is gone as soon as the field is edited.
func (f *Form) SetProblems(problems form.Problems) {
	var first *entry
	rest := maps.Clone(problems)
	for _, e := range f.entries {
		e.problem = ""
		if e.shown {
			e.problem = problems[e.spec.Name]
			delete(rest, e.spec.Name)
		}
		if e.problem == e.note {
			e.note = "" // once is enough
		}
		if e.problem != "" && first == nil {
			first = e
		}
		f.touch(e)
	}
	f.problem = f.loose(rest)
	if first != nil {
		f.jump(first)
	}
	f.stale = true
}

// loose is what is wrong apart from the fields, in one text.
func (f *Form) loose(problems form.Problems) string {
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(problems)) {
		text := problems[name]
		if name != "" && text != "" {
			text = f.titleOf(name) + ": " + text
		}
		if text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}

func (f *Form) titleOf(name string) string {
	if spec, ok := f.spec.Field(name); ok {
		return spec.Title
	}
	return name
}

// SetNotes shows remarks that were looked up under their fields. One that begins with "!" is a warning.
func (f *Form) SetNotes(notes map[string]string) {
	for _, e := range f.entries {
		if note := notes[e.spec.Name]; note != e.note {
			e.note = note
			f.touch(e)
		}
	}
}

// Check is what is wrong with the fields that are shown, each on its own.
func (f *Form) Check() form.Problems {
	problems := form.Problems{}
	for _, e := range f.entries {
		if !e.shown {
			continue
		}
		if err := e.check(); err != nil {
			problems.Add(e.spec.Name, err.Error())
		}
	}
	return problems
}
