package model

import "fmt"

// What a task's state allows. Each function returns why not, in words for a dispatcher, or nothing when it is
// allowed. A state that this version does not know forbids nothing: the service decides.

// UpdateForbidden returns why a field of a task cannot be changed. Of a started task only notes and metadata can be
// changed, of a completed one only metadata and custom fields.
func UpdateForbidden(state TaskState, field string) string {
	switch state {
	case TaskActive:
		if field != "notes" && field != "metadata" {
			return "The driver has started this task. You can only change notes and metadata."
		}
	case TaskCompleted:
		if field != "metadata" && field != "customFields" {
			return "This task is completed. You can only change metadata and custom fields."
		}
	case TaskUnassigned, TaskAssigned:
	}
	return ""
}

// reasonOf returns the reason of a state. Unknown states have none.
func reasonOf(state TaskState, reasons [TaskCompleted + 1]string) string {
	if !state.Known() {
		return ""
	}
	return reasons[state]
}

// DeleteForbidden returns why a task cannot be deleted. The interface does not define the states; a started task has a
// driver on the way and a completed one is a record, so both stay.
func DeleteForbidden(state TaskState) string {
	return reasonOf(state, [...]string{
		TaskActive:    "The task has been started. Complete it as failed instead.",
		TaskCompleted: "The task is completed. Completed tasks cannot be deleted.",
	})
}

// DeleteInOrderForbidden returns why a task that belongs to an order cannot be deleted, whatever its state.
func DeleteInOrderForbidden() string {
	return "The task belongs to an order. Cancel the order instead."
}

// CompleteForbidden returns why a dispatcher cannot complete a task: it is not started.
func CompleteForbidden(state TaskState) string {
	return reasonOf(state, [...]string{
		TaskUnassigned: "The task is unassigned. A driver must start it before it can be completed.",
		TaskAssigned:   "The driver has not started this task. You can only complete started tasks.",
		TaskCompleted:  "The task is already completed.",
	})
}

// AssignForbidden returns why a task cannot be assigned to a worker or team.
func AssignForbidden(state TaskState) string {
	return reasonOf(state, [...]string{
		TaskActive:    "The task has been started; it stays with its driver.",
		TaskCompleted: "The task is completed. Clone it to deliver again.",
	})
}

// UnassignForbidden returns why a task cannot be unassigned.
func UnassignForbidden(state TaskState) string {
	if state == TaskUnassigned {
		return "The task is not assigned to a driver."
	}
	return AssignForbidden(state)
}

// CloneForbidden returns why a task cannot be cloned. Every task can be.
func CloneForbidden(TaskState) string { return "" }

// StartForbidden returns why a driver cannot start a task: it is not assigned, or a dependency is open.
func StartForbidden(state TaskState, openDependencies int) string {
	switch {
	case state == TaskUnassigned:
		return "The task is not assigned to a driver."
	case state == TaskActive:
		return "The task has already been started."
	case state == TaskCompleted:
		return "The task is completed."
	case openDependencies == 1:
		return "A task that must be completed first is still open."
	case openDependencies > 1:
		return fmt.Sprintf("%d tasks that must be completed first are still open.", openDependencies)
	}
	return ""
}
