package operations

import (
	"cmp"
	"slices"
	"strings"

	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
	"waybill/operations/taskimport"
)

// Pages of the form for a new task.
const (
	pageAddress   = "Address"
	pageRecipient = "Recipient"
	pageTime      = "Time"
	pageDriver    = "Driver"
	pageLoad      = "Load"
	pageMore      = "More"
)

// Values of the field that says who gets a new task.
const (
	assignNobody = "none"
	assignTeam   = "team"
	assignWorker = "worker"
	assignAuto   = "auto"
)

const metadataFormat = "one entry per line: name=value or name:type=value"

func taskAddressForm() addressForm {
	return addressForm{page: pageAddress, modes: addressModes(whereLine, whereParts, whereKnown, wherePoint)}
}

func newTaskForm(s Input) form.Form {
	f := form.Form{Title: "New task", Start: startFromArgument(s, "address"), First: "address"}
	f.Fields = append(f.Fields, kindField(pageAddress, form.Option{Value: "dropoff", Label: "drop-off"},
		form.Option{Value: "pickup", Label: "pickup"}))
	f.Fields = append(f.Fields, taskAddressForm().fields(s)...)
	f.Fields = append(f.Fields, recipientFields(s, pageRecipient)...)
	f.Fields = append(f.Fields,
		hiddenField(taskField(s, "skip_phone_check", "Unchecked number", pageRecipient)),
		taskField(s, "override_name", "Name on this task", pageRecipient),
		taskField(s, "override_notes", "Notes on this task", pageRecipient),
		taskField(s, "override_skip_sms", "No SMS for this task", pageRecipient),
	)
	f.Fields = append(f.Fields, windowFields(s, pageTime)...)
	f.Fields = append(f.Fields, taskField(s, "service_time", "Service time", pageTime), dependsOnField(s), neededByField(s))
	f.Fields = append(f.Fields, assignFields(s)...)
	f.Fields = append(f.Fields, loadFields(s)...)
	f.Fields = append(f.Fields, customFields(s, pageMore)...)
	f.Fields = append(f.Fields, customTextField(s, pageMore), metadataField(pageMore, metadataFormat))
	f.Fields = append(f.Fields, partyFields(s)...)
	// A column without a field above gets one here, so that a new flag of tasks create is one entry in taskimport.
	for _, column := range taskimport.Fields() {
		_, known := f.Field(column.Name)
		if !known && column.Name != "longitude" && column.Name != "latitude" { // location asks for both
			f.Fields = append(f.Fields, taskField(s, column.Name, titleOf(column.Name), pageMore))
		}
	}
	return f
}

func kindField(page string, options ...form.Option) form.Field {
	return form.Field{
		Name: "kind", Title: "Kind", Page: page, Kind: form.Choice, Options: options,
		Flag: form.Flag{Usage: "pickup or dropoff; default: dropoff"},
	}
}

// dependsOnField asks for the tasks that must be completed first, such as the pickup of a drop-off.
func dependsOnField(s Input) form.Field {
	return form.Field{
		Name: "depends_on", Title: "Depends on", Page: pageTime, Hint: "5d20c1aa", Object: form.Task,
		About:   "tasks to be completed first, such as a drop-off's pickup, by short id",
		Suggest: s.suggestTasks(func(row *board.TaskRow, values form.Values) bool { return values.Get("kind") == "pickup" || row.Pickup }),
		Check:   checkText(s.resolveTasks), Echo: echoText(s.resolveTasks, s.describeTasks),
	}
}

// suggestTasks suggests open tasks that meet a condition for the last of several short ids.
func (s Input) suggestTasks(wanted func(row *board.TaskRow, values form.Values) bool) func(string, form.Values) []form.Option {
	return suggestLast(" ,", func(text string, values form.Values) []form.Option {
		folded := strings.ToLower(strings.TrimSpace(text))
		var rows []*board.TaskRow
		for row := range s.Board.Tasks.All() {
			if row.ShortID != "" && !row.Status.Closed() && wanted(row, values) && containsFold(describeTask(row), folded) {
				rows = append(rows, row)
			}
		}
		slices.SortFunc(rows, func(a, b *board.TaskRow) int { return cmp.Compare(a.ShortID, b.ShortID) })
		return mapList(rows[:min(len(rows), maxSuggestions)], func(row *board.TaskRow) form.Option {
			return form.Option{Value: string(row.ShortID), Label: describeTask(row), Note: row.StatusText()}
		})
	})
}

// resolveTasks reads ids and short ids separated by spaces or commas.
func (s Input) resolveTasks(text string) ([]model.ID, error) {
	var ids []model.ID
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,;\t\n", r) }) {
		id, err := ResolveTask(s.Board, part)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func (s Input) describeTasks(ids []model.ID) string {
	return strings.Join(mapList(ids, func(id model.ID) string {
		if row := s.Board.Tasks.Get(id); row != nil {
			return describeTask(row)
		}
		return taskLabel(s.Board, id)
	}), "; ")
}

func assignFields(s Input) []form.Field {
	workers, teams := describedWorkers(s.Board), boardTeams(s.Board)
	assigned := func(to string) (func(form.Values) bool, form.Flag) {
		return func(v form.Values) bool { return v.Get("assign") == to }, form.Flag{Implies: form.Values{"assign": to}}
	}
	toTeam, teamFlag := assigned(assignTeam)
	toWorker, workerFlag := assigned(assignWorker)
	auto, autoFlag := assigned(assignAuto)
	teamFlag.Usage, workerFlag.Usage = "the team that gets it, by id or name", "the worker who gets it, by id or name"
	automatic := func(f form.Field) form.Field {
		f.Page, f.Show = pageDriver, auto
		return f
	}
	mode := automatic(autoModeField("auto_mode"))
	mode.Flag.Implies = autoFlag.Implies
	return []form.Field{
		{
			Name: "assign", Title: "Assign to", Page: pageDriver, Kind: form.Choice, Flag: form.Flag{None: true},
			Options: []form.Option{
				{Value: assignNobody, Label: "nobody yet"},
				{Value: assignTeam, Label: "a team"},
				{Value: assignWorker, Label: "a driver"},
				{Value: assignAuto, Label: "automatic", Note: "the service chooses a driver on duty"},
			},
		},
		nameField(teams, "team", form.Field{
			Name: "team", Title: "Team", Page: pageDriver, Show: toTeam, Flag: teamFlag, Object: form.Team,
		}),
		nameField(workers, "driver", form.Field{
			Name: "worker", Title: "Driver", Page: pageDriver, Show: toWorker, Flag: workerFlag, Object: form.Worker,
		}),
		assignPositionField(s),
		mode,
		nameField(teams, "team", form.Field{
			Name: "auto_team", Title: "Only from team", Page: pageDriver, About: "only drivers of this team", Empty: "all", Show: auto, Object: form.Team,
			Flag: form.Flag{Usage: autoTeamUsage},
		}),
		automatic(autoMaxField("auto_max")),
		automatic(autoExceptField("auto_exclude", workers)),
		{
			Name: "auto_dependencies", Title: "Keep linked tasks together", Page: pageDriver, Kind: form.Yes, Show: auto,
			About: "choose the driver who has the tasks that it depends on",
		},
	}
}

// assignPositionField asks for a position on the driver's route or in the team's list.
func assignPositionField(s Input) form.Field {
	f := s.positionField(func(v form.Values) (stopList, bool) { return assignedRoute(s, v) })
	f.Page, f.Empty, f.Flag = pageDriver, "last", form.Flag{None: true}
	f.Show = func(v form.Values) bool { return v.Get("assign") == assignWorker || v.Get("assign") == assignTeam }
	return f
}

// assignedRoute is the route that a new task goes to.
func assignedRoute(s Input, v form.Values) (stopList, bool) {
	switch v.Get("assign") {
	case assignWorker:
		if to, err := s.resolveWorkerRoute(v.Get("worker")); err == nil {
			return s.stopsOf(to, nil)
		}
	case assignTeam:
		if to, err := s.resolveTeamRoute(v.Get("team")); err == nil {
			return s.stopsOf(to, nil)
		}
	}
	return stopList{}, false
}

func loadFields(s Input) []form.Field {
	notes := taskField(s, "notes", "Notes", pageLoad)
	notes.Kind, notes.Limit = form.Text, model.MaxTaskNotes
	fields := append([]form.Field{notes}, quantityFields(s, pageLoad)...)
	fields = append(fields, requirementFields(pageLoad)...)
	return append(fields,
		hiddenField(taskField(s, "require", "Requirements", pageLoad)),
		taskField(s, "minimum_age", "Minimum age", pageLoad),
		taskField(s, "barcodes", "Barcodes", pageLoad),
		taskField(s, "blocking_barcodes", "Required barcodes", pageLoad),
		taskField(s, "scan_only_required", "Only these barcodes", pageLoad),
		form.Field{
			Name: "color", Title: "Colour", Page: pageLoad, About: "of the marker on the map", Kind: form.Choice,
			Options: []form.Option{
				{Label: "none"},
				{Value: "teal", Label: "teal"},
				{Value: "orange", Label: "orange"},
				{Value: "magenta", Label: "magenta"},
			},
		},
	)
}

func quantityFields(s Input, page string) []form.Field {
	return []form.Field{
		taskField(s, "quantity", "Quantity", page), taskField(s, "quantity_a", "Quantity A", page),
		taskField(s, "quantity_b", "Quantity B", page), taskField(s, "quantity_c", "Quantity C", page),
	}
}

// requirementNames are what a driver can be asked for, by the words that drafts know.
func requirementNames() []string { return []string{"signature", "photo", "notes"} }

func requirementFields(page string) []form.Field {
	var fields []form.Field
	for _, name := range requirementNames() {
		fields = append(fields, form.Field{
			Name: "require_" + name, Title: model.Capitalize(name) + " required", Page: page, Kind: form.Yes, Flag: form.Flag{None: true},
			About: "the driver cannot complete the task without it",
		})
	}
	return fields
}

// joinRequirements joins the switches, and what a command gives in one text, into the text that drafts know.
func joinRequirements(values form.Values) string {
	var names []string
	for _, name := range requirementNames() {
		if values.Yes("require_" + name) {
			names = append(names, name)
		}
	}
	return strings.Trim(strings.Join(names, ",")+","+values.Get("require"), ",")
}

// partyFields ask for the organizations that the task is for and by.
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
