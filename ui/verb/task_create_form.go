package verb

import (
	"strings"

	"waybill/model"
	"waybill/ui/field"
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
	return placeForm{page: pageWhere, ways: []field.Option{lineWay(), partsWay(), knownWay(), pointWay()}}
}

func newTaskForm(s Scene) field.Form {
	form := field.Form{Title: "New task", Start: argumentAs(s, "address"), First: "address"}
	form.Fields = append(form.Fields, field.Field{
		Name: "kind", Title: "Kind", Page: pageWhere, Kind: field.Choice,
		Options: []field.Option{{Value: "dropoff", Label: "drop-off"}, {Value: "pickup", Label: "pickup"}},
	})
	form.Fields = append(form.Fields, taskPlace().fields(s)...)
	form.Fields = append(form.Fields, personFields(s, pageWho)...)
	form.Fields = append(form.Fields, overrideFields(s)...)
	form.Fields = append(form.Fields, windowFields(s, pageWhen)...)
	form.Fields = append(form.Fields, importField(s, "service_time", "Time at the door", pageWhen), linkField(s), neededByField(s))
	form.Fields = append(form.Fields, assignFields(s)...)
	form.Fields = append(form.Fields, loadFields(s)...)
	form.Fields = append(form.Fields, customFields(s, pageMore)...)
	form.Fields = append(form.Fields, metadataField(pageMore, "an entry a line: name=value, or name:type=value"))
	form.Fields = append(form.Fields, partyFields(s)...)
	return form
}

func overrideFields(s Scene) []field.Field {
	return []field.Field{
		importField(s, "override_name", "Name on this task", pageWho),
		importField(s, "override_notes", "Notes on this task", pageWho),
		importField(s, "override_skip_sms", "No SMS for this task", pageWho),
	}
}

// linkField asks for what must be done first: for a drop-off mostly its pickup.
func linkField(s Scene) field.Field {
	return field.Field{
		Name: "depends_on", Title: "Waits for", Page: pageWhen, Hint: "5d20c1aa",
		About: "what must be completed first, such as a drop-off's pickup, by short id",
		Suggest: func(text string, values field.Values) []field.Option {
			pickup := values.Get("kind") == "pickup"
			return suggestTasks(s, text, func(row *model.TaskRow) bool { return pickup || row.Pickup })
		},
		Check: func(value string) error {
			_, err := findTasks(s.Board, value)
			return err
		},
		Echo: func(value string, _ field.Values) string {
			ids, err := findTasks(s.Board, value)
			if err != nil {
				return ""
			}
			return describeAll(s.Board, ids)
		},
	}
}

// suggestTasks suggests for the last of several short ids and keeps those before it.
func suggestTasks(s Scene, text string, wanted func(row *model.TaskRow) bool) []field.Option {
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
func findTasks(board *model.Snapshot, text string) ([]model.ID, error) {
	var ids []model.ID
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,;\t\n", r) }) {
		id, err := findTask(board, part)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func describeAll(board *model.Snapshot, ids []model.ID) string {
	var texts []string
	for _, id := range ids {
		if row := board.Tasks.Get(id); row != nil {
			texts = append(texts, describeTask(row))
		} else {
			texts = append(texts, callTask(board, id))
		}
	}
	return strings.Join(texts, "; ")
}

func assignFields(s Scene) []field.Field {
	when := func(who string) func(field.Values) bool {
		return func(v field.Values) bool { return v.Get("assign") == who }
	}
	workers, teams := workersOf(s.Board), teamsOf(s.Board)
	team := teamField(teams, "team", "Team", assignTeam)
	auto := teamField(teams, "auto_team", "Only of the team", assignAuto)
	auto.About = "leave empty to choose among all workers on duty"
	fields := []field.Field{
		{
			Name: "assign", Title: "Who gets it", Page: pageAssign, Kind: field.Choice,
			Options: []field.Option{
				{Value: assignNobody, Label: "nobody yet"},
				{Value: assignTeam, Label: "a team"},
				{Value: assignWorker, Label: "a worker"},
				{Value: assignAuto, Label: "the service chooses", Note: "among the workers on duty"},
			},
		},
		team, workerField(workers, "worker", "Worker"), assignPosition(s),
		{
			Name: "auto_mode", Title: "Choose by", Page: pageAssign, Kind: field.Choice,
			Options: []field.Option{
				{Value: model.AutoAssignDistance, Label: "distance", Note: "who is nearest"},
				{Value: model.AutoAssignLoad, Label: "load", Note: "who has the shortest route"},
			},
		},
		auto,
		{Name: "auto_max", Title: "At most", Page: pageAssign, Hint: "10", About: "choose nobody who has this many tasks already", Check: unlessEmpty(checkCount)},
		{
			Name: "auto_exclude", Title: "But not", Page: pageAssign, About: "workers never to be chosen, with commas between",
			Suggest: func(text string, _ field.Values) []field.Option { return suggestSeveral(workers, text) },
			Check: func(value string) error {
				_, err := findSeveral(workers, value, "worker")
				return err
			},
		},
		{
			Name: "auto_dependencies", Title: "Keep linked tasks together", Page: pageAssign, Kind: field.Yes,
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
func assignPosition(s Scene) field.Field {
	f := s.positionField(func(v field.Values) (queue, bool) { return assignedQueue(s, v) })
	f.Page, f.Empty = pageAssign, "last"
	f.Show = func(v field.Values) bool { return v.Get("assign") == assignWorker || v.Get("assign") == assignTeam }
	return f
}

// assignedQueue is the list that a new task goes to.
func assignedQueue(s Scene, v field.Values) (queue, bool) {
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
func workerField(workers []called, name, title string) field.Field {
	return field.Field{
		Name: name, Title: title, Page: pageAssign, Prompt: promptName,
		Suggest: func(text string, _ field.Values) []field.Option { return suggestCalled(workers, text) },
		Check: unlessEmpty(func(value string) error {
			_, err := findCalled(workers, value, "worker")
			return err
		}),
		Echo: func(value string, _ field.Values) string { return noteOf(workers, value, "worker") },
	}
}

func teamField(teams []called, name, title, when string) field.Field {
	return field.Field{
		Name: name, Title: title, Page: pageAssign, Prompt: promptName,
		Suggest: func(text string, _ field.Values) []field.Option { return suggestCalled(teams, text) },
		Check: unlessEmpty(func(value string) error {
			_, err := findCalled(teams, value, "team")
			return err
		}),
		Echo: func(value string, _ field.Values) string { return noteOf(teams, value, "team") },
		Show: func(v field.Values) bool { return v.Get("assign") == when },
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

func loadFields(s Scene) []field.Field {
	notes := importField(s, "notes", "Notes", pageWhat)
	notes.Kind, notes.Limit = field.Text, model.MaxTaskNotes
	fields := []field.Field{notes}
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
		field.Field{
			Name: "color", Title: "Colour", Page: pageWhat, About: "of the mark on the map", Kind: field.Choice,
			Options: []field.Option{{Label: "none"}, {Value: "teal", Label: "teal"}, {Value: "orange", Label: "orange"}, {Value: "magenta", Label: "magenta"}},
		},
	)
}

// requirements are what a driver can be asked for, by the words that drafts know.
func requirements() []string { return []string{"signature", "photo", "notes"} }

func requirementFields(page string) []field.Field {
	var fields []field.Field
	for _, word := range requirements() {
		fields = append(fields, field.Field{
			Name: "require_" + word, Title: capital(word) + " required", Page: page, Kind: field.Yes, About: "the driver cannot complete it without",
		})
	}
	return fields
}

// required joins the switches into the text that drafts know.
func required(values field.Values) string {
	var words []string
	for _, word := range requirements() {
		if values.Yes("require_" + word) {
			words = append(words, word)
		}
	}
	return strings.Join(words, ",")
}

// partyFields ask on whose behalf, where the organization works for or with others.
func partyFields(s Scene) []field.Field {
	partners := func(string, field.Values) []field.Option {
		var options []field.Option
		for _, id := range s.Organization.Delegatees {
			options = append(options, field.Option{Value: string(id), Label: string(id), Note: "connected"})
		}
		return options
	}
	merchant := importField(s, "merchant", "Merchant", pageMore)
	executor := importField(s, "executor", "Executor", pageMore)
	merchant.Suggest, executor.Suggest = partners, partners
	return []field.Field{merchant, executor, importField(s, "use_merchant_for_proxy", "Calls through the merchant", pageMore)}
}
