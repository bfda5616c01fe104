package model

import "fmt"

// What the states of orders, teams and workers allow. As with tasks, a reason or nothing.

// UpdateOrderForbidden returns why an order cannot be changed: one of its tasks has been started.
func UpdateOrderForbidden(status OrderStatus) string { return orderForbidden(status, "changed") }

// CancelOrderForbidden returns why an order cannot be cancelled: it has begun.
func CancelOrderForbidden(status OrderStatus) string { return orderForbidden(status, "cancelled") }

// RejectOrderForbidden returns why a courier cannot reject an order: it has begun.
func RejectOrderForbidden(status OrderStatus) string { return orderForbidden(status, "rejected") }

// orderForbidden returns why it is too late for a change of an order. An unknown status forbids nothing.
func orderForbidden(status OrderStatus, change string) string {
	switch {
	case status == OrderActive:
		return "The order is under way and can no longer be " + change + "."
	case status.Closed():
		return fmt.Sprintf("The order is %s.", status)
	}
	return ""
}

// DeleteTeamForbidden returns why a team cannot be deleted: its workers would have no team.
func DeleteTeamForbidden(team *Team) string {
	switch n := len(team.Workers); n {
	case 0:
		return ""
	case 1:
		return "The team still has 1 worker. Move the worker to another team first."
	default:
		return fmt.Sprintf("The team still has %d workers. Move them to another team first.", n)
	}
}

// TakesTasks reports whether automatic assignment considers a worker in this state.
func (s DutyState) TakesTasks() bool { return s == WorkerIdle || s == WorkerActive }
