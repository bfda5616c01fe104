package ui

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/run"
	"waybill/views"
	"waybill/views/canvas"
	"waybill/views/layout"
	"waybill/views/theme"
)

// progress is a run of many steps: how far it is and what became of each. Leaving it lets the run go on.
type progress struct {
	plain
	job    *job
	cursor int
	top    int
}

func (o *progress) scope() keymaps.Scope { return keymaps.Progress }

func (o *progress) place(*Model) layout.Overlay {
	const most = 24
	return layout.Overlay{Kind: layout.Menu, Width: 100, Height: min(len(o.job.progress.Steps), most) + 6}
}

func (o *progress) act(m *Model, id string) (tea.Cmd, bool) {
	switch id {
	case "menu.down":
		o.cursor = min(o.cursor+1, max(len(o.order())-1, 0))
	case "menu.up":
		o.cursor = max(o.cursor-1, 0)
	case "menu.choose":
		m.closeDialog()
	case "job.cancel":
		return m.stopJob(o.job), true
	case "job.retry":
		return m.retryJob(o.job), true
	case "job.failed":
		return m.writeFailed(o.job), true
	case "back":
		m.closeDialog()
		if !o.job.hasEnded() {
			m.inform("It goes on; " + m.keyFor("look.jobs") + " shows it again.")
		}
	default:
		return nil, false
	}
	return nil, true
}

// order is the steps as they are listed: what needs a person first.
func (o *progress) order() []int {
	rank := func(s run.Status) int {
		switch s {
		case run.Failed:
			return 0
		case run.Unknown:
			return 1
		case run.Sending:
			return 2
		case run.Stopped:
			return 3
		case run.Waiting:
			return 4
		}
		return 5
	}
	steps := o.job.progress.Steps
	order := make([]int, len(steps))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return rank(steps[a].Status) - rank(steps[b].Status) })
	return order
}

func (o *progress) appendLine(dst []byte, m *Model, y, width, height int) []byte {
	box := views.Box{Title: o.job.title, Foot: o.foot(m)}
	rows := height - 4
	o.top = max(min(o.top, o.cursor), o.cursor-rows+1)
	return box.AppendLine(dst, y, width, height, m.appearance.theme, func(l *views.Line, line int) {
		switch {
		case line == 0:
			o.putBar(l, m.appearance.theme)
		case line >= 2:
			o.putStep(l, line-2+o.top, m.appearance.theme)
		}
	})
}

func (o *progress) foot(m *Model) string {
	foot := ""
	if !o.job.progress.Ended {
		foot = m.keyFor("job.cancel") + " stops the rest  "
	} else if o.job.disabledReason("job.failed") == "" {
		if o.job.disabledReason("job.retry") == "" {
			foot = m.keyFor("job.retry") + " " + o.job.retryWords() + "  "
		}
		foot += m.keyFor("job.failed") + " writes them to a file  "
	}
	return foot + "esc leaves"
}

func (o *progress) putBar(l *views.Line, th *theme.Theme) {
	const bar = 24
	full, empty := "█", "░"
	if th.ASCII() {
		full, empty = "#", "."
	}
	c, total := &o.job.progress, o.job.progress.Total
	l.Put(theme.Accent, canvas.Bar(c.Done+c.Failed+c.Unknown, total, bar, full, empty)).Space(2)
	token := theme.Text
	if c.Failed+c.Unknown > 0 {
		token = theme.Warn
	}
	l.Put(token, o.job.statusText())
}

func (o *progress) putStep(l *views.Line, at int, th *theme.Theme) {
	order := o.order()
	if at >= len(order) {
		return
	}
	s := o.job.progress.Steps[order[at]]
	cursor := " "
	if at == o.cursor {
		cursor = th.Glyphs.Cursor
	}
	glyph, token := stepGlyph(s.Status, th)
	const label = 28
	l.Put(theme.Accent, cursor).Put(token, glyph+" ")
	l.Fit(theme.Text, s.Label, label, theme.Left).Space(2)
	l.Put(token, stateWords(s))
}

func stateWords(s *run.State) string {
	if s.Words != "" {
		return s.Words
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
	}
	return g.Unassigned, theme.Muted
}

// jobDisabledReason says what cannot be done with the job that is shown or under the cursor.
func (m *Model) jobDisabledReason(id string) string {
	if o, ok := m.topDialog().(*progress); ok {
		return o.job.disabledReason(id)
	}
	if j := m.currentJob(); j != nil {
		return j.disabledReason(id)
	}
	return ""
}

// disabledReason says why something cannot be done with a job, or nothing.
func (j *job) disabledReason(id string) string {
	c := &j.progress
	switch {
	case id == "job.cancel" && j.hasEnded():
		return "It has ended already."
	case id == "job.cancel" && c.Ended:
		return "The service goes on with it by itself; it cannot be stopped from here."
	case id == "job.cancel":
		return ""
	case !c.Ended:
		return "It is still going on."
	case c.Failed+c.Unknown+c.Stopped == 0:
		return "Nothing failed."
	case id == "job.retry" && c.Again == 0:
		return "Nothing can be sent again: what failed may have changed something, was sent again before, or its outcome is not known."
	}
	return ""
}

func (m *Model) stopJob(j *job) tea.Cmd {
	if why := j.disabledReason("job.cancel"); why != "" {
		m.warn(why)
		return nil
	}
	j.run.Stop()
	m.inform("Stopping: what was sent stays, the rest is not sent.")
	return nil
}

// retryWords say what sending again would do now.
func (j *job) retryWords() string {
	if j.progress.Again > j.progress.Unsent {
		return "retries what failed"
	}
	return fmt.Sprintf("goes on with the %s not sent", count(j.progress.Unsent))
}

// retryJob sends once more what failed. What was not sent because somebody stopped it is asked about first, and what is
// unknown is left alone.
func (m *Model) retryJob(j *job) tea.Cmd {
	if why := j.disabledReason("job.retry"); why != "" {
		m.warn(why)
		return nil
	}
	a, _ := m.keys.Get("job.retry")
	if m.readOnly.Load() {
		m.warn(m.keys.Reason(a, m.actionContext()))
		return nil
	}
	if j.progress.Again == j.progress.Unsent {
		return m.askToGoOn(j)
	}
	return m.relaunch(j, j.run.RetryFailed(m.account.ctx), "once more of: ")
}

// askToGoOn shows what a stopped job has left, as before anything else that is sent.
func (m *Model) askToGoOn(j *job) tea.Cmd {
	plan := j.proposal
	plan.Steps, plan.Skipped = j.run.Unsent(), nil
	title := cmp.Or(j.origin, j.title)
	plan.Irreversible = fmt.Sprintf("Go on with what was stopped: %s?", title)
	plan.Lines = []operations.Line{{Text: fmt.Sprintf("%s of %s were not sent: %s.", count(len(plan.Steps)), count(j.progress.Total), title)}}
	if j.proposal.Irreversible != "" {
		plan.Lines = append(plan.Lines, operations.Line{Text: j.proposal.Irreversible, Warning: true})
	}
	scene := j.input
	scene.Hidden = 0
	o := &preview{verb: j.operation, scene: scene, plan: plan}
	o.goOn = func(m *Model) tea.Cmd { return m.relaunch(j, j.run.Resume(m.account.ctx), "more of: ") }
	return tea.Batch(m.openDialog(o), o.lookUp(m))
}

// relaunch shows a run that goes on with another.
func (m *Model) relaunch(j *job, again *run.Run, what string) tea.Cmd {
	if again == nil {
		m.warn("Nothing can be sent again: someone has done so already.")
		return nil
	}
	if top, ok := m.topDialog().(*progress); ok && top.job == j {
		m.closeDialog()
	}
	j.progress = j.run.Snapshot()
	m.jobs.started++
	plan := j.proposal
	plan.Steps = again.Steps()
	base := cmp.Or(j.origin, j.title)
	return m.startJob(&job{
		number: m.jobs.started, title: fmt.Sprintf("%s %s%s", count(len(plan.Steps)), what, base), origin: base, operation: j.operation, input: j.input,
		proposal: plan, stamp: m.board.Stamp(), began: m.now(), recorded: map[int]bool{},
	}, again)
}

// writeFailed writes what failed to a file, one line each.
func (m *Model) writeFailed(j *job) tea.Cmd {
	lines := [][]string{{"id", "what", "result"}}
	for _, s := range j.progress.Steps {
		if s.Status != run.Done {
			lines = append(lines, []string{model.CSVCell(string(s.Object)), model.CSVCell(s.Label), model.CSVCell(stateWords(s))})
		}
	}
	if why := j.disabledReason("job.failed"); why != "" {
		m.warn(why)
		return nil
	}
	name := filepath.Join(m.options.WorkDir, fmt.Sprintf("waybill-failed-%s.csv", m.now().In(m.zone()).Format("20060102-150405")))
	return m.run(exportTimeout, func(context.Context) result {
		err := writeNewFile(name, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(lines) })
		return exported{name, len(lines) - 1, err}
	})
}

// shownJobs are the jobs that are shown at the bottom of the screen: single steps are over too soon to be seen there.
func (m *Model) shownJobs() []*job {
	var all []*job
	for _, j := range m.jobs.list {
		if !j.hasEnded() && (!j.isSingle() || j.follow != nil || m.now().Sub(j.began) > 2*time.Second) {
			all = append(all, j)
		}
	}
	return all
}

// sendingJobs says what is still being sent from here. Jobs of the service go on without the console.
func (m *Model) sendingJobs() []string {
	var lines []string
	for _, j := range m.jobs.list {
		if !j.progress.Ended {
			lines = append(lines, j.title+": "+j.statusText())
		}
	}
	return lines
}

// appendJob draws a line of the running work.
func (m *Model) appendJob(dst []byte, s layout.Span) []byte {
	l := views.NewLine(dst, m.appearance.theme, s.W)
	jobs := m.shownJobs()
	if s.Line < len(jobs) {
		j := jobs[s.Line]
		l.Put(theme.Info, " "+m.appearance.theme.Glyphs.Active+" ").Put(theme.Strong, j.title).Space(2)
		l.Put(theme.Text, j.statusText()).Space(2)
		l.Put(theme.Muted, model.FormatDuration(m.now().Sub(j.began).Round(time.Second))).Space(2)
		l.Put(theme.Key, m.keyFor("look.jobs")).Put(theme.Muted, " shows it")
	}
	return l.End()
}

// updateJobs brings the page of running work up to date.
func (m *Model) updateJobs() {
	rows := make([]*views.Job, 0, len(m.jobs.list))
	for _, j := range m.jobs.list {
		c := &j.progress
		row := &views.Job{
			Number: j.number, Title: j.title, State: j.statusText(), Ended: j.hasEnded(), Began: j.began, Took: j.took,
			Failed: c.Failed+c.Unknown > 0 || j.state.State.Failed, Done: c.Done, Total: c.Total,
		}
		if j.isSingle() && j.progress.Steps[0].Whole > 0 {
			row.Done, row.Total = j.progress.Steps[0].Part, j.progress.Steps[0].Whole
		}
		if j.follow != nil {
			row.Done, row.Total = j.state.State.Done, j.state.State.Total
		}
		rows = append(rows, row)
	}
	m.page.jobs.SetRows(rows, nil)
}

// openJob shows the job under the cursor.
func (m *Model) openJob() tea.Cmd {
	j := m.currentJob()
	switch {
	case j == nil:
		return nil
	case len(j.report) > 0:
		return m.openDialog(m.newReport(j))
	}
	return m.openDialog(&progress{job: j})
}

func (m *Model) currentJob() *job {
	row, ok := m.page.jobs.Current()
	if !ok {
		return nil
	}
	for _, j := range m.jobs.list {
		if j.number == row.Number {
			return j
		}
	}
	return nil
}
