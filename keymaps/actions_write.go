package keymaps

func taskActions() []Action {
	where := []Scope{Delays, Tasks, TaskDetail, Map}
	one := Requirement{Kinds: []Kind{Task}}
	open := []State{Unassigned, Assigned}
	notDone := []State{Unassigned, Assigned, Active}
	update := []Route{RouteUpdateTask}
	return inGroup(GroupTask, []Action{
		{
			ID: "task.clone", Title: "Clone…", HintLabel: "clone",
			Help: "Makes a new task from this one, with options and every override.",
			Keys: []string{"c"}, Scopes: where,
			Writes: true, Bulk: true, Requires: one, HintOrder: 20,
		},
		{
			ID: "task.clone-assign", Title: "Clone and reassign…",
			Help: "Clones and gives the clone to a worker: the way back from a wrongly completed task.",
			Keys: []string{"C"}, Scopes: where,
			Writes: true, Requires: one,
		},
		{
			ID: "task.complete", Title: "Complete as succeeded…",
			Help: "Ends a started task as succeeded, with notes. Completed tasks cannot be changed.",
			Keys: []string{"x"}, Scopes: where,
			Writes: true, Dangerous: true, Bulk: true, Requires: Requirement{[]Kind{Task}, []State{Active}}, Routes: []Route{RouteCompleteTask},
		},
		{
			ID: "task.fail", Title: "Complete as failed…",
			Help: "Ends a started task as failed, with notes. Completed tasks cannot be changed.",
			Keys: []string{"X"}, Scopes: where,
			Writes: true, Dangerous: true, Bulk: true, Requires: Requirement{[]Kind{Task}, []State{Active}}, Routes: []Route{RouteCompleteTask},
		},
		{
			ID: "task.delete", Title: "Delete…",
			Help: "Deletes the task for good.",
			Keys: []string{"D"}, Scopes: where,
			Writes: true, Dangerous: true, Bulk: true, Requires: one, Routes: []Route{RouteDeleteTask},
		},
		{
			ID: "task.notes", Title: "Edit notes…",
			Help: "Changes the notes, up to 10,000 characters.",
			Keys: []string{"e n"}, Scopes: where,
			Writes: true, Requires: Requirement{[]Kind{Task}, notDone}, Routes: update,
		},
		{
			ID: "task.window", Title: "Edit time window…",
			Help: "Changes when it may be done: 14:30, +2h, tomorrow 9am.",
			Keys: []string{"e w"}, Scopes: where,
			Writes: true, Bulk: true, Requires: Requirement{[]Kind{Task}, open}, Routes: update,
		},
		{
			ID: "task.quantity", Title: "Edit quantities…",
			Help: "Changes quantity and the additional quantities.",
			Keys: []string{"e q"}, Scopes: where,
			Writes: true, Bulk: true, Requires: Requirement{[]Kind{Task}, open}, Routes: update,
		},
		{
			ID: "task.link", Title: "Edit what it waits for…",
			Help: "Links tasks: a drop-off waits for its pickup, any task for others to be completed first.",
			Keys: []string{"e l"}, Scopes: where,
			Writes: true, Requires: Requirement{[]Kind{Task}, open}, Routes: update,
		},
		{
			ID: "task.metadata", Title: "Edit metadata…",
			Help: "Changes metadata, even of completed tasks.",
			Keys: []string{"e m"}, Scopes: where,
			Writes: true, Bulk: true, Requires: one, Routes: update,
		},
	})
}

func routeActions() []Action {
	where := []Scope{Delays, Tasks, TaskDetail, WorkerDetail, Map}
	route := []Scope{WorkerDetail} // where the stops are seen in their order: these act at once
	open := Requirement{[]Kind{Task}, []State{Unassigned, Assigned}}
	assigned := Requirement{[]Kind{Task}, []State{Assigned}}
	containers := []Route{RouteContainers}
	return inGroup(GroupRoute, []Action{
		{
			ID: "route.assign", Title: "Assign…", HintLabel: "assign",
			Help: "Gives the tasks to a worker or a team, at the end of the route.",
			Keys: []string{"a"}, Scopes: where,
			Writes: true, Bulk: true, Requires: open, Routes: containers, HintOrder: 10,
		},
		{
			ID: "route.auto-assign", Title: "Auto-assign…",
			Help: "Lets the service choose workers: by distance or load, with a cap and exclusions.",
			Keys: []string{"A"}, Scopes: where,
			Writes: true, Bulk: true, Requires: open, Routes: []Route{RouteAutoAssign},
		},
		{
			ID: "route.unassign", Title: "Unassign",
			Help: "Takes the tasks off their workers.",
			Keys: []string{"u"}, Scopes: where,
			Writes: true, Dangerous: true, Bulk: true, Requires: assigned, Routes: containers,
		},
		{
			ID: "route.candidates", Title: "Who can take it", HintLabel: "who",
			Help: "Workers ranked by when they would be there, against the window, with what speaks for and against them.",
			Keys: []string{"w"}, Scopes: where,
			Requires: Requirement{Kinds: []Kind{Task}}, HintOrder: 15,
		},
		{
			ID: "route.insert", Title: "Insert at a position…",
			Help: "Puts the tasks at a position of a worker's route.",
			Keys: []string{"I"}, Scopes: where,
			Writes: true, Bulk: true, Requires: open, Routes: containers,
		},
		{
			ID: "route.later", Title: "Later in the route",
			Help: "Moves the stop one place down.",
			Keys: []string{"J", "shift+down"}, Scopes: route,
			Writes: true, Requires: assigned, Routes: containers,
		},
		{
			ID: "route.earlier", Title: "Earlier in the route",
			Help: "Moves the stop one place up.",
			Keys: []string{"K", "shift+up"}, Scopes: route,
			Writes: true, Requires: assigned, Routes: containers,
		},
		{
			ID: "route.transfer", Title: "Move to another worker…", HintLabel: "move",
			Help: "Moves a worker's tasks, all or the marked ones, to another worker in the same order.",
			Keys: []string{"t"}, Scopes: []Scope{Workers, WorkerDetail, Tasks, TaskDetail, Delays, Map},
			Writes: true, Dangerous: true, Bulk: true, Requires: Requirement{[]Kind{Worker, Task}, []State{Assigned}}, Routes: containers, HintOrder: 16,
		},
		{
			ID: "route.dispatch", Title: "Auto-dispatch a team…", HintLabel: "dispatch",
			Help: "Plans routes for a team: preview first, then sent, followed and shown.",
			Keys: []string{"d"}, Commands: []string{"dispatch"}, Scopes: []Scope{Global},
			Writes: true, Routes: []Route{RouteDispatch}, HintOrder: 40,
		},
	})
}

func createActions() []Action {
	everywhere := []Scope{Global}
	return inGroup(GroupCreate, []Action{
		{
			ID: "create.task", Title: "New task…", HintLabel: "new",
			Help: "Form with defaults, ending in a preview of what will be sent.",
			Keys: []string{"n"}, Commands: []string{"new"}, Scopes: everywhere,
			Writes: true, HintOrder: 30,
		},
		{
			ID: "create.destination", Title: "New destination…",
			Help: "An address kept for later tasks.",
			Keys: []string{"N d"}, Scopes: everywhere,
			Writes: true,
		},
		{
			ID: "create.recipient", Title: "New recipient…",
			Help: "A person with a phone number.",
			Keys: []string{"N r"}, Scopes: everywhere,
			Writes: true, Routes: []Route{RouteRecipients},
		},
		{
			ID: "create.worker", Title: "New worker…",
			Help: "A driver with phone, teams, vehicle and capacity.",
			Keys: []string{"N w"}, Scopes: everywhere,
			Writes: true,
		},
		{
			ID: "create.template", Title: "New task template…",
			Help: "A set of custom fields for tasks.",
			Keys: []string{"N t"}, Scopes: everywhere,
			Writes: true,
		},
		{
			ID: "create.webhook", Title: "New webhook…",
			Help: "An address that is called when something happens.",
			Keys: []string{"N h"}, Scopes: everywhere,
			Writes: true,
		},
		{
			ID: "create.quote", Title: "Quote…",
			Help: "Asks what a delivery would cost; nothing is ordered.",
			Keys: []string{"N q"}, Commands: []string{"quote"}, Scopes: everywhere,
			Routes: []Route{RouteQuote},
		},
		{
			ID: "create.order", Title: "New order…",
			Help: "Quote first, then the order with its pickup and drop-off.",
			Keys: []string{"N o"}, Commands: []string{"order"}, Scopes: everywhere,
			Writes: true, Routes: []Route{RouteOrder},
		},
		{
			ID: "create.import", Title: "Import tasks from a file…",
			Help: "CSV or JSON in batches, followed to the end; failed rows are written out.",
			Keys: []string{"N f"}, Commands: []string{"import"}, Scopes: everywhere,
			Writes: true, Routes: []Route{RouteBatch},
		},
	})
}

func orderActions() []Action {
	return inGroup(GroupOrder, []Action{
		{
			ID: "order.cancel", Title: "Cancel the order…", HintLabel: "cancel",
			Help: "Cancels orders that have not started.",
			Keys: []string{"D"}, Scopes: []Scope{Orders, OrderDetail},
			Writes: true, Dangerous: true, Bulk: true, Requires: Requirement{Kinds: []Kind{Order}}, Routes: []Route{RouteCancelOrder}, HintOrder: 20,
		},
		{
			ID: "webhook.delete", Title: "Delete the webhook…", HintLabel: "delete",
			Help: "Its address is not called any more.",
			Keys: []string{"D"}, Scopes: []Scope{Webhooks},
			Writes: true, Dangerous: true, Bulk: true, Requires: Requirement{Kinds: []Kind{Webhook}}, HintOrder: 10,
		},
		{
			ID: "job.cancel", Title: "Stop the rest", HintLabel: "stop",
			Help: "Stops a bulk run: what was sent stays, the rest is not sent.",
			Keys: []string{"x"}, Scopes: []Scope{Jobs, Progress},
			Requires: Requirement{Kinds: []Kind{Job}}, HintOrder: 10, Hidden: true,
		},
		{
			ID: "job.retry", Title: "Retry the failed ones", HintLabel: "retry failed",
			Help: "Sends only what failed once more.",
			Keys: []string{"R"}, Scopes: []Scope{Jobs, Progress},
			Writes: true, Requires: Requirement{Kinds: []Kind{Job}}, HintOrder: 11, Hidden: true,
		},
		{
			ID: "job.failed", Title: "Write the failed rows to a file…", HintLabel: "write failed",
			Help: "A file to correct and import again.",
			Keys: []string{"w"}, Scopes: []Scope{Jobs, Progress},
			Requires: Requirement{Kinds: []Kind{Job}}, HintOrder: 12, Hidden: true,
		},
	})
}
