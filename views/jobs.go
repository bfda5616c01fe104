package views

import (
	"strconv"
	"time"

	"waybill/model"
	"waybill/views/table"
	"waybill/views/theme"
)

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
		textColumn("state", "", 1, 0, 0, 0, func(j *Job, ctx *table.Context) (string, theme.Token) { return jobGlyph(j, ctx.Theme) }),
		textColumn("what", "operation", 20, 60, 3, 0, func(j *Job, _ *table.Context) (string, theme.Token) { return j.Title, theme.Text }),
		textColumn("done", "done", 9, 0, 0, 3, func(j *Job, ctx *table.Context) (string, theme.Token) {
			if j.Total == 0 {
				return ctx.Theme.Glyphs.None, theme.Muted
			}
			return Count(j.Done) + "/" + Count(j.Total), theme.Text
		}),
		textColumn("took", "took", 6, 0, 0, 4, func(j *Job, _ *table.Context) (string, theme.Token) {
			return model.FormatDuration(j.Took.Round(time.Second)), theme.Muted
		}),
		textColumn("words", "status", 20, 0, 4, 0, func(j *Job, _ *table.Context) (string, theme.Token) {
			return j.State, failureToken(j.Failed)
		}),
	})
	t.SetEmpty("No operations yet.")
	return t
}

// jobGlyph returns the glyph of a job's state.
func jobGlyph(j *Job, th *theme.Theme) (string, theme.Token) {
	switch {
	case j.Failed:
		return th.Glyphs.Failed, theme.Bad
	case j.Ended:
		return th.Glyphs.Done, theme.Good
	}
	return th.Glyphs.Active, theme.Info
}
