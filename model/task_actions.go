package model

import "fmt"

// What a task's state allows. Each function returns why not, in words for a dispatcher, or nothing when it is
// allowed. A state that this version does not know forbids nothing: the service decides.

// UpdateForbidden says why a field of a task cannot be changed: a started task keeps everything but notes and metadata, a
// completed one everything but metadata and custom fields.
func UpdateForbidden(state TaskState, field string) string {
	switch state {
	case TaskActive:
		if field != "notes" && field != "metadata" {
			return "The task has been started; only its notes and metadata can still be changed."
		}
	case TaskCompleted:
		if field != "metadata" && field != "customFields" {
			return "The task is completed; only its metadata and custom fields can still be changed."
		}
	}
	return ""
}

// DeleteForbidden says why a task cannot be deleted. The interface does not say which states allow it; a started task has a
// driver on the way and a completed one is a record, so both stay.
func DeleteForbidden(state TaskState) string {
	switch state {
	case TaskActive:
		return "The task has been started; complete it as failed instead."
	case TaskCompleted:
		return "The task is completed and stays as a record."
	}
	return ""
}

// CompleteForbidden says why a dispatcher cannot complete a task: only started ones can be.
func CompleteForbidden(state TaskState) string {
	switch state {
	case TaskUnassigned:
		return "The task is not assigned; it must be started by a driver before it can be completed."
	case TaskAssigned:
		return "The driver has not started the task; only started tasks can be completed."
	case TaskCompleted:
		return "The task is already completed."
	}
	return ""
}

// AssignForbidden says why a task cannot be given to a worker or team.
func AssignForbidden(state TaskState) string {
	switch state {
	case TaskActive:
		return "The task has been started; it stays with its driver."
	case TaskCompleted:
		return "The task is completed."
	}
	return ""
}

// UnassignForbidden says why a task cannot be taken off its worker.
func UnassignForbidden(state TaskState) string {
	switch state {
	case TaskUnassigned:
		return "The task is not assigned to a driver."
	case TaskActive:
		return "The task has been started; it stays with its driver."
	case TaskCompleted:
		return "The task is completed."
	}
	return ""
}

// CloneForbidden says why a task cannot be cloned. Every task can: the clone starts anew.
func CloneForbidden(TaskState) string { return "" }

// StartForbidden says why a driver cannot start a task: it must be theirs and what it depends on must be done.
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
