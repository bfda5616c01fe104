package views

import (
	"time"

	"waybill/views/table"
	"waybill/views/theme"
)

// textColumn returns a column of text.
func textColumn[R any](key, title string, lo, hi, flex, drop int, read func(R, *table.Context) (string, theme.Token)) table.Column[R] {
	return table.Column[R]{Key: key, Title: title, Min: lo, Max: hi, Flex: flex, Drop: drop, Render: read}
}

// timeColumn returns a column of times of day.
func timeColumn[R any](key string, drop int, zone func() *time.Location, read func(R) time.Time) table.Column[R] {
	return textColumn(key, key, 8, 0, 0, drop, func(r R, _ *table.Context) (string, theme.Token) {
		return read(r).In(zone()).Format(time.TimeOnly), theme.Muted
	})
}

// requestColumn returns a column of the first characters of request ids; the detail shows the whole id.
func requestColumn[R any](read func(R) string) table.Column[R] {
	const width = 8
	return textColumn("request", "request", width, 0, 0, 5, func(r R, ctx *table.Context) (string, theme.Token) {
		id := read(r)
		text, _ := orNone(id[:min(len(id), width)], ctx.Theme)
		return text, theme.Muted
	})
}

// failureToken returns the token of a text that may report a failure.
func failureToken(failed bool) theme.Token {
	if failed {
		return theme.Bad
	}
	return theme.Text
}
