package ui

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
	"waybill/keymaps"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/form"
	"waybill/operations/journal"
	"waybill/operations/run"
	"waybill/ui/dialog"
	"waybill/ui/session"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/theme"
)

// jobState is the jobs of an account, what can be undone, and the drafts of forms.
type jobState struct {
	list    []*job // the newest first
	started int    // number of the newest job
	undos   []undoable
	drafts  map[journal.DraftKey]form.Values // of this console; nil values are a deleted draft

	// What undo would reverse, computed for a snapshot and a number of undos.
	undoText     string
	undoSnapshot *board.Snapshot
	undoCount    int
}

// job is a proposal being carried out: its steps, then perhaps a job of the service that is followed.
type job struct {
	number  int
	title   string
	origin  string // title of the job that it continues; empty for a job of its own
	session *operationSession
	stamp   board.Stamp // of the board when it began

	run      *run.Run
	progress run.Progress
	recorded map[int]bool // steps whose outcome is on the activity page
	applied  int          // results that the board has
	began    time.Time
	took     time.Duration

	follow     *run.JobWatch
	followed   run.JobProgress
	report     []operations.Line
	partial    bool       // some of it failed, as the report says
	next       string     // the action that comes next
	nextTasks  []model.ID // what the next action is about
	nextValues form.Values
}

func (j *job) isSingle() bool { return len(j.session.Proposal.Steps) == 1 }

// Title implements [dialog.Job].
func (j *job) Title() string { return j.title }

// Progress implements [dialog.Job].
func (j *job) Progress() *run.Progress { return &j.progress }

// HasEnded implements [dialog.Job].
func (j *job) HasEnded() bool { return j.progress.Ended && (j.follow == nil || j.followed.Ended) }

// StatusText says in one line how far the job is.
func (j *job) StatusText() string {
	switch {
	case j.follow != nil:
		return j.followed.Text
	case !j.isSingle():
		return j.progress.Summary()
	}
	return dialog.StepText(j.progress.Steps[0])
}

// onlyWarns reports that the report only warns about what was created, such as an incomplete address. It is not shown
// by itself: whoever has created something is typing on already.
func (j *job) onlyWarns() bool {
	return j.session.Operation.Creates() && !j.partial && j.next == "" && len(j.report) > 0
}

// sendProposal carries out the proposal of a session. It is called once per confirmation.
func (m *Model) sendProposal(s *operationSession) tea.Cmd {
	client := m.account.Client
	if client == nil {
		return m.warn(notConnected)
	}
	m.closeForm(s)
	j := &job{title: s.Proposal.Summary, session: s}
	if j.title == "" {
		j.title = s.Operation.Title
	}
	options := run.Options{Entry: journal.Entry{Account: m.accountID(), Person: m.options.Person, Action: s.Operation.ID, What: j.title}}
	if m.options.Activity != nil {
		options.Journal = m.options.Activity
	}
	return m.startJob(j, run.Start(m.account.ctx, client, s.Proposal.Steps, options))
}

// startJob shows a run that has begun and waits for its progress.
func (m *Model) startJob(j *job, r *run.Run) tea.Cmd {
	m.jobs.started++
	j.number, j.stamp, j.began, j.recorded = m.jobs.started, m.board.Stamp(), m.now(), map[int]bool{}
	j.run, j.progress = r, r.Snapshot()
	m.addJob(j)
	if j.isSingle() {
		m.inform("Sending: " + j.title + "…")
	} else {
		m.openProgress(j)
	}
	return m.awaitJob(j)
}

// maxJobs is how many jobs are kept on the page; the activity has them all.
const maxJobs = 100

// addJob puts a job before the others. The oldest ended jobs make room and can no longer be undone.
func (m *Model) addJob(j *job) {
	jobs := append([]*job{j}, m.jobs.list...)
	for n := len(jobs) - 1; n >= maxJobs && jobs[n].HasEnded(); n-- {
		jobs = jobs[:n]
	}
	m.jobs.list = jobs
	oldest := jobs[len(jobs)-1].number
	m.jobs.undos = slices.DeleteFunc(m.jobs.undos, func(u undoable) bool { return u.job < oldest })
}

// waitTimeout is how long a command waits for progress before it is started again.
const waitTimeout = time.Minute

// awaitJob waits for the next progress of a job.
func (m *Model) awaitJob(j *job) tea.Cmd {
	r, version := j.run, j.progress.Version
	return m.run(waitTimeout, func(ctx context.Context) result {
		progress, _ := r.Wait(ctx, version)
		return func(m *Model) tea.Cmd {
			j.progress, j.took = progress, m.now().Sub(j.began)
			cmds := m.applySteps(j)
			if progress.Ended {
				return tea.Batch(append(cmds, m.finishJob(j))...)
			}
			return tea.Batch(append(cmds, m.awaitJob(j))...)
		}
	})
}

// applySteps updates the board with what has been done so far, and remembers how to undo it.
func (m *Model) applySteps(j *job) []tea.Cmd {
	for i, s := range j.progress.Steps {
		if s.Status != run.Waiting && s.Status != run.Sending && !j.recorded[i] {
			j.recorded[i] = true
			m.recordStep(j, s)
			if s.Status == run.Done && m.actsOnSelection(j) {
				m.unmark(s.Object)
			}
		}
	}
	if p := &j.progress; p.Ended && p.Done == p.Total && m.actsOnSelection(j) {
		input := &j.session.Input
		m.unmark(slices.Concat(input.Tasks, input.Workers, input.Orders)...)
	}
	var cmds []tea.Cmd
	for _, done := range j.progress.Results[j.applied:] {
		change := done.Change
		change.Requested, change.ReceivedAt, change.IsWrite = j.stamp, model.MillisOf(m.now()), true
		cmds = append(cmds, m.applyChange(change, m.panes.Snapshot(), true)...)
		if done.Undo != nil {
			m.jobs.undos = append(m.jobs.undos, undoable{undo: *done.Undo, job: j.number})
		}
		j.report = append(j.report, done.Report...)
		j.partial = j.partial || done.Partial
		if done.Next != "" {
			j.next, j.nextTasks, j.nextValues = done.Next, done.NextObjects(), done.NextValues
		}
		if done.Follow != nil {
			cmds = append(cmds, m.followJob(j, *done.Follow))
		}
	}
	j.applied = len(j.progress.Results)
	return cmds
}

// actsOnSelection reports that a job is about the selected rows and does not create something new.
func (m *Model) actsOnSelection(j *job) bool {
	a, ok := m.keys.Get(j.session.Operation.ID)
	return ok && len(a.Requires.Kinds) > 0
}

// unmark removes the marks of finished rows; failed ones stay marked.
func (m *Model) unmark(ids ...model.ID) {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = string(id)
	}
	for _, p := range m.panes.Panes {
		p.Marks().Unmark(texts...)
	}
}

// recordStep shows a step on the activity page; the journal has it already.
func (m *Model) recordStep(j *job, s *run.State) {
	if s.Status == run.Stopped {
		return
	}
	m.page.record(views.Activity{
		Time: m.now(), Person: m.options.Person, What: j.title, Object: s.Label, Result: s.Text,
		Failed: s.Status != run.Done, RequestID: s.RequestID,
	})
}

// finishJob reports the outcome once every step has one.
func (m *Model) finishJob(j *job) tea.Cmd {
	m.feed.Refresh(m.now())
	cmds := m.refreshDue()
	if err := j.progress.Unrecorded; err != nil {
		m.warn("Some changes are missing from the activity: " + err.Error())
	}
	cmds = append(cmds, m.reportOutcome(j, j.session.Finish(&j.progress)))
	if m.screen == layout.Page {
		cmds = append(cmds, m.readWebhooks())
	}
	return tea.Batch(cmds...)
}

// reportOutcome carries out what a session asks for after its steps were sent.
func (m *Model) reportOutcome(j *job, effect session.Effect) tea.Cmd {
	switch e := effect.(type) {
	case session.ReportSuccess:
		if j.session.Operation.ID == undoOperation {
			m.removeUndos(j.session.Proposal.Steps)
		}
		m.reportSuccess(j)
		return m.deleteDraft(j.session)
	case session.ReportFailure:
		m.fail(j.title, e.Err)
		m.reopenForm(j.session)
		if j.session.State() == session.Form {
			j.session.form.ShowError(e.Err)
		}
	case session.ReportPartly:
		m.reportPartly(j)
	case session.LookUp:
		if j.isSingle() {
			m.warn("Outcome unknown: " + j.title + ". Checking…")
		} else {
			m.reportPartly(j)
		}
		return m.lookupUnknown(j)
	}
	return nil
}

func (m *Model) reportPartly(j *job) {
	text := j.StatusText()
	if j.progress.Halted != nil {
		text += "; stopped because the rest would fail the same way: " + j.progress.Halted.Error()
	}
	m.warn(text)
}

// reportSuccess tells what was done and how to undo it.
func (m *Model) reportSuccess(j *job) {
	const maxLines = 2 // of a report that fit into the status line
	text := "done: " + j.title
	if s := j.progress.Steps[0]; j.isSingle() && s.Text != "" {
		text = s.Text
		if s.Object != "" && s.Label != "" { // new objects name themselves
			text = s.Label + ": " + text
		}
	}
	undo := ""
	if n := len(m.jobs.undos); n > 0 && m.jobs.undos[n-1].job == j.number {
		undo = m.keyFor(undoOperation) + " undo"
		text += " (" + undo + ")"
	}
	text = model.Capitalize(text) + "."
	switch {
	case j.isSingle() && len(j.report) <= maxLines && j.next == "":
		for _, line := range j.report {
			text += " " + line.Text
		}
		m.inform(text)
	case j.onlyWarns():
		text = fmt.Sprintf("%s %s (%s)", text, plural(len(j.report), "warning", "warnings"), m.keyFor("look.messages"))
		m.showMessage(theme.Info, text, j.report...)
	default:
		m.showMessage(theme.Info, text, j.report...)
		if len(j.report) > 0 && j.follow == nil {
			m.startGracePeriod()
			m.openReport(j)
		}
	}
	m.message.short = undo
}

// lookupUnknown asks the service whether steps without an answer happened. Nothing is sent again before that.
func (m *Model) lookupUnknown(j *job) tea.Cmd {
	r := j.run
	return m.run(readTimeout, func(ctx context.Context) result {
		progress := r.LookUpUnknown(ctx)
		return func(m *Model) tea.Cmd { return m.finishLookup(j, progress) }
	})
}

// finishLookup reports what the lookup of unknown outcomes found.
func (m *Model) finishLookup(j *job, progress run.Progress) tea.Cmd {
	for i, s := range j.progress.Steps {
		if s.Status == run.Unknown {
			delete(j.recorded, i) // its outcome is recorded again
		}
	}
	j.progress = progress
	cmds := m.applySteps(j)
	switch effect := j.session.SetLookup(&j.progress).(type) {
	case session.ReportSuccess:
		m.inform("It did happen: " + j.progress.Steps[0].Text + ".")
		if j.next != "" && len(m.dialogs) == 0 {
			m.startGracePeriod()
			m.openReport(j)
		}
	case session.ReportFailure:
		m.warn("It did not happen: " + j.title + ". You can send it again.")
		m.reopenForm(j.session)
	case session.ReportUnknown:
		m.warn("Outcome still unknown: " + j.title + ". Check the board before you send it again.")
	default:
		cmds = append(cmds, m.reportOutcome(j, effect))
	}
	return tea.Batch(cmds...)
}

// addJobContext adds what can be undone and what is being sent to the context of actions.
func (m *Model) addJobContext(c *keymaps.Context) {
	c.Undo = m.undoTitle()
	for _, j := range m.jobs.list {
		if !j.HasEnded() && j.isSingle() && c.Sending == "" {
			c.Sending = j.title
		}
	}
}

// sendingJobs describes what is still being sent from here. Jobs of the service go on without the console.
func (m *Model) sendingJobs() []string {
	var lines []string
	for _, j := range m.jobs.list {
		if !j.progress.Ended {
			lines = append(lines, j.title+": "+j.StatusText())
		}
	}
	return lines
}
