package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Update implements [tea.Model]. It only routes: the console's own messages, terminal reports, then keys and the mouse.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.frameUnchanged = false
	if m.handleTerminal(msg) {
		return m, nil
	}
	switch msg := msg.(type) {
	case consoleMsg:
		return m, msg.handle(m)
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

// consoleMsg is a message of the console itself. It knows how to change the model, so that a message without a handler
// does not compile.
type consoleMsg interface {
	handle(m *Model) tea.Cmd
}

// command is a command that ends in a message of the console, or in none.
func (m *Model) command(do func() consoleMsg) tea.Cmd {
	crash := m.crash
	return func() tea.Msg {
		defer crash.recoverPanic()
		return do()
	}
}

// result is what a command of [Model.run] ends in: it changes the model by what the command found.
type result func(m *Model) tea.Cmd

// resultMsg carries the result of a command.
type resultMsg struct {
	generation uint64
	anyAccount bool // it belongs to the console and not to one account
	apply      result
}

// handle applies the result, unless the account has been left since.
func (msg resultMsg) handle(m *Model) tea.Cmd {
	m.busy--
	if !msg.anyAccount && msg.generation != m.account.generation {
		return nil
	}
	return msg.apply(m)
}

// run is a command with a timeout that is cancelled when the account is left. The function must capture values only,
// never the model.
func (m *Model) run(timeout time.Duration, do func(ctx context.Context) result) tea.Cmd {
	return m.startCommand(m.account.ctx, timeout, resultMsg{generation: m.account.generation}, do)
}

// runForConsole is a command that belongs to the console and not to an account: it goes on when the account is left.
//
//nolint:contextcheck // therefore it does not end with the context of its caller
func (m *Model) runForConsole(timeout time.Duration, do func(ctx context.Context) result) tea.Cmd {
	return m.startCommand(context.WithoutCancel(m.account.ctx), timeout, resultMsg{anyAccount: true}, do)
}

// readTimeout is how long a read that the user waits for may take.
const readTimeout = 15 * time.Second

// notConnected is the warning where there is no account yet.
const notConnected = "Not connected yet."

// read reads something from the service and shows it. What names it where that fails.
func read[T any](m *Model, what string, do func(ctx context.Context) (T, error), show func(m *Model, value T) tea.Cmd) tea.Cmd {
	if m.account.Client == nil {
		return m.warn(notConnected)
	}
	return m.run(readTimeout, func(ctx context.Context) result {
		value, err := do(ctx)
		return func(m *Model) tea.Cmd {
			if err != nil {
				return m.fail(what, err)
			}
			return show(m, value)
		}
	})
}

func (m *Model) startCommand(parent context.Context, timeout time.Duration, msg resultMsg, do func(ctx context.Context) result) tea.Cmd {
	m.busy++
	return m.command(func() consoleMsg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		msg.apply = do(ctx)
		return msg
	})
}

// tickMsg is sent every second.
type tickMsg time.Time

const (
	tickInterval    = time.Second
	rebuildInterval = 15 * time.Second
)

func (m *Model) tick() tea.Cmd {
	return m.options.Tick(tickInterval, func(t time.Time) tea.Msg { return tickMsg(t) })
}

// handle does what depends on time: windows end, ages grow, refreshes become due.
func (msg tickMsg) handle(m *Model) tea.Cmd {
	now := time.Time(msg)
	cmds := []tea.Cmd{m.tick()}
	m.slowRequests = m.feed.Status().InFlight // unanswered since the last tick; quick requests are not shown
	cmds = append(cmds, m.advanceClock(m.now())...)
	if now.Sub(m.rebuiltAt) >= rebuildInterval {
		m.rebuiltAt = now
		cmds = append(cmds, m.buildCommands(m.panes.RebuildTimed())...)
		cmds = append(cmds, m.saveState(), m.countViews())
	}
	m.message.expire(m.now())
	cmds = append(cmds, m.readEvents(), m.saveDueDrafts(), m.retryPreview())
	cmds = append(cmds, m.refreshDue()...)
	return tea.Batch(cmds...)
}
