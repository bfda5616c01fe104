package operations

import (
	"fmt"
	"slices"

	"waybill/board"
	"waybill/model"
)

// bundle puts tasks that belong together in an order that a driver can follow.
type bundle struct {
	scene  Input
	chosen map[model.ID]bool
	to     routePlace
	// partners adds what belongs to the chosen tasks; without it they are only put in order.
	partners bool
	// appends says that the tasks go to the end, behind everything that is there already.
	appends bool
	// takesOff says that tasks leave their workers: a partner whom no one has stays where it is.
	takesOff bool
	// waitingOnly leaves partners alone that a worker has.
	waitingOnly bool

	placed map[model.ID]bool
	rows   []*board.TaskRow
	added  []*board.TaskRow
	// unknown says that a task waits for another that the board does not have; the service sees to those.
	unknown  bool
	warnings []string
}

func (b *bundle) all(rows []*board.TaskRow) {
	b.chosen, b.placed = map[model.ID]bool{}, map[model.ID]bool{}
	for _, row := range rows {
		b.chosen[row.ID] = true
	}
	for _, row := range rows {
		b.place(row)
	}
}

// place adds a task behind what must come first, and its partners behind it.
func (b *bundle) place(row *board.TaskRow) {
	if b.placed[row.ID] {
		return
	}
	b.placed[row.ID] = true
	linked := b.scene.Board.LinkedTasks(row)
	for _, l := range linked {
		if comesFirst(row, l) && b.moves(row, l) {
			b.place(l.Row)
		}
	}
	b.rows = append(b.rows, row)
	if !b.chosen[row.ID] {
		b.added = append(b.added, row)
	}
	for _, l := range linked {
		// Chosen ones have a place of their own further on.
		if !comesFirst(row, l) && l.Row != nil && !b.chosen[l.ID] && b.moves(row, l) {
			b.place(l.Row)
		}
	}
}

// comesFirst reports whether a linked task must be done before the other.
func comesFirst(row *board.TaskRow, l board.LinkedTask) bool {
	return l.Relation == board.LinkedBefore || l.Relation == board.LinkedOrder && l.Row != nil && l.Row.Pickup && !row.Pickup
}

// moves reports whether a partner moves along, and notes what a dispatcher should know when it does not.
func (b *bundle) moves(row *board.TaskRow, l board.LinkedTask) bool {
	switch {
	case l.Row == nil:
		b.unknown = b.unknown || l.Relation == board.LinkedBefore
		return false
	case b.chosen[l.ID]:
		return true
	case l.Row.State == model.TaskActive:
		if l.Row.Worker != b.to.ref.Owner() {
			b.warn("%s %s of %s has been started by %s and stays there.", l.Row.Kind(), l.Row.ShortID, row.ShortID, l.Row.WorkerName)
		}
		return false
	case model.AssignForbidden(l.Row.State) != "":
		return false
	}
	at, _ := b.scene.whereabouts(l.Row)
	there := b.to.is(at.ref)
	switch {
	case there && b.appends && comesFirst(row, l):
		return false // it is there, and what is appended comes behind it
	case b.takesOff && !at.isWorker(), b.waitingOnly && at.isWorker():
		return false
	case !b.partners:
		if !there {
			b.warn("%s %s, which belongs to %s, stays %s.", l.Row.Kind(), l.Row.ShortID, row.ShortID, staying(at))
		}
		return false
	}
	return true
}

func staying(at routePlace) string {
	if at.isWorker() {
		return "with " + at.name
	}
	return "unassigned"
}

func (b *bundle) warn(format string, args ...any) {
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
