package operations

import (
	"slices"
	"strings"

	"waybill/model"
	"waybill/operations/form"
)

// NewMetadata is task.metadata. With the one task in full its entries are edited where they stand; of many tasks
// entries are set and taken away, and all others stay.
func NewMetadata(s Input) (Operation, error) {
	fit, skipped := splitSelection(s, refuseUpdate("metadata"))
	if err := checkSelection(fit, skipped); err != nil {
		return Operation{}, err
	}
	f := form.Form{Title: "Metadata of " + labelTasks(fit), Start: form.Values{}}
	entries := metadataField("", metadataFormat)
	var listed []string // names in the form: removing a line removes the entry
	if len(fit) == 1 && s.Task != nil && s.Task.ID == fit[0].id {
		var lines string
		lines, listed = formatMetadata(s.Task.Metadata)
		f.Start["metadata"] = lines
		entries.About += "; remove a line to remove its entry"
		f.Fields = []form.Field{entries}
	} else {
		entries.Title = "Set"
		f.Fields = []form.Field{entries, {
			Name: "remove", Title: "Remove", About: "names of entries, separated by commas", Hint: "invoice, weight",
		}}
	}
	return Operation{
		ID: "task.metadata", Title: f.Title, Form: f, FieldOf: fieldFinder(&f, fieldOfMember),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			set, err := parseMetadataLines(values["metadata"])
			if err != nil {
				return Proposal{}, form.Problems{"metadata": sentence(err.Error())}
			}
			wish := metadataChange{set: set, remove: removedNames(set, listed, values.Get("remove"))}
			if len(wish.set) == 0 && len(wish.remove) == 0 {
				return Proposal{}, form.Problems{"metadata": "Nothing would change."}
			}
			if s.Task != nil && len(fit) == 1 && sameMetadata(wish.apply(s.Task.Metadata), s.Task.Metadata) {
				return Proposal{}, form.Problems{"metadata": "Nothing would change."}
			}
			plan := Proposal{
				Skipped: skipped, Summary: "change the metadata of " + labelTasks(fit),
				Lines: append(describeSelection(fit), wish.lines()...),
			}
			for _, c := range fit {
				plan.Steps = append(plan.Steps, metadataEdit(c, wish).step())
			}
			return plan, nil
		},
	}, nil
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

func metadataEdit(task selectedTask, wish metadataChange) edit {
	return edit{
		task: task, noun: "metadata", members: []string{"metadata"}, summary: "metadata changed",
		change: func(now *model.Task) (model.TaskInput, error) {
			return model.TaskInput{Metadata: model.Some(wish.apply(now.Metadata))}, nil
		},
		restore: func(before *model.Task) model.TaskInput {
			return model.TaskInput{Metadata: model.Some(slices.Clone(before.Metadata))}
		},
		isApplied: func(now, before *model.Task) bool { return sameMetadata(now.Metadata, wish.apply(before.Metadata)) },
	}
}
