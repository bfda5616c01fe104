package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/theme"
)

// waiting stands where something that was asked for will come up. Keys are kept for it meanwhile: on the board they
// would mean something else.
type waiting struct {
	plain
	what  string
	since time.Time
	kept  []tea.Msg
}

func (o *waiting) scope() keymaps.Scope                    { return "" }
func (o *waiting) place(*Model) layout.Overlay             { return layout.Overlay{} }
func (o *waiting) act(_ *Model, id string) (tea.Cmd, bool) { return nil, id != "back" }

func (o *waiting) press(m *Model, key tea.KeyPressMsg) (tea.Cmd, bool) { //nolint:unparam // a presser
	if m.isKey("back", key) {
		return nil, false
	}
	o.kept = append(o.kept, key)
	return nil, true
}

func (o *waiting) take(_ *Model, msg tea.Msg) tea.Cmd { //nolint:unparam // a taker
	o.kept = append(o.kept, msg)
	return nil
}

func (o *waiting) appendLine(dst []byte, m *Model, _, width, _ int) []byte {
	if m.options.Now().Sub(o.since) < waitUnseen {
		return m.appendStatusLine(dst, width)
	}
	l := views.NewLine(dst, m.appearance.theme, width)
	l.Put(theme.Info, " "+o.what).Space(2)
	l.Put(theme.Key, m.keyFor("back")).Put(theme.Muted, " stops")
	return l.End()
}

// waitUnseen is how long a wait is not worth a word: most end sooner, and a line that flashes says nothing.
const waitUnseen = 200 * time.Millisecond

// waitFor keeps the keys for what is about to come up.
func (m *Model) waitFor(what string) (*waiting, tea.Cmd) {
	o := &waiting{what: what, since: m.options.Now()}
	return o, m.openDialog(o)
}

// waitingFor is what is said while an action reads.
func (m *Model) waitingFor(action string) string {
	return strings.TrimSuffix(m.actionTitle(action), "…") + ": reading…"
}

// arrived ends a wait, and reports whether it had not been stopped.
func (m *Model) arrived(o *waiting) bool {
	if m.topDialog() != overlay(o) {
		return false
	}
	m.closeDialog()
	return true
}

// passOn gives what was typed during a wait to what came of it: a form, or another wait. Nothing else gets it: what
// sends or deletes is looked at first.
func (m *Model) passOn(kept []tea.Msg) tea.Cmd {
	switch top := m.topDialog().(type) {
	case *waiting:
		top.kept = append(top.kept, kept...)
	case *formOverlay:
		return m.replay(top, kept)
	}
	return nil
}

func (m *Model) replay(form *formOverlay, kept []tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, msg := range kept {
		if m.topDialog() != overlay(form) {
			break
		}
		switch msg := msg.(type) {
		case tea.KeyPressMsg:
			cmds = append(cmds, m.handleKey(msg))
		case tea.PasteMsg:
			cmds = append(cmds, m.handlePaste(msg))
		}
	}
	return tea.Batch(cmds...)
}

// gracePeriod is how long something that comes up by itself takes no key: one that was meant for what lies under it must
// not close, send or change anything unread.
const gracePeriod = 500 * time.Millisecond

// openWithGrace opens an overlay that nobody asked for at this moment.
func (m *Model) openWithGrace(o overlay) tea.Cmd {
	m.graceEnds = m.options.Now().Add(gracePeriod)
	return m.openDialog(o)
}

// inGracePeriod reports that what is on top has come up too recently to take a key.
func (m *Model) inGracePeriod() bool {
	return len(m.dialogs) > 0 && m.options.Now().Before(m.graceEnds)
}
