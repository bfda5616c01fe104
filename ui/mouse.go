package ui

import (
	tea "charm.land/bubbletea/v2"

	"waybill/views/layout"
)

// handleClick focuses a pane and moves its cursor; a second click on a row opens it.
func (m *Model) handleClick(msg tea.MouseClickMsg) tea.Cmd {
	if !m.appearance.mouse || len(m.dialogs) > 0 || msg.Button != tea.MouseLeft {
		return nil
	}
	part := m.layout.PartAt(msg.X, msg.Y)
	if p, ok := part.Pane(); ok {
		again := m.focus == p && !m.inDetail
		m.focusPane(p)
		if part != layout.BodyOf(p) {
			return nil
		}
		if id, ok := m.focusedPane().IDAt(msg.Y - m.layout.Rect(part).Y); ok {
			same := again && id == m.focusedPane().CursorID()
			m.focusedPane().SetCursor(id)
			if same {
				return m.openDetail(m.cursorTarget())
			}
		}
		return nil
	}
	if part == layout.DetailBody || part == layout.DetailTitle {
		m.inDetail = true
	}
	return nil
}

// handleWheel scrolls what is under the pointer.
func (m *Model) handleWheel(msg tea.MouseWheelMsg) {
	const rows = 3
	step := rows
	switch msg.Button {
	case tea.MouseWheelUp:
		step = -rows
	case tea.MouseWheelDown:
	default:
		return
	}
	if !m.appearance.mouse || len(m.dialogs) > 0 {
		return
	}
	part := m.layout.PartAt(msg.X, msg.Y)
	switch p, ok := part.Pane(); {
	case ok:
		m.panes.Panes[p].Move(step)
	case part == layout.DetailBody && m.detail != nil:
		m.detail.view.Move(step)
	case part == layout.PageBody:
		m.page.current().list.Move(step)
	}
}
