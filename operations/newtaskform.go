package operations

import (
	"strings"

	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// Pages of the form for a new task, in the order of the work.
const (
	pageAddress   = "Where"
	pageRecipient = "Who"
	pageTime      = "When"
	pageDriver    = "Who goes"
	pageLoad      = "What"
	pageMore      = "More"
)

// Who gets a new task.
const (
	assignNobody = "none"
	assignTeam   = "team"
	assignWorker = "worker"
	assignAuto   = "auto"
)

func taskAddressForm() addressForm {
	return addressForm{page: pageAddress, modes: []form.Option{lineMode(), partsMode(), knownMode(), pointMode()}}
}

func newTaskForm(s Input) form.Form {
	f := form.Form{Title: "New task", Start: startFromArgument(s, "address"), First: "address"}
	f.Fields = append(f.Fields, form.Field{
		Name: "kind", Title: "Kind", Page: pageAddress, Kind: form.Choice,
		Options: []form.Option{{Value: "dropoff", Label: "drop-off"}, {Value: "pickup", Label: "pickup"}},
	})
	f.Fields = append(f.Fields, taskAddressForm().fields(s)...)
	f.Fields = append(f.Fields, recipientFields(s, pageRecipient)...)
	f.Fields = append(f.Fields, overrideFields(s)...)
	f.Fields = append(f.Fields, windowFields(s, pageTime)...)
	f.Fields = append(f.Fields, taskField(s, "service_time", "Time at the door", pageTime), dependsOnField(s), neededByField(s))
	f.Fields = append(f.Fields, assignFields(s)...)
	f.Fields = append(f.Fields, loadFields(s)...)
	f.Fields = append(f.Fields, customFields(s, pageMore)...)
	f.Fields = append(f.Fields, metadataField(pageMore, "an entry a line: name=value, or name:type=value"))
	f.Fields = append(f.Fields, partyFields(s)...)
	return f
}

func overrideFields(s Input) []form.Field {
	return []form.Field{
		taskField(s, "override_name", "Name on this task", pageRecipient),
		taskField(s, "override_notes", "Notes on this task", pageRecipient),
		taskField(s, "override_skip_sms", "No SMS for this task", pageRecipient),
	}
}

// dependsOnField asks for what must be done first: for a drop-off mostly its pickup.
func dependsOnField(s Input) form.Field {
	return form.Field{
		Name: "depends_on", Title: "Waits for", Page: pageTime, Hint: "5d20c1aa",
		About: "what must be completed first, such as a drop-off's pickup, by short id",
		Suggest: func(text string, values form.Values) []form.Option {
			pickup := values.Get("kind") == "pickup"
			return suggestTasks(s, text, func(row *board.TaskRow) bool { return pickup || row.Pickup })
		},
		Check: func(value string) error {
			_, err := resolveTasks(s.Board, value)
			return err
		},
		Echo: func(value string, _ form.Values) string {
			ids, err := resolveTasks(s.Board, value)
			if err != nil {
				return ""
			}
			return describeTasks(s.Board, ids)
		},
	}
}

// suggestTasks suggests for the last of several short ids and keeps those before it.
func suggestTasks(s Input, text string, wanted func(row *board.TaskRow) bool) []form.Option {
	before, last := "", text
	if at := strings.LastIndexAny(text, " ,"); at >= 0 {
		before, last = text[:at+1], text[at+1:]
	}
	options := suggestOpenTasks(s.Board, last, wanted)
	for i := range options {
		options[i].Value = before + options[i].Value
	}
	return options
}

// resolveTasks reads ids and short ids with spaces or commas between.
func resolveTasks(snapshot *board.Snapshot, text string) ([]model.ID, error) {
	var ids []model.ID
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,;\t\n", r) }) {
		id, err := resolveTask(snapshot, part)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func describeTasks(snapshot *board.Snapshot, ids []model.ID) string {
	var texts []string
	for _, id := range ids {
		if row := snapshot.Tasks.Get(id); row != nil {
			texts = append(texts, describeTask(row))
		} else {
			texts = append(texts, taskLabel(snapshot, id))
		}
	}
	return strings.Join(texts, "; ")
}

func assignFields(s Input) []form.Field {
	when := func(who string) func(form.Values) bool {
		return func(v form.Values) bool { return v.Get("assign") == who }
	}
	workers, teams := boardWorkers(s.Board), boardTeams(s.Board)
	team := teamField(teams, "team", "Team", assignTeam)
	auto := teamField(teams, "auto_team", "Only of the team", assignAuto)
	auto.About = "leave empty to choose among all workers on duty"
	fields := []form.Field{
		{
			Name: "assign", Title: "Who gets it", Page: pageDriver, Kind: form.Choice,
			Options: []form.Option{
				{Value: assignNobody, Label: "nobody yet"},
				{Value: assignTeam, Label: "a team"},
				{Value: assignWorker, Label: "a worker"},
				{Value: assignAuto, Label: "the service chooses", Note: "among the workers on duty"},
			},
		},
		team, workerField(workers, "worker", "Worker"), assignPositionField(s),
		{
			Name: "auto_mode", Title: "Choose by", Page: pageDriver, Kind: form.Choice,
			Options: []form.Option{
				{Value: model.AutoAssignDistance, Label: "distance", Note: "who is nearest"},
				{Value: model.AutoAssignLoad, Label: "load", Note: "who has the shortest route"},
			},
		},
		auto,
		{Name: "auto_max", Title: "At most", Page: pageDriver, Hint: "10", About: "choose nobody who has this many tasks already", Check: unlessEmpty(checkCount)},
		{
			Name: "auto_exclude", Title: "But not", Page: pageDriver, About: "workers never to be chosen, with commas between",
			Suggest: func(text string, _ form.Values) []form.Option { return suggestNameList(workers, text) },
			Check: func(value string) error {
				_, err := resolveNames(workers, value, "worker")
				return err
			},
		},
		{
			Name: "auto_dependencies", Title: "Keep linked tasks together", Page: pageDriver, Kind: form.Yes,
			About: "gives it to the worker who has what it waits for",
		},
	}
	for i := range fields {
		switch name := fields[i].Name; {
		case name == "worker":
			fields[i].Show = when(assignWorker)
		case strings.HasPrefix(name, "auto_"):
			fields[i].Show = when(assignAuto)
		}
	}
	return fields
}

// assignPositionField asks for a place on the worker's route or in the team's list.
func assignPositionField(s Input) form.Field {
	f := s.positionField(func(v form.Values) (stopList, bool) { return assignedRoute(s, v) })
	f.Page, f.Empty = pageDriver, "last"
	f.Show = func(v form.Values) bool { return v.Get("assign") == assignWorker || v.Get("assign") == assignTeam }
	return f
}

// assignedRoute is the list that a new task goes to.
func assignedRoute(s Input, v form.Values) (stopList, bool) {
	switch v.Get("assign") {
	case assignWorker:
		if id, err := resolveName(boardWorkers(s.Board), v.Get("worker"), "worker"); err == nil {
			return s.stopsOf(s.workerRoute(id, ""), nil)
		}
	case assignTeam:
		if id, err := resolveName(boardTeams(s.Board), v.Get("team"), "team"); err == nil {
			return s.stopsOf(s.teamRoute(id, ""), nil)
		}
	}
	return stopList{}, false
}

// workerField picks a worker of the board.
func workerField(workers []namedObject, name, title string) form.Field {
	return form.Field{
		Name: name, Title: title, Page: pageDriver, Prompt: promptName,
		Suggest: func(text string, _ form.Values) []form.Option { return suggestNames(workers, text) },
		Check: unlessEmpty(func(value string) error {
			_, err := resolveName(workers, value, "worker")
			return err
		}),
		Echo: func(value string, _ form.Values) string { return echoName(workers, value, "worker") },
	}
}

func teamField(teams []namedObject, name, title, when string) form.Field {
	return form.Field{
		Name: name, Title: title, Page: pageDriver, Prompt: promptName,
		Suggest: func(text string, _ form.Values) []form.Option { return suggestNames(teams, text) },
		Check: unlessEmpty(func(value string) error {
			_, err := resolveName(teams, value, "team")
			return err
		}),
		Echo: func(value string, _ form.Values) string { return echoName(teams, value, "team") },
		Show: func(v form.Values) bool { return v.Get("assign") == when },
	}
}

// echoName tells who is meant by a name or an id.
func echoName(all []namedObject, value, noun string) string {
	id, err := resolveName(all, value, noun)
	if err != nil {
		return ""
	}
	for _, c := range all {
		if c.id == id {
			return c.name + ", " + c.note
		}
	}
	return "not on the board"
}

func loadFields(s Input) []form.Field {
	notes := taskField(s, "notes", "Notes", pageLoad)
	notes.Kind, notes.Limit = form.Text, model.MaxTaskNotes
	fields := []form.Field{notes}
	for _, f := range []struct{ name, title string }{
		{"quantity", "Quantity"}, {"quantity_a", "Quantity A"}, {"quantity_b", "Quantity B"}, {"quantity_c", "Quantity C"},
	} {
		fields = append(fields, taskField(s, f.name, f.title, pageLoad))
	}
	fields = append(fields, requirementFields(pageLoad)...)
	return append(fields,
		taskField(s, "minimum_age", "Minimum age", pageLoad),
		taskField(s, "barcodes", "Barcodes", pageLoad),
		taskField(s, "blocking_barcodes", "Barcodes to be scanned", pageLoad),
		taskField(s, "scan_only_required", "Only these barcodes", pageLoad),
		form.Field{
			Name: "color", Title: "Colour", Page: pageLoad, About: "of the mark on the map", Kind: form.Choice,
			Options: []form.Option{{Label: "none"}, {Value: "teal", Label: "teal"}, {Value: "orange", Label: "orange"}, {Value: "magenta", Label: "magenta"}},
		},
	)
}

// requirementNames are what a driver can be asked for, by the words that drafts know.
func requirementNames() []string { return []string{"signature", "photo", "notes"} }

func requirementFields(page string) []form.Field {
	var fields []form.Field
	for _, word := range requirementNames() {
		fields = append(fields, form.Field{
			Name: "require_" + word, Title: capitalize(word) + " required", Page: page, Kind: form.Yes, About: "the driver cannot complete it without",
		})
	}
	return fields
}

// joinRequirements joins the switches into the text that drafts know.
func joinRequirements(values form.Values) string {
	var words []string
	for _, word := range requirementNames() {
		if values.Yes("require_" + word) {
			words = append(words, word)
		}
	}
	return strings.Join(words, ",")
}

// partyFields ask on whose behalf, where the organization works for or with others.
func partyFields(s Input) []form.Field {
	partners := func(string, form.Values) []form.Option {
		var options []form.Option
		for _, id := range s.Organization.Delegatees {
			options = append(options, form.Option{Value: string(id), Label: string(id), Note: "connected"})
		}
		return options
	}
	merchant := taskField(s, "merchant", "Merchant", pageMore)
	executor := taskField(s, "executor", "Executor", pageMore)
	merchant.Suggest, executor.Suggest = partners, partners
	return []form.Field{merchant, executor, taskField(s, "use_merchant_for_proxy", "Calls through the merchant", pageMore)}
}
