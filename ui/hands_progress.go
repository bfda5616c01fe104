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

func (o *progress) place(*Model) layout.Dialog {
	const most = 24
	return layout.Dialog{Kind: layout.Menu, Width: 100, Height: min(len(o.job.seen.Steps), most) + 6}
}

func (o *progress) act(m *Model, id string) (tea.Cmd, bool) {
	switch id {
	case "menu.down":
		o.cursor = min(o.cursor+1, max(len(o.order())-1, 0))
	case "menu.up":
		o.cursor = max(o.cursor-1, 0)
	case "menu.choose":
		m.closeOverlay()
	case "job.cancel":
		return m.stopJob(o.job), true
	case "job.retry":
		return m.retryJob(o.job), true
	case "job.failed":
		return m.writeFailed(o.job), true
	case "back":
		m.closeOverlay()
		if !o.job.ended() {
			m.inform("It goes on; " + m.keyOf("look.jobs") + " shows it again.")
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
	steps := o.job.seen.Steps
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
	return box.AppendLine(dst, y, width, height, m.look.theme, func(l *views.Line, line int) {
		switch {
		case line == 0:
			o.putBar(l, m.look.theme)
		case line >= 2:
			o.putStep(l, line-2+o.top, m.look.theme)
		}
	})
}

func (o *progress) foot(m *Model) string {
	foot := ""
	if !o.job.seen.Ended {
		foot = m.keyOf("job.cancel") + " stops the rest  "
	} else if o.job.cannot("job.failed") == "" {
		if o.job.cannot("job.retry") == "" {
			foot = m.keyOf("job.retry") + " " + o.job.retryWords() + "  "
		}
		foot += m.keyOf("job.failed") + " writes them to a file  "
	}
	return foot + "esc leaves"
}

func (o *progress) putBar(l *views.Line, th *theme.Theme) {
	const bar = 24
	full, empty := "█", "░"
	if th.ASCII() {
		full, empty = "#", "."
	}
	c, total := &o.job.seen, o.job.seen.Total
	l.Put(theme.Accent, canvas.Bar(c.Done+c.Failed+c.Unknown, total, bar, full, empty)).Space(2)
	token := theme.Text
	if c.Failed+c.Unknown > 0 {
		token = theme.Warn
	}
	l.Put(token, o.job.words())
}

func (o *progress) putStep(l *views.Line, at int, th *theme.Theme) {
	order := o.order()
	if at >= len(order) {
		return
	}
	s := o.job.seen.Steps[order[at]]
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
	}
	return g.Unassigned, theme.Muted
}

// jobOff says what cannot be done with the job that is shown or under the cursor.
func (m *Model) jobOff(id string) string {
	if o, ok := m.top().(*progress); ok {
		return o.job.cannot(id)
	}
	if j := m.currentJob(); j != nil {
		return j.cannot(id)
	}
	return ""
}

// cannot says why something cannot be done with a job, or nothing.
func (j *job) cannot(id string) string {
	c := &j.seen
	switch {
	case id == "job.cancel" && j.ended():
		return "It has ended already."
	case id == "job.cancel" && c.Ended:
		return "The service goes on with it by itself; it cannot be stopped from here."
	case id == "job.cancel":
		return ""
	case !c.Ended:
		return "It is still going on."
	case c.Failed+c.Unknown+c.Stopped == 0:
		return "Nothing failed."
	case id == "job.retry" && c.Retryable == 0:
		return "Nothing can be sent again: what failed may have changed something, was sent again before, or its outcome is not known."
	}
	return ""
}

func (m *Model) stopJob(j *job) tea.Cmd {
	if why := j.cannot("job.cancel"); why != "" {
		m.warn(why)
		return nil
	}
	j.run.Stop()
	m.inform("Stopping: what was sent stays, the rest is not sent.")
	return nil
}

// retryWords say what sending again would do now.
func (j *job) retryWords() string {
	if j.seen.Retryable > j.seen.Unsent {
		return "retries what failed"
	}
	return fmt.Sprintf("goes on with the %s not sent", count(j.seen.Unsent))
}

// retryJob sends once more what failed. What was not sent because somebody stopped it is asked about first, and what is
// unknown is left alone.
func (m *Model) retryJob(j *job) tea.Cmd {
	if why := j.cannot("job.retry"); why != "" {
		m.warn(why)
		return nil
	}
	a, _ := m.keys.Get("job.retry")
	if m.readOnly.Load() {
		m.warn(m.keys.DisabledReason(a, m.situation()))
		return nil
	}
	if j.seen.Retryable == j.seen.Unsent {
		return m.askToGoOn(j)
	}
	return m.relaunch(j, j.run.RetryFailed(m.account.ctx), "once more of: ")
}

// askToGoOn shows what a stopped job has left, as before anything else that is sent.
func (m *Model) askToGoOn(j *job) tea.Cmd {
	plan := j.plan
	plan.Steps, plan.Skipped = j.run.Unsent(), nil
	title := cmp.Or(j.again, j.title)
	plan.Irreversible = fmt.Sprintf("Go on with what was stopped: %s?", title)
	plan.Lines = []operations.Line{{Text: fmt.Sprintf("%s of %s were not sent: %s.", count(len(plan.Steps)), count(j.seen.Total), title)}}
	if j.plan.Irreversible != "" {
		plan.Lines = append(plan.Lines, operations.Line{Text: j.plan.Irreversible, Warning: true})
	}
	scene := j.scene
	scene.Hidden = 0
	o := &preview{verb: j.verb, scene: scene, plan: plan}
	o.goOn = func(m *Model) tea.Cmd { return m.relaunch(j, j.run.Resume(m.account.ctx), "more of: ") }
	return tea.Batch(m.open(o), o.lookUp(m))
}

// relaunch shows a run that goes on with another.
func (m *Model) relaunch(j *job, again *run.Run, what string) tea.Cmd {
	if again == nil {
		m.warn("Nothing can be sent again: someone has done so already.")
		return nil
	}
	if top, ok := m.top().(*progress); ok && top.job == j {
		m.closeOverlay()
	}
	j.seen = j.run.Snapshot()
	m.hands.count++
	plan := j.plan
	plan.Steps = again.Steps()
	base := cmp.Or(j.again, j.title)
	return m.launch(&job{
		number: m.hands.count, title: fmt.Sprintf("%s %s%s", count(len(plan.Steps)), what, base), again: base, verb: j.verb, scene: j.scene,
		plan: plan, stamp: m.board.Stamp(), began: m.now(), noted: map[int]bool{},
	}, again)
}

// writeFailed writes what failed to a file, one line each.
func (m *Model) writeFailed(j *job) tea.Cmd {
	lines := [][]string{{"id", "what", "result"}}
	for _, s := range j.seen.Steps {
		if s.Status != run.Done {
			lines = append(lines, []string{model.GuardCSVCell(string(s.Object)), model.GuardCSVCell(s.Label), model.GuardCSVCell(stateWords(s))})
		}
	}
	if why := j.cannot("job.failed"); why != "" {
		m.warn(why)
		return nil
	}
	name := filepath.Join(m.options.WorkDir, fmt.Sprintf("waybill-failed-%s.csv", m.now().In(m.zone()).Format("20060102-150405")))
	return m.run(exportLimit, func(context.Context) any {
		err := writeNew(name, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(lines) })
		return exported{name, len(lines) - 1, err}
	})
}

// running are the jobs that are shown at the bottom of the screen: single steps are over too soon to be seen there.
func (m *Model) running() []*job {
	var all []*job
	for _, j := range m.hands.jobs {
		if !j.ended() && (!j.single() || j.follow != nil || m.now().Sub(j.began) > 2*time.Second) {
			all = append(all, j)
		}
	}
	return all
}

// sending says what is still being sent from here. Jobs of the service go on without the console.
func (m *Model) sending() []string {
	var lines []string
	for _, j := range m.hands.jobs {
		if !j.seen.Ended {
			lines = append(lines, j.title+": "+j.words())
		}
	}
	return lines
}

// appendJob draws a line of the running work.
func (m *Model) appendJob(dst []byte, s layout.Span) []byte {
	l := views.NewLine(dst, m.look.theme, s.W)
	jobs := m.running()
	if s.Line < len(jobs) {
		j := jobs[s.Line]
		l.Put(theme.Info, " "+m.look.theme.Glyphs.Active+" ").Put(theme.Strong, j.title).Space(2)
		l.Put(theme.Text, j.words()).Space(2)
		l.Put(theme.Muted, model.FormatDuration(m.now().Sub(j.began).Round(time.Second))).Space(2)
		l.Put(theme.Key, m.keyOf("look.jobs")).Put(theme.Muted, " shows it")
	}
	return l.End()
}

// learnJobs brings the page of running work up to date.
func (m *Model) learnJobs() {
	rows := make([]*views.Job, 0, len(m.hands.jobs))
	for _, j := range m.hands.jobs {
		c := &j.seen
		row := &views.Job{
			Number: j.number, Title: j.title, State: j.words(), Ended: j.ended(), Began: j.began, Took: j.took,
			Failed: c.Failed+c.Unknown > 0 || j.state.State.Failed, Done: c.Done, Total: c.Total,
		}
		if j.single() && j.seen.Steps[0].Total > 0 {
			row.Done, row.Total = j.seen.Steps[0].Done, j.seen.Steps[0].Total
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
		return m.open(m.newReport(j))
	}
	return m.open(&progress{job: j})
}

func (m *Model) currentJob() *job {
	row, ok := m.page.jobs.CursorRow()
	if !ok {
		return nil
	}
	for _, j := range m.hands.jobs {
		if j.number == row.Number {
			return j
		}
	}
	return nil
}
