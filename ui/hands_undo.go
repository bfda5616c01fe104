package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/ui/runner"
	"waybill/ui/theme"
	"waybill/ui/verb"
	"waybill/views"
)

// undoable is a change that could be taken back.
type undoable struct {
	undo verb.Undo
	job  int
}

func handHandlers() map[string]handler {
	all := pageHandlers()
	all["console.undo"] = alone((*Model).undoLast)
	all["route.candidates"] = alone((*Model).openCandidates)
	withJob := func(do func(m *Model, j *job) tea.Cmd) handler {
		return alone(func(m *Model) tea.Cmd {
			if j := m.currentJob(); j != nil {
				return do(m, j)
			}
			return nil
		})
	}
	all["job.cancel"] = withJob((*Model).stopJob)
	all["job.retry"] = withJob((*Model).retryJob)
	all["job.failed"] = withJob((*Model).writeFailed)
	return all
}

// lastUndo are the changes of the last job that can still be taken back. What cannot any more is forgotten.
func (m *Model) lastUndo() []undoable {
	board := m.panes.Snapshot()
	for n := len(m.hands.undo); n > 0; n = len(m.hands.undo) {
		last := m.hands.undo[n-1]
		if last.undo.Still == nil || last.undo.Still(board) == "" {
			var group []undoable
			for _, u := range m.hands.undo {
				if u.job == last.job && (u.undo.Still == nil || u.undo.Still(board) == "") {
					group = append(group, u)
				}
			}
			return group
		}
		m.hands.undo = m.hands.undo[:n-1]
	}
	return nil
}

func (m *Model) undoTitle() string {
	group := m.lastUndo()
	switch len(group) {
	case 0:
		return ""
	case 1:
		return group[0].undo.Title
	}
	return fmt.Sprintf("%s and %d more", group[0].undo.Title, len(group)-1)
}

// undoLast proposes to take back what was done last.
func (m *Model) undoLast() tea.Cmd {
	group := m.lastUndo()
	if len(group) == 0 {
		m.warn("There is nothing to undo.")
		return nil
	}
	plan := verb.Plan{Summary: "undo: " + m.undoTitle(), Danger: "Take it back?"}
	for _, u := range group {
		plan.Steps = append(plan.Steps, u.undo.Step)
		plan.Words = append(plan.Words, verb.Line{Text: upperFirst(u.undo.Title) + "."})
	}
	v := verb.Verb{ID: "console.undo", Title: "Undo"}
	return m.propose(v, m.scene(""), plan, nil)
}

// forgetUndo drops what has been taken back.
func (m *Model) forgetUndo(steps []verb.Step) {
	kept := m.hands.undo[:0]
	for _, u := range m.hands.undo {
		taken := false
		for i := range steps {
			taken = taken || steps[i].Label == u.undo.Step.Label && steps[i].Object == u.undo.Step.Object
		}
		if !taken {
			kept = append(kept, u)
		}
	}
	m.hands.undo = kept
}

// followed is news of a job of the service.
type followed struct {
	job   *job
	state runner.JobProgress
}

// followJob watches a job of the service until it ends.
func (m *Model) followJob(j *job, f verb.Follow) tea.Cmd {
	if m.account.Client == nil {
		return nil
	}
	j.title = f.Title
	j.follow = runner.Watch(m.account.ctx, m.account.Client, f, runner.WatchOptions{})
	return m.awaitFollowed(j)
}

func (m *Model) awaitFollowed(j *job) tea.Cmd {
	watch, version := j.follow, j.state.Version
	return m.run(waitLimit, func(ctx context.Context) any {
		state, _ := watch.Wait(ctx, version)
		return followed{j, state}
	})
}

func (f followed) arrive(m *Model) tea.Cmd {
	j := f.job
	j.state, j.took = f.state, m.now().Sub(j.began)
	if !f.state.Ended {
		return m.awaitFollowed(j)
	}
	end := &f.state.State
	m.feed.Moved(end.Touched...)
	m.feed.Refresh(m.now())
	cmds := m.poll()
	j.report = append(j.report, end.Report...)
	text := upperFirst(j.title) + ": " + f.state.Words
	if end.Failed || f.state.Err != nil {
		m.warn(text)
	} else {
		m.inform(text)
	}
	m.page.note(views.Activity{Time: m.now(), Person: m.options.Person, What: j.title, Result: f.state.Words, Failed: end.Failed})
	if len(j.report) > 0 && len(m.overlays) == 0 {
		cmds = append(cmds, m.showReport(j))
	}
	return tea.Batch(cmds...)
}

// report is the result of a job in full. It may come up by itself, so it takes no key for a moment: one that was meant
// for what lay under it must not close it unread.
type report struct {
	reader
	job   *job
	shown time.Time
}

const reportGuard = 500 * time.Millisecond

func (m *Model) showReport(j *job) tea.Cmd {
	t := &textLines{measure: m.look.theme.Measure, width: m.readerWidth()}
	t.addLines(j.report)
	if j.state.State.Next != "" {
		t.gap()
		t.add(theme.Key, m.keyOf(j.state.State.Next)+": "+strings.TrimSuffix(m.titleOf(j.state.State.Next), "…"))
	}
	o := &report{job: j, shown: m.now()}
	o.title, o.lines = j.title, t.lines
	return m.open(o)
}

func (o *report) act(m *Model, id string) (tea.Cmd, bool) {
	if m.now().Sub(o.shown) < reportGuard {
		return nil, true
	}
	return o.reader.act(m, id)
}

// edit lets the key of what comes next run it from here.
func (o *report) edit(m *Model, key string) tea.Cmd {
	if m.now().Sub(o.shown) < reportGuard {
		return nil
	}
	if a, ok := m.keys.Get(o.job.state.State.Next); ok && slices.Contains(a.Keys, key) {
		return o.goOn(m, a)
	}
	return o.reader.edit(m, key)
}

// goOn runs what comes next, on what the job left.
func (o *report) goOn(m *Model, a keymaps.Action) tea.Cmd {
	m.closeOverlay()
	left := o.job.state.State.Left
	mk, err := verb.MakerOf(a.ID)
	if err != nil || len(left) == 0 {
		return m.act(a, "")
	}
	if m.readOnly.Load() {
		m.warn(m.keys.Reason(a, m.situation()))
		return nil
	}
	scene := m.scene("")
	scene.Tasks, scene.Workers, scene.Orders, scene.Hidden = left, nil, nil, 0
	return m.start(mk, scene, nil)
}

func upperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}
