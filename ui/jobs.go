package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/form"
	"waybill/operations/journal"
	"waybill/operations/run"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/theme"
)

// job is something under way: steps that are carried out, then perhaps a job of the service that is followed.
type job struct {
	number    int
	title     string
	origin    string // title of the job that it goes on with; empty for one that was asked for anew
	operation operations.Operation
	input     operations.Input
	proposal  operations.Proposal
	form      *formOverlay // to come back to when the one step is refused
	stamp     board.Stamp  // of the board when it began

	run      *run.Run
	progress run.Progress
	recorded map[int]bool // steps whose outcome is in the activity on the screen
	applied  int          // results that the board has
	began    time.Time
	took     time.Duration

	follow     *run.Watching
	state      run.JobProgress
	report     []operations.Line
	partial    bool       // some of it failed, as the report tells
	next       string     // action that would come next
	nextTasks  []model.ID // what it is meant for
	nextValues form.Values
}

func (j *job) isSingle() bool { return len(j.proposal.Steps) == 1 }

// hasEnded reports that nothing more will come of it.
func (j *job) hasEnded() bool { return j.progress.Ended && (j.follow == nil || j.state.Ended) }

// waitTimeout is how long a command waits for news of a job before it asks again.
const waitTimeout = time.Minute

// sendProposal carries out a plan. It is called once for each time that a person said yes.
func (m *Model) sendProposal(v operations.Operation, scene operations.Input, plan operations.Proposal, from *formOverlay) tea.Cmd {
	client := m.account.Client
	if client == nil {
		m.warn("There is no connection; nothing was sent.")
		return nil
	}
	m.jobs.started++
	j := &job{
		number: m.jobs.started, title: plan.Summary, operation: v, input: scene, proposal: plan, form: from, recorded: map[int]bool{},
		stamp: m.board.Stamp(), began: m.now(),
	}
	if j.title == "" {
		j.title = v.Title
	}
	options := run.Options{Entry: journal.Entry{Account: m.accountID(), Person: m.options.Person, Action: v.ID, What: j.title}}
	if m.options.Activity != nil {
		options.Journal = m.options.Activity
	}
	return m.startJob(j, run.Start(m.account.ctx, client, plan.Steps, options))
}

// startJob shows a run that has begun and waits for its news.
func (m *Model) startJob(j *job, r *run.Run) tea.Cmd {
	j.run, j.progress = r, r.Snapshot()
	m.addJob(j)
	cmds := []tea.Cmd{m.awaitJob(j)}
	if !j.isSingle() {
		cmds = append(cmds, m.openDialog(&progress{job: j}))
	} else {
		m.inform("Sending: " + j.title + "…")
	}
	return tea.Batch(cmds...)
}

// maxJobs is how many jobs are kept to be looked at; the activity has them all.
const maxJobs = 100

// addJob puts a job before the others. The oldest that have ended make room, and what they did is not undone any more.
func (m *Model) addJob(j *job) {
	jobs := append([]*job{j}, m.jobs.list...)
	for n := len(jobs) - 1; n >= maxJobs && jobs[n].hasEnded(); n-- {
		jobs = jobs[:n]
	}
	m.jobs.list = jobs
	oldest := jobs[len(jobs)-1].number
	m.jobs.undos = slices.DeleteFunc(m.jobs.undos, func(u undoable) bool { return u.job < oldest })
}

// jobMoved is news of a job.
type jobMoved struct {
	job  *job
	seen run.Progress
}

// awaitJob waits for news of a job's steps.
func (m *Model) awaitJob(j *job) tea.Cmd {
	r, version := j.run, j.progress.Version
	return m.run(waitTimeout, func(ctx context.Context) result {
		seen, _ := r.Wait(ctx, version)
		return jobMoved{j, seen}
	})
}

func (n jobMoved) apply(m *Model) tea.Cmd {
	j := n.job
	j.progress, j.took = n.seen, m.now().Sub(j.began)
	cmds := m.applySteps(j)
	if !n.seen.Ended {
		return tea.Batch(append(cmds, m.awaitJob(j))...)
	}
	return tea.Batch(append(cmds, m.handleJobEnd(j))...)
}

// applySteps lets the board know at once what was done, and remembers how to take it back.
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
	if j.progress.Ended && j.progress.Done == j.progress.Total && m.actsOnSelection(j) {
		m.unmark(slices.Concat(j.input.Tasks, j.input.Workers, j.input.Orders)...)
	}
	var cmds []tea.Cmd
	for _, done := range j.progress.Results[j.applied:] {
		change := done.Change
		change.Asked, change.At, change.Write = j.stamp, model.MillisOf(m.now()), true
		cmds = append(cmds, m.applyChange(change, m.panes.Snapshot(), true)...)
		if done.Undo != nil {
			m.jobs.undos = append(m.jobs.undos, undoable{undo: *done.Undo, job: j.number})
		}
		j.report = append(j.report, done.Report...)
		j.partial = j.partial || done.Partial
		if done.Next != "" {
			j.next, j.nextTasks, j.nextValues = done.Next, done.NextObjects(), done.NextWith
		}
		if done.Follow != nil {
			cmds = append(cmds, m.followJob(j, *done.Follow))
		}
	}
	j.applied = len(j.progress.Results)
	return cmds
}

// actsOnSelection reports that a job is about what was chosen for it, which what is new is not.
func (m *Model) actsOnSelection(j *job) bool {
	a, ok := m.keys.Get(j.operation.ID)
	return ok && len(a.Needs.Kinds) > 0
}

// unmark takes the marks off what is done: the next action is not meant for it. What failed stays marked.
func (m *Model) unmark(ids ...model.ID) {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = string(id)
	}
	for _, p := range m.panes.Panes {
		p.Unmark(texts...)
	}
}

// recordStep shows a step among what was done; the disk has it already.
func (m *Model) recordStep(j *job, s *run.State) {
	if s.Status == run.Stopped {
		return
	}
	m.page.record(views.Activity{
		Time: m.now(), Person: m.options.Person, What: j.title, Object: s.Label, Result: s.Words,
		Failed: s.Status != run.Done, RequestID: s.RequestID,
	})
}

// handleJobEnd follows when every step of a job has its outcome.
func (m *Model) handleJobEnd(j *job) tea.Cmd {
	m.feed.Refresh(m.now())
	cmds := m.refreshDue()
	c := &j.progress
	if c.Unrecorded != nil {
		m.warn("What was done could not be recorded: " + c.Unrecorded.Error())
	}
	switch {
	case j.isSingle() && c.Failed == 1:
		cmds = append(cmds, m.reopenForm(j, j.progress.Steps[0].Err))
	case j.isSingle() && c.Unknown == 1:
		m.warn("It is not known whether it happened: " + j.title + ". Looking it up…")
		cmds = append(cmds, m.lookupUnknown(j))
	case c.Done == c.Total:
		cmds = append(cmds, m.dropDraft(j.operation.ID, j.input))
		if j.operation.ID == "console.undo" {
			m.forgetUndo(j.proposal.Steps)
		}
		m.reportSuccess(j)
	default:
		text := j.statusText()
		if c.Halted != nil {
			text += "; stopped, the rest would have failed in the same way: " + c.Halted.Error()
		}
		m.warn(text)
		if c.Unknown > 0 {
			cmds = append(cmds, m.lookupUnknown(j))
		}
	}
	if m.screen == layout.Page {
		cmds = append(cmds, m.readWebhooks())
	}
	return tea.Batch(cmds...)
}

// reportSuccess tells what was done, and how to take it back.
func (m *Model) reportSuccess(j *job) {
	text := "done: " + j.title
	if s := j.progress.Steps[0]; j.isSingle() && s.Words != "" {
		text = s.Words
		if s.Object != "" && s.Label != "" { // what was there before is named; what was made names itself
			text = s.Label + ": " + text
		}
	}
	back := ""
	if n := len(m.jobs.undos); n > 0 && m.jobs.undos[n-1].job == j.number {
		back = m.keyFor("console.undo") + " takes it back"
		text += ". " + back
	}
	text = upperFirst(text) + "."
	const remark = 2 // lines that fit beside what was done
	switch {
	case j.isSingle() && len(j.report) <= remark && j.next == "":
		for _, line := range j.report {
			text += " " + line.Text
		}
		m.inform(text)
	case j.onlyWarns():
		m.showMessageWithDetails(theme.Info, fmt.Sprintf("%s %d remarks: %s shows them.", text, len(j.report), m.keyFor("look.messages")), j.report)
	default:
		m.showMessageWithDetails(theme.Info, text, j.report)
		if len(j.report) > 0 && j.follow == nil {
			m.openWithGrace(m.newReport(j))
		}
	}
	m.message.cut = back
}

// onlyWarns reports that the report only remarks on what was made, such as an address that is not complete. It does not
// come up by itself: whoever has made something is typing on already.
func (j *job) onlyWarns() bool {
	return strings.HasPrefix(j.operation.ID, "create.") && !j.partial && j.next == "" && len(j.report) > 0
}

// reopenForm goes back to the form with what the service said, or says it.
func (m *Model) reopenForm(j *job, err error) tea.Cmd {
	m.fail(j.title, err)
	if j.form == nil || len(m.dialogs) > 0 {
		return nil
	}
	cmd := m.openWithGrace(j.form)
	j.form.refused(err)
	return cmd
}

// lookupUnknown finds out what became of steps without an answer. Nothing is sent again before that.
func (m *Model) lookupUnknown(j *job) tea.Cmd {
	r := j.run
	return m.run(readTimeout, func(ctx context.Context) result { return lookupDone{j, r.LookUpUnknown(ctx)} })
}

type lookupDone struct {
	job  *job
	seen run.Progress
}

func (u lookupDone) apply(m *Model) tea.Cmd {
	j := u.job
	for i, s := range j.progress.Steps {
		if s.Status == run.Unknown {
			delete(j.recorded, i) // its outcome is news
		}
	}
	j.progress = u.seen
	cmds := m.applySteps(j)
	c := &j.progress
	switch {
	case !j.isSingle():
		m.warn(j.statusText())
	case c.Done == 1:
		m.inform("It did happen: " + j.progress.Steps[0].Words + ".")
		if j.next != "" && len(m.dialogs) == 0 {
			cmds = append(cmds, m.openWithGrace(m.newReport(j)))
		}
	case c.Failed == 1:
		m.warn("It did not happen: " + j.title + ". It can be sent again.")
		if j.form != nil && len(m.dialogs) == 0 {
			cmds = append(cmds, m.openWithGrace(j.form))
		}
	default:
		m.warn("Still not known whether it happened: " + j.title + ". Look at the board before sending it again.")
	}
	return tea.Batch(cmds...)
}

// statusText is how a job stands in one line.
func (j *job) statusText() string {
	switch {
	case j.follow != nil:
		return j.state.Words
	case !j.isSingle():
		return j.progress.Words()
	case j.progress.Steps[0].Words != "":
		return j.progress.Steps[0].Words
	}
	return j.progress.Steps[0].Status.String()
}
