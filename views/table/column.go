package table

import (
	"waybill/views/theme"
)

// Column is a column of a table: its cells, its width, and when it is dropped.
type Column[R any] struct {
	Key   string // name in sorts and column choices
	Title string
	Align theme.Align

	Min  int // narrowest useful width in cells
	Max  int // widest width; zero for no limit
	Flex int // share of the spare width; zero stays at Min
	Gap  int // cells after it; zero for the default of two
	Drop int // the highest number is dropped first as the table narrows; zero always stays

	// Render returns the text of a cell and its token. It is called on every
	// frame for every row on the screen.
	Render func(row R, ctx *Context) (string, theme.Token)
	// Append does the same by appending to dst, for cells that would have to
	// allocate their text. A column has one of the two.
	Append func(dst []byte, row R, ctx *Context) ([]byte, theme.Token)
	// Sortable says that rows can be sorted by this column.
	Sortable bool
}

// Context is what a cell depends on besides its row.
type Context struct {
	Theme *theme.Theme
	Width int // of the cell
}

// Sort is the order of the rows, for the header.
type Sort struct {
	Column string
	Desc   bool
}

// SetSort sets the order that the header shows.
func (t *Table[R]) SetSort(s Sort) { t.sort = s }

// NextSort returns the sort by the next sortable column on the screen in the
// direction of step, wrapping around.
func (t *Table[R]) NextSort(step int) Sort {
	var keys []string
	at := noRow
	for _, s := range t.slots {
		c := &t.columns[s.column]
		if !c.Sortable {
			continue
		}
		if c.Key == t.sort.Column {
			at = len(keys)
		}
		keys = append(keys, c.Key)
	}
	switch {
	case len(keys) == 0:
		return t.sort
	case at == noRow && step < 0:
		at = 0
	}
	next := ((at+step)%len(keys) + len(keys)) % len(keys)
	return Sort{Column: keys[next]}
}

// slot is a column that fits, with its width.
type slot struct{ column, width, gap int }

const (
	gutterWidth = 2 // cursor, then mark or new
	defaultGap  = 2
	lastGap     = 1 // for the sign of a change after the last column
)

// fitColumns chooses the columns for a width. Widths never depend on the
// rows, so nothing moves sideways when data changes.
func fitColumns[R any](columns []Column[R], width int) []slot {
	room := width - gutterWidth
	slots := make([]slot, 0, len(columns))
	for i := range columns {
		slots = append(slots, slot{column: i, width: columns[i].Min, gap: gapOf(&columns[i])})
	}
	for totalWidth(slots) > room {
		drop := firstToDrop(columns, slots)
		if drop == noRow {
			slots = squeeze(slots, room)
			break
		}
		slots = append(slots[:drop], slots[drop+1:]...)
	}
	if len(slots) > 0 {
		slots[len(slots)-1].gap = lastGap
	}
	grow(columns, slots, room-totalWidth(slots))
	return slots
}

func gapOf[R any](c *Column[R]) int {
	if c.Gap > 0 {
		return c.Gap
	}
	return defaultGap
}

func totalWidth(slots []slot) int {
	sum := 0
	for i, s := range slots {
		if i == len(slots)-1 {
			return sum + s.width + lastGap
		}
		sum += s.width + s.gap
	}
	return sum
}

// firstToDrop returns the slot with the highest drop number, the rightmost of
// equals; noRow when all must stay.
func firstToDrop[R any](columns []Column[R], slots []slot) int {
	at, highest := noRow, 0
	for i, s := range slots {
		if drop := columns[s.column].Drop; drop > 0 && drop >= highest {
			at, highest = i, drop
		}
	}
	return at
}

// squeeze cuts the columns that must stay to a width that is too small for
// them: from the left, each gets its width until nothing is left.
func squeeze(slots []slot, room int) []slot {
	for i := range slots {
		s := &slots[i]
		if room < 1+lastGap {
			return slots[:i]
		}
		if s.width+lastGap >= room || i == len(slots)-1 {
			s.width, s.gap = min(s.width, room-lastGap), lastGap
			return slots[:i+1]
		}
		room -= s.width + s.gap
	}
	return slots
}

// grow distributes spare cells by share until all columns are full or nothing
// is left.
func grow[R any](columns []Column[R], slots []slot, spare int) {
	for spare > 0 {
		shares := 0
		for _, s := range slots {
			if hasRoom(&columns[s.column], s.width) {
				shares += columns[s.column].Flex
			}
		}
		if shares == 0 {
			return
		}
		given := 0
		for i := range slots {
			c := &columns[slots[i].column]
			if !hasRoom(c, slots[i].width) {
				continue
			}
			more := max(spare*c.Flex/shares, 1)
			if c.Max > 0 {
				more = min(more, c.Max-slots[i].width)
			}
			more = min(more, spare-given)
			slots[i].width += more
			given += more
		}
		spare -= given
	}
}

func hasRoom[R any](c *Column[R], width int) bool {
	return c.Flex > 0 && (c.Max == 0 || width < c.Max)
}
