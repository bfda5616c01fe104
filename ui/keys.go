package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/ui/dialog"
	"waybill/ui/feed"
	"waybill/views"
	"waybill/views/layout"
)

// scopes are the places whose keys work, the focused one last.
func (m *Model) scopes() []keymaps.Scope {
	stack := []keymaps.Scope{keymaps.Global, m.scope()}
	for _, o := range m.dialogs {
		if scope := o.Scope(); scope != "" { // a wait has no keys of its own
			stack = append(stack, scope)
		}
	}
	return stack
}

// scope is the focused place under the dialogs.
func (m *Model) scope() keymaps.Scope {
	switch {
	case m.detailFocused():
		return m.detail.scope()
	case m.screen == layout.Map:
		return keymaps.Map
	case m.screen == layout.Page:
		return m.page.scope
	}
	return m.focusedPane().Scope()
}

// detailFocused reports that keys go to the detail: it covers the panes, or has the focus beside them.
func (m *Model) detailFocused() bool {
	return m.detail != nil && (m.inDetail || !m.layout.DetailBeside())
}

// handleKey handles a key. Two escapes that arrive together look like one with alt, and count as two.
func (m *Model) handleKey(msg tea.KeyPressMsg) tea.Cmd {
	if msg.Code == tea.KeyEscape && msg.Mod == tea.ModAlt {
		msg.Mod = 0
		return tea.Batch(m.handleKey(msg), m.handleKey(msg))
	}
	if m.inGracePeriod() || m.isTooSmall() && !m.isKey("interrupt", msg) && !m.isKey("suspend", msg) {
		return nil
	}
	m.message.dismiss(m.now())
	if first, ok := m.topDialog().(dialog.KeyInterceptor); ok {
		if action, intercepted := first.InterceptKey(msg); intercepted {
			return m.handleDialogAction(action)
		}
	}
	match := m.keyboard.Press(m.keys, m.scopes(), msg.String())
	top := m.topDialog()
	switch {
	case match.Outcome == keymaps.Found:
		return m.runAction(match.Action, "")
	case top == nil || match.Outcome == keymaps.Waiting:
		return nil
	}
	if reader, ok := top.(dialog.InputReader); ok {
		return m.handleDialogAction(reader.ReadInput(msg))
	}
	switch match.Outcome {
	case keymaps.Typed:
		return m.handleDialogAction(top.InsertText(msg.Text))
	case keymaps.Unbound:
		return m.handleDialogAction(top.PressKey(msg.String()))
	default:
		return nil
	}
}

// isTooSmall reports that the screen is too small to show anything; then no key does anything.
func (m *Model) isTooSmall() bool { return m.width < layout.MinWidth || m.height < layout.MinHeight }

// isKey reports that a key belongs to an action.
func (m *Model) isKey(id string, key tea.KeyPressMsg) bool {
	a, _ := m.keys.Get(id)
	return slices.Contains(a.Keys, key.String())
}

func (m *Model) handlePaste(msg tea.PasteMsg) tea.Cmd {
	top := m.topDialog()
	if m.inGracePeriod() || m.isTooSmall() {
		return nil
	}
	if reader, ok := top.(dialog.InputReader); ok {
		return m.handleDialogAction(reader.ReadInput(msg))
	}
	if top != nil && top.Scope().TakesText() {
		return m.handleDialogAction(top.InsertText(msg.Content))
	}
	return nil
}

// runAction runs an action, unless it is disabled. The dialog on top comes first.
func (m *Model) runAction(a keymaps.Action, argument string) tea.Cmd {
	if top := m.topDialog(); top != nil {
		if action, ok := top.RunAction(a.ID); ok {
			return m.handleDialogAction(action)
		}
	}
	if reason := m.keys.DisabledReason(a, m.actionContext()); reason != "" {
		return m.warn(reason)
	}
	if run := m.actions[a.ID]; run != nil {
		return run(m, argument)
	}
	return nil
}

// Press runs an action by its id, as its key would. Tests drive the console with it.
func (m *Model) Press(id string) tea.Cmd {
	a, ok := m.keys.Get(id)
	if !ok {
		return nil
	}
	m.message.dismiss(m.now())
	return m.runAction(a, "")
}

// actionContext is what decides whether actions are enabled.
func (m *Model) actionContext() keymaps.Context {
	c := keymaps.Context{
		ReadOnly: m.readOnly.Load(), ReadOnlyBy: m.lockedBy, Objects: m.actionObjects(), Unavailable: m.disabledReason,
	}
	m.addJobContext(&c)
	return c
}

// actionObjects are the objects an action would act on.
func (m *Model) actionObjects() []keymaps.Object {
	if _, ok := m.topDialog().(*dialog.Progress); ok {
		return []keymaps.Object{{Kind: keymaps.Job}}
	}
	switch {
	case m.detailFocused(), m.screen == layout.Map:
		return m.targetObjects(m.cursorTarget())
	case m.screen == layout.Page:
		return m.page.objects()
	}
	return m.focusedPane().SelectedObjects()
}

// disabledReason says why an action cannot run in this console, or nothing.
func (m *Model) disabledReason(id string) string {
	switch {
	case strings.HasPrefix(id, "preview."):
		if d, ok := m.topDialog().(*dialog.Preview); ok {
			return d.DisabledReason(id)
		}
		return "There is nothing to send here."
	case strings.HasPrefix(id, "job."):
		return m.jobDisabledReason(id)
	}
	if _, ok := m.actions[id]; ok || dialog.IsAction(id) {
		return ""
	}
	return "Not available in this console."
}

func (m *Model) keyFor(id string) string {
	if key := m.keys.FirstKey(id); key != "" {
		return key
	}
	return ":" + id
}

// motion is the list that the cursor keys move in.
func (m *Model) motion() views.Mover {
	switch {
	case m.detailFocused():
		return &m.detail.view
	case m.screen == layout.Page:
		return m.page.current().list
	}
	return m.focusedPane()
}

// cursorTarget is the object under the cursor.
func (m *Model) cursorTarget() feed.Target {
	switch {
	case m.detailFocused():
		return m.detail.cursorTarget()
	case m.screen == layout.Map:
		return boardTarget(m.panes.Snapshot(), m.mapView.Selected())
	case m.screen == layout.Page:
		return feed.Target{}
	}
	return m.rowTarget(m.focusedPane())
}
