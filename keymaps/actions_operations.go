package keymaps

func taskActions() []Action {
	scopes := []Scope{Delays, Tasks, TaskDetail, Map}
	anyTask := Requirement{Kinds: []Kind{Task}}
	open := []State{Unassigned, Assigned}
	notDone := []State{Unassigned, Assigned, Active}
	return inGroup(GroupTask, []Action{
		{
			ID: "task.clone", Title: "Clone…", HintLabel: "clone",
			Help: "Create a copy of the task and change what should differ.",
			Keys: []string{"c"}, Scopes: scopes,
			Writes: true, Bulk: true, Requires: anyTask, HintOrder: 20,
		},
		{
			ID: "task.clone-assign", Title: "Clone and assign…",
			Help: "Clone the task and assign the clone to a driver, for example after a task was completed by mistake.",
			Keys: []string{"C"}, Scopes: scopes,
			Writes: true, Requires: anyTask,
		},
		{
			ID: "task.complete", Title: "Complete as succeeded…",
			Help: "Complete a started task as succeeded, with notes. This cannot be undone.",
			Keys: []string{"x"}, Scopes: scopes,
			Writes: true, Dangerous: true, Bulk: true, Requires: Requirement{[]Kind{Task}, []State{Active}},
		},
		{
			ID: "task.fail", Title: "Complete as failed…",
			Help: "Complete a started task as failed, with notes. This cannot be undone.",
			Keys: []string{"X"}, Scopes: scopes,
			Writes: true, Dangerous: true, Bulk: true, Requires: Requirement{[]Kind{Task}, []State{Active}},
		},
		{
			ID: "task.delete", Title: "Delete task…",
			Help: "Delete the task permanently.",
			Keys: []string{"D"}, Scopes: scopes,
			Writes: true, Dangerous: true, Bulk: true, Requires: anyTask,
		},
		{
			ID: "task.notes", Title: "Edit notes…",
			Help: "Change the notes, up to 10,000 characters.",
			Keys: []string{"e n"}, Scopes: scopes,
			Writes: true, Requires: Requirement{[]Kind{Task}, notDone},
		},
		{
			ID: "task.window", Title: "Edit time window…",
			Help: "Change the time window, for example 14:30, +2h or tomorrow 9am.",
			Keys: []string{"e w"}, Scopes: scopes,
			Writes: true, Bulk: true, Requires: Requirement{[]Kind{Task}, open},
		},
		{
			ID: "task.quantity", Title: "Edit quantities…",
			Help: "Change the quantity and the additional quantities.",
			Keys: []string{"e q"}, Scopes: scopes,
			Writes: true, Bulk: true, Requires: Requirement{[]Kind{Task}, open},
		},
		{
			ID: "task.link", Title: "Edit dependencies…",
			Help: "Choose which tasks must be completed before this one.",
			Keys: []string{"e l"}, Scopes: scopes,
			Writes: true, Requires: Requirement{[]Kind{Task}, open},
		},
		{
			ID: "task.metadata", Title: "Edit metadata…",
			Help: "Change the metadata. Works on completed tasks too.",
			Keys: []string{"e m"}, Scopes: scopes,
			Writes: true, Bulk: true, Requires: anyTask,
		},
	})
}

func routeActions() []Action {
	scopes := []Scope{Delays, Tasks, TaskDetail, WorkerDetail, Map}
	route := []Scope{WorkerDetail} // where the stops are seen in their order: these act at once
	open := Requirement{[]Kind{Task}, []State{Unassigned, Assigned}}
	assigned := Requirement{[]Kind{Task}, []State{Assigned}}
	return inGroup(GroupRoute, []Action{
		{
			ID: "route.assign", Title: "Assign to driver…", HintLabel: "assign",
			Help: "Assign the tasks to a driver or team, at the end of the route.",
			Keys: []string{"a"}, Scopes: scopes,
			Writes: true, Bulk: true, Requires: open, HintOrder: 10,
		},
		{
			ID: "route.auto-assign", Title: "Auto-assign…",
			Help: "Let the service choose drivers by distance or load, with a limit and exclusions.",
			Keys: []string{"A"}, Scopes: scopes,
			Writes: true, Bulk: true, Requires: open,
		},
		{
			ID: "route.unassign", Title: "Unassign",
			Help: "Remove the tasks from their drivers.",
			Keys: []string{"u"}, Scopes: scopes,
			Writes: true, Dangerous: true, Bulk: true, Requires: assigned,
		},
		{
			ID: "route.candidates", Title: "Compare drivers", HintLabel: "compare",
			Help: "Show who could take the task: arrival, lateness, and reasons for and against each driver.",
			Keys: []string{"w"}, Scopes: scopes,
			Requires: Requirement{Kinds: []Kind{Task}}, HintOrder: 15,
		},
		{
			ID: "route.insert", Title: "Insert into route…",
			Help: "Insert the tasks at a position of a driver's route.",
			Keys: []string{"I"}, Scopes: scopes,
			Writes: true, Bulk: true, Requires: open,
		},
		{
			ID: "route.later", Title: "Move stop down",
			Help: "Move the stop one position later in the route.",
			Keys: []string{"J", "shift+down"}, Scopes: route,
			Writes: true, Requires: assigned,
		},
		{
			ID: "route.earlier", Title: "Move stop up",
			Help: "Move the stop one position earlier in the route.",
			Keys: []string{"K", "shift+up"}, Scopes: route,
			Writes: true, Requires: assigned,
		},
		{
			ID: "route.transfer", Title: "Move to another driver…", HintLabel: "move",
			Help: "Move all tasks of a driver, or the selected tasks, to another driver in the same order.",
			Keys: []string{"t"}, Scopes: []Scope{Workers, WorkerDetail, Tasks, TaskDetail, Delays, Map},
			Writes: true, Dangerous: true, Bulk: true, Requires: Requirement{[]Kind{Worker, Task}, []State{Assigned}}, HintOrder: 16,
		},
		{
			ID: "route.dispatch", Title: "Dispatch team…", HintLabel: "dispatch",
			Help: "Let the service plan the routes of a team. Shows a preview first.",
			Keys: []string{"d"}, Commands: []string{"dispatch"},
			Writes: true, HintOrder: 40,
		},
	})
}

func createActions() []Action {
	return inGroup(GroupCreate, []Action{
		{
			ID: "create.task", Title: "New task…", HintLabel: "new",
			Help: "Fill in a form and preview the request before sending it.",
			Keys: []string{"n"}, Commands: []string{"new"},
			Writes: true, HintOrder: 30,
		},
		{
			ID: "create.destination", Title: "New destination…",
			Help:   "Save an address for later tasks.",
			Keys:   []string{"N d"},
			Writes: true,
		},
		{
			ID: "create.recipient", Title: "New recipient…",
			Help:   "Save a person with a phone number.",
			Keys:   []string{"N r"},
			Writes: true,
		},
		{
			ID: "create.worker", Title: "New driver…",
			Help:   "Add a driver with phone, teams, vehicle and capacity.",
			Keys:   []string{"N w"},
			Writes: true,
		},
		{
			ID: "create.template", Title: "New task template…",
			Help:   "Define a set of custom fields for tasks.",
			Keys:   []string{"N t"},
			Writes: true,
		},
		{
			ID: "create.webhook", Title: "New webhook…",
			Help:   "Enter an address that the service calls when an event happens.",
			Keys:   []string{"N h"},
			Writes: true,
		},
		{
			ID: "create.quote", Title: "New quote…",
			Help: "Ask for the price of a delivery without ordering it.",
			Keys: []string{"N q"}, Commands: []string{"quote"},
		},
		{
			ID: "create.order", Title: "New order…",
			Help: "Get a quote, then order the delivery with its pickup and drop-off.",
			Keys: []string{"N o"}, Commands: []string{"order"},
			Writes: true,
		},
		{
			ID: "create.import", Title: "Import tasks…",
			Help: "Import tasks from a CSV or JSON file. Failed rows can be saved to a file.",
			Keys: []string{"N f"}, Commands: []string{"import"},
			Writes: true,
		},
	})
}

func orderActions() []Action {
	return inGroup(GroupOrder, []Action{
		{
			ID: "order.cancel", Title: "Cancel order…", HintLabel: "cancel",
			Help: "Cancel orders that have not started.",
			Keys: []string{"D"}, Scopes: []Scope{Orders, OrderDetail},
			Writes: true, Dangerous: true, Bulk: true, Requires: Requirement{Kinds: []Kind{Order}}, HintOrder: 20,
		},
		{
			ID: "webhook.delete", Title: "Delete webhook…", HintLabel: "delete",
			Help: "Stop sending events to this address.",
			Keys: []string{"D"}, Scopes: []Scope{Webhooks},
			Writes: true, Dangerous: true, Bulk: true, Requires: Requirement{Kinds: []Kind{Webhook}}, HintOrder: 10,
		},
		{
			ID: "job.cancel", Title: "Stop job", HintLabel: "stop",
			Help: "Stop a bulk operation. Requests already sent are not taken back.",
			Keys: []string{"x"}, Scopes: []Scope{Jobs, Progress},
			Requires: Requirement{Kinds: []Kind{Job}}, HintOrder: 10, Hidden: true,
		},
		{
			ID: "job.retry", Title: "Retry failed", HintLabel: "retry failed",
			Help: "Send only the failed requests again.",
			Keys: []string{"R"}, Scopes: []Scope{Jobs, Progress},
			Writes: true, Requires: Requirement{Kinds: []Kind{Job}}, HintOrder: 11, Hidden: true,
		},
		{
			ID: "job.failed", Title: "Save failed rows…", HintLabel: "save failed",
			Help: "Save the failed rows to a file that you can correct and import again.",
			Keys: []string{"w"}, Scopes: []Scope{Jobs, Progress},
			Requires: Requirement{Kinds: []Kind{Job}}, HintOrder: 12, Hidden: true,
		},
	})
}
