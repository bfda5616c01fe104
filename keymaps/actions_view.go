package keymaps

import "slices"

func viewActions() []Action {
	return inGroup(GroupView, append(objectActions(), pageActions()...))
}

func objectActions() []Action {
	return []Action{
		{
			ID: "look.detail", Title: "Open detail",
			Help: "Show everything about the row. In a detail, open what the line refers to.",
			Keys: []string{"enter"}, Scopes: slices.Concat(paneScopes(), detailScopes(), pageScopes()),
			Hidden: true,
		},
		{
			ID: "look.raw", Title: "Raw JSON",
			Help: "Show the object as the service sent it, or go back to the detail.",
			Keys: []string{"."}, Commands: []string{"json"},
		},
		{
			ID: "look.map", Title: "Map", HintLabel: "map",
			Help: "Show the drivers, tasks and routes of the filter on a map.",
			Keys: []string{"m"}, Commands: []string{"map"},
			HintOrder: 60,
		},
		{
			ID: "look.track", Title: "Tracking link",
			Help:     "Show and copy the address of the tracking page.",
			Keys:     []string{"o"},
			Requires: Requirement{Kinds: []Kind{Task, Order}},
		},
		{
			ID: "look.recipient", Title: "Recipient's tasks",
			Help:     "Show all tasks of this recipient.",
			Keys:     []string{"g r"},
			Requires: Requirement{Kinds: []Kind{Task, Recipient}},
		},
		{
			ID: "look.route", Title: "Driver's route",
			Help:     "Open the driver with the stops in order.",
			Keys:     []string{"g w"},
			Requires: Requirement{Kinds: []Kind{Task, Worker}},
		},
		{
			ID: "look.partner", Title: "Linked pickup or drop-off",
			Help:     "Go to the task that is linked with this one.",
			Keys:     []string{"g l"},
			Requires: Requirement{Kinds: []Kind{Task}},
		},
		{
			ID: "look.order", Title: "Go to order or its tasks",
			Help:     "Go from a task to its order, or from an order to its two tasks.",
			Keys:     []string{"g o"},
			Requires: Requirement{Kinds: []Kind{Task, Order}},
		},
	}
}

func pageActions() []Action {
	return []Action{
		{
			ID: "look.activity", Title: "Activity",
			Help: "Show every change with time, person, object, result and request ID.",
			Keys: []string{"g a"}, Commands: []string{"activity", "log"},
		},
		{
			ID: "look.messages", Title: "Messages",
			Help: "Show the latest messages of the status line in full.",
			Keys: []string{"g m"}, Commands: []string{"messages"},
		},
		{
			ID: "look.requests", Title: "Requests",
			Help: "Show the latest requests with times, status and bodies.",
			Keys: []string{"i"}, Commands: []string{"requests", "inspector"},
		},
		{
			ID: "look.events", Title: "Events",
			Help: "Show events live, from the service's log or from the webhook receiver.",
			Keys: []string{"g e"}, Commands: []string{"events"},
		},
		{
			ID: "look.connection", Title: "Connection",
			Help: "Show the service, the organization, the request budget and the state of the webhook receiver.",
			Keys: []string{"g c"}, Commands: []string{"connection", "receiver"},
		},
		{
			ID: "look.webhooks", Title: "Webhooks",
			Help: "Show the webhooks and whether their deliveries succeed.",
			Keys: []string{"g h"}, Commands: []string{"webhooks"},
		},
		{
			ID: "look.jobs", Title: "Jobs",
			Help: "Show dispatches, imports and bulk operations with their progress.",
			Keys: []string{"g j"}, Commands: []string{"jobs"},
		},
		{
			ID: "request.retry", Title: "Repeat request", HintLabel: "repeat",
			Help: "Send this request again. Works only for requests that change nothing.",
			Keys: []string{"R"}, Scopes: []Scope{Requests},
			Requires: Requirement{Kinds: []Kind{Request}}, HintOrder: 10,
		},
	}
}

func exportActions() []Action {
	return inGroup(GroupExport, []Action{
		{
			ID: "take.copy", Title: "Copy…", HintLabel: "copy",
			Help: "Copy an ID, tracking link, phone number, JSON, curl command or request ID. Works over SSH if the terminal allows it.",
			Keys: []string{"y"}, Commands: []string{"copy"},
			HintOrder: 82,
		},
		{
			ID: "take.link", Title: "Copy command for this screen",
			Help: "Copy the command line that opens the console with this pane, filter and object.",
			Keys: []string{"Y"}, Commands: []string{"link"},
		},
		{
			ID: "take.export", Title: "Export…", HintLabel: "export",
			Help: "Save the filtered rows to a CSV or JSON file.",
			Keys: []string{"E"}, Commands: []string{"export"},
			HintOrder: 84,
		},
	})
}
