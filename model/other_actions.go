package model

import "fmt"

// What the states of orders, teams and workers allow. As with tasks, a reason or nothing.

// UpdateOrderForbidden says why an order cannot be changed: it can only until one of its tasks is started.
func UpdateOrderForbidden(status OrderStatus) string { return orderMustWait(status, "changed") }

// CancelOrderForbidden says why an order cannot be cancelled: it can only before it starts.
func CancelOrderForbidden(status OrderStatus) string { return orderMustWait(status, "cancelled") }

// RejectOrderForbidden says why a courier cannot turn an order down: it can only before it starts.
func RejectOrderForbidden(status OrderStatus) string { return orderMustWait(status, "rejected") }

// orderMustWait says why it is too late for an order to be changed. A status that this version does not know forbids
// nothing.
func orderMustWait(status OrderStatus, change string) string {
	switch status {
	case OrderActive:
		return "The order is under way and can no longer be " + change + "."
	case OrderCompleted, OrderFailed, OrderCancelled, OrderRejected:
		return fmt.Sprintf("The order is %s.", status)
	}
	return ""
}

// DeleteTeamForbidden says why a team cannot be deleted: its workers would belong to none.
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
