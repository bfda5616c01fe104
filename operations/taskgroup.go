package operations

import (
	"fmt"
	"slices"

	"waybill/board"
	"waybill/model"
)

// taskGroup puts tasks that belong together in an order that a driver can follow.
type taskGroup struct {
	input  Input
	chosen map[model.ID]bool
	to     route
	// withPartners adds what belongs to the chosen tasks; without it they are only put in order.
	withPartners bool
	// appends says that the tasks go to the end, behind everything that is there already.
	appends bool
	// unassigns says that tasks leave their workers: a partner whom no one has stays where it is.
	unassigns bool
	// unassignedOnly leaves partners alone that a worker has.
	unassignedOnly bool

	seen  map[model.ID]bool
	rows  []*board.TaskRow
	added []*board.TaskRow
	// hasUnknown says that a task waits for another that the board does not have; the service sees to those.
	hasUnknown bool
	warnings   []string
}

func (b *taskGroup) addTasks(rows []*board.TaskRow) {
	b.chosen, b.seen = map[model.ID]bool{}, map[model.ID]bool{}
	for _, row := range rows {
		b.chosen[row.ID] = true
	}
	for _, row := range rows {
		b.addTask(row)
	}
}

// addTask adds a task behind what must come first, and its partners behind it.
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
	if !b.chosen[row.ID] {
		b.added = append(b.added, row)
	}
	for _, l := range linked {
		// Chosen ones have a place of their own further on.
		if !comesFirst(row, l) && l.Row != nil && !b.chosen[l.ID] && b.movesAlong(row, l) {
			b.addTask(l.Row)
		}
	}
}

// comesFirst reports whether a linked task must be done before the other.
func comesFirst(row *board.TaskRow, l board.Linked) bool {
	return l.Relation == board.LinkedBefore || l.Relation == board.LinkedOrder && l.Row != nil && l.Row.Pickup && !row.Pickup
}

// movesAlong reports whether a partner moves along, and notes what a dispatcher should know when it does not.
func (b *taskGroup) movesAlong(row *board.TaskRow, l board.Linked) bool {
	switch {
	case l.Row == nil:
		b.hasUnknown = b.hasUnknown || l.Relation == board.LinkedBefore
		return false
	case b.chosen[l.ID]:
		return true
	case l.Row.State == model.TaskActive:
		if l.Row.Worker != b.to.ref.Owner() {
			b.warn("%s %s of %s has been started by %s and stays there.", l.Row.Kind(), l.Row.ShortID, row.ShortID, l.Row.WorkerName)
		}
		return false
	case model.CanAssign(l.Row.State) != "":
		return false
	}
	at, _ := b.input.routeOf(l.Row)
	there := b.to.isSame(at.ref)
	switch {
	case there && b.appends && comesFirst(row, l):
		return false // it is there, and what is appended comes behind it
	case b.unassigns && !at.isWorker(), b.unassignedOnly && at.isWorker():
		return false
	case !b.withPartners:
		if !there {
			b.warn("%s %s, which belongs to %s, stays %s.", l.Row.Kind(), l.Row.ShortID, row.ShortID, stayText(at))
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

// hasPartners reports whether something that was not chosen belongs to what was, and could move along.
func (s Input) hasPartners(rows []*board.TaskRow, can func(model.TaskState) string) bool {
	chosen := map[model.ID]bool{}
	for _, row := range rows {
		chosen[row.ID] = true
	}
	for _, row := range rows {
		for _, l := range s.Board.LinkedTasks(row) {
			if l.Row != nil && !chosen[l.ID] && can(l.Row.State) == "" {
				return true
			}
		}
	}
	return false
}
