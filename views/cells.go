package views

import (
	"strconv"
	"time"

	"waybill/board"
	"waybill/model"
	"waybill/views/table"
	"waybill/views/theme"
)

// appendCell appends a cell of a column of the board as the theme shows it, and returns its token.
func appendCell[R any](
	dst []byte, c *board.Column[R], row *R, ctx *board.CellContext, th *theme.Theme,
) ([]byte, theme.Token) {
	start := len(dst)
	dst, tone := c.AppendCell(dst, row, ctx)
	switch {
	case c.Signed:
		return prependGlyph(dst, start, th.Badge(tone).Glyph), th.Badge(tone).Token
	case len(dst) == start && !c.Blank:
		return append(dst, th.Glyphs.None...), theme.Muted
	}
	return dst, th.Badge(tone).Token
}

// prependGlyph puts a glyph and a space before the text that begins at start, or the glyph alone where there is none.
func prependGlyph(dst []byte, start int, glyph string) []byte {
	text := len(dst) - start
	dst = append(dst, glyph...)
	if text == 0 {
		return dst
	}
	dst = append(dst, ' ')
	copy(dst[start+len(glyph)+1:], dst[start:start+text])
	copy(dst[start:], glyph)
	dst[start+len(glyph)] = ' '
	return dst
}

func clockText(at model.Millis, now time.Time, zone *time.Location) string {
	return string(board.AppendClock(nil, at, now, zone))
}

func etaText(r *board.TaskRow, now time.Time, zone *time.Location) string {
	return string(board.AppendETA(nil, r, now, zone))
}

func windowText(r *board.TaskRow, now time.Time, zone *time.Location, dash string) string {
	return string(board.AppendWindow(nil, r, now, zone, dash))
}

func percentText(share float64) string { return string(board.AppendPercent(nil, share)) }

func numberText(n float64) string { return string(board.AppendNumber(nil, n)) }

func moneyText(amount float64, currency string) string {
	return string(board.AppendMoney(nil, amount, currency))
}

// Count is a number with its thousands set apart.
func Count(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// tableColumn returns a column of the board for the list's table.
func (l *list[R]) tableColumn(c *board.Column[R]) table.Column[*R] {
	layout, _ := c.Layout(l.cells.Pane)
	column := table.Column[*R]{
		Key: c.Key, Title: layout.Title, Sortable: c.Sortable(),
		Min: layout.Min, Max: layout.Max, Flex: layout.Flex, Gap: layout.Gap, Drop: layout.Drop,
		Append: func(dst []byte, row *R, ctx *table.Context) ([]byte, theme.Token) {
			l.cells.Width = ctx.Width
			return appendCell(dst, c, row, &l.cells, ctx.Theme)
		},
	}
	if c.Right {
		column.Align = theme.Right
	}
	return column
}
