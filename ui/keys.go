package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/ui/feed"
	"waybill/views"
	"waybill/views/layout"
)

// scopes is where keys are pressed, the focused place last.
func (m *Model) scopes() []keymaps.Scope {
	stack := []keymaps.Scope{keymaps.Global, m.scope()}
	for _, o := range m.overlays {
		if scope := o.scope(); scope != "" { // what only waits has no keys of its own
			stack = append(stack, scope)
		}
	}
	return stack
}

// scope is the focused place, overlays aside.
func (m *Model) scope() keymaps.Scope {
	switch {
	case m.detailFocused():
		return m.detail.scope()
	case m.screen == layout.Map:
		return keymaps.Map
	case m.screen == layout.Page:
		return m.page.scope
	}
	return m.pane().Scope()
}

// detailFocused reports that keys go to the detail: it stands alone on top, or was gone to.
func (m *Model) detailFocused() bool {
	return m.detail != nil && (m.inDetail || !m.layout.DetailBeside())
}

func (m *Model) top() overlay {
	if len(m.overlays) == 0 {
		return nil
	}
	return m.overlays[len(m.overlays)-1]
}

// key is a key as it was pressed. Two escapes that arrive together look like one with alt, and mean two.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	if msg.Code == tea.KeyEscape && msg.Mod == tea.ModAlt {
		msg.Mod = 0
		return tea.Batch(m.key(msg), m.key(msg))
	}
	if m.guards() || m.unseen() && !m.isKey("interrupt", msg) {
		return nil
	}
	m.message.dismiss(m.now())
	if first, ok := m.top().(presser); ok {
		if cmd, taken := first.press(m, msg); taken {
			return cmd
		}
	}
	match := m.typing.Press(m.keys, m.scopes(), msg.String())
	top := m.top()
	switch {
	case match.Outcome == keymaps.Found:
		return m.act(match.Action, "")
	case top == nil || match.Outcome == keymaps.Waiting:
		return nil
	}
	if raw, ok := top.(taker); ok {
		return raw.take(m, msg)
	}
	switch match.Outcome {
	case keymaps.Typed:
		return top.typed(m, msg.Text)
	case keymaps.Unbound:
		return top.edit(m, msg.String())
	}
	return nil
}

// unseen reports that the screen has no room for more than that. Nothing is done that cannot be seen.
func (m *Model) unseen() bool { return m.width < layout.MinWidth || m.height < layout.MinHeight }

// isKey reports that a key is one of an action's.
func (m *Model) isKey(id string, key tea.KeyPressMsg) bool {
	a, _ := m.keys.Get(id)
	return slices.Contains(a.Keys, key.String())
}

// presser is an overlay that has keys of its own beside those of its scope.
type presser interface {
	press(m *Model, key tea.KeyPressMsg) (cmd tea.Cmd, taken bool)
}

// taker is an overlay that reads keys and pasted text by itself.
type taker interface {
	take(m *Model, msg tea.Msg) tea.Cmd
}

func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	top := m.top()
	if m.guards() || m.unseen() {
		return nil
	}
	if raw, ok := top.(taker); ok {
		return raw.take(m, msg)
	}
	if top != nil && top.scope().TakesText() {
		return top.typed(m, msg.Content)
	}
	return nil
}

// act runs an action, if it can run. Keys of an overlay are the overlay's own business.
func (m *Model) act(a keymaps.Action, argument string) tea.Cmd {
	if top := m.top(); top != nil {
		if cmd, ok := top.act(m, a.ID); ok {
			return cmd
		}
	}
	if reason := m.keys.DisabledReason(a, m.situation()); reason != "" {
		m.warn(reason)
		return nil
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
	return m.act(a, "")
}

// situation is what actions depend on.
func (m *Model) situation() keymaps.Context {
	c := keymaps.Context{
		ReadOnly: m.readOnly.Load(), ReadOnlyBy: m.lockedBy, Objects: m.objects(), Unavailable: m.unavailable,
	}
	m.handsSituation(&c)
	return c
}

// objects are what an action would act on.
func (m *Model) objects() []keymaps.Object {
	switch {
	case m.detailFocused():
		return m.detail.objects(m.panes.Snapshot())
	case m.screen == layout.Map:
		return m.mapObjects()
	case m.screen == layout.Page:
		return m.page.objects()
	}
	return m.pane().SelectedObjects()
}

// unavailable says which actions this console has no hands for.
func (m *Model) unavailable(id string) string {
	switch {
	case strings.HasPrefix(id, "preview."):
		return previewOff(m.top(), id)
	case strings.HasPrefix(id, "job."):
		return m.jobOff(id)
	}
	if _, ok := m.actions[id]; ok || overlayAction(id) {
		return ""
	}
	return "Not available yet."
}

// previewOff says what a text that is only read has no use for.
func previewOff(top overlay, id string) string {
	o, ok := top.(*preview)
	switch {
	case !ok:
		return "There is nothing to send here."
	case id == "preview.map" && o.verb.ID != "route.dispatch":
		return "Only a dispatch has routes to show."
	case id == "preview.send" && !o.sendable():
		return "It cannot be sent now."
	case id == "preview.edit" && o.form == nil:
		return "There was no form."
	}
	return ""
}

func (m *Model) keyOf(id string) string {
	if key := m.keys.FirstKey(id); key != "" {
		return key
	}
	return ":" + id
}

// motion is what the cursor keys move.
func (m *Model) motion() views.Motion {
	switch {
	case m.detailFocused():
		return &m.detail.view
	case m.screen == layout.Page:
		return m.page.motion()
	}
	return m.pane()
}

// target is the object under the cursor.
func (m *Model) target() feed.Target {
	switch {
	case m.detailFocused():
		return m.detail.pointed()
	case m.screen == layout.Map:
		return m.mapTarget()
	case m.screen == layout.Page:
		return feed.Target{}
	}
	return m.rowTarget(m.pane())
}
