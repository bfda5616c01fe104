package keymaps

import "waybill/model"

func taskActions() []Action {
	return inGroup(GroupTask, inScopes([]Scope{Delays, Tasks, TaskDetail, Map}, []Action{
		action("task.clone", "Clone…", "Create a copy of the task and change what should differ.").
			keys("c").hint("clone", 20).writes().bulk().requires(Task),
		action("task.clone-assign", "Clone and assign…", "Clone the task and assign the clone to a driver, for example after a task was completed by mistake.").
			keys("C").writes().requires(Task),
		action("task.complete", "Complete as succeeded…", "Complete a started task as succeeded, with notes. This cannot be undone.").
			keys("x").dangerous().bulk().requires(Task).unless(model.CompleteForbidden),
		action("task.fail", "Complete as failed…", "Complete a started task as failed, with notes. This cannot be undone.").
			keys("X").dangerous().bulk().requires(Task).unless(model.CompleteForbidden),
		action("task.delete", "Delete task…", "Delete the task permanently.").
			keys("D").dangerous().bulk().requires(Task),
		action("task.notes", "Edit notes…", "Change the notes, up to 10,000 characters.").
			keys("e n").writes().requires(Task).unlessFixed("notes"),
		action("task.window", "Edit time window…", "Change the time window, for example 14:30, +2h or tomorrow 9am.").
			keys("e w").writes().bulk().requires(Task).unlessFixed("completeBefore"),
		action("task.quantity", "Edit quantities…", "Change the quantity and the additional quantities.").
			keys("e q").writes().bulk().requires(Task).unlessFixed("quantity"),
		action("task.link", "Edit dependencies…", "Choose which tasks must be completed before this one.").
			keys("e l").writes().requires(Task).unlessFixed("dependencies"),
		action("task.metadata", "Edit metadata…", "Change the metadata. Works on completed tasks too.").
			keys("e m").writes().bulk().requires(Task),
	}))
}

func routeActions() []Action {
	return inGroup(GroupRoute, inScopes([]Scope{Delays, Tasks, TaskDetail, WorkerDetail, Map}, []Action{
		action("route.assign", "Assign to driver…", "Assign the tasks to a driver or team, at the end of the route.").
			keys("a").hint("assign", 10).writes().bulk().requires(Task).unless(model.AssignForbidden),
		action("route.auto-assign", "Auto-assign…", "Let the service choose drivers by distance or load, with a limit and exclusions.").
			keys("A").writes().bulk().requires(Task).unless(model.AssignForbidden),
		action("route.unassign", "Unassign", "Remove the tasks from their drivers.").
			keys("u").dangerous().bulk().requires(Task).unless(model.UnassignForbidden),
		action("route.candidates", "Compare drivers", "Show who could take the task: arrival, lateness, and reasons for and against each driver.").
			keys("w").hint("compare", 15).requires(Task),
		action("route.insert", "Insert into route…", "Insert the tasks at a position of a driver's route.").
			keys("I").writes().bulk().requires(Task).unless(model.AssignForbidden),
		// Moving a stop acts at once, so it works only where the stops are seen in their order.
		action("route.later", "Move stop down", "Move the stop one position later in the route.").
			keys("J", "shift+down").in(WorkerDetail).writes().requires(Task).unless(model.UnassignForbidden),
		action("route.earlier", "Move stop up", "Move the stop one position earlier in the route.").
			keys("K", "shift+up").in(WorkerDetail).writes().requires(Task).unless(model.UnassignForbidden),
		action("route.transfer", "Move to another driver…", "Move all tasks of a driver, or the selected tasks, to another driver in the same order.").
			keys("t").in(Workers, WorkerDetail, Tasks, TaskDetail, Delays, Map).hint("move", 16).dangerous().bulk().
			requires(Worker, Task).unless(model.UnassignForbidden),
		action("route.dispatch", "Dispatch team…", "Let the service plan the routes of a team. Shows a preview first.").
			keys("d").commands("dispatch").in(Global).hint("dispatch", 40).writes(),
	}))
}

func createActions() []Action {
	return inGroup(GroupCreate, []Action{
		action("create.task", "New task…", "Fill in a form and preview the request before sending it.").
			keys("n").commands("new").hint("new", 30).writes(),
		action("create.destination", "New destination…", "Save an address for later tasks.").keys("N d").writes(),
		action("create.recipient", "New recipient…", "Save a person with a phone number.").keys("N r").writes(),
		action("create.worker", "New driver…", "Add a driver with phone, teams, vehicle and capacity.").
			keys("N w").writes(),
		action("create.template", "New task template…", "Define a set of custom fields for tasks.").
			keys("N t").writes(),
		action("create.webhook", "New webhook…", "Enter an address that the service calls when an event happens.").
			keys("N h").writes(),
		action("create.quote", "New quote…", "Ask for the price of a delivery without ordering it.").
			keys("N q").commands("quote"),
		action("create.order", "New order…", "Get a quote, then order the delivery with its pickup and drop-off.").
			keys("N o").commands("order").writes(),
		action("create.import", "Import tasks…", "Import tasks from a CSV or JSON file. Failed rows can be saved to a file.").
			keys("N f").commands("import").writes(),
	})
}

func orderActions() []Action {
	return inGroup(GroupOrder, []Action{
		action("order.cancel", "Cancel order…", "Cancel orders that have not started.").
			keys("D").in(Orders, OrderDetail).hint("cancel", 20).dangerous().bulk().requires(Order),
		action("webhook.delete", "Delete webhook…", "Stop sending events to this address.").
			keys("D").in(Webhooks).hint("delete", 10).dangerous().bulk().requires(Webhook),
		action("job.cancel", "Stop job", "Stop a bulk operation. Requests already sent are not taken back.").
			keys("x").in(Jobs, Progress).hint("stop", 10).requires(Job).hidden(),
		action("job.retry", "Retry failed", "Send only the failed requests again.").
			keys("R").in(Jobs, Progress).hint("retry failed", 11).writes().requires(Job).hidden(),
		action("job.failed", "Save failed rows…", "Save the failed rows to a file that you can correct and import again.").
			keys("w").in(Jobs, Progress).hint("save failed", 12).requires(Job).hidden(),
	})
}
