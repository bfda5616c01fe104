package views

import (
	"strconv"
	"time"

	"waybill/model"
	"waybill/views/table"
	"waybill/views/theme"
)

// columnOf is a column of text.
func columnOf[R any](key, title string, lo, hi, flex, drop int, read func(R, *table.Context) (string, theme.Token)) table.Column[R] {
	return table.Column[R]{
		Key: key, Title: title, Min: lo, Max: hi, Flex: flex, Drop: drop,
		Render: func(r R, ctx *table.Context) (string, theme.Token) { return read(r, ctx) },
	}
}

// Job is something under way, or what became of it.
type Job struct {
	Number int
	Title  string
	State  string
	Failed bool
	Ended  bool
	Done   int
	Total  int
	Began  time.Time
	Took   time.Duration
}

// NewJobs is the list of running and finished work.
func NewJobs(zone func() *time.Location) *table.Table[*Job] {
	t := table.New(func(j *Job) string { return strconv.Itoa(j.Number) }, []table.Column[*Job]{
		columnOf("began", "began", 8, 0, 0, 2, func(j *Job, _ *table.Context) (string, theme.Token) {
			return j.Began.In(zone()).Format(time.TimeOnly), theme.Muted
		}),
		columnOf("state", "", 1, 0, 0, 0, func(j *Job, ctx *table.Context) (string, theme.Token) { return jobGlyph(j, ctx.Theme) }),
		columnOf("what", "what", 20, 60, 3, 0, func(j *Job, _ *table.Context) (string, theme.Token) { return j.Title, theme.Text }),
		columnOf("done", "done", 9, 0, 0, 3, func(j *Job, ctx *table.Context) (string, theme.Token) {
			if j.Total == 0 {
				return ctx.Theme.Glyphs.None, theme.Muted
			}
			return Count(j.Done) + "/" + Count(j.Total), theme.Text
		}),
		columnOf("took", "took", 6, 0, 0, 4, func(j *Job, _ *table.Context) (string, theme.Token) {
			return model.FormatDuration(j.Took.Round(time.Second)), theme.Muted
		}),
		columnOf("words", "how it stands", 20, 0, 4, 0, func(j *Job, _ *table.Context) (string, theme.Token) {
			if j.Failed {
				return j.State, theme.Bad
			}
			return j.State, theme.Text
		}),
	})
	t.SetEmpty("Nothing was sent yet.")
	return t
}

func jobGlyph(j *Job, th *theme.Theme) (string, theme.Token) {
	switch {
	case j.Failed:
		return th.Glyphs.Failed, theme.Bad
	case j.Ended:
		return th.Glyphs.Done, theme.Good
	}
	return th.Glyphs.Active, theme.Info
}

// NewWebhooks is the list of webhooks with their health.
func NewWebhooks() *table.Table[*model.Webhook] {
	t := table.New(func(w *model.Webhook) string { return string(w.ID) }, []table.Column[*model.Webhook]{
		columnOf("health", "health", 10, 0, 0, 0, func(w *model.Webhook, ctx *table.Context) (string, theme.Token) {
			if enabled, known := w.IsEnabled.Get(); known && !enabled {
				return ctx.Theme.Glyphs.Failed + " disabled", theme.Bad
			}
			return ctx.Theme.Glyphs.Done + " enabled", theme.Good
		}),
		columnOf("name", "name", 12, 30, 2, 3, func(w *model.Webhook, ctx *table.Context) (string, theme.Token) {
			return orNone(w.Name.Or(""), ctx.Theme)
		}),
		columnOf("trigger", "when", 16, 28, 2, 0, func(w *model.Webhook, _ *table.Context) (string, theme.Token) {
			return w.Trigger.Name(), theme.Text
		}),
		columnOf("threshold", "from", 6, 0, 0, 4, func(w *model.Webhook, ctx *table.Context) (string, theme.Token) {
			if threshold, ok := w.Threshold.Get(); ok {
				return strconv.FormatFloat(threshold, 'f', -1, 64), theme.Text
			}
			return ctx.Theme.Glyphs.None, theme.Muted
		}),
		columnOf("count", "delivered", 9, 0, 0, 2, func(w *model.Webhook, _ *table.Context) (string, theme.Token) {
			return Count(int(w.Count)), theme.Text
		}),
		columnOf("url", "address", 20, 0, 4, 0, func(w *model.Webhook, _ *table.Context) (string, theme.Token) { return w.URL, theme.Text }),
	})
	t.SetEmpty("There are no webhooks.")
	return t
}

// NewEvents is the list of events, the newest first.
func NewEvents(zone func() *time.Location, label func(e *model.LoggedEvent) string) *table.Table[*model.LoggedEvent] {
	t := table.New(func(e *model.LoggedEvent) string { return strconv.FormatInt(int64(e.ID), 10) }, []table.Column[*model.LoggedEvent]{
		columnOf("time", "time", 8, 0, 0, 1, func(e *model.LoggedEvent, _ *table.Context) (string, theme.Token) {
			return e.Time.Time().In(zone()).Format(time.TimeOnly), theme.Muted
		}),
		columnOf("trigger", "event", 18, 28, 2, 0, func(e *model.LoggedEvent, _ *table.Context) (string, theme.Token) {
			return e.TriggerName, theme.Strong
		}),
		columnOf("object", "of", 12, 0, 3, 0, func(e *model.LoggedEvent, ctx *table.Context) (string, theme.Token) {
			return orNone(label(e), ctx.Theme)
		}),
		columnOf("delivered", "webhooks", 22, 0, 2, 2, func(e *model.LoggedEvent, ctx *table.Context) (string, theme.Token) {
			return deliveries(e, ctx.Theme)
		}),
	})
	t.SetEmpty("No event yet.")
	return t
}

func deliveries(e *model.LoggedEvent, th *theme.Theme) (string, theme.Token) {
	if len(e.Deliveries) == 0 {
		return "no one listens", theme.Muted
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
