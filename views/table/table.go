// Package table draws long lists a screen at a time.
//
// A table keeps everything a person sees or chose by row id, never by row
// number: rows are replaced on every poll, and the cursor, the marks and the
// highlights must stay with the task they were on. It draws only the rows on
// the screen, so a key costs the same at five hundred rows and at fifty
// thousand. It neither sorts nor filters: rows arrive in the order they are
// shown.
package table

// Table is a virtual table of rows of type R. The zero value is not usable;
// see [New].
type Table[R any] struct {
	id      func(R) string
	columns []Column[R]
	slots   []slot // the columns that fit, with their widths

	rows Source[R]

	width, height int
	top           int // first row on the screen
	cursor        int // row number of cursorID; only a cache of it
	cursorID      string

	marks      map[string]struct{}
	anchor     int   // other end of the range being selected, or none
	markedRows []int // row numbers of the marks, while a range is open

	frozen  bool
	waiting Source[R]              // rows that arrived while the order was frozen
	current func(string) (R, bool) // may be nil

	sort  Sort
	empty string
	ctx   Context // handed to Render; kept here so that drawing allocates nothing
}

// none is a row number that is not one.
const none = -1

// New is a table without rows. id must be cheap and unique among the rows.
func New[R any](id func(R) string, columns []Column[R]) *Table[R] {
	return &Table[R]{
		id:      id,
		columns: columns,
		marks:   map[string]struct{}{},
		anchor:  none,
		height:  1,
		rows:    Slice[R]{},
	}
}

// SetSize gives the table its rectangle, the header line included. The
// cursor's row stays on the screen.
func (t *Table[R]) SetSize(width, height int) {
	t.height = max(height, 1)
	if width != t.width {
		t.width = max(width, 0)
		t.slots = fitColumns(t.columns, t.width)
	}
	t.reveal()
}

// SetColumns replaces the columns, for a view with its own choice of them.
func (t *Table[R]) SetColumns(columns []Column[R]) {
	t.columns = columns
	t.slots = fitColumns(columns, t.width)
}

// Columns are the columns the table was given, shown or not.
func (t *Table[R]) Columns() []Column[R] { return t.columns }

// ShowsColumn reports that there is room for a column.
func (t *Table[R]) ShowsColumn(key string) bool {
	for _, s := range t.slots {
		if t.columns[s.column].Key == key {
			return true
		}
	}
	return false
}

// SetEmpty is what to say where the rows would be when there are none.
func (t *Table[R]) SetEmpty(text string) { t.empty = text }

// SetRows replaces the rows by a slice, which must not be changed afterwards;
// see [Table.SetSource].
func (t *Table[R]) SetRows(rows []R, index Index) {
	t.SetSource(Slice[R]{rows, index})
}

// SetSource replaces the rows. The cursor stays on its row; if that row is
// gone it goes to the nearest neighbour that is still there, the one below
// first. While the order is frozen the new rows wait until [Table.Thaw].
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
	t.cursor = t.relocate(before)
	t.cursorID = t.id(rows.At(t.cursor))
	// The cursor's row keeps its line on the screen. At the very top the
	// list stays at its top instead, so that what just became worst is
	// seen and not scrolled away.
	if t.top > 0 || t.cursor >= t.bodyHeight() {
		t.top = t.cursor - line
	}
	t.reveal()
}

// relocate is where the cursor belongs among the new rows.
func (t *Table[R]) relocate(before Source[R]) int {
	if t.cursorID == "" {
		return 0
	}
	if row, ok := t.find(t.cursorID, t.cursor); ok {
		return row
	}
	for _, neighbour := range neighbours(t.cursor, before.Len()) {
		if row, ok := t.find(t.id(before.At(neighbour)), neighbour); ok {
			return row
		}
	}
	return min(t.cursor, t.rows.Len()-1)
}

// neighbourReach is how many rows on each side of a vanished row are tried.
// Without an index each try may search the whole list, so it is small.
const neighbourReach = 4

// neighbours are the rows below a row, nearest first, then those above.
func neighbours(row, count int) []int {
	if row >= count {
		return nil
	}
	near := make([]int, 0, 2*neighbourReach)
	for i := row + 1; i < min(row+1+neighbourReach, count); i++ {
		near = append(near, i)
	}
	for i := row - 1; i >= max(row-neighbourReach, 0); i-- {
		near = append(near, i)
	}
	return near
}

// find looks a row up by id. An index that is out of step with its rows is
// not believed: acting on the wrong task is the one thing that must not happen.
func (t *Table[R]) find(id string, near int) (int, bool) {
	if row, ok, known := t.rows.Find(id); known && (!ok || t.holds(t.rows, row, id)) {
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

func (t *Table[R]) holds(rows Source[R], row int, id string) bool {
	return row >= 0 && row < rows.Len() && t.id(rows.At(row)) == id
}

// Freeze holds the order of the rows, for as long as a menu or a dialog about
// them is open.
func (t *Table[R]) Freeze() { t.frozen = true }

// Thaw lets the rows move again and shows what arrived meanwhile.
func (t *Table[R]) Thaw() {
	t.frozen = false
	t.catchUp()
}

// Frozen reports whether the order is held: by [Table.Freeze], or because a
// range is being selected, which must not grow by itself.
func (t *Table[R]) Frozen() bool { return t.frozen || t.anchor != none }

func (t *Table[R]) catchUp() {
	if next := t.waiting; next != nil && !t.Frozen() {
		t.waiting = nil
		t.SetSource(next)
	}
}

// SetRowLookup tells where a row can be had as it is now, whether it is among
// the rows that are shown or not.
func (t *Table[R]) SetRowLookup(current func(id string) (row R, ok bool)) { t.current = current }

// row is a row as it is known now, and whether it is gone: while the order is
// frozen rows keep their places, and read what is true all the same.
func (t *Table[R]) row(i int) (row R, gone bool) {
	shown := t.rows.At(i)
	if !t.Frozen() {
		return shown, false
	}
	id := t.id(shown)
	if t.current != nil {
		if now, ok := t.current(id); ok {
			return now, false
		}
		return shown, true
	}
	if t.waiting != nil {
		if at, ok, known := t.waiting.Find(id); known && ok && t.holds(t.waiting, at, id) {
			return t.waiting.At(at), false
		}
	}
	return shown, false
}

// CursorRow is the row under the cursor.
func (t *Table[R]) CursorRow() (row R, ok bool) {
	if t.rows.Len() == 0 {
		return row, false
	}
	row, _ = t.row(t.cursor)
	return row, true
}

// CursorID is the id under the cursor, or nothing when there are no rows.
func (t *Table[R]) CursorID() string {
	if t.rows.Len() == 0 {
		return ""
	}
	return t.cursorID
}

// SetCursor puts the cursor on an id, and reports whether it is there. An id
// that is not there yet is remembered while there are no rows at all, so a
// restored session finds its row once data comes.
func (t *Table[R]) SetCursor(id string) bool {
	if t.rows.Len() == 0 {
		t.cursorID = id
		return false
	}
	row, ok := t.find(id, t.cursor)
	if ok {
		t.goTo(row)
	}
	return ok
}

// ForgetCursor lets the next rows begin with the cursor on the first one.
func (t *Table[R]) ForgetCursor() { t.cursorID = "" }

// Len is how many rows there are.
func (t *Table[R]) Len() int { return t.rows.Len() }

// Position is the cursor's row number, counted from one, or zero without rows.
func (t *Table[R]) Position() int {
	if t.rows.Len() == 0 {
		return 0
	}
	return t.cursor + 1
}

// OnScreen are the ids being shown, first to last: what is worth asking the
// service for first.
func (t *Table[R]) OnScreen() []string {
	from, to := t.window()
	ids := make([]string, 0, to-from)
	for row := from; row < to; row++ {
		ids = append(ids, t.id(t.rows.At(row)))
	}
	return ids
}

// IDAt is the id drawn on a line of the table, for the mouse.
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

// window is the range of rows on the screen.
func (t *Table[R]) window() (from, to int) {
	return t.top, min(t.top+t.bodyHeight(), t.rows.Len())
}

// reveal scrolls as little as needed to have the cursor on the screen and no
// empty lines below the last row.
func (t *Table[R]) reveal() {
	body := t.bodyHeight()
	t.top = max(t.top, t.cursor-body+1)
	t.top = min(t.top, t.cursor)
	t.top = max(min(t.top, t.rows.Len()-body), 0)
}
