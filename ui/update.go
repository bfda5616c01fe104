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
	m.frameUnchanged = false
	if m.handleTerminal(msg) {
		return m, nil
	}
	switch msg := msg.(type) {
	case doneMsg:
		return m, m.handleResult(msg)
	case tickMsg:
		return m, m.handleTick(time.Time(msg))
	case newsMsg:
		return m, m.handleNews(msg)
	case receiverClosed:
		m.receiverClosed(msg)
	case tea.KeyPressMsg:
		return m, m.handleKey(msg)
	case tea.PasteMsg:
		return m, m.handlePaste(msg)
	case tea.MouseClickMsg:
		return m, m.handleClick(msg)
	case tea.MouseWheelMsg:
		m.handleWheel(msg)
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

func (m *Model) handleResult(msg doneMsg) tea.Cmd {
	m.busy--
	if !msg.own && msg.generation != m.account.generation {
		return nil
	}
	switch outcome := msg.outcome.(type) {
	case feed.Result:
		return m.applyFetched(outcome)
	case views.Built:
		return m.built(outcome)
	case connected:
		return m.connected(outcome)
	case searchResult:
		return m.found(outcome)
	case exported:
		return m.exported(outcome)
	case stateRead:
		return m.applyState(outcome)
	case joined:
		return m.joined(outcome)
	case readRepeated:
		return m.retried(outcome)
	case stateSaved:
		m.setSavedText(outcome)
	case result:
		return outcome.arrive(m)
	case viewCounts:
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

// handleTick lets time pass: windows end, ages grow, reads become due.
func (m *Model) handleTick(now time.Time) tea.Cmd {
	cmds := []tea.Cmd{m.tick()}
	m.slowRequests = m.feed.Status().InFlight // what was not answered since the last tick; quick reads need no sign
	cmds = append(cmds, m.advanceClock(m.now())...)
	if now.Sub(m.rebuild) >= rebuildEvery {
		m.rebuild = now
		cmds = append(cmds, m.buildCommands(m.panes.Rebuild())...)
		cmds = append(cmds, m.saveState(), m.countViews())
	}
	m.message.expire(m.now())
	cmds = append(cmds, m.readEvents(), m.keepTyped(), m.lookAgain())
	cmds = append(cmds, m.refreshDue()...)
	return tea.Batch(cmds...)
}
