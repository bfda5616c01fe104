// Package table draws long lists a screen at a time.
//
// A table identifies rows by id, never by row number: rows are replaced on every
// refresh, and cursor, marks and highlights must stay with their task. It draws
// only the rows on the screen, so a key costs the same at five hundred rows and
// at fifty thousand. It neither sorts nor filters.
package table

// Table is a virtual table of rows of type R. The zero value is not usable;
// see [New].
type Table[R any] struct {
	id      func(R) string
	columns []Column[R]
	slots   []slot // the columns that fit, with their widths
	spare   int    // cells behind the last column

	rows Source[R]

	width, height int
	top           int // first row on the screen
	cursor        int // row number of cursorID, cached
	cursorID      string

	marks      map[string]struct{}
	anchor     int   // other end of the range being selected, or none
	markedRows []int // row numbers of the marks, while a range is open

	frozen    bool
	waiting   Source[R]              // rows that arrived while the order was frozen
	lookupRow func(string) (R, bool) // may be nil

	sort  Sort
	empty string
	ctx   Context // of the cell being drawn; kept here so that drawing does not allocate
	cell  []byte  // text of the cell being drawn
}

// noRow is no row number.
const noRow = -1

// New returns a table without rows. id must be cheap and unique among the rows.
func New[R any](id func(R) string, columns []Column[R]) *Table[R] {
	return &Table[R]{
		id:      id,
		columns: columns,
		marks:   map[string]struct{}{},
		anchor:  noRow,
		height:  1,
		rows:    slice[R]{},
	}
}

// SetSize sets the size of the table with its header line. The cursor's row
// stays on the screen.
func (t *Table[R]) SetSize(width, height int) {
	t.height = max(height, 1)
	if width != t.width {
		t.width = max(width, 0)
		t.SetColumns(t.columns)
	}
	t.scrollToCursor()
}

// SetColumns replaces the columns.
func (t *Table[R]) SetColumns(columns []Column[R]) {
	t.columns = columns
	t.slots = fitColumns(columns, t.width)
	t.spare = max(t.width-gutterWidth-totalWidth(t.slots), 0)
}

// Columns returns the columns of the table, whether they fit or not.
func (t *Table[R]) Columns() []Column[R] { return t.columns }

// ShowsColumn reports that a column fits.
func (t *Table[R]) ShowsColumn(key string) bool {
	for _, s := range t.slots {
		if t.columns[s.column].Key == key {
			return true
		}
	}
	return false
}

// SetEmpty sets the text that is shown when there are no rows.
func (t *Table[R]) SetEmpty(text string) { t.empty = text }

// SetRows replaces the rows by a slice, which must not be changed afterwards;
// see [Table.SetSource].
func (t *Table[R]) SetRows(rows []R) { t.SetSource(slice[R](rows)) }

// SetSource replaces the rows. The cursor stays on its row; if that row is
// gone it moves to the nearest neighbour that is still there, the one below
// first. While the order is frozen the new rows wait until the order is free again.
func (t *Table[R]) SetSource(rows Source[R]) {
	if t.Frozen() {
		t.waiting = rows
		return
	}
	before, line := t.rows, t.cursor-t.top
	t.rows = rows
	if rows.Len() == 0 {
		t.cursor, t.top = 0, 0 // cursorID is kept: the rows may come back
		return
	}
	t.cursor = t.relocateCursor(before)
	t.cursorID = t.id(rows.At(t.cursor))
	// The cursor's row keeps its line on the screen. A list at its top stays
	// there instead, so that new first rows are not scrolled away.
	if t.top > 0 || t.cursor >= t.bodyHeight() {
		t.top = t.cursor - line
	}
	t.scrollToCursor()
}

// relocateCursor returns where the cursor belongs among the new rows.
func (t *Table[R]) relocateCursor(before Source[R]) int {
	if t.cursorID == "" {
		return 0
	}
	if row, ok := t.findRow(t.cursorID, t.cursor); ok {
		return row
	}
	// The rows below come first, then those above, nearest first. Few are tried,
	// because without an index each try searches the whole list.
	for _, distance := range [...]int{1, 2, 3, 4, -1, -2, -3, -4} {
		neighbour := t.cursor + distance
		if neighbour < 0 || neighbour >= before.Len() {
			continue
		}
		if row, ok := t.findRow(t.id(before.At(neighbour)), neighbour); ok {
			return row
		}
	}
	return min(t.cursor, t.rows.Len()-1)
}

// findRow returns the number of a row by its id. The result of an index is
// checked, because acting on the wrong task must not happen.
func (t *Table[R]) findRow(id string, near int) (int, bool) {
	if row, ok, known := t.rows.Find(id); known && (!ok || row >= 0 && row < t.rows.Len() && t.id(t.rows.At(row)) == id) {
		return row, ok
	}
	n := t.rows.Len()
	near = max(min(near, n-1), 0)
	for below, above := near, near-1; below < n || above >= 0; below, above = below+1, above-1 {
		if below < n && t.id(t.rows.At(below)) == id {
			return below, true
		}
		if above >= 0 && t.id(t.rows.At(above)) == id {
			return above, true
		}
	}
	return 0, false
}

// SetFrozen freezes the order of the rows while a dialog about them is open.
// Afterwards the rows that arrived meanwhile are shown.
func (t *Table[R]) SetFrozen(frozen bool) {
	t.frozen = frozen
	t.showWaiting()
}

// Frozen reports whether the order is frozen: by [Table.SetFrozen] or by an open
// range, which must not grow by itself.
func (t *Table[R]) Frozen() bool { return t.frozen || t.anchor != noRow }

func (t *Table[R]) showWaiting() {
	if next := t.waiting; next != nil && !t.Frozen() {
		t.waiting = nil
		t.SetSource(next)
	}
}

// SetRowLookup sets a function that returns the present version of any row.
func (t *Table[R]) SetRowLookup(current func(id string) (row R, ok bool)) { t.lookupRow = current }

// currentRow returns the present version of a row, and whether the row is gone.
// While the order is frozen rows keep their positions but show present data.
func (t *Table[R]) currentRow(i int) (row R, gone bool) {
	shown := t.rows.At(i)
	if !t.Frozen() || t.lookupRow == nil {
		return shown, false
	}
	if now, ok := t.lookupRow(t.id(shown)); ok {
		return now, false
	}
	return shown, true
}

// CursorRow returns the row under the cursor.
func (t *Table[R]) CursorRow() (row R, ok bool) {
	if t.rows.Len() == 0 {
		return row, false
	}
	row, _ = t.currentRow(t.cursor)
	return row, true
}

// CursorID returns the id under the cursor; empty without rows.
func (t *Table[R]) CursorID() string {
	if t.rows.Len() == 0 {
		return ""
	}
	return t.cursorID
}

// SetCursor moves the cursor to an id and reports whether there is such a row.
// Without any rows the id is remembered, so that a restored session finds its
// row once data comes.
func (t *Table[R]) SetCursor(id string) bool {
	if t.rows.Len() == 0 {
		t.cursorID = id
		return false
	}
	row, ok := t.findRow(id, t.cursor)
	if ok {
		t.moveTo(row)
	}
	return ok
}

// ForgetCursor puts the cursor on the first of the next rows.
func (t *Table[R]) ForgetCursor() { t.cursorID = "" }

// Len returns how many rows there are.
func (t *Table[R]) Len() int { return t.rows.Len() }

// Position returns the cursor's row number, counted from one; zero without rows.
func (t *Table[R]) Position() int {
	if t.rows.Len() == 0 {
		return 0
	}
	return t.cursor + 1
}

// OnScreen returns the ids on the screen, first to last.
func (t *Table[R]) OnScreen() []string {
	from, to := t.visibleRows()
	ids := make([]string, 0, to-from)
	for row := from; row < to; row++ {
		ids = append(ids, t.id(t.rows.At(row)))
	}
	return ids
}

// IDAt returns the id on a line of the table, for the mouse.
func (t *Table[R]) IDAt(line int) (string, bool) {
	row := t.top + line - t.headerHeight()
	if line < t.headerHeight() || row >= t.rows.Len() || line >= t.height {
		return "", false
	}
	return t.id(t.rows.At(row)), true
}

func (t *Table[R]) headerHeight() int {
	if t.height < 2 {
		return 0
	}
	return 1
}

func (t *Table[R]) bodyHeight() int { return t.height - t.headerHeight() }

// visibleRows returns the range of rows on the screen.
func (t *Table[R]) visibleRows() (from, to int) {
	return t.top, min(t.top+t.bodyHeight(), t.rows.Len())
}

// scrollToCursor scrolls as little as needed to show the cursor and to leave no
// empty lines below the last row.
func (t *Table[R]) scrollToCursor() {
	body := t.bodyHeight()
	t.top = max(t.top, t.cursor-body+1)
	t.top = min(t.top, t.cursor)
	t.top = max(min(t.top, t.rows.Len()-body), 0)
}
