package views

import (
	"strconv"
	"time"

	"waybill/views/table"
	"waybill/views/theme"
)

// Activity is something that happened in this console.
type Activity struct {
	Number    int
	Time      time.Time
	Person    string
	What      string
	Object    string
	Result    string
	Failed    bool
	RequestID string
}

// NewActivity returns the table of activities.
func NewActivity(zone func() *time.Location) *table.Table[*Activity] {
	text := func(key string, lo, hi, flex, drop int, read func(*Activity) string) table.Column[*Activity] {
		return textColumn(key, key, lo, hi, flex, drop, func(a *Activity, ctx *table.Context) (string, theme.Token) {
			return orNone(read(a), ctx.Theme)
		})
	}
	t := table.New(func(a *Activity) string { return strconv.Itoa(a.Number) }, []table.Column[*Activity]{
		timeColumn("time", 1, zone, func(a *Activity) time.Time { return a.Time }),
		text("what", 14, 56, 4, 0, func(a *Activity) string { return a.What }),
		text("object", 13, 24, 1, 2, func(a *Activity) string { return a.Object }),
		textColumn("result", "result", 18, 0, 4, 0, func(a *Activity, _ *table.Context) (string, theme.Token) {
			return a.Result, failureToken(a.Failed)
		}),
		text("person", 8, 10, 0, 4, func(a *Activity) string { return a.Person }),
		requestColumn(func(a *Activity) string { return a.RequestID }),
	})
	t.SetEmpty("No activity yet.")
	return t
}
