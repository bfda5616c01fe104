package operations

import (
	"strings"

	"waybill/model"
	"waybill/operations/form"
	"waybill/operations/taskimport"
)

// newDraft starts a draft that understands texts as this input does.
func newDraft(s Input) *taskimport.Draft { return taskimport.NewDraft(draftOptions(s)) }

// draftOptions are what drafts and files need to understand texts.
func draftOptions(s Input) taskimport.Options {
	return taskimport.Options{
		Now: s.Now, Zone: s.zone(), Country: s.Organization.Country,
		Team: func(name string) (model.ID, error) { return resolveName(boardTeams(s.Board), name, "team") },
	}
}

// taskField makes a field from the table of import columns, so that forms, flags and files understand the same texts.
func taskField(s Input, name, title, page string) form.Field {
	f := form.Field{Name: name, Title: title, Page: page}
	for _, known := range taskimport.Fields() {
		if known.Name != name {
			continue
		}
		f.About, f.Hint = strings.TrimSuffix(known.About, ", yes or no"), known.Example
		f.Flag = form.Flag{Name: known.FlagName(), Usage: f.About + "; such as " + known.Example}
		if known.Switch {
			f.Kind, f.Hint, f.Flag.Usage = form.Yes, "", f.About
		}
	}
	if rest, repeats := strings.CutPrefix(strings.TrimPrefix(f.About, "the "),
		strings.ToLower(title)); repeats && (rest == "" || rest[0] == ',') {
		f.About = strings.TrimPrefix(rest, ", ") // do not repeat the title
	}
	f.Check = func(value string) error { return newDraft(s).Set(name, value) }
	return f
}

// titleOf is the title of a column's field where nothing better is known: service_time is "Service time".
func titleOf(column string) string { return model.Capitalize(strings.ReplaceAll(column, "_", " ")) }

// readTask reads a task from the values that have the names of import columns, and its metadata.
func readTask(s Input, values form.Values, problems form.Problems) model.TaskInput {
	draft := newDraft(s)
	for _, f := range taskimport.Fields() {
		value := values.Get(f.Name)
		switch f.Name {
		case "require":
			value = joinRequirements(values)
		case "depends_on":
			ids, err := s.resolveTasks(value)
			addError(problems, f.Name, err)
			value = typedIDs(ids)
		}
		addError(problems, f.Name, draft.Set(f.Name, value))
	}
	addError(problems, "window", draft.CheckWindow())
	in, err := draft.Changes()
	addError(problems, "recipient_id", err)
	entries, err := parseMetadataLines(values["metadata"])
	addError(problems, "metadata", err)
	if entries != nil {
		in.Metadata = model.Some(entries)
	}
	return in
}

// fieldOfMember maps a member of a task to the field of a form: the column's, except where forms ask in another way or a
// service's error calls the member something else. A time belongs to the field that it was typed in.
func fieldOfMember(member string, values form.Values) string {
	name := map[string]string{
		"container":                       "worker",
		"container.worker":                "worker",
		"worker":                          "worker",
		"autoAssign":                      "assign",
		"autoAssign.mode":                 "auto_mode",
		"autoAssign.team":                 "auto_team",
		"autoAssign.maxAssignedTaskCount": "auto_max",
		"autoAssign.considerDependencies": "auto_dependencies",
		"autoAssign.excludedWorkerIds":    "auto_exclude",
		"requirements":                    "require_signature",
		"type":                            "kind",
		"phone":                           "recipient_phone",
		"recipient.phone":                 "recipient_phone",
		"recipient":                       "recipient_id",
		"task":                            "depends_on",
	}[member]
	list, _, isElement := strings.Cut(member, "[")
	switch {
	case name != "":
		return name
	case isElement && (list == "metadata" || list == "autoAssign.excludedWorkerIds"):
		return fieldOfMember(list, values)
	case strings.HasPrefix(member, "customFields"):
		return "template"
	}
	name = taskimport.ColumnOf(member)
	if (name == "after" || name == "before") && values.Get(name) == "" && values.Get("window") != "" {
		return "window"
	}
	return name
}
