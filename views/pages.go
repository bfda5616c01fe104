package views

import (
	"cmp"
	"strconv"
	"time"

	"waybill/model"
	"waybill/views/table"
	"waybill/views/theme"
)

// column returns a column of a page.
func column[R any](key, title string, lo, hi, flex, drop int, read func(R, *theme.Theme) Span) table.Column[R] {
	return table.Column[R]{
		Key: key, Title: title, Min: lo, Max: hi, Flex: flex, Drop: drop,
		Render: func(row R, ctx *table.Context) (string, theme.Token) {
			s := read(row, ctx.Theme)
			return s.Text, s.Token
		},
	}
}

// textColumn returns a column of texts, with a muted dash for an empty one.
func textColumn[R any](key, title string, lo, hi, flex, drop int, read func(R) string) table.Column[R] {
	return column(key, title, lo, hi, flex, drop, func(row R, th *theme.Theme) Span {
		if text := read(row); text != "" {
			return Span{theme.Text, text}
		}
		return Span{theme.Muted, th.Glyphs.None}
	})
}

// timeColumn returns a column of times of day.
func timeColumn[R any](key string, drop int, zone func() *time.Location, read func(R) time.Time) table.Column[R] {
	return column(key, key, 8, 0, 0, drop, func(row R, _ *theme.Theme) Span {
		return Span{theme.Muted, read(row).In(zone()).Format(time.TimeOnly)}
	})
}

// requestColumn returns a column of the first characters of request ids; the detail shows the whole id.
func requestColumn[R any](read func(R) string) table.Column[R] {
	const width = 8
	return column("request", "request", width, 0, 0, 5, func(row R, th *theme.Theme) Span {
		id := read(row)
		return Span{theme.Muted, cmp.Or(id[:min(len(id), width)], th.Glyphs.None)}
	})
}

// resultSpan returns a text that may report a failure.
func resultSpan(text string, failed bool) Span {
	if failed {
		return Span{theme.Bad, text}
	}
	return Span{theme.Text, text}
}

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
	t := table.New(func(a *Activity) string { return strconv.Itoa(a.Number) }, []table.Column[*Activity]{
		timeColumn("time", 1, zone, func(a *Activity) time.Time { return a.Time }),
		textColumn("what", "what", 14, 56, 4, 0, func(a *Activity) string { return a.What }),
		textColumn("object", "object", 13, 24, 1, 2, func(a *Activity) string { return a.Object }),
		column("result", "result", 18, 0, 4, 0, func(a *Activity, _ *theme.Theme) Span { return resultSpan(a.Result, a.Failed) }),
		textColumn("person", "person", 8, 10, 0, 4, func(a *Activity) string { return a.Person }),
		requestColumn(func(a *Activity) string { return a.RequestID }),
	})
	t.SetEmpty("No activity yet.")
	return t
}

// Job is an operation that runs or has ended.
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

// NewJobs returns the table of running and ended operations.
func NewJobs(zone func() *time.Location) *table.Table[*Job] {
	t := table.New(func(j *Job) string { return strconv.Itoa(j.Number) }, []table.Column[*Job]{
		timeColumn("began", 2, zone, func(j *Job) time.Time { return j.Began }),
		column("state", "", 1, 0, 0, 0, jobGlyph),
		textColumn("what", "operation", 20, 60, 3, 0, func(j *Job) string { return j.Title }),
		textColumn("done", "done", 9, 0, 0, 3, func(j *Job) string {
			if j.Total == 0 {
				return ""
			}
			return Count(j.Done) + "/" + Count(j.Total)
		}),
		column("took", "took", 6, 0, 0, 4, func(j *Job, _ *theme.Theme) Span {
			return Span{theme.Muted, model.FormatDuration(j.Took.Round(time.Second))}
		}),
		column("words", "status", 20, 0, 4, 0, func(j *Job, _ *theme.Theme) Span { return resultSpan(j.State, j.Failed) }),
	})
	t.SetEmpty("No operations yet.")
	return t
}

// jobGlyph returns the glyph of a job's state.
func jobGlyph(j *Job, th *theme.Theme) Span {
	switch {
	case j.Failed:
		return Span{theme.Bad, th.Glyphs.Failed}
	case j.Ended:
		return Span{theme.Good, th.Glyphs.Done}
	}
	return Span{theme.Info, th.Glyphs.Active}
}

// Request is a request as the requests page shows it.
type Request struct {
	Number    int
	Time      time.Time
	Method    string
	Path      string
	Status    int
	Duration  time.Duration
	Attempts  int
	RequestID string
	Error     string
	Sent      string // body of the request
	Answer    string
	Curl      string
}

// NewRequests returns the table of requests.
func NewRequests(zone func() *time.Location) *table.Table[*Request] {
	took := textColumn("took", "took", 7, 0, 0, 3, func(r *Request) string {
		return strconv.FormatInt(r.Duration.Milliseconds(), 10) + " ms"
	})
	took.Align = theme.Right
	t := table.New(func(r *Request) string { return strconv.Itoa(r.Number) }, []table.Column[*Request]{
		timeColumn("time", 2, zone, func(r *Request) time.Time { return r.Time }),
		textColumn("method", "method", 6, 0, 0, 0, func(r *Request) string { return r.Method }),
		column("status", "status", 8, 0, 0, 0, requestStatus),
		took,
		textColumn("path", "path", 20, 0, 4, 0, func(r *Request) string { return r.Path }),
		column("error", "error", 14, 0, 3, 4, func(r *Request, _ *theme.Theme) Span { return Span{theme.Bad, r.Error} }),
		requestColumn(func(r *Request) string { return r.RequestID }),
	})
	t.SetEmpty("No requests yet.")
	return t
}

func requestStatus(r *Request, _ *theme.Theme) Span {
	switch {
	case r.Status == 0:
		return Span{theme.Bad, "none"}
	case r.Status >= 400:
		return Span{theme.Bad, strconv.Itoa(r.Status)}
	}
	return Span{theme.Good, strconv.Itoa(r.Status)}
}

// NewWebhooks returns the table of webhooks.
func NewWebhooks() *table.Table[*model.Webhook] {
	t := table.New(func(w *model.Webhook) string { return string(w.ID) }, []table.Column[*model.Webhook]{
		column("health", "health", 10, 0, 0, 0, func(w *model.Webhook, th *theme.Theme) Span {
			if enabled, known := w.IsEnabled.Get(); known && !enabled {
				return Span{theme.Bad, th.Glyphs.Failed + " disabled"}
			}
			return Span{theme.Good, th.Glyphs.Done + " enabled"}
		}),
		textColumn("name", "name", 12, 30, 2, 3, func(w *model.Webhook) string { return w.Name.Or("") }),
		textColumn("trigger", "trigger", 16, 28, 2, 0, func(w *model.Webhook) string { return w.Trigger.Name() }),
		textColumn("threshold", "threshold", 9, 0, 0, 4, func(w *model.Webhook) string {
			if threshold, ok := w.Threshold.Get(); ok {
				return strconv.FormatFloat(threshold, 'f', -1, 64)
			}
			return ""
		}),
		textColumn("count", "delivered", 9, 0, 0, 2, func(w *model.Webhook) string { return Count(int(w.Count)) }),
		textColumn("url", "address", 20, 0, 4, 0, func(w *model.Webhook) string { return w.URL }),
	})
	t.SetEmpty("No webhooks.")
	return t
}

// NewEvents returns the table of events, the newest first.
func NewEvents(zone func() *time.Location, label func(e *model.LoggedEvent) string) *table.Table[*model.LoggedEvent] {
	t := table.New(func(e *model.LoggedEvent) string { return strconv.FormatInt(int64(e.ID), 10) }, []table.Column[*model.LoggedEvent]{
		timeColumn("time", 1, zone, func(e *model.LoggedEvent) time.Time { return e.Time.Time() }),
		column("trigger", "event", 18, 28, 2, 0, func(e *model.LoggedEvent, _ *theme.Theme) Span { return Span{theme.Strong, e.TriggerName} }),
		textColumn("object", "object", 12, 0, 3, 0, label),
		column("delivered", "webhooks", 22, 0, 2, 2, deliveryText),
	})
	t.SetEmpty("No events yet.")
	return t
}

func deliveryText(e *model.LoggedEvent, th *theme.Theme) Span {
	if len(e.Deliveries) == 0 {
		return Span{theme.Muted, "no webhooks"}
	}
	done := 0
	for i := range e.Deliveries {
		if e.Deliveries[i].State == "delivered" {
			done++
		}
	}
	text := strconv.Itoa(done) + " of " + strconv.Itoa(len(e.Deliveries)) + " delivered"
	if done < len(e.Deliveries) {
		return Span{theme.Warn, th.Glyphs.AtRisk + " " + text}
	}
	return Span{theme.Good, text}
}
