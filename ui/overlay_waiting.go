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
func (o *waiting) place(*Model) layout.Dialog             { return layout.Dialog{} }
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
		return m.appendSituation(dst, width)
	}
	l := views.NewLine(dst, m.look.theme, width)
	l.Put(theme.Info, " "+o.what).Space(2)
	l.Put(theme.Key, m.keyOf("back")).Put(theme.Muted, " stops")
	return l.End()
}

// waitUnseen is how long a wait is not worth a word: most end sooner, and a line that flashes says nothing.
const waitUnseen = 200 * time.Millisecond

// waitFor keeps the keys for what is about to come up.
func (m *Model) waitFor(what string) (*waiting, tea.Cmd) {
	o := &waiting{what: what, since: m.options.Now()}
	return o, m.open(o)
}

// waitingFor is what is said while an action reads.
func (m *Model) waitingFor(action string) string {
	return strings.TrimSuffix(m.titleOf(action), "…") + ": reading…"
}

// arrived ends a wait, and reports whether it had not been stopped.
func (m *Model) arrived(o *waiting) bool {
	if m.top() != overlay(o) {
		return false
	}
	m.closeOverlay()
	return true
}

// passOn gives what was typed during a wait to what came of it: a form, or another wait. Nothing else gets it: what
// sends or deletes is looked at first.
func (m *Model) passOn(kept []tea.Msg) tea.Cmd {
	switch top := m.top().(type) {
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
		if m.top() != overlay(form) {
			break
		}
		switch msg := msg.(type) {
		case tea.KeyPressMsg:
			cmds = append(cmds, m.key(msg))
		case tea.PasteMsg:
			cmds = append(cmds, m.paste(msg))
		}
	}
	return tea.Batch(cmds...)
}

// guardTime is how long something that comes up by itself takes no key: one that was meant for what lies under it must
// not close, send or change anything unread.
const guardTime = 500 * time.Millisecond

// comeUp opens an overlay that nobody asked for at this moment.
func (m *Model) comeUp(o overlay) tea.Cmd {
	m.guarded = m.options.Now().Add(guardTime)
	return m.open(o)
}

// guards reports that what is on top has come up too recently to take a key.
func (m *Model) guards() bool { return len(m.overlays) > 0 && m.options.Now().Before(m.guarded) }
