package table

// Move moves the cursor by rows and stops at the ends.
func (t *Table[R]) Move(rows int) { t.moveTo(t.cursor + rows) }

// Top goes to the first row.
func (t *Table[R]) Top() { t.moveTo(0) }

// Bottom goes to the last row.
func (t *Table[R]) Bottom() { t.moveTo(t.rows.Len() - 1) }

// Page moves by screens; one line of the old screen stays visible.
func (t *Table[R]) Page(pages int) { t.scrollBy(pages * max(t.bodyHeight()-1, 1)) }

// HalfPage moves by half screens.
func (t *Table[R]) HalfPage(halves int) { t.scrollBy(halves * max(t.bodyHeight()/2, 1)) }

// ScreenTop goes to the first row on the screen.
func (t *Table[R]) ScreenTop() { t.moveTo(t.top) }

// ScreenMiddle goes to the row in the middle of the screen.
func (t *Table[R]) ScreenMiddle() {
	from, to := t.visibleRows()
	t.moveTo(from + (to-from-1)/2)
}

// ScreenBottom goes to the last row on the screen.
func (t *Table[R]) ScreenBottom() {
	_, to := t.visibleRows()
	t.moveTo(to - 1)
}

// Next moves to the next row that matches, wrapping around, and reports
// whether there is one.
func (t *Table[R]) Next(match func(R) bool) bool { return t.findNext(1, match) }

// Previous is [Table.Next] upwards.
func (t *Table[R]) Previous(match func(R) bool) bool { return t.findNext(-1, match) }

func (t *Table[R]) findNext(step int, match func(R) bool) bool {
	n := t.rows.Len()
	for i := 1; i <= n; i++ {
		if at := (t.cursor + step*i + n*2) % n; match(t.rows.At(at)) {
			t.moveTo(at)
			return true
		}
	}
	return false
}

// scrollBy moves rows and cursor together, so the cursor keeps its line.
func (t *Table[R]) scrollBy(rows int) {
	t.top += rows
	t.moveTo(t.cursor + rows)
}

func (t *Table[R]) moveTo(row int) {
	if t.rows.Len() == 0 {
		return
	}
	t.cursor = max(min(row, t.rows.Len()-1), 0)
	t.cursorID = t.id(t.rows.At(t.cursor))
	t.scrollToCursor()
}
