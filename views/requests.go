package views

import (
	"strconv"
	"time"

	"waybill/views/table"
	"waybill/views/theme"
)

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
	took := textColumn("took", "took", 7, 0, 0, 3, func(r *Request, _ *table.Context) (string, theme.Token) {
		return strconv.FormatInt(r.Duration.Milliseconds(), 10) + " ms", theme.Text
	})
	took.Align = theme.Right
	t := table.New(func(r *Request) string { return strconv.Itoa(r.Number) }, []table.Column[*Request]{
		timeColumn("time", 2, zone, func(r *Request) time.Time { return r.Time }),
		textColumn("method", "method", 6, 0, 0, 0, func(r *Request, _ *table.Context) (string, theme.Token) { return r.Method, theme.Text }),
		textColumn("status", "status", 8, 0, 0, 0, requestStatus),
		took,
		textColumn("path", "path", 20, 0, 4, 0, func(r *Request, _ *table.Context) (string, theme.Token) { return r.Path, theme.Text }),
		textColumn("error", "error", 14, 0, 3, 4, func(r *Request, _ *table.Context) (string, theme.Token) { return r.Error, theme.Bad }),
		requestColumn(func(r *Request) string { return r.RequestID }),
	})
	t.SetEmpty("No requests yet.")
	return t
}

func requestStatus(r *Request, _ *table.Context) (string, theme.Token) {
	switch {
	case r.Status == 0:
		return "none", theme.Bad
	case r.Status >= 400:
		return strconv.Itoa(r.Status), theme.Bad
	}
	return strconv.Itoa(r.Status), theme.Good
}
