package operations

import (
	"strings"

	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// Pages of the form for a new task, in the order of the work.
const (
	pageWhere  = "Where"
	pageWho    = "Who"
	pageWhen   = "When"
	pageAssign = "Who goes"
	pageWhat   = "What"
	pageMore   = "More"
)

// Who gets a new task.
const (
	assignNobody = "none"
	assignTeam   = "team"
	assignWorker = "worker"
	assignAuto   = "auto"
)

func taskPlace() placeForm {
	return placeForm{page: pageWhere, ways: []form.Option{lineWay(), partsWay(), knownWay(), pointWay()}}
}

func newTaskForm(s Input) form.Form {
	f := form.Form{Title: "New task", Start: argumentAs(s, "address"), First: "address"}
	f.Fields = append(f.Fields, form.Field{
		Name: "kind", Title: "Kind", Page: pageWhere, Kind: form.Choice,
		Options: []form.Option{{Value: "dropoff", Label: "drop-off"}, {Value: "pickup", Label: "pickup"}},
	})
	f.Fields = append(f.Fields, taskPlace().fields(s)...)
	f.Fields = append(f.Fields, personFields(s, pageWho)...)
	f.Fields = append(f.Fields, overrideFields(s)...)
	f.Fields = append(f.Fields, windowFields(s, pageWhen)...)
	f.Fields = append(f.Fields, importField(s, "service_time", "Time at the door", pageWhen), linkField(s), neededByField(s))
	f.Fields = append(f.Fields, assignFields(s)...)
	f.Fields = append(f.Fields, loadFields(s)...)
	f.Fields = append(f.Fields, customFields(s, pageMore)...)
	f.Fields = append(f.Fields, metadataField(pageMore, "an entry a line: name=value, or name:type=value"))
	f.Fields = append(f.Fields, partyFields(s)...)
	return f
}

func overrideFields(s Input) []form.Field {
	return []form.Field{
		importField(s, "override_name", "Name on this task", pageWho),
		importField(s, "override_notes", "Notes on this task", pageWho),
		importField(s, "override_skip_sms", "No SMS for this task", pageWho),
	}
}

// linkField asks for what must be done first: for a drop-off mostly its pickup.
func linkField(s Input) form.Field {
	return form.Field{
		Name: "depends_on", Title: "Waits for", Page: pageWhen, Hint: "5d20c1aa",
		About: "what must be completed first, such as a drop-off's pickup, by short id",
		Suggest: func(text string, values form.Values) []form.Option {
			pickup := values.Get("kind") == "pickup"
			return suggestTasks(s, text, func(row *board.TaskRow) bool { return pickup || row.Pickup })
		},
		Check: func(value string) error {
			_, err := findTasks(s.Board, value)
			return err
		},
		Echo: func(value string, _ form.Values) string {
			ids, err := findTasks(s.Board, value)
			if err != nil {
				return ""
			}
			return describeAll(s.Board, ids)
		},
	}
}

// suggestTasks suggests for the last of several short ids and keeps those before it.
func suggestTasks(s Input, text string, wanted func(row *board.TaskRow) bool) []form.Option {
	before, last := "", text
	if at := strings.LastIndexAny(text, " ,"); at >= 0 {
		before, last = text[:at+1], text[at+1:]
	}
	options := openTasks(s.Board, last, wanted)
	for i := range options {
		options[i].Value = before + options[i].Value
	}
	return options
}

// findTasks reads ids and short ids with spaces or commas between.
func findTasks(snapshot *board.Snapshot, text string) ([]model.ID, error) {
	var ids []model.ID
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,;\t\n", r) }) {
		id, err := findTask(snapshot, part)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func describeAll(snapshot *board.Snapshot, ids []model.ID) string {
	var texts []string
	for _, id := range ids {
		if row := snapshot.Tasks.Get(id); row != nil {
			texts = append(texts, describeTask(row))
		} else {
			texts = append(texts, callTask(snapshot, id))
		}
	}
	return strings.Join(texts, "; ")
}

func assignFields(s Input) []form.Field {
	when := func(who string) func(form.Values) bool {
		return func(v form.Values) bool { return v.Get("assign") == who }
	}
	workers, teams := workersOf(s.Board), teamsOf(s.Board)
	team := teamField(teams, "team", "Team", assignTeam)
	auto := teamField(teams, "auto_team", "Only of the team", assignAuto)
	auto.About = "leave empty to choose among all workers on duty"
	fields := []form.Field{
		{
			Name: "assign", Title: "Who gets it", Page: pageAssign, Kind: form.Choice,
			Options: []form.Option{
				{Value: assignNobody, Label: "nobody yet"},
				{Value: assignTeam, Label: "a team"},
				{Value: assignWorker, Label: "a worker"},
				{Value: assignAuto, Label: "the service chooses", Note: "among the workers on duty"},
			},
		},
		team, workerField(workers, "worker", "Worker"), assignPosition(s),
		{
			Name: "auto_mode", Title: "Choose by", Page: pageAssign, Kind: form.Choice,
			Options: []form.Option{
				{Value: model.AutoAssignDistance, Label: "distance", Note: "who is nearest"},
				{Value: model.AutoAssignLoad, Label: "load", Note: "who has the shortest route"},
			},
		},
		auto,
		{Name: "auto_max", Title: "At most", Page: pageAssign, Hint: "10", About: "choose nobody who has this many tasks already", Check: unlessEmpty(checkCount)},
		{
			Name: "auto_exclude", Title: "But not", Page: pageAssign, About: "workers never to be chosen, with commas between",
			Suggest: func(text string, _ form.Values) []form.Option { return suggestSeveral(workers, text) },
			Check: func(value string) error {
				_, err := findSeveral(workers, value, "worker")
				return err
			},
		},
		{
			Name: "auto_dependencies", Title: "Keep linked tasks together", Page: pageAssign, Kind: form.Yes,
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

// assignPosition asks for a place on the worker's route or in the team's list.
func assignPosition(s Input) form.Field {
	f := s.positionField(func(v form.Values) (queue, bool) { return assignedQueue(s, v) })
	f.Page, f.Empty = pageAssign, "last"
	f.Show = func(v form.Values) bool { return v.Get("assign") == assignWorker || v.Get("assign") == assignTeam }
	return f
}

// assignedQueue is the list that a new task goes to.
func assignedQueue(s Input, v form.Values) (queue, bool) {
	switch v.Get("assign") {
	case assignWorker:
		if id, err := findCalled(workersOf(s.Board), v.Get("worker"), "worker"); err == nil {
			return s.queueOf(s.workerPlace(id, ""), nil)
		}
	case assignTeam:
		if id, err := findCalled(teamsOf(s.Board), v.Get("team"), "team"); err == nil {
			return s.queueOf(s.teamPlace(id, ""), nil)
		}
	}
	return queue{}, false
}

// workerField picks a worker of the board.
func workerField(workers []called, name, title string) form.Field {
	return form.Field{
		Name: name, Title: title, Page: pageAssign, Prompt: promptName,
		Suggest: func(text string, _ form.Values) []form.Option { return suggestCalled(workers, text) },
		Check: unlessEmpty(func(value string) error {
			_, err := findCalled(workers, value, "worker")
			return err
		}),
		Echo: func(value string, _ form.Values) string { return noteOf(workers, value, "worker") },
	}
}

func teamField(teams []called, name, title, when string) form.Field {
	return form.Field{
		Name: name, Title: title, Page: pageAssign, Prompt: promptName,
		Suggest: func(text string, _ form.Values) []form.Option { return suggestCalled(teams, text) },
		Check: unlessEmpty(func(value string) error {
			_, err := findCalled(teams, value, "team")
			return err
		}),
		Echo: func(value string, _ form.Values) string { return noteOf(teams, value, "team") },
		Show: func(v form.Values) bool { return v.Get("assign") == when },
	}
}

// noteOf tells who is meant by a name or an id.
func noteOf(all []called, value, noun string) string {
	id, err := findCalled(all, value, noun)
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
	notes := importField(s, "notes", "Notes", pageWhat)
	notes.Kind, notes.Limit = form.Text, model.MaxTaskNotes
	fields := []form.Field{notes}
	for _, f := range []struct{ name, title string }{
		{"quantity", "Quantity"}, {"quantity_a", "Quantity A"}, {"quantity_b", "Quantity B"}, {"quantity_c", "Quantity C"},
	} {
		fields = append(fields, importField(s, f.name, f.title, pageWhat))
	}
	fields = append(fields, requirementFields(pageWhat)...)
	return append(fields,
		importField(s, "minimum_age", "Minimum age", pageWhat),
		importField(s, "barcodes", "Barcodes", pageWhat),
		importField(s, "blocking_barcodes", "Barcodes to be scanned", pageWhat),
		importField(s, "scan_only_required", "Only these barcodes", pageWhat),
		form.Field{
			Name: "color", Title: "Colour", Page: pageWhat, About: "of the mark on the map", Kind: form.Choice,
			Options: []form.Option{{Label: "none"}, {Value: "teal", Label: "teal"}, {Value: "orange", Label: "orange"}, {Value: "magenta", Label: "magenta"}},
		},
	)
}

// requirements are what a driver can be asked for, by the words that drafts know.
func requirements() []string { return []string{"signature", "photo", "notes"} }

func requirementFields(page string) []form.Field {
	var fields []form.Field
	for _, word := range requirements() {
		fields = append(fields, form.Field{
			Name: "require_" + word, Title: capital(word) + " required", Page: page, Kind: form.Yes, About: "the driver cannot complete it without",
		})
	}
	return fields
}

// required joins the switches into the text that drafts know.
func required(values form.Values) string {
	var words []string
	for _, word := range requirements() {
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
	merchant := importField(s, "merchant", "Merchant", pageMore)
	executor := importField(s, "executor", "Executor", pageMore)
	merchant.Suggest, executor.Suggest = partners, partners
	return []form.Field{merchant, executor, importField(s, "use_merchant_for_proxy", "Calls through the merchant", pageMore)}
}
