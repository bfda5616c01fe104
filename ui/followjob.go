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
	"waybill/ui/dialog"
	"waybill/views"
	"waybill/views/theme"
)

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
	text := upperFirst(j.title) + ": " + result
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
	d := dialog.NewReport(upperFirst(j.title), t.Lines, next.Keys, hint)
	return openFor(m, d, func(m *Model, _ dialog.RunNext) tea.Cmd { return m.runNext(j, next) })
}

// nextActionText says what the suggested action does.
func nextActionText(a *keymaps.Action) string {
	if a.ID == "route.auto-assign" {
		return "auto-assign the rest"
	}
	title := strings.TrimSuffix(a.Title, "…")
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

func upperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}
