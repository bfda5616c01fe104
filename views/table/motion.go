package table

// Motion is a way to move the cursor.
type Motion uint8

// The motions.
const (
	Up Motion = iota
	Down
	Top
	Bottom
	PageUp // one line of the old screen stays visible
	PageDown
	HalfUp
	HalfDown
	ScreenTop // the first row on the screen
	ScreenMiddle
	ScreenBottom
)

// Scroll returns by how many rows a page or half a page scrolls; zero for other motions.
func (m Motion) Scroll(height int) int {
	page, half := max(height-1, 1), max(height/2, 1)
	return [...]int{PageUp: -page, PageDown: page, HalfUp: -half, HalfDown: half, ScreenBottom: 0}[m]
}

// Move moves the cursor by rows and stops at the ends.
func (t *Table[R]) Move(rows int) { t.moveTo(t.cursor + rows) }

// Go moves the cursor.
func (t *Table[R]) Go(m Motion) {
	from, to := t.visibleRows()
	switch m {
	case Up:
		t.Move(-1)
	case Down:
		t.Move(1)
	case Top:
		t.moveTo(0)
	case Bottom:
		t.moveTo(t.rows.Len() - 1)
	case ScreenTop:
		t.moveTo(from)
	case ScreenMiddle:
		t.moveTo(from + (to-from-1)/2)
	case ScreenBottom:
		t.moveTo(to - 1)
	default: // rows and cursor move together, so the cursor keeps its line
		rows := m.Scroll(t.bodyHeight())
		t.top += rows
		t.Move(rows)
	}
}

// Next moves to the next row that matches, wrapping around, and reports
// whether there is one. A step of -1 searches upwards.
func (t *Table[R]) Next(step int, match func(R) bool) bool {
	n := t.rows.Len()
	for i := 1; i <= n; i++ {
		if at := (t.cursor + step*i + n*2) % n; match(t.rows.At(at)) {
			t.moveTo(at)
			return true
		}
	}
	return false
}

func (t *Table[R]) moveTo(row int) {
	if t.rows.Len() == 0 {
		return
	}
	t.cursor = max(min(row, t.rows.Len()-1), 0)
	t.cursorID = t.id(t.rows.At(t.cursor))
	t.scrollToCursor()
}
