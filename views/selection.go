package views

import (
	"waybill/board"
	"waybill/keymaps"
	"waybill/model"
)

func (l *list[R]) CursorID() model.ID { return model.ID(l.Table.CursorID()) }

func (l *list[R]) SetCursor(id model.ID) bool {
	if l.Table.SetCursor(string(id)) {
		return true
	}
	l.wantedID = id
	return false
}

func (l *list[R]) IDAt(line int) (model.ID, bool) {
	id, ok := l.Table.IDAt(line)
	return model.ID(id), ok
}

func (l *list[R]) OnScreen() []model.ID { return toIDs(l.Table.OnScreen()) }

func (l *list[R]) Selection() (shown, hidden []model.ID) {
	s, h := l.Table.Selection()
	return toIDs(s), toIDs(h)
}

func toIDs(texts []string) []model.ID {
	ids := make([]model.ID, len(texts))
	for i, t := range texts {
		ids[i] = model.ID(t)
	}
	return ids
}

func (l *list[R]) NextSort(step int) board.Sort {
	s := l.Table.NextSort(step)
	return board.Sort{Column: s.Column, Desc: s.Desc}
}

func (l *list[R]) SortColumns() []string { return board.SortColumns(l.cells.Pane) }

func (l *list[R]) FindNext(text string, forward bool) bool {
	filter, err := board.ParseFilter(l.cells.Pane, text)
	if err != nil || filter.Empty() || l.Len() == 0 {
		return false
	}
	now, match := l.cells.Snapshot.Now, l.rows.Match(filter)
	matches := func(r *R) bool { return match(r, now) }
	if forward {
		return l.Next(matches)
	}
	return l.Previous(matches)
}

// objectCache keeps the objects of the selection until it changes, because counting fifty thousand marked rows on every
// frame would be slow.
type objectCache struct {
	marks, position, selected int
	version                   uint64 // of the board, because marked rows may have changed
	objects                   []keymaps.Object
}

func (l *list[R]) SelectedObjects() []keymaps.Object {
	if l.MarkCount() == 0 && !l.Ranging() {
		if row, ok := l.CursorRow(); ok {
			return []keymaps.Object{l.object(row)}
		}
		return nil
	}
	c := &l.objects
	version := l.cells.Snapshot.Version
	if c.objects != nil && c.version == version && c.marks == l.MarkCount() && c.position == l.Position() && c.selected == l.SelectedCount() {
		return c.objects
	}
	counts := map[keymaps.Object]int{}
	shown, hidden := l.Selection()
	rows := l.rows.Rows(l.cells.Snapshot)
	for _, ids := range [][]model.ID{shown, hidden} {
		for _, id := range ids {
			if row := rows.Get(id); row != nil {
				counts[l.object(row)]++
			}
		}
	}
	*c = objectCache{marks: l.MarkCount(), position: l.Position(), selected: l.SelectedCount(), version: version}
	for object, n := range counts {
		object.Count = n
		c.objects = append(c.objects, object)
	}
	return c.objects
}

// TaskObject is a task as actions see it.
func TaskObject(r *board.TaskRow) keymaps.Object {
	o := keymaps.Object{Kind: keymaps.Task}
	switch r.Status {
	case board.StatusUnassigned:
		o.State = keymaps.Unassigned
	case board.StatusAssigned:
		o.State = keymaps.Assigned
	case board.StatusActive:
		o.State = keymaps.Active
	case board.StatusDone, board.StatusFailed:
		o.State = keymaps.Completed
	case board.StatusUnknown:
	}
	return o
}
