package table

import (
	"unsafe"

	"waybill/views/theme"
)

// Frame is what drawing depends on besides the table. The caller remembers and
// forgets changes; the table only shows them.
type Frame struct {
	Theme   *theme.Theme
	Focused bool // the cursor's row is filled
	Stale   bool // the data is old, so it is dimmed

	Changed func(id, column string) bool // may be nil
	IsNew   func(id string) bool         // may be nil
}

// AppendLine appends one line of the table, exactly as wide as the table and
// ending with all styles off, so that panes side by side can be drawn line by
// line into one buffer.
func (t *Table[R]) AppendLine(dst []byte, line int, f *Frame) []byte {
	header := t.headerHeight()
	switch row := t.top + line - header; {
	case t.width <= 0:
		return dst
	case line < header:
		return t.appendHeader(dst, f)
	case row < t.rows.Len():
		return t.appendRow(dst, row, f)
	case line == header && t.rows.Len() == 0 && t.empty != "" && t.width > gutterWidth:
		dst = append(dst, f.Theme.On(theme.Muted, theme.RowPlain)...)
		dst = theme.AppendSpaces(dst, gutterWidth)
		dst = f.Theme.Measure.AppendFit(dst, t.empty, t.width-gutterWidth, theme.Left)
		return append(dst, theme.Reset...)
	default:
		return theme.AppendSpaces(dst, t.width)
	}
}

func (t *Table[R]) appendHeader(dst []byte, f *Frame) []byte {
	p := pen{theme: f.Theme}
	dst = p.set(dst, theme.ColumnHead)
	dst = theme.AppendSpaces(dst, min(gutterWidth, t.width))
	for _, s := range t.slots {
		c := &t.columns[s.column]
		sign, token := "", theme.ColumnHead
		if c.Key == t.sort.Column && c.Key != "" {
			sign, token = f.Theme.Glyphs.SortUp, theme.ColumnSorted
			if t.sort.Desc {
				sign = f.Theme.Glyphs.SortDown
			}
		}
		dst = p.set(dst, token)
		dst = f.Theme.Measure.AppendFit(dst, c.Title, s.width, c.Align)
		dst = appendGap(dst, s.gap, sign)
	}
	dst = theme.AppendSpaces(dst, t.spare)
	return append(dst, theme.Reset...)
}

func (t *Table[R]) appendRow(dst []byte, i int, f *Frame) []byte {
	row, gone := t.currentRow(i)
	id := t.id(row)
	p := pen{theme: f.Theme, row: t.rowState(i, f)}
	if gone && p.row == theme.RowPlain {
		p.row = theme.RowStale
	}
	dst = t.appendGutter(dst, i, id, gone, &p, f)
	t.ctx = Context{Theme: f.Theme}
	for _, s := range t.slots {
		c := &t.columns[s.column]
		t.ctx.Width = s.width
		text, token := t.renderCell(c, row)
		sign := ""
		if f.Changed != nil && f.Changed(id, c.Key) {
			sign = f.Theme.Glyphs.Changed
		}
		if sign != "" && token <= theme.Muted {
			token = theme.ChangedCell
		}
		dst = p.set(dst, token)
		dst = f.Theme.Measure.AppendFit(dst, text, s.width, c.Align)
		if sign != "" {
			dst = p.set(dst, theme.ChangedCell)
		}
		dst = appendGap(dst, s.gap, sign)
	}
	dst = theme.AppendSpaces(dst, t.spare)
	return append(dst, theme.Reset...)
}

// renderCell returns the text of a cell, valid until the next call, and its token.
func (t *Table[R]) renderCell(c *Column[R], row R) (string, theme.Token) {
	if c.Append == nil {
		return c.Render(row, &t.ctx)
	}
	var token theme.Token
	t.cell, token = c.Append(t.cell[:0], row, &t.ctx)
	// Drawing copies the text at once, so it need not be copied here.
	return unsafe.String(unsafe.SliceData(t.cell), len(t.cell)), token
}

func (t *Table[R]) rowState(i int, f *Frame) theme.Row {
	switch {
	case i == t.cursor && f.Focused:
		return theme.RowCursor
	case f.Stale:
		return theme.RowStale
	default:
		return theme.RowPlain
	}
}

// appendGutter draws the two cells before the columns: the cursor, and one sign
// for gone, marked, in the range, or new. They work without colours.
func (t *Table[R]) appendGutter(dst []byte, i int, id string, gone bool, p *pen, f *Frame) []byte {
	g := &f.Theme.Glyphs
	cursor, cursorToken, sign, token := " ", theme.Text, " ", theme.Text
	if i == t.cursor {
		cursor, cursorToken = g.Cursor, theme.Accent
		if !f.Focused { // where it will be when the pane is focused again
			cursorToken = theme.Muted
		}
	}
	from, to := t.markRange()
	switch {
	case gone:
		sign, token = g.None, theme.Muted
	case t.Marked(id):
		sign, token = g.Mark, theme.Mark
	case i >= from && i < to:
		sign, token = g.Range, theme.Mark
	case f.IsNew != nil && f.IsNew(id):
		sign, token = g.New, theme.NewRow
	}
	dst = p.set(dst, cursorToken)
	dst = append(dst, cursor...)
	if t.width < gutterWidth {
		return dst
	}
	dst = p.set(dst, token)
	return append(dst, sign...)
}

// appendGap fills the cells after a column; a sign takes the first.
func appendGap(dst []byte, gap int, sign string) []byte {
	if sign != "" {
		dst = append(dst, sign...)
		gap--
	}
	return theme.AppendSpaces(dst, gap)
}

// pen switches styles only where they differ, which keeps lines short.
type pen struct {
	theme *theme.Theme
	row   theme.Row
	on    string
}

func (p *pen) set(dst []byte, token theme.Token) []byte {
	if next := p.theme.On(token, p.row); next != p.on {
		p.on = next
		return append(dst, next...)
	}
	return dst
}
