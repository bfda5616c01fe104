package operations

import (
	"slices"
	"strings"

	"waybill/model"
	"waybill/operations/form"
)

// NewMetadata is task.metadata. The form of a single task shows its entries; the form for many asks which entries to set
// and to remove.
func NewMetadata(s Input) (Operation, error) {
	e := taskEdit{id: "task.metadata", noun: "metadata", members: []string{"metadata"}}
	if err := e.selectEditable(s); err != nil {
		return Operation{}, err
	}
	e.form = form.Form{Title: "Metadata of " + labelTasks(e.tasks), Start: form.Values{}}
	entries := metadataField("", metadataFormat)
	var listed []string // names in the form: removing a line removes the entry
	if len(e.tasks) == 1 && s.Task != nil && s.Task.ID == e.tasks[0].id {
		e.form.Start["metadata"], listed = formatMetadata(s.Task.Metadata)
		entries.About += "; remove a line to remove its entry"
		e.form.Fields = []form.Field{entries}
	} else {
		entries.Title = "Set"
		e.form.Fields = []form.Field{entries, {
			Name: "remove", Title: "Remove", About: "names of entries, separated by commas", Hint: "invoice, weight",
		}}
	}
	e.read = func(values form.Values, problems form.Problems) edit {
		set, err := parseMetadataLines(values["metadata"])
		addError(problems, "metadata", err)
		wish := metadataChange{set: set, remove: removedNames(set, listed, values.Get("remove"))}
		nothing := len(wish.set) == 0 && len(wish.remove) == 0
		if err == nil && (nothing || s.Task != nil && len(e.tasks) == 1 && sameMetadata(wish.apply(s.Task.Metadata), s.Task.Metadata)) {
			addProblem(problems, "metadata", "Nothing would change.")
		}
		return edit{lines: wish.lines(), apply: func(now *model.Task) model.TaskInput {
			return model.TaskInput{Metadata: model.Some(wish.apply(now.Metadata))}
		}}
	}
	return e.operation(s)
}

// removedNames are the entries to remove: those named, and those whose lines were removed from the form.
func removedNames(set []model.Metadata, listed []string, named string) []string {
	var names []string
	for name := range strings.SplitSeq(named, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	for _, name := range listed {
		if !slices.ContainsFunc(set, func(m model.Metadata) bool { return m.Name == name }) {
			names = append(names, name)
		}
	}
	return names
}

// formatMetadata writes entries as lines. Entries that do not fit on a line are left out and stay unchanged.
func formatMetadata(entries []model.Metadata) (lines string, names []string) {
	var text strings.Builder
	for _, m := range entries {
		line := m.Name + ":" + m.Type + "=" + string(m.Value)
		var value string
		if m.Type == model.MetadataString && model.Unmarshal(m.Value, &value) == nil {
			line = m.Name + ":string=" + value
			if !strings.Contains(m.Name, ":") {
				line = m.Name + "=" + value
			}
		}
		back, err := parseMetadataLines(line)
		if err == nil && len(back) == 1 && back[0].Name == m.Name && model.MatchesMetadata(back, []model.Metadata{m}) {
			text.WriteString(line + "\n")
			names = append(names, m.Name)
		}
	}
	return strings.TrimSuffix(text.String(), "\n"), names
}

// metadataChange is which entries are set and which are removed.
type metadataChange struct {
	set    []model.Metadata
	remove []string
}

// apply is the metadata after the change. The visibility of entries stays.
func (w metadataChange) apply(entries []model.Metadata) []model.Metadata {
	after := []model.Metadata{}
	for _, m := range entries {
		if at := slices.IndexFunc(w.set, func(set model.Metadata) bool { return set.Name == m.Name }); at >= 0 {
			if m.Type != w.set[at].Type {
				m.Subtype = model.Opt[string]{}
			}
			m.Type, m.Value = w.set[at].Type, w.set[at].Value
		} else if slices.Contains(w.remove, m.Name) {
			continue
		}
		after = append(after, m)
	}
	for _, set := range w.set {
		if !slices.ContainsFunc(entries, func(m model.Metadata) bool { return m.Name == set.Name }) {
			after = append(after, set)
		}
	}
	return after
}

func (w metadataChange) lines() []Line {
	var lines []Line
	for _, m := range w.set {
		lines = append(lines, plainLine("%s is set to %s.", model.Clean(m.Name), shortenText(string(m.Value))))
	}
	for _, name := range w.remove {
		lines = append(lines, plainLine("%s is removed.", model.Clean(name)))
	}
	return append(lines, plainLine("Other entries stay."))
}

func sameMetadata(a, b []model.Metadata) bool {
	return len(a) == len(b) && model.MatchesMetadata(a, b) && model.MatchesMetadata(b, a)
}
