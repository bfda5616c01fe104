package views

import (
	"strconv"
	"time"

	"waybill/model"
	"waybill/views/table"
	"waybill/views/theme"
)

// NewWebhooks returns the table of webhooks.
func NewWebhooks() *table.Table[*model.Webhook] {
	t := table.New(func(w *model.Webhook) string { return string(w.ID) }, []table.Column[*model.Webhook]{
		textColumn("health", "health", 10, 0, 0, 0, func(w *model.Webhook, ctx *table.Context) (string, theme.Token) {
			if enabled, known := w.IsEnabled.Get(); known && !enabled {
				return ctx.Theme.Glyphs.Failed + " disabled", theme.Bad
			}
			return ctx.Theme.Glyphs.Done + " enabled", theme.Good
		}),
		textColumn("name", "name", 12, 30, 2, 3, func(w *model.Webhook, ctx *table.Context) (string, theme.Token) {
			return orNone(w.Name.Or(""), ctx.Theme)
		}),
		textColumn("trigger", "trigger", 16, 28, 2, 0, func(w *model.Webhook, _ *table.Context) (string, theme.Token) {
			return w.Trigger.Name(), theme.Text
		}),
		textColumn("threshold", "limit", 6, 0, 0, 4, func(w *model.Webhook, ctx *table.Context) (string, theme.Token) {
			if threshold, ok := w.Threshold.Get(); ok {
				return strconv.FormatFloat(threshold, 'f', -1, 64), theme.Text
			}
			return ctx.Theme.Glyphs.None, theme.Muted
		}),
		textColumn("count", "delivered", 9, 0, 0, 2, func(w *model.Webhook, _ *table.Context) (string, theme.Token) {
			return Count(int(w.Count)), theme.Text
		}),
		textColumn("url", "address", 20, 0, 4, 0, func(w *model.Webhook, _ *table.Context) (string, theme.Token) { return w.URL, theme.Text }),
	})
	t.SetEmpty("No webhooks.")
	return t
}

// NewEvents returns the table of events, the newest first.
func NewEvents(zone func() *time.Location, label func(e *model.LoggedEvent) string) *table.Table[*model.LoggedEvent] {
	t := table.New(func(e *model.LoggedEvent) string { return strconv.FormatInt(int64(e.ID), 10) }, []table.Column[*model.LoggedEvent]{
		timeColumn("time", 1, zone, func(e *model.LoggedEvent) time.Time { return e.Time.Time() }),
		textColumn("trigger", "event", 18, 28, 2, 0, func(e *model.LoggedEvent, _ *table.Context) (string, theme.Token) {
			return e.TriggerName, theme.Strong
		}),
		textColumn("object", "object", 12, 0, 3, 0, func(e *model.LoggedEvent, ctx *table.Context) (string, theme.Token) {
			return orNone(label(e), ctx.Theme)
		}),
		textColumn("delivered", "webhooks", 22, 0, 2, 2, func(e *model.LoggedEvent, ctx *table.Context) (string, theme.Token) {
			return deliveryText(e, ctx.Theme)
		}),
	})
	t.SetEmpty("No events yet.")
	return t
}

func deliveryText(e *model.LoggedEvent, th *theme.Theme) (string, theme.Token) {
	if len(e.Deliveries) == 0 {
		return "no webhooks", theme.Muted
	}
	done := 0
	for i := range e.Deliveries {
		if e.Deliveries[i].State == "delivered" {
			done++
		}
	}
	text := strconv.Itoa(done) + " of " + strconv.Itoa(len(e.Deliveries)) + " delivered"
	if done < len(e.Deliveries) {
		return th.Glyphs.AtRisk + " " + text, theme.Warn
	}
	return text, theme.Good
}
