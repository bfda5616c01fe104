package ui

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/operations"
	"waybill/operations/run"
	"waybill/views"
	"waybill/views/theme"
)

// followed is news of a job of the service.
type followed struct {
	job   *job
	state run.JobProgress
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
	j.next, j.left, j.with = end.Next, end.Remaining, nil
	text := upperFirst(j.title) + ": " + f.state.Text
	if end.Failed || f.state.Err != nil {
		m.warn(text)
	} else {
		m.inform(text)
	}
	m.page.note(views.Activity{Time: m.now(), Person: m.options.Person, What: j.title, Result: f.state.Text, Failed: end.Failed})
	if len(j.report) > 0 && len(m.overlays) == 0 {
		cmds = append(cmds, m.comeUp(m.newReport(j)))
	}
	return tea.Batch(cmds...)
}

// report is the result of a job in full.
type report struct {
	reader
	job   *job
	begun string // keys of what comes next, so far
}

func (m *Model) newReport(j *job) *report {
	t := &textLines{measure: m.look.theme.Measure, width: m.readerWidth()}
	t.addLines(j.report)
	o := &report{job: j}
	if j.next != "" {
		t.gap()
		t.add(theme.Key, m.keyOf(j.next)+": "+strings.TrimSuffix(m.titleOf(j.next), "…"))
		o.foot = m.keyOf(j.next) + " goes on  " + readerFoot
	}
	o.title, o.lines = upperFirst(j.title), t.lines
	return o
}

// press lets the keys of what comes next run it from here, also where a text that is only read has them for something
// else. A key that does not go on with a begun sequence ends it, as on the board.
func (o *report) press(m *Model, key tea.KeyPressMsg) (tea.Cmd, bool) {
	pressed := strings.TrimSpace(o.begun + " " + key.String())
	began := o.begun != ""
	o.begun = ""
	a, ok := m.keys.Get(o.job.next)
	if !ok {
		return nil, false
	}
	for _, keys := range a.Keys {
		if keys == pressed {
			return o.goOn(m, a), true
		}
		if strings.HasPrefix(keys, pressed+" ") {
			o.begun = pressed
		}
	}
	return nil, began || o.begun != ""
}

// goOn runs what comes next, on what the job left. Nothing is sent by that: a form that is filled in already is shown
// all the same.
func (o *report) goOn(m *Model, a keymaps.Action) tea.Cmd {
	m.closeOverlay()
	mk, err := operations.FindDefinition(a.ID)
	if err != nil || len(o.job.left) == 0 && o.job.with == nil {
		return m.act(a, "")
	}
	if m.readOnly.Load() && a.Writes {
		m.warn(m.keys.DisabledReason(a, m.situation()))
		return nil
	}
	scene := m.scene("")
	scene.Tasks, scene.Workers, scene.Orders, scene.Hidden = o.job.left, nil, nil, 0
	return m.beginOn(mk, scene, o.job.with)
}

func upperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}
