package ui

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/run"
	"waybill/ui/dialog"
	"waybill/ui/session"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/theme"
)

func jobHandlers() map[string]handler {
	onJob := func(do func(m *Model, j *job) tea.Cmd) handler {
		return withoutArgument(func(m *Model) tea.Cmd {
			if j := m.currentJob(); j != nil {
				return do(m, j)
			}
			return nil
		})
	}
	return map[string]handler{
		undoOperation:      withoutArgument((*Model).undoLast),
		"route.candidates": withoutArgument((*Model).openCandidates),
		"job.cancel":       onJob((*Model).stopJob),
		"job.retry":        onJob((*Model).retryJob),
		"job.failed":       onJob((*Model).exportFailed),
	}
}

// openProgress shows the steps of a job.
func (m *Model) openProgress(j *job) tea.Cmd {
	return m.openDialog(dialog.NewProgress(j), func(m *Model, a dialog.Action) tea.Cmd {
		if _, closed := a.(dialog.Close); closed && !j.HasEnded() {
			return m.inform("Still running. " + m.keyFor("look.jobs") + " shows it again.")
		}
		return nil
	})
}

// jobDisabledReason says why an action cannot run on the job that is shown or under the cursor, or nothing.
func (m *Model) jobDisabledReason(id string) string {
	if j := m.currentJob(); j != nil {
		return j.DisabledReason(id)
	}
	return ""
}

// DisabledReason implements [dialog.Job].
func (j *job) DisabledReason(id string) string {
	p := &j.progress
	switch {
	case id == "job.cancel" && j.HasEnded():
		return "The job has already ended."
	case id == "job.cancel" && p.Ended:
		return "The service is running this job. It cannot be stopped from here."
	case id == "job.cancel":
		return ""
	case !p.Ended:
		return "The job is still running."
	case p.Failed+p.Unknown+p.Stopped == 0:
		return "Nothing failed."
	case id == "job.retry" && p.Retryable == 0:
		return "Nothing can be retried: the failed steps may have changed something, were retried already, or their outcome is unknown."
	}
	return ""
}

func (m *Model) stopJob(j *job) tea.Cmd {
	j.run.Stop()
	return m.inform("Stopping. Requests already sent stay in effect; the rest will not be sent.")
}

// RetryText implements [dialog.Job].
func (j *job) RetryText() string {
	if j.progress.Retryable > j.progress.Unsent {
		return "retry failed"
	}
	return fmt.Sprintf("send the remaining %s", count(j.progress.Unsent))
}

// retryJob sends the steps again that certainly did nothing. Steps that were not sent because the job was stopped need
// another confirmation; steps with an unknown outcome are not sent again.
func (m *Model) retryJob(j *job) tea.Cmd {
	if j.progress.Retryable == j.progress.Unsent {
		return m.previewResume(j)
	}
	return m.continueJob(j, j.run.RetryFailed(m.account.ctx), "retry")
}

// previewResume shows what a stopped job has not sent and asks for a confirmation.
func (m *Model) previewResume(j *job) tea.Cmd {
	proposal, title := j.session.Proposal, cmp.Or(j.origin, j.title)
	proposal.Steps, proposal.Skipped = j.run.Unsent(), nil
	proposal.Irreversible = fmt.Sprintf("Continue the stopped job: %s?", title)
	text := fmt.Sprintf("%s of %s steps not sent yet: %s.", count(len(proposal.Steps)), count(j.progress.Total), title)
	proposal.Lines = []operations.Line{{Text: text}}
	if question := j.session.Proposal.Irreversible; question != "" {
		proposal.Lines = append(proposal.Lines, operations.Line{Text: question, Warning: true})
	}
	input := j.session.Input
	input.Hidden = 0
	resumed, effect := session.Propose(j.session.Operation, input, proposal)
	s := &operationSession{Session: resumed}
	s.send = func(m *Model) tea.Cmd { return m.continueJob(j, j.run.Resume(m.account.ctx), "continue") }
	return m.carryOut(s, effect)
}

// continueJob shows a run that continues an earlier job.
func (m *Model) continueJob(j *job, r *run.Run, what string) tea.Cmd {
	if r == nil {
		return m.warn("These steps have already been sent again.")
	}
	if d, ok := m.topDialog().(*dialog.Progress); ok && d.Job() == dialog.Job(j) {
		m.closeDialog()
	}
	j.progress = j.run.Snapshot()
	proposal, origin := j.session.Proposal, cmp.Or(j.origin, j.title)
	proposal.Steps = r.Steps()
	s := &operationSession{Session: session.Retry(j.session.Operation, j.session.Input, proposal)}
	title := fmt.Sprintf("%s: %s (%s)", what, origin, plural(len(proposal.Steps), "step", "steps"))
	return m.startJob(&job{title: title, origin: origin, session: s}, r)
}

// exportFailed writes the steps that did not succeed to a file.
func (m *Model) exportFailed(j *job) tea.Cmd {
	rows := [][]string{{"id", "what", "result"}}
	for _, s := range j.progress.Steps {
		if s.Status != run.Done {
			rows = append(rows, []string{model.GuardCSVCell(string(s.Object)), model.GuardCSVCell(s.Label), model.GuardCSVCell(dialog.StepText(s))})
		}
	}
	name := filepath.Join(m.options.WorkDir, fmt.Sprintf("waybill-failed-%s.csv", m.now().In(m.zone()).Format("20060102-150405")))
	return m.run(exportTimeout, func(context.Context) result {
		return exported(name, len(rows)-1, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(rows) })
	})
}

// shownJobs are the jobs at the bottom of the screen. Single steps are mostly over too soon to be shown there.
func (m *Model) shownJobs() []*job {
	var shown []*job
	for _, j := range m.jobs.list {
		if !j.HasEnded() && (!j.isSingle() || j.follow != nil || m.now().Sub(j.began) > 2*time.Second) {
			shown = append(shown, j)
		}
	}
	return shown
}

// appendJob draws a line of the running jobs.
func (m *Model) appendJob(dst []byte, s layout.Span) []byte {
	l := views.NewLine(dst, m.appearance.theme, s.W)
	jobs := m.shownJobs()
	if s.Line < len(jobs) {
		j := jobs[s.Line]
		l.Put(theme.Info, " "+m.appearance.theme.Glyphs.Active+" ").Put(theme.Strong, j.title).Space(2)
		l.Put(theme.Text, j.StatusText()).Space(2)
		l.Put(theme.Muted, model.FormatDuration(m.now().Sub(j.began).Round(time.Second))).Space(2)
		l.Put(theme.Key, m.keyFor("look.jobs")).Put(theme.Muted, " show")
	}
	return l.End()
}

// updateJobs updates the page of running jobs.
func (m *Model) updateJobs() {
	rows := make([]*views.Job, 0, len(m.jobs.list))
	for _, j := range m.jobs.list {
		p := &j.progress
		row := &views.Job{
			Number: j.number, Title: j.title, State: j.StatusText(), Ended: j.HasEnded(), Began: j.began, Took: j.took,
			Failed: p.Failed+p.Unknown > 0 || j.followed.State.Failed, Done: p.Done, Total: p.Total,
		}
		if j.isSingle() && p.Steps[0].Total > 0 {
			row.Done, row.Total = p.Steps[0].Done, p.Steps[0].Total
		}
		if j.follow != nil {
			row.Done, row.Total = j.followed.State.Done, j.followed.State.Total
		}
		rows = append(rows, row)
	}
	m.page.jobs.SetRows(rows)
}

// openJob shows the job under the cursor.
func (m *Model) openJob() tea.Cmd {
	switch j := m.currentJob(); {
	case j == nil:
		return nil
	case len(j.report) > 0:
		return m.openReport(j)
	default:
		return m.openProgress(j)
	}
}

// currentJob is the job whose progress is shown, or else the one under the cursor.
func (m *Model) currentJob() *job {
	if d, ok := m.topDialog().(*dialog.Progress); ok {
		return d.Job().(*job)
	}
	if row, ok := m.page.jobs.CursorRow(); ok {
		for _, j := range m.jobs.list {
			if j.number == row.Number {
				return j
			}
		}
	}
	return nil
}

// followJob watches a job of the service until it ends.
func (m *Model) followJob(j *job, f operations.Follow) tea.Cmd {
	if m.account.Client == nil {
		return nil
	}
	j.title = f.Title
	j.follow = run.Watch(m.account.ctx, m.account.Client, f, run.WatchOptions{})
	return m.awaitFollowed(j)
}

func (m *Model) awaitFollowed(j *job) tea.Cmd {
	watch, version := j.follow, j.followed.Version
	return m.run(waitTimeout, func(ctx context.Context) result {
		progress, _ := watch.Wait(ctx, version)
		return func(m *Model) tea.Cmd {
			j.followed, j.took = progress, m.now().Sub(j.began)
			if !progress.Ended {
				return m.awaitFollowed(j)
			}
			return m.finishFollowed(j)
		}
	})
}

// finishFollowed reports the end of a job of the service.
func (m *Model) finishFollowed(j *job) tea.Cmd {
	end, result := &j.followed.State, j.followed.Text
	m.feed.QueueTasks(end.Touched...)
	m.feed.Refresh(m.now())
	cmds := m.refreshDue()
	j.report = append(j.report, end.Report...)
	j.next, j.nextTasks, j.nextValues = end.Next, end.Remaining, nil
	text := model.Capitalize(j.title) + ": " + result
	if end.Failed || j.followed.Err != nil {
		m.warn(text)
	} else {
		m.inform(text)
	}
	m.page.record(views.Activity{Time: m.now(), Person: m.options.Person, What: j.title, Result: result, Failed: end.Failed})
	if len(j.report) > 0 && len(m.dialogs) == 0 {
		m.startGracePeriod()
		m.openReport(j)
	}
	return tea.Batch(cmds...)
}

// openReport shows the result of a job in full, with the action that comes next.
func (m *Model) openReport(j *job) tea.Cmd {
	t := m.newText()
	t.AddLines(j.report)
	next, ok := m.keys.Get(j.next)
	var hint *keymaps.Hint
	if ok {
		hint = &keymaps.Hint{Key: m.keyFor(j.next), Label: nextActionText(&next)}
		t.AddGap()
		t.AddParagraph(theme.Key, hint.Key+" "+hint.Label)
	}
	d := dialog.NewReport(model.Capitalize(j.title), t.Lines, next.Keys, hint)
	return openFor(m, d, func(m *Model, _ dialog.RunNext) tea.Cmd { return m.runNext(j, next) })
}

// nextActionText says what the suggested action does.
func nextActionText(a *keymaps.Action) string {
	if a.ID == "route.auto-assign" {
		return "auto-assign the rest"
	}
	title := shortTitle(a)
	if object, ok := strings.CutPrefix(title, "New "); ok {
		return "create " + object
	}
	return strings.ToLower(title[:1]) + title[1:]
}

// runNext starts the action that comes next on what the job left. Nothing is sent by that: a form that is complete
// already is shown all the same.
func (m *Model) runNext(j *job, a keymaps.Action) tea.Cmd {
	d, err := operations.FindDefinition(a.ID)
	if err != nil || len(j.nextTasks) == 0 && j.nextValues == nil {
		return m.runAction(a, "")
	}
	if m.readOnly.Load() && a.Writes {
		return m.warn(m.keys.DisabledReason(a, m.actionContext()))
	}
	input := m.operationInput("")
	input.Tasks, input.Workers, input.Orders, input.Hidden = j.nextTasks, nil, nil, 0
	return m.startOperation(d, input, j.nextValues, false)
}
