package keymaps

import "slices"

func viewActions() []Action {
	return inGroup(GroupView, append(objectActions(), pageActions()...))
}

func objectActions() []Action {
	return []Action{
		action("look.detail", "Open detail", "Show everything about the row. In a detail, open what the line refers to.").
			keys("enter").in(slices.Concat(paneScopes(), detailScopes(), pageScopes())...).hidden(),
		action("look.raw", "Raw JSON", "Show the object as the service sent it, or go back to the detail.").
			keys(".").commands("json"),
		action("look.map", "Map", "Show the drivers, tasks and routes of the filter on a map.").
			keys("m").commands("map").hint("map", 60),
		action("look.track", "Tracking link", "Show and copy the address of the tracking page.").
			keys("o").requires(Task, Order),
		action("look.recipient", "Recipient's tasks", "Show all tasks of this recipient.").
			keys("g r").requires(Task, Recipient),
		action("look.route", "Driver's route", "Open the driver with the stops in order.").
			keys("g w").requires(Task, Worker),
		action("look.partner", "Linked pickup or drop-off", "Go to the task that is linked with this one.").
			keys("g l").requires(Task),
		action("look.order", "Go to order or its tasks", "Go from a task to its order, or from an order to its two tasks.").
			keys("g o").requires(Task, Order),
	}
}

func pageActions() []Action {
	return []Action{
		action("look.activity", "Activity", "Show every change with time, person, object, result and request ID.").
			keys("g a").commands("activity", "log"),
		action("look.messages", "Messages", "Show the latest messages of the status line in full.").
			keys("g m").commands("messages"),
		action("look.requests", "Requests", "Show the latest requests with times, status and bodies.").
			keys("i").commands("requests", "inspector"),
		action("look.events", "Events", "Show events live, from the service's log or from the webhook receiver.").
			keys("g e").commands("events"),
		action("look.connection", "Connection", "Show the service, the organization, the request budget and the state of the webhook receiver.").
			keys("g c").commands("connection", "receiver"),
		action("look.webhooks", "Webhooks", "Show the webhooks and whether their deliveries succeed.").
			keys("g h").commands("webhooks"),
		action("look.jobs", "Jobs", "Show dispatches, imports and bulk operations with their progress.").
			keys("g j").commands("jobs"),
		action("request.retry", "Repeat request", "Send this request again. Works only for requests that change nothing.").
			keys("R").in(Requests).hint("repeat", 10).requires(Request),
	}
}

func exportActions() []Action {
	return inGroup(GroupExport, []Action{
		action("take.copy", "Copy…", "Copy an ID, tracking link, phone number, JSON, curl command or request ID. Works over SSH if the terminal allows it.").
			keys("y").commands("copy").hint("copy", 82),
		action("take.link", "Copy command for this screen", "Copy the command line that opens the console with this pane, filter and object.").
			keys("Y").commands("link"),
		action("take.export", "Export…", "Save the filtered rows to a CSV or JSON file.").
			keys("E").commands("export").hint("export", 84),
	})
}
