package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/ui/feed"
	"waybill/views"
)

// Update implements [tea.Model]. It only routes: facts of the terminal, answers, then keys.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.noNews = false
	if m.terminal(msg) {
		return m, nil
	}
	switch msg := msg.(type) {
	case doneMsg:
		return m, m.done(msg)
	case tickMsg:
		return m, m.ticked(time.Time(msg))
	case newsMsg:
		return m, m.news(msg)
	case receiverClosed:
		m.receiverClosed(msg)
	case tea.KeyPressMsg:
		return m, m.key(msg)
	case tea.PasteMsg:
		return m, m.paste(msg)
	case tea.MouseClickMsg:
		return m, m.click(msg)
	case tea.MouseWheelMsg:
		m.wheel(msg)
	}
	return m, nil
}

// doneMsg is the outcome of a command. Outcomes of another account are dropped.
type doneMsg struct {
	generation uint64
	own        bool // of the console itself, whatever account it is in
	outcome    any
}

// run makes a command that ends in time and is cancelled with the account. The function must capture values only.
func (m *Model) run(limit time.Duration, do func(ctx context.Context) any) tea.Cmd {
	m.busy++
	parent, generation := m.account.ctx, m.account.generation
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, limit)
		defer cancel()
		return doneMsg{generation: generation, outcome: do(ctx)}
	}
}

// runOwn makes a command that belongs to the console and not to an account: it goes on when the account is left.
func (m *Model) runOwn(limit time.Duration, do func(ctx context.Context) any) tea.Cmd {
	m.busy++
	parent := context.WithoutCancel(m.account.ctx)
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, limit)
		defer cancel()
		return doneMsg{own: true, outcome: do(ctx)}
	}
}

func (m *Model) done(msg doneMsg) tea.Cmd {
	m.busy--
	if !msg.own && msg.generation != m.account.generation {
		return nil
	}
	switch outcome := msg.outcome.(type) {
	case feed.Result:
		return m.fetched(outcome)
	case views.Built:
		return m.built(outcome)
	case connected:
		return m.connected(outcome)
	case found:
		return m.found(outcome)
	case exported:
		return m.exported(outcome)
	case restored:
		return m.restored(outcome)
	case joined:
		return m.joined(outcome)
	case retried:
		return m.retried(outcome)
	case saved:
		m.savedSession(outcome)
	case arrival:
		return outcome.arrive(m)
	case counted:
		m.counts = outcome
	}
	return nil
}

type tickMsg time.Time

const (
	tickEvery    = time.Second
	rebuildEvery = 15 * time.Second
)

func (m *Model) tick() tea.Cmd {
	return m.options.Tick(tickEvery, func(t time.Time) tea.Msg { return tickMsg(t) })
}

// ticked lets time pass: windows end, ages grow, reads become due.
func (m *Model) ticked(now time.Time) tea.Cmd {
	cmds := []tea.Cmd{m.tick()}
	m.flying = m.feed.Status().InFlight // what was not answered since the last tick; quick reads need no sign
	cmds = append(cmds, m.pass(m.now())...)
	if now.Sub(m.rebuild) >= rebuildEvery {
		m.rebuild = now
		cmds = append(cmds, m.builds(m.panes.RebuildTimed())...)
		cmds = append(cmds, m.save(), m.countViews())
	}
	m.message.expire(m.now())
	cmds = append(cmds, m.readEvents(), m.keepTyped(), m.lookAgain())
	cmds = append(cmds, m.poll()...)
	return tea.Batch(cmds...)
}
