package table

import "slices"

// ToggleMark marks the cursor's row, or takes the mark off.
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

// MarkAll marks every row there is now, which is every row that passes the
// filter.
func (t *Table[R]) MarkAll() {
	for row := range t.rows.Len() {
		t.marks[t.id(t.rows.At(row))] = struct{}{}
	}
	t.indexMarks()
}

// Mark marks ids, for a restored session or for the failed rows of a bulk run.
func (t *Table[R]) Mark(ids ...string) {
	for _, id := range ids {
		t.marks[id] = struct{}{}
	}
	t.indexMarks()
}

// Unmark takes the marks off ids.
func (t *Table[R]) Unmark(ids ...string) {
	for _, id := range ids {
		delete(t.marks, id)
	}
	t.indexMarks()
}

// ClearMarks takes all marks off and ends a range.
func (t *Table[R]) ClearMarks() {
	clear(t.marks)
	t.CancelRange()
}

// KeepMarks takes the mark off every id that does not pass, for objects that
// no longer exist.
func (t *Table[R]) KeepMarks(pass func(id string) bool) {
	for id := range t.marks {
		if !pass(id) {
			delete(t.marks, id)
		}
	}
	t.indexMarks()
}

// StartRange begins a range at the cursor. The order of the rows is frozen
// until it ends, so that nothing slips into the range unseen.
func (t *Table[R]) StartRange() {
	if t.rows.Len() > 0 {
		t.anchor = t.cursor
		t.indexMarks()
	}
}

// indexMarks notes which rows are marked while a range is open, so that the
// count in the status line does not walk the range on every frame. Rows do not
// move meanwhile.
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
func (t *Table[R]) Ranging() bool { return t.anchor != none }

// EndRange marks the rows of the range and ends it.
func (t *Table[R]) EndRange() {
	if !t.Ranging() {
		return
	}
	from, to := t.span()
	for row := from; row < to; row++ {
		t.marks[t.id(t.rows.At(row))] = struct{}{}
	}
	t.CancelRange()
}

// CancelRange ends the range and marks nothing.
func (t *Table[R]) CancelRange() {
	t.anchor = none
	t.catchUp()
}

// span is the range being selected, or empty.
func (t *Table[R]) span() (from, to int) {
	if t.anchor == none {
		return 0, 0
	}
	return min(t.anchor, t.cursor), max(t.anchor, t.cursor) + 1
}

// Marked reports whether an id is marked; rows of an unfinished range are not
// yet.
func (t *Table[R]) Marked(id string) bool {
	_, marked := t.marks[id]
	return marked
}

// SelectedCount is how many rows an action would act on, the cursor's row when
// nothing is marked.
func (t *Table[R]) SelectedCount() int {
	from, to := t.span()
	first, _ := slices.BinarySearch(t.markedRows, from)
	last, _ := slices.BinarySearch(t.markedRows, to)
	if count := len(t.marks) + (to - from) - (last - first); count > 0 {
		return count
	}
	return min(t.rows.Len(), 1)
}

// MarkCount is how many ids are marked.
func (t *Table[R]) MarkCount() int { return len(t.marks) }

// Selection is what an action acts on: the marked rows and those of the range
// in the order shown, or else the cursor's row. Marked ids that no row has at
// the moment, because a filter hides them, come apart: acting on what cannot
// be seen is for the caller to ask about.
func (t *Table[R]) Selection() (shown, hidden []string) {
	from, to := t.span()
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
		hidden = t.hidden(shown)
	}
	if len(shown) == 0 && len(hidden) == 0 && t.rows.Len() > 0 {
		shown = []string{t.cursorID}
	}
	return shown, hidden
}

func (t *Table[R]) hidden(shown []string) []string {
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
