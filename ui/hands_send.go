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
	number int
	title  string
	again  string // title of the job that it goes on with; empty for one that was asked for anew
	verb   operations.Operation
	scene  operations.Input
	plan   operations.Proposal
	form   *formOverlay // to come back to when the one step is refused
	stamp  board.Stamp  // of the board when it began

	run     *run.Run
	seen    run.Progress
	noted   map[int]bool // steps whose outcome is in the activity on the screen
	learned int          // results that the board has
	began   time.Time
	took    time.Duration

	follow *run.JobWatch
	state  run.JobProgress
	report []operations.Line
	partly bool       // some of it failed, as the report tells
	next   string     // action that would come next
	left   []model.ID // what it is meant for
	with   form.Values
}

func (j *job) single() bool { return len(j.plan.Steps) == 1 }

// ended reports that nothing more will come of it.
func (j *job) ended() bool { return j.seen.Ended && (j.follow == nil || j.state.Ended) }

// waitLimit is how long a command waits for news of a job before it asks again.
const waitLimit = time.Minute

// send carries out a plan. It is called once for each time that a person said yes.
func (m *Model) send(v operations.Operation, scene operations.Input, plan operations.Proposal, from *formOverlay) tea.Cmd {
	client := m.account.Client
	if client == nil {
		m.warn("There is no connection; nothing was sent.")
		return nil
	}
	m.hands.count++
	j := &job{
		number: m.hands.count, title: plan.Summary, verb: v, scene: scene, plan: plan, form: from, noted: map[int]bool{},
		stamp: m.board.Stamp(), began: m.now(),
	}
	if j.title == "" {
		j.title = v.Title
	}
	options := run.Options{Entry: journal.Entry{Account: m.accountKey(), Person: m.options.Person, Action: v.ID, What: j.title}}
	if m.options.Activity != nil {
		options.Journal = m.options.Activity
	}
	return m.launch(j, run.Start(m.account.ctx, client, plan.Steps, options))
}

// launch shows a run that has begun and waits for its news.
func (m *Model) launch(j *job, r *run.Run) tea.Cmd {
	j.run, j.seen = r, r.Snapshot()
	m.keepJob(j)
	cmds := []tea.Cmd{m.await(j)}
	if !j.single() {
		cmds = append(cmds, m.open(&progress{job: j}))
	} else {
		m.inform("Sending: " + j.title + "…")
	}
	return tea.Batch(cmds...)
}

// jobsMost is how many jobs are kept to be looked at; the activity has them all.
const jobsMost = 100

// keepJob puts a job before the others. The oldest that have ended make room, and what they did is not undone any more.
func (m *Model) keepJob(j *job) {
	jobs := append([]*job{j}, m.hands.jobs...)
	for n := len(jobs) - 1; n >= jobsMost && jobs[n].ended(); n-- {
		jobs = jobs[:n]
	}
	m.hands.jobs = jobs
	oldest := jobs[len(jobs)-1].number
	m.hands.undo = slices.DeleteFunc(m.hands.undo, func(u undoable) bool { return u.job < oldest })
}

// jobMoved is news of a job.
type jobMoved struct {
	job  *job
	seen run.Progress
}

// await waits for news of a job's steps.
func (m *Model) await(j *job) tea.Cmd {
	r, version := j.run, j.seen.Version
	return m.run(waitLimit, func(ctx context.Context) any {
		seen, _ := r.Wait(ctx, version)
		return jobMoved{j, seen}
	})
}

func (n jobMoved) arrive(m *Model) tea.Cmd {
	j := n.job
	j.seen, j.took = n.seen, m.now().Sub(j.began)
	cmds := m.learnSteps(j)
	if !n.seen.Ended {
		return tea.Batch(append(cmds, m.await(j))...)
	}
	return tea.Batch(append(cmds, m.carriedOut(j))...)
}

// learnSteps lets the board know at once what was done, and remembers how to take it back.
func (m *Model) learnSteps(j *job) []tea.Cmd {
	for i, s := range j.seen.Steps {
		if s.Status != run.Waiting && s.Status != run.Sending && !j.noted[i] {
			j.noted[i] = true
			m.noteStep(j, s)
			if s.Status == run.Done && m.onChosen(j) {
				m.unmark(s.Object)
			}
		}
	}
	if j.seen.Ended && j.seen.Done == j.seen.Total && m.onChosen(j) {
		m.unmark(slices.Concat(j.scene.Tasks, j.scene.Workers, j.scene.Orders)...)
	}
	var cmds []tea.Cmd
	for _, done := range j.seen.Results[j.learned:] {
		change := done.Change
		change.Requested, change.ReceivedAt, change.IsWrite = j.stamp, model.MillisOf(m.now()), true
		cmds = append(cmds, m.learn(change, m.panes.Snapshot(), true)...)
		if done.Undo != nil {
			m.hands.undo = append(m.hands.undo, undoable{undo: *done.Undo, job: j.number})
		}
		j.report = append(j.report, done.Report...)
		j.partly = j.partly || done.Partial
		if done.Next != "" {
			j.next, j.left, j.with = done.Next, done.NextObjects(), done.NextValues
		}
		if done.Follow != nil {
			cmds = append(cmds, m.followJob(j, *done.Follow))
		}
	}
	j.learned = len(j.seen.Results)
	return cmds
}

// onChosen reports that a job is about what was chosen for it, which what is new is not.
func (m *Model) onChosen(j *job) bool {
	a, ok := m.keys.Get(j.verb.ID)
	return ok && len(a.Requires.Kinds) > 0
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

// noteStep shows a step among what was done; the disk has it already.
func (m *Model) noteStep(j *job, s *run.State) {
	if s.Status == run.Stopped {
		return
	}
	m.page.note(views.Activity{
		Time: m.now(), Person: m.options.Person, What: j.title, Object: s.Label, Result: s.Text,
		Failed: s.Status != run.Done, RequestID: s.RequestID,
	})
}

// carriedOut follows when every step of a job has its outcome.
func (m *Model) carriedOut(j *job) tea.Cmd {
	m.feed.Refresh(m.now())
	cmds := m.poll()
	c := &j.seen
	if c.Unrecorded != nil {
		m.warn("What was done could not be recorded: " + c.Unrecorded.Error())
	}
	switch {
	case j.single() && c.Failed == 1:
		cmds = append(cmds, m.stepRefused(j, j.seen.Steps[0].Err))
	case j.single() && c.Unknown == 1:
		m.warn("It is not known whether it happened: " + j.title + ". Looking it up…")
		cmds = append(cmds, m.lookUpUnknown(j))
	case c.Done == c.Total:
		cmds = append(cmds, m.dropDraft(j.verb.ID, j.scene))
		if j.verb.ID == "console.undo" {
			m.forgetUndo(j.plan.Steps)
		}
		m.succeeded(j)
	default:
		text := j.words()
		if c.Halted != nil {
			text += "; stopped, the rest would have failed in the same way: " + c.Halted.Error()
		}
		m.warn(text)
		if c.Unknown > 0 {
			cmds = append(cmds, m.lookUpUnknown(j))
		}
	}
	if m.screen == layout.Page {
		cmds = append(cmds, m.readWebhooks())
	}
	return tea.Batch(cmds...)
}

// succeeded tells what was done, and how to take it back.
func (m *Model) succeeded(j *job) {
	text := "done: " + j.title
	if s := j.seen.Steps[0]; j.single() && s.Text != "" {
		text = s.Text
		if s.Object != "" && s.Label != "" { // what was there before is named; what was made names itself
			text = s.Label + ": " + text
		}
	}
	back := ""
	if n := len(m.hands.undo); n > 0 && m.hands.undo[n-1].job == j.number {
		back = m.keyOf("console.undo") + " takes it back"
		text += ". " + back
	}
	text = upperFirst(text) + "."
	const remark = 2 // lines that fit beside what was done
	switch {
	case j.single() && len(j.report) <= remark && j.next == "":
		for _, line := range j.report {
			text += " " + line.Text
		}
		m.inform(text)
	case j.inPassing():
		m.tell(theme.Info, fmt.Sprintf("%s %d remarks: %s shows them.", text, len(j.report), m.keyOf("look.messages")), j.report)
	default:
		m.tell(theme.Info, text, j.report)
		if len(j.report) > 0 && j.follow == nil {
			m.comeUp(m.newReport(j))
		}
	}
	m.message.cut = back
}

// inPassing reports that the report only remarks on what was made, such as an address that is not complete. It does not
// come up by itself: whoever has made something is typing on already.
func (j *job) inPassing() bool {
	return strings.HasPrefix(j.verb.ID, "create.") && !j.partly && j.next == "" && len(j.report) > 0
}

// stepRefused goes back to the form with what the service said, or says it.
func (m *Model) stepRefused(j *job, err error) tea.Cmd {
	m.fail(j.title, err)
	if j.form == nil || len(m.overlays) > 0 {
		return nil
	}
	cmd := m.comeUp(j.form)
	j.form.refused(err)
	return cmd
}

// lookUpUnknown finds out what became of steps without an answer. Nothing is sent again before that.
func (m *Model) lookUpUnknown(j *job) tea.Cmd {
	r := j.run
	return m.run(lookUpLimit, func(ctx context.Context) any { return unknownLooked{j, r.LookUpUnknown(ctx)} })
}

type unknownLooked struct {
	job  *job
	seen run.Progress
}

func (u unknownLooked) arrive(m *Model) tea.Cmd {
	j := u.job
	for i, s := range j.seen.Steps {
		if s.Status == run.Unknown {
			delete(j.noted, i) // its outcome is news
		}
	}
	j.seen = u.seen
	cmds := m.learnSteps(j)
	c := &j.seen
	switch {
	case !j.single():
		m.warn(j.words())
	case c.Done == 1:
		m.inform("It did happen: " + j.seen.Steps[0].Text + ".")
		if j.next != "" && len(m.overlays) == 0 {
			cmds = append(cmds, m.comeUp(m.newReport(j)))
		}
	case c.Failed == 1:
		m.warn("It did not happen: " + j.title + ". It can be sent again.")
		if j.form != nil && len(m.overlays) == 0 {
			cmds = append(cmds, m.comeUp(j.form))
		}
	default:
		m.warn("Still not known whether it happened: " + j.title + ". Look at the board before sending it again.")
	}
	return tea.Batch(cmds...)
}

// words is how a job stands in one line.
func (j *job) words() string {
	switch {
	case j.follow != nil:
		return j.state.Text
	case !j.single():
		return j.seen.Summary()
	case j.seen.Steps[0].Text != "":
		return j.seen.Steps[0].Text
	}
	return j.seen.Steps[0].Status.String()
}
