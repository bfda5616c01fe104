package views

import (
	"strconv"
	"time"

	"waybill/views/table"
	"waybill/views/theme"
)

// Request is one request as the inspector shows it.
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
	Sent      string // body that was sent, if any
	Answer    string
	Curl      string
}

// NewRequests is the inspector's list.
func NewRequests(zone func() *time.Location) *table.Table[*Request] {
	text := func(key, title string, lo, hi, flex, drop int, read func(*Request) (string, theme.Token)) table.Column[*Request] {
		return table.Column[*Request]{
			Key: key, Title: title, Min: lo, Max: hi, Flex: flex, Drop: drop,
			Render: func(r *Request, _ *table.Context) (string, theme.Token) { return read(r) },
		}
	}
	took := text("took", "took", 7, 0, 0, 3, func(r *Request) (string, theme.Token) {
		return strconv.FormatInt(r.Duration.Milliseconds(), 10) + " ms", theme.Text
	})
	took.Align = theme.Right
	t := table.New(func(r *Request) string { return strconv.Itoa(r.Number) }, []table.Column[*Request]{
		text("time", "time", 8, 0, 0, 2, func(r *Request) (string, theme.Token) {
			return r.Time.In(zone()).Format(time.TimeOnly), theme.Muted
		}),
		text("method", "method", 6, 0, 0, 0, func(r *Request) (string, theme.Token) { return r.Method, theme.Text }),
		text("status", "status", 8, 0, 0, 0, requestStatus),
		took,
		text("path", "path", 20, 0, 4, 0, func(r *Request) (string, theme.Token) { return r.Path, theme.Text }),
		text("error", "what went wrong", 14, 0, 3, 4, func(r *Request) (string, theme.Token) { return r.Error, theme.Bad }),
		text("request", "request", shortRequest, 0, 0, 5, func(r *Request) (string, theme.Token) { return short(r.RequestID), theme.Muted }),
	})
	t.SetEmpty("No request has been made yet.")
	return t
}

// shortRequest is as much of a request's id as a list has room for: enough to tell two apart. The whole is a key away.
const shortRequest = 8

func short(id string) string { return id[:min(len(id), shortRequest)] }

func requestStatus(r *Request) (string, theme.Token) {
	switch {
	case r.Status == 0:
		return "none", theme.Bad
	case r.Status >= 400:
		return strconv.Itoa(r.Status), theme.Bad
	}
	return strconv.Itoa(r.Status), theme.Good
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

// NewActivity is the list of what happened.
func NewActivity(zone func() *time.Location) *table.Table[*Activity] {
	text := func(key, title string, lo, hi, flex, drop int, read func(*Activity) string) table.Column[*Activity] {
		return table.Column[*Activity]{
			Key: key, Title: title, Min: lo, Max: hi, Flex: flex, Drop: drop,
			Render: func(a *Activity, ctx *table.Context) (string, theme.Token) { return orNone(read(a), ctx.Theme) },
		}
	}
	result := text("result", "result", 18, 0, 4, 0, nil)
	result.Render = func(a *Activity, _ *table.Context) (string, theme.Token) {
		if a.Failed {
			return a.Result, theme.Bad
		}
		return a.Result, theme.Text
	}
	t := table.New(func(a *Activity) string { return strconv.Itoa(a.Number) }, []table.Column[*Activity]{
		text("time", "time", 8, 0, 0, 1, func(a *Activity) string { return a.Time.In(zone()).Format(time.TimeOnly) }),
		text("what", "what", 14, 56, 4, 0, func(a *Activity) string { return a.What }),
		text("object", "object", 13, 24, 1, 2, func(a *Activity) string { return a.Object }),
		result,
		text("person", "person", 8, 10, 0, 4, func(a *Activity) string { return a.Person }),
		text("request", "request", shortRequest, 0, 0, 5, func(a *Activity) string { return short(a.RequestID) }),
	})
	t.SetEmpty("Nothing has happened yet.")
	return t
}
