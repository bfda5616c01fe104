package ui

import (
	tea "charm.land/bubbletea/v2"

	"waybill/views/layout"
)

// click focuses a pane and puts the cursor on a row.
func (m *Model) click(msg tea.MouseClickMsg) tea.Cmd {
	if !m.look.mouse || len(m.overlays) > 0 || msg.Button != tea.MouseLeft {
		return nil
	}
	part := m.layout.PartAt(msg.X, msg.Y)
	if p, ok := part.Pane(); ok {
		again := m.focus == p && !m.inDetail
		m.goTo(p)
		if part != p.Body() {
			return nil
		}
		if id, ok := m.pane().IDAt(msg.Y - m.layout.Rect(part).Y); ok {
			same := again && id == m.pane().CursorID()
			m.pane().SetCursor(id)
			if same {
				return m.openDetail(m.target())
			}
		}
		return nil
	}
	if part == layout.DetailBody || part == layout.DetailTitle {
		m.inDetail = true
	}
	return nil
}

// wheel scrolls what the pointer is over.
func (m *Model) wheel(msg tea.MouseWheelMsg) {
	const rows = 3
	step := rows
	switch msg.Button {
	case tea.MouseWheelUp:
		step = -rows
	case tea.MouseWheelDown:
	default:
		return
	}
	if !m.look.mouse || len(m.overlays) > 0 {
		return
	}
	part := m.layout.PartAt(msg.X, msg.Y)
	switch p, ok := part.Pane(); {
	case ok:
		m.panes.Panes[p].Move(step)
	case part == layout.DetailBody && m.detail != nil:
		m.detail.view.Move(step)
	case part == layout.PageBody:
		m.page.motion().Move(step)
	}
}
