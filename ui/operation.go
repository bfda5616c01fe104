package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/form"
	"waybill/ui/dialog"
	"waybill/ui/feed"
	"waybill/ui/session"
	"waybill/views/layout"
)

// operationSession is an operation under way with its form.
type operationSession struct {
	*session.Session
	form *dialog.Form           // nil before it is opened, and for operations without one
	send func(m *Model) tea.Cmd // sends in another way than a new job; nil for most
}

func operationHandlers() map[string]handler {
	handlers := map[string]handler{}
	for _, d := range operations.Definitions() {
		handlers[d.ID] = func(m *Model, argument string) tea.Cmd {
			return m.startOperation(d, m.operationInput(argument), nil, false)
		}
	}
	return handlers
}

// startOperation starts an operation on a selection. From here on it acts on these ids, whatever happens to the board.
// Values replace the defaults of its form; with skipForm the form is only shown if they are not enough.
func (m *Model) startOperation(d operations.Definition, input operations.Input, values form.Values, skipForm bool) tea.Cmd {
	started, effect := session.Start(d, input, values, skipForm)
	return m.carryOut(&operationSession{Session: started}, effect)
}

// carryOut does what a session asks for until its steps are sent; [Model.reportOutcome] does the rest.
func (m *Model) carryOut(s *operationSession, effect session.Effect) tea.Cmd {
	switch e := effect.(type) {
	case session.ReadInput:
		return m.readInput(s)
	case session.OpenForm:
		return m.loadDraft(s, e.Values)
	case session.ShowProblems:
		return m.showProblems(s, e.Problems)
	case session.ShowPreview:
		return m.openPreview(s)
	case session.Send:
		if s.send != nil {
			return s.send(m)
		}
		return m.sendProposal(s)
	case session.Warn:
		return m.warn(model.Capitalize(e.Text))
	}
	return nil
}

// readInput reads what an operation needs and the board does not have.
func (m *Model) readInput(s *operationSession) tea.Cmd {
	client := m.account.Client
	if client == nil {
		return m.warn(notConnected)
	}
	wait := m.openWaiting(s)
	definition, input := s.Definition, s.Input
	return m.run(readTimeout, func(ctx context.Context) result {
		var operation operations.Operation
		err := operations.LoadInput(ctx, client, definition.Needs, &input)
		if err == nil {
			operation, err = definition.New(input)
		}
		return func(m *Model) tea.Cmd {
			if !m.closeWaiting(wait) {
				return nil
			}
			if err != nil {
				err = fmt.Errorf("%s: %w", m.titleByID(definition.ID), err)
			}
			cmd := m.carryOut(s, s.SetOperation(operation, input, err))
			return tea.Batch(cmd, m.replayKeys(wait.Typed))
		}
	})
}

// openWaiting collects the keys for a dialog of a session that is still being read. Cancelling it cancels the session.
func (m *Model) openWaiting(s *operationSession) *dialog.Waiting {
	id := s.Definition.ID
	if s.Operation.ID != "" {
		id = s.Operation.ID
	}
	return m.openWait(m.titleByID(id)+": reading…", func(_ *Model, a dialog.Action) tea.Cmd {
		if _, closed := a.(dialog.Close); closed {
			s.Cancel()
		}
		return nil
	})
}

// operationInput is the selection that an operation starts from.
func (m *Model) operationInput(argument string) operations.Input {
	input := operations.Input{
		Board: m.panes.Snapshot(), Organization: m.account.organization, Now: model.MillisOf(m.now()), Zone: m.zone(),
		WorkDir: m.options.WorkDir, Argument: argument,
		RouteHidden: !m.detailFocused() || m.detail.target.Kind != feed.Worker,
	}
	if m.screen == layout.Page {
		input.Webhooks = m.page.selectedWebhooks()
		return input
	}
	t := m.cursorTarget()
	kind, ids := t.Kind, []model.ID{t.ID}
	if m.screen == layout.Board && !m.detailFocused() {
		shown, hidden := m.focusedPane().Selection()
		kind, ids, input.Hidden = rowKind(m.focus), slices.Concat(shown, hidden), len(hidden)
	}
	switch kind {
	case feed.Task:
		input.Tasks = ids
	case feed.Worker:
		input.Workers = ids
	case feed.Order:
		input.Orders = ids
	default:
	}
	return input
}

// titleByID is the title of an action without its dots.
func (m *Model) titleByID(action string) string {
	if a, ok := m.keys.Get(action); ok {
		return shortTitle(&a)
	}
	return action
}

// shortTitle is the title of an action without the dots that announce a form.
func shortTitle(a *keymaps.Action) string { return strings.TrimSuffix(a.Title, "…") }
