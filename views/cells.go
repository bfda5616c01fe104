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
		glyph, token := toneGlyph(th, tone)
		return prependGlyph(dst, start, glyph), token
	case len(dst) == start && !c.Blank:
		return append(dst, th.Glyphs.None...), theme.Muted
	case tone == board.ToneText:
		return dst, theme.Text
	}
	_, token := toneGlyph(th, tone)
	return dst, token
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

// toneGlyph returns the sign and the token of a tone.
func toneGlyph(th *theme.Theme, tone board.Tone) (string, theme.Token) {
	switch tone {
	case board.ToneText:
		return "", theme.Text
	case board.ToneMuted:
		return "", theme.Muted
	case board.ToneWarning:
		return "", theme.Warn
	case board.ToneGrowing:
		return th.Glyphs.Up, theme.Bad
	case board.ToneShrinking:
		return th.Glyphs.Down, theme.Good
	default:
	}
	badge := th.Badge(toneStatus(tone))
	return badge.Glyph, badge.Token
}

// toneStatus returns the status that a tone stands for.
func toneStatus(tone board.Tone) theme.Status {
	statuses := [board.ToneCount]theme.Status{
		board.ToneUnassigned: theme.Unassigned, board.ToneAssigned: theme.Assigned, board.ToneActive: theme.Active,
		board.ToneDone: theme.Done, board.ToneFailed: theme.Failed, board.ToneLate: theme.Late,
		board.ToneAtRisk: theme.AtRisk, board.ToneSilent: theme.Silent, board.ToneIdle: theme.Idle,
		board.ToneBusy: theme.Busy, board.ToneOff: theme.Off,
	}
	return statuses[tone]
}

// taskStatus is the status a task's row leads with: late and at risk come before its own.
func taskStatus(r *board.TaskRow) theme.Status { return toneStatus(r.Tone()) }

func ownStatus(s board.Status) theme.Status { return toneStatus(s.Tone()) }

func workerStatus(w *board.WorkerRow) theme.Status { return toneStatus(w.State.Tone()) }

// workerSign is the status a worker's row leads with: late comes before its own.
func workerSign(w *board.WorkerRow) theme.Status { return toneStatus(w.Tone()) }

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

func delayText(d time.Duration) string { return model.FormatShortDelay(d) }

func vehicleText(v model.VehicleType) string { return board.VehicleText(v) }

func kindText(pickup bool) string { return board.KindText(pickup) }

// Count is a number with its thousands set apart.
func Count(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// orNone returns a text, or a muted dash for an empty one.
func orNone(text string, th *theme.Theme) (string, theme.Token) {
	if text == "" {
		return th.Glyphs.None, theme.Muted
	}
	return text, theme.Text
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
