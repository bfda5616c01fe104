package keymaps

import "slices"

func viewActions() []Action {
	return inGroup(GroupView, append(objectActions(), pageActions()...))
}

func objectActions() []Action {
	everywhere := []Scope{Global}
	return []Action{
		{
			ID: "look.detail", Title: "Open the detail",
			Help: "Everything about the row, beside the panes or on top of them. In a detail, what the line leads to.",
			Keys: []string{"enter"}, Scopes: slices.Concat(paneScopes(), detailScopes(), pageScopes()),
			Hidden: true,
		},
		{
			ID: "look.raw", Title: "Raw JSON",
			Help: "Shows the object as the service sent it, and back.",
			Keys: []string{"."}, Commands: []string{"json"}, Scopes: everywhere,
		},
		{
			ID: "look.map", Title: "Map", HintLabel: "map",
			Help: "Workers, tasks and routes of the filter on a map, with who is nearest.",
			Keys: []string{"m"}, Commands: []string{"map"}, Scopes: everywhere,
			HintOrder: 60,
		},
		{
			ID: "look.track", Title: "Tracking link",
			Help: "Shows the tracking page's address and copies it.",
			Keys: []string{"o"}, Scopes: everywhere,
			Requires: Requirement{Kinds: []Kind{Task, Order}},
		},
		{
			ID: "look.recipient", Title: "Recipient's other tasks",
			Help: "Filters the tasks by this recipient.",
			Keys: []string{"g r"}, Scopes: everywhere,
			Requires: Requirement{Kinds: []Kind{Task, Recipient}},
		},
		{
			ID: "look.route", Title: "Worker's route",
			Help: "Opens the worker with the stops in order.",
			Keys: []string{"g w"}, Scopes: everywhere,
			Requires: Requirement{Kinds: []Kind{Task, Worker}},
		},
		{
			ID: "look.partner", Title: "Linked pickup or drop-off",
			Help: "Goes to the task this one is linked with.",
			Keys: []string{"g l"}, Scopes: everywhere,
			Requires: Requirement{Kinds: []Kind{Task}},
		},
		{
			ID: "look.order", Title: "Order of this task, tasks of this order",
			Help: "Goes from a task to its order, or from an order to its two tasks.",
			Keys: []string{"g o"}, Scopes: everywhere,
			Requires: Requirement{Kinds: []Kind{Task, Order}},
		},
	}
}

func pageActions() []Action {
	everywhere := []Scope{Global}
	return []Action{
		{
			ID: "look.activity", Title: "Activity",
			Help: "Every write with time, person, object, result and request id.",
			Keys: []string{"g a"}, Commands: []string{"activity", "log"}, Scopes: everywhere,
		},
		{
			ID: "look.messages", Title: "Messages",
			Help: "What the status line said lately, in full.",
			Keys: []string{"g m"}, Commands: []string{"messages"}, Scopes: everywhere,
		},
		{
			ID: "look.requests", Title: "Request inspector",
			Help: "The last requests with times, status and bodies.",
			Keys: []string{"i"}, Commands: []string{"requests", "inspector"}, Scopes: everywhere,
		},
		{
			ID: "look.events", Title: "Webhook events",
			Help: "Events as they happen: from the service's log where it keeps one, and as they arrive where a receiver is configured.",
			Keys: []string{"g e"}, Commands: []string{"events"}, Scopes: everywhere,
		},
		{
			ID: "look.connection", Title: "Connection",
			Help: "The service and the key's organization, the request budget, and how the receiver of events fares.",
			Keys: []string{"g c"}, Commands: []string{"connection", "receiver"}, Scopes: everywhere,
		},
		{
			ID: "look.webhooks", Title: "Webhooks",
			Help: "The webhooks with their health.",
			Keys: []string{"g h"}, Commands: []string{"webhooks"}, Scopes: everywhere,
		},
		{
			ID: "look.jobs", Title: "Running work",
			Help: "Dispatches, batches and bulk runs with their progress.",
			Keys: []string{"g j"}, Commands: []string{"jobs"}, Scopes: everywhere,
		},
		{
			ID: "request.retry", Title: "Send this read again", HintLabel: "again",
			Help: "Repeats a request that only reads.",
			Keys: []string{"R"}, Scopes: []Scope{Requests},
			Requires: Requirement{Kinds: []Kind{Request}}, HintOrder: 10,
		},
	}
}

func exportActions() []Action {
	everywhere := []Scope{Global}
	return inGroup(GroupExport, []Action{
		{
			ID: "take.copy", Title: "Copy…", HintLabel: "copy",
			Help: "Menu: id, short id, tracking link, phone, JSON, curl, request id. Works over SSH where the terminal allows it.",
			Keys: []string{"y"}, Commands: []string{"copy"}, Scopes: everywhere,
			HintOrder: 82,
		},
		{
			ID: "take.link", Title: "Copy a command for this screen",
			Help: "Copies the command line that opens the console on this pane, filter and object.",
			Keys: []string{"Y"}, Commands: []string{"link"}, Scopes: everywhere,
		},
		{
			ID: "take.export", Title: "Export…", HintLabel: "export",
			Help: "Writes what is filtered to a file, as CSV or JSON.",
			Keys: []string{"E"}, Commands: []string{"export"}, Scopes: everywhere,
			HintOrder: 84,
		},
	})
}

func dataActions() []Action {
	everywhere := []Scope{Global}
	return inGroup(GroupData, []Action{
		{
			ID: "data.refresh", Title: "Refresh now",
			Help: "Asks the service again at once, within the request budget.",
			Keys: []string{"r"}, Commands: []string{"refresh"}, Scopes: everywhere,
		},
		{
			ID: "data.pause", Title: "Pause or resume polling",
			Help: "Stops asking the service until pressed again.",
			Keys: []string{"p"}, Commands: []string{"pause"}, Scopes: everywhere,
		},
		{
			ID: "data.interval", Title: "Polling interval…",
			Help: "How often this pane is refreshed; off is allowed.",
			Keys: []string{"P"}, Commands: []string{"interval"}, Scopes: everywhere,
		},
	})
}

func consoleActions() []Action {
	everywhere := []Scope{Global}
	return inGroup(GroupConsole, []Action{
		{
			ID: "console.profile", Title: "Switch profile…",
			Help: "Goes to another organization. What is in flight is cancelled; nothing of the two is mixed.",
			Keys: []string{"@"}, Commands: []string{"profile"}, Scopes: everywhere,
		},
		{
			ID: "console.connect", Title: "Connect to a service…",
			Help:     "Asks for the address and the key, tests them and stores the key.",
			Commands: []string{"connect"}, Scopes: everywhere,
		},
		{
			ID: "console.readonly", Title: "Read-only on or off",
			Help: "Locks every action that writes. Turning it off asks first.",
			Keys: []string{"!"}, Commands: []string{"readonly"}, Scopes: everywhere,
		},
		{
			ID: "console.lock", Title: "Read-only on",
			Help:     "Locks every action that writes.",
			Commands: []string{"ro", "lock"}, Scopes: everywhere,
		},
		{
			ID: "console.unlock", Title: "Read-only off",
			Help:     "Allows changes again. It asks first.",
			Commands: []string{"rw", "unlock"}, Scopes: everywhere,
		},
		{
			ID: "console.theme", Title: "Theme…",
			Help:     "Dark, light, high contrast, mono, or following the background.",
			Commands: []string{"theme"}, Scopes: everywhere,
		},
		{
			ID: "console.ascii", Title: "ASCII signs on or off",
			Help:     "Draws with signs every font has.",
			Commands: []string{"ascii"}, Scopes: everywhere,
		},
		{
			ID: "console.mouse", Title: "Mouse on or off",
			Help:     "With the mouse on, selecting text needs the terminal's modifier key.",
			Commands: []string{"mouse"}, Scopes: everywhere,
		},
		{
			ID: "console.notify", Title: "Notifications…",
			Help:     "Off, bell, or the terminal's notification when work becomes late.",
			Commands: []string{"notify"}, Scopes: everywhere,
		},
		{
			ID: "console.zone", Title: "Time zone…",
			Help:     "Shows times in the organization's zone, yours, or UTC.",
			Commands: []string{"zone"}, Scopes: everywhere,
		},
		{
			ID: "console.undo", Title: "Undo",
			Help: "Takes the last change back where the interface allows it: an assignment, a created task, an edited note.",
			Keys: []string{"U"}, Commands: []string{"undo"}, Scopes: everywhere,
			Writes: true, Dangerous: true,
		},
	})
}
