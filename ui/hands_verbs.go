package ui

import "waybill/ui/verb"

// makers is every verb, by the action that begins it.
func makers() []maker {
	var nothing verb.Needs
	theTask := verb.Needs{Task: true}
	return []maker{
		{"task.clone", theTask, verb.NewClone},
		{"task.clone-assign", theTask, verb.NewCloneAssign},
		{"task.complete", nothing, verb.NewComplete},
		{"task.fail", nothing, verb.NewFail},
		{"task.delete", nothing, verb.NewDelete},
		{"task.notes", theTask, verb.NewNotes},
		{"task.window", nothing, verb.NewWindow},
		{"task.quantity", theTask, verb.NewQuantity},
		{"task.metadata", theTask, verb.NewMetadata},

		{"route.assign", nothing, verb.NewAssign},
		{"route.unassign", nothing, verb.NewUnassign},
		{"route.transfer", nothing, verb.NewTransfer},
		{"route.dispatch", verb.Needs{Hubs: true}, verb.NewDispatch},

		{"create.task", verb.Needs{Templates: true}, verb.NewTask},
	}
}
