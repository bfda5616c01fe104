package operations

import (
	"fmt"
	"slices"

	"waybill/board"
	"waybill/model"
)

// taskGroup collects tasks with those linked to them, in an order that a driver can follow.
type taskGroup struct {
	input    Input
	selected map[model.ID]bool
	to       route
	// withPartners adds linked tasks; otherwise the selected ones are only sorted.
	withPartners bool
	// appends says that the tasks go to the end of the route.
	appends bool
	// unassigns says that tasks leave their drivers. Linked tasks without a driver stay where they are.
	unassigns bool
	// unassignedOnly skips linked tasks that have a driver.
	unassignedOnly bool

	seen  map[model.ID]bool
	rows  []*board.TaskRow
	added []*board.TaskRow
	// hasUnknown says that a task depends on one that the board does not have; the service can move it.
	hasUnknown bool
	warnings   []string
}

func (b *taskGroup) addTasks(rows []*board.TaskRow) {
	b.selected, b.seen = map[model.ID]bool{}, map[model.ID]bool{}
	for _, row := range rows {
		b.selected[row.ID] = true
	}
	for _, row := range rows {
		b.addTask(row)
	}
}

// addTask adds a task behind those that must come first, and its linked tasks behind it.
func (b *taskGroup) addTask(row *board.TaskRow) {
	if b.seen[row.ID] {
		return
	}
	b.seen[row.ID] = true
	linked := b.input.Board.LinkedTasks(row)
	for _, l := range linked {
		if comesFirst(row, l) && b.movesAlong(row, l) {
			b.addTask(l.Row)
		}
	}
	b.rows = append(b.rows, row)
	if !b.selected[row.ID] {
		b.added = append(b.added, row)
	}
	for _, l := range linked {
		// Selected tasks are added in their own turn.
		if !comesFirst(row, l) && l.Row != nil && !b.selected[l.ID] && b.movesAlong(row, l) {
			b.addTask(l.Row)
		}
	}
}

// comesFirst reports whether a linked task must be done before the other.
func comesFirst(row *board.TaskRow, l board.LinkedTask) bool {
	return l.Relation == board.LinkedBefore || l.Relation == board.LinkedOrder && l.Row != nil && l.Row.Pickup && !row.Pickup
}

// movesAlong reports whether a linked task moves along. It adds a warning when it should but does not.
func (b *taskGroup) movesAlong(row *board.TaskRow, l board.LinkedTask) bool {
	switch {
	case l.Row == nil:
		b.hasUnknown = b.hasUnknown || l.Relation == board.LinkedBefore
		return false
	case b.selected[l.ID]:
		return true
	case l.Row.State == model.TaskActive:
		if l.Row.Worker != b.to.ref.Owner() {
			b.warn("%s %s, linked with %s, was started by %s and stays there.", l.Row.Kind(), l.Row.ShortID, row.ShortID, l.Row.WorkerName)
		}
		return false
	case model.AssignForbidden(l.Row.State) != "":
		return false
	}
	at, _ := b.input.routeOf(l.Row)
	there := b.to.isSame(at.ref)
	switch {
	case there && b.appends && comesFirst(row, l):
		return false // it is on the route already, in front of the end
	case b.unassigns && !at.isWorker(), b.unassignedOnly && at.isWorker():
		return false
	case !b.withPartners:
		if !there {
			b.warn("%s %s, linked with %s, stays %s.", l.Row.Kind(), l.Row.ShortID, row.ShortID, stayText(at))
		}
		return false
	}
	return true
}

func stayText(at route) string {
	if at.isWorker() {
		return "with " + at.name
	}
	return "unassigned"
}

func (b *taskGroup) warn(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(b.warnings, text) {
		b.warnings = append(b.warnings, text)
	}
}

// taskLines list the tasks of a group, each with a text behind it, and what follows from their links.
func (b *taskGroup) taskLines(behind func(i int) string) []Line {
	var lines []Line
	for i, row := range b.rows[:min(len(b.rows), maxListedTasks)] {
		lines = append(lines, plainLine("%s%s", b.input.taskLine(row), behind(i)))
	}
	if more := len(b.rows) - maxListedTasks; more > 0 {
		lines = append(lines, plainLine("… and %d more.", more))
	}
	if len(b.added) > 0 {
		names := mapList(b.added, func(row *board.TaskRow) string { return row.Kind() + " " + string(row.ShortID) })
		lines = append(lines, warnLine("%s %s along: linked with a selected task.", joinNames(names, 4), plural(len(names), "moves", "move")))
	}
	return append(lines, mapList(b.warnings, func(text string) Line { return warnLine("%s", text) })...)
}

// hasPartners reports whether a linked task that is not selected could move along.
func (s Input) hasPartners(rows []*board.TaskRow, can func(model.TaskState) string) bool {
	selected := selectedRows(rows)
	for _, row := range rows {
		for _, l := range s.Board.LinkedTasks(row) {
			if l.Row != nil && !selected[l.ID] && can(l.Row.State) == "" {
				return true
			}
		}
	}
	return false
}
