package ui

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"time"

	tea "charm.land/bubbletea/v2"

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
		switch a.(type) {
		case dialog.StopJob:
			return m.stopJob(j)
		case dialog.RetryJob:
			return m.retryJob(j)
		case dialog.ExportFailed:
			return m.exportFailed(j)
		case dialog.Close:
			if !j.HasEnded() {
				return m.inform("Still running. " + m.keyFor("look.jobs") + " shows it again.")
			}
		}
		return nil
	})
}

// jobDisabledReason says why an action cannot run on the job that is shown or under the cursor, or nothing.
func (m *Model) jobDisabledReason(id string) string {
	if d, ok := m.topDialog().(*dialog.Progress); ok {
		return d.Job().DisabledReason(id)
	}
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
	if reason := j.DisabledReason("job.cancel"); reason != "" {
		return m.warn(reason)
	}
	j.run.Stop()
	return m.inform("Stopping. Steps already sent stay; the rest is not sent.")
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
	if reason := j.DisabledReason("job.retry"); reason != "" {
		return m.warn(reason)
	}
	if m.readOnly.Load() {
		a, _ := m.keys.Get("job.retry")
		return m.warn(m.keys.DisabledReason(a, m.actionContext()))
	}
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
	text := fmt.Sprintf("%s of %s not sent yet: %s.", count(len(proposal.Steps)), count(j.progress.Total), title)
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
	if reason := j.DisabledReason("job.failed"); reason != "" {
		return m.warn(reason)
	}
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
	m.page.jobs.SetRows(rows, nil)
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

func (m *Model) currentJob() *job {
	if row, ok := m.page.jobs.CursorRow(); ok {
		for _, j := range m.jobs.list {
			if j.number == row.Number {
				return j
			}
		}
	}
	return nil
}
