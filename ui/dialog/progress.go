package dialog

import (
	"slices"

	"waybill/keymaps"
	"waybill/operations/run"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/theme"
)

// Job is what a progress dialog shows. It changes while the dialog is open.
type Job interface {
	Title() string
	Progress() *run.Progress
	StatusText() string
	// DisabledReason says why an action cannot run on the job, or nothing.
	DisabledReason(action string) string
	// RetryText says what retrying does now.
	RetryText() string
	HasEnded() bool
}

// Progress shows how far a job with several steps is, and the outcome of each. Closing it does not stop the job. The
// console runs the actions on the job.
type Progress struct {
	base
	job    Job
	cursor int
	top    int
}

// NewProgress returns the progress of a job.
func NewProgress(job Job) *Progress { return &Progress{base: base{scope: keymaps.Progress}, job: job} }

// Job is the job that is shown.
func (d *Progress) Job() Job { return d.job }

// Placement implements [Dialog].
func (d *Progress) Placement(*Context) layout.Dialog {
	const maxSteps, frameLines = 24, 6
	return layout.Dialog{Kind: layout.Menu, Width: 100, Height: min(len(d.job.Progress().Steps), maxSteps) + frameLines}
}

// RunAction implements [Dialog].
func (d *Progress) RunAction(id string) (Action, bool) {
	if id == "menu.choose" || id == "back" {
		return Close{}, true
	}
	n, move := steps(id)
	d.cursor = max(min(d.cursor+n, len(d.job.Progress().Steps)-1), 0)
	return nil, move
}

// sortSteps lists the steps that need a person first.
func (d *Progress) sortSteps() []*run.State {
	order := []run.Status{run.Failed, run.Unknown, run.Sending, run.Stopped, run.Waiting, run.Done}
	steps := slices.Clone(d.job.Progress().Steps)
	slices.SortStableFunc(steps, func(a, b *run.State) int {
		return slices.Index(order, a.Status) - slices.Index(order, b.Status)
	})
	return steps
}

// AppendLine implements [Dialog].
func (d *Progress) AppendLine(dst []byte, c *Context, y, width, height int) []byte {
	box := views.Box{Title: d.job.Title(), Hints: d.hints(c)}
	rows := height - 4
	d.top = max(min(d.top, d.cursor), d.cursor-rows+1)
	return box.AppendLine(dst, y, width, height, c.Theme, func(l *views.Line, line int) {
		switch {
		case line == 0:
			d.putBar(l, c.Theme)
		case line >= 2:
			d.putStep(l, line-2+d.top, c.Theme)
		}
	})
}

func (d *Progress) hints(c *Context) []keymaps.Hint {
	var hints []keymaps.Hint
	for _, action := range [][2]string{{"job.cancel", "stop"}, {"job.retry", d.job.RetryText()}, {"job.failed", "save failed to a file"}} {
		if d.job.DisabledReason(action[0]) == "" {
			hints = append(hints, hint(c.KeyFor(action[0]), action[1]))
		}
	}
	return append(hints, hint("esc", "close"))
}

func (d *Progress) putBar(l *views.Line, th *theme.Theme) {
	const width = 24
	p := d.job.Progress()
	l.Put(theme.Accent, views.ProgressBar(th, p.Done+p.Failed+p.Unknown, p.Total, width)).Space(2)
	token := theme.Text
	if p.Failed+p.Unknown > 0 {
		token = theme.Warn
	}
	l.Put(token, d.job.StatusText())
}

func (d *Progress) putStep(l *views.Line, at int, th *theme.Theme) {
	const labelWidth = 28
	steps := d.sortSteps()
	if at >= len(steps) {
		return
	}
	cursor := " "
	if at == d.cursor {
		cursor = th.Glyphs.Cursor
	}
	step := steps[at]
	glyph, token := stepGlyph(step.Status, th)
	l.Put(theme.Accent, cursor).Put(token, glyph+" ")
	l.Fit(theme.Text, step.Label, labelWidth, theme.Left).Space(2)
	l.Put(token, StepText(step))
}

// StepText is the result of a step, or how far it is.
func StepText(s *run.State) string {
	if s.Text != "" {
		return s.Text
	}
	return s.Status.String()
}

func stepGlyph(s run.Status, th *theme.Theme) (string, theme.Token) {
	g := &th.Glyphs
	switch s {
	case run.Done:
		return g.Done, theme.Good
	case run.Failed:
		return g.Failed, theme.Bad
	case run.Unknown:
		return g.Unknown, theme.Warn
	case run.Sending:
		return g.Active, theme.Info
	case run.Stopped:
		return g.Off, theme.Muted
	default:
		return g.Unassigned, theme.Muted
	}
}
