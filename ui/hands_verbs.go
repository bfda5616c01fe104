package ui

import "waybill/ui/verb"

// makers is every verb, by the action that begins it.
func makers() []maker {
	theTask, templates := verb.Needs{Task: true}, verb.Needs{Templates: true}
	return []maker{
		{id: "task.clone", needs: theTask, make: verb.NewClone},
		{id: "task.clone-assign", needs: theTask, make: verb.NewCloneAssign},
		{id: "task.complete", make: verb.NewComplete},
		{id: "task.fail", make: verb.NewFail},
		{id: "task.delete", make: verb.NewDelete},
		{id: "task.notes", needs: theTask, make: verb.NewNotes},
		{id: "task.window", make: verb.NewWindow},
		{id: "task.quantity", needs: theTask, make: verb.NewQuantity},
		{id: "task.metadata", needs: theTask, make: verb.NewMetadata},

		{id: "route.assign", make: verb.NewAssign},
		{id: "route.auto-assign", make: verb.NewAutoAssign},
		{id: "route.unassign", make: verb.NewUnassign},
		{id: "route.insert", make: verb.NewInsert},
		{id: "route.later", make: verb.NewLater},
		{id: "route.earlier", make: verb.NewEarlier},
		{id: "route.transfer", make: verb.NewTransfer},
		{id: "route.dispatch", needs: verb.Needs{Hubs: true}, make: verb.NewDispatch},

		{id: "create.task", needs: templates, make: verb.NewTask},
		{id: "create.destination", make: verb.NewDestination},
		{id: "create.recipient", make: verb.NewRecipient},
		{id: "create.worker", make: verb.NewWorker},
		{id: "create.template", needs: templates, make: verb.NewTemplate},
		{id: "create.webhook", make: verb.NewWebhook},
		{id: "create.quote", make: verb.NewQuote},
		{id: "create.order", make: verb.NewOrder},
		{id: "create.import", make: verb.NewImport, aside: true},

		{id: "order.cancel", make: verb.NewOrderCancel},
		{id: "webhook.delete", make: verb.NewWebhookDelete},
	}
}
