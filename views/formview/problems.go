package formview

import (
	"maps"
	"slices"
	"strings"

	"waybill/operations/form"
)

// SetProblems shows problems at their fields and focuses the first such field. Problems of no visible field are shown at
// the top. An edit removes the problem of its field.
func (f *Form) SetProblems(problems form.Problems) {
	var first *field
	rest := maps.Clone(problems)
	for _, fd := range f.fields {
		fd.problem = ""
		if fd.visible {
			fd.problem = problems[fd.spec.Name]
			delete(rest, fd.spec.Name)
		}
		if fd.problem == fd.note {
			fd.note = ""
		}
		if fd.problem != "" && first == nil {
			first = fd
		}
		f.invalidate(fd)
	}
	f.problem = f.formProblem(rest)
	if first != nil {
		f.setFocus(first)
	}
	f.stale = true
}

// formProblem joins the problems that belong to no visible field.
func (f *Form) formProblem(problems form.Problems) string {
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

// SetNotes shows notes below their fields. A note that starts with "!" is a warning.
func (f *Form) SetNotes(notes map[string]string) {
	for _, fd := range f.fields {
		if note := notes[fd.spec.Name]; note != fd.note {
			fd.note = note
			f.invalidate(fd)
		}
	}
}

// Check returns the problems of the visible fields.
func (f *Form) Check() form.Problems {
	problems := form.Problems{}
	for _, fd := range f.fields {
		if !fd.visible {
			continue
		}
		if err := fd.check(); err != nil {
			problems.Add(fd.spec.Name, err.Error())
		}
	}
	return problems
}
