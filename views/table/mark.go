package table

import "slices"

// ToggleMark marks or unmarks the cursor's row.
func (t *Table[R]) ToggleMark() {
	id := t.CursorID()
	if id == "" {
		return
	}
	if t.Marked(id) {
		delete(t.marks, id)
	} else {
		t.marks[id] = struct{}{}
	}
	t.indexMarks()
}

// MarkAll marks every row of the table.
func (t *Table[R]) MarkAll() {
	for row := range t.rows.Len() {
		t.marks[t.id(t.rows.At(row))] = struct{}{}
	}
	t.indexMarks()
}

// Mark marks ids.
func (t *Table[R]) Mark(ids ...string) {
	for _, id := range ids {
		t.marks[id] = struct{}{}
	}
	t.indexMarks()
}

// Unmark unmarks ids.
func (t *Table[R]) Unmark(ids ...string) {
	for _, id := range ids {
		delete(t.marks, id)
	}
	t.indexMarks()
}

// ClearMarks unmarks everything and ends a range.
func (t *Table[R]) ClearMarks() {
	clear(t.marks)
	t.CancelRange()
}

// ToggleRange begins a range at the cursor, or marks the rows of the open range
// and ends it. Meanwhile the order of the rows is frozen, so that no row moves
// into the range unnoticed.
func (t *Table[R]) ToggleRange() {
	if !t.Ranging() && t.rows.Len() > 0 {
		t.anchor = t.cursor
		t.indexMarks()
		return
	}
	from, to := t.markRange()
	for row := from; row < to; row++ {
		t.marks[t.id(t.rows.At(row))] = struct{}{}
	}
	t.CancelRange()
}

// indexMarks records which rows are marked while a range is open, so that
// SelectedCount does not scan the range on every frame.
func (t *Table[R]) indexMarks() {
	t.markedRows = t.markedRows[:0]
	if !t.Ranging() || len(t.marks) == 0 {
		return
	}
	for i := range t.rows.Len() {
		if t.Marked(t.id(t.rows.At(i))) {
			t.markedRows = append(t.markedRows, i)
		}
	}
}

// Ranging reports whether a range is being selected.
func (t *Table[R]) Ranging() bool { return t.anchor != noRow }

// CancelRange ends the range without marking its rows.
func (t *Table[R]) CancelRange() {
	t.anchor = noRow
	t.showWaiting()
}

// markRange returns the rows of the open range; empty without one.
func (t *Table[R]) markRange() (from, to int) {
	if t.anchor == noRow {
		return 0, 0
	}
	return min(t.anchor, t.cursor), max(t.anchor, t.cursor) + 1
}

// Marked reports whether an id is marked; rows of an open range are not yet.
func (t *Table[R]) Marked(id string) bool {
	_, marked := t.marks[id]
	return marked
}

// SelectedCount returns how many rows an action would act on: the cursor's row
// when nothing is marked.
func (t *Table[R]) SelectedCount() int {
	from, to := t.markRange()
	first, _ := slices.BinarySearch(t.markedRows, from)
	last, _ := slices.BinarySearch(t.markedRows, to)
	if count := len(t.marks) + (to - from) - (last - first); count > 0 {
		return count
	}
	return min(t.rows.Len(), 1)
}

// MarkCount returns how many ids are marked.
func (t *Table[R]) MarkCount() int { return len(t.marks) }

// Selection returns what an action acts on: the marked rows and those of the
// range in their order, or else the cursor's row. Marked ids that the filter
// hides are returned apart, so that the caller can ask about them.
func (t *Table[R]) Selection() (shown, hidden []string) {
	from, to := t.markRange()
	found := 0
	for i := range t.rows.Len() {
		id := t.id(t.rows.At(i))
		marked := t.Marked(id)
		if marked {
			found++
		}
		if marked || i >= from && i < to {
			shown = append(shown, id)
		}
	}
	if found < len(t.marks) {
		hidden = t.hiddenMarks(shown)
	}
	if len(shown) == 0 && len(hidden) == 0 && t.rows.Len() > 0 {
		shown = []string{t.cursorID}
	}
	return shown, hidden
}

func (t *Table[R]) hiddenMarks(shown []string) []string {
	visible := make(map[string]struct{}, len(shown))
	for _, id := range shown {
		visible[id] = struct{}{}
	}
	var ids []string
	for id := range t.marks {
		if _, ok := visible[id]; !ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}
