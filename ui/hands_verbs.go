package ui

import "waybill/ui/verb"

// makers is every verb, by the action that begins it.
func makers() []maker {
	return []maker{
		{"task.notes", verb.Needs{Task: true}, verb.NewNotes},
		{"task.window", verb.Needs{}, verb.NewWindow},
		{"task.delete", verb.Needs{}, verb.NewDelete},

		{"route.assign", verb.Needs{}, verb.NewAssign},
		{"route.unassign", verb.Needs{}, verb.NewUnassign},
		{"route.transfer", verb.Needs{}, verb.NewTransfer},
	}
}
