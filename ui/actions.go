package ui

import (
	"maps"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
	"waybill/ui/dialog"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/table"
)

// handler runs an action. The argument is the text behind its word in the palette.
type handler func(m *Model, argument string) tea.Cmd

// handlers is every action this console can run, by id. Actions of the key table that are missing here are disabled.
func handlers() map[string]handler {
	all := map[string]handler{}
	for _, group := range []map[string]handler{
		paneHandlers(), motionHandlers(), searchHandlers(), viewHandlers(), markHandlers(), detailHandlers(), exportHandlers(), dataHandlers(),
		consoleHandlers(), mapHandlers(), operationHandlers(), jobHandlers(), pageHandlers(),
	} {
		maps.Copy(all, group)
	}
	return all
}

// withoutCommand is a handler that needs no argument and returns no command.
func withoutCommand(do func(m *Model)) handler {
	return func(m *Model, _ string) tea.Cmd {
		do(m)
		return nil
	}
}

// withoutArgument is a handler that needs no argument.
func withoutArgument(do func(m *Model) tea.Cmd) handler {
	return func(m *Model, _ string) tea.Cmd { return do(m) }
}

func paneHandlers() map[string]handler {
	return map[string]handler{
		"pane.delays":   withoutCommand(func(m *Model) { m.focusPane(board.PaneDelays) }),
		"pane.workers":  withoutCommand(func(m *Model) { m.focusPane(board.PaneWorkers) }),
		"pane.tasks":    withoutCommand(func(m *Model) { m.focusPane(board.PaneTasks) }),
		"pane.orders":   withoutCommand(func(m *Model) { m.focusPane(board.PaneOrders) }),
		"pane.next":     withoutCommand(func(m *Model) { m.focusNext(1) }),
		"pane.previous": withoutCommand(func(m *Model) { m.focusNext(-1) }),
		"pane.left":     withoutCommand(func(m *Model) { m.focusSideways(-1) }),
		"pane.right":    withoutCommand(func(m *Model) { m.focusSideways(1) }),
		"pane.zoom":     withoutCommand(func(m *Model) { m.zoom = !m.zoom }),
		"back":          withoutArgument((*Model).goBack),
		"quit":          withoutArgument((*Model).quit),
		"interrupt":     withoutArgument((*Model).leaveConsole),
		"suspend":       withoutArgument((*Model).suspend),
	}
}

func motionHandlers() map[string]handler {
	move := func(to table.Motion) handler { return withoutCommand(func(m *Model) { m.motion().Go(to) }) }
	return map[string]handler{
		"move.down":           move(table.Down),
		"move.up":             move(table.Up),
		"move.top":            move(table.Top),
		"move.bottom":         move(table.Bottom),
		"move.half-down":      move(table.HalfDown),
		"move.half-up":        move(table.HalfUp),
		"move.page-down":      move(table.PageDown),
		"move.page-up":        move(table.PageUp),
		"move.screen-top":     move(table.ScreenTop),
		"move.screen-middle":  move(table.ScreenMiddle),
		"move.screen-bottom":  move(table.ScreenBottom),
		"move.next-match":     withoutCommand(func(m *Model) { m.moveToMatch(true) }),
		"move.previous-match": withoutCommand(func(m *Model) { m.moveToMatch(false) }),
	}
}

func markHandlers() map[string]handler {
	onBoard := func(do func(p views.Pane)) handler {
		return withoutCommand(func(m *Model) {
			if m.screen == layout.Board && !m.detailFocused() {
				do(m.focusedPane())
			}
		})
	}
	return map[string]handler{
		"mark.toggle": onBoard(func(p views.Pane) {
			p.Marks().ToggleMark()
			p.Move(1)
		}),
		"mark.range": onBoard(func(p views.Pane) { p.Marks().ToggleRange() }),
		"mark.all":   onBoard(func(p views.Pane) { p.Marks().MarkAll() }),
		"mark.clear": onBoard(func(p views.Pane) { p.Marks().ClearMarks() }),
	}
}

func mapHandlers() map[string]handler {
	const step, closer = 0.25, 1.5
	on := func(do func(v *views.Map)) handler { return withoutCommand(func(m *Model) { do(m.mapView) }) }
	return map[string]handler{
		"map.left":     on(func(v *views.Map) { v.Pan(-step, 0) }),
		"map.right":    on(func(v *views.Map) { v.Pan(step, 0) }),
		"map.up":       on(func(v *views.Map) { v.Pan(0, -step) }),
		"map.down":     on(func(v *views.Map) { v.Pan(0, step) }),
		"map.zoom-in":  on(func(v *views.Map) { v.Zoom(closer) }),
		"map.zoom-out": on(func(v *views.Map) { v.Zoom(1 / closer) }),
		"map.fit":      on((*views.Map).Fit),
		"map.follow": withoutArgument(func(m *Model) tea.Cmd {
			if m.mapView.Follow() {
				return m.inform("The map follows the selection.")
			}
			return m.inform("The map no longer follows the selection.")
		}),
		"map.next":     on(func(v *views.Map) { v.Select(1) }),
		"map.previous": on(func(v *views.Map) { v.Select(-1) }),
	}
}

// focusPane shows the board and focuses a pane.
func (m *Model) focusPane(p board.Pane) {
	if m.focus == board.PaneDelays && p != board.PaneDelays {
		m.panes.RememberDelays()
	}
	m.screen, m.focus, m.inDetail = layout.Board, p, false
	m.keepCursor()
	if m.detail != nil && !m.layout.DetailBeside() {
		m.closeDetail()
	}
	m.keyboard.Reset()
}

// focusNext moves the focus to the next pane, including the detail where it is beside the panes.
func (m *Model) focusNext(step int) {
	if m.screen != layout.Board {
		m.focusPane(m.focus)
		return
	}
	panes := board.PaneCount
	at := int(m.focus)
	beside := m.detail != nil && m.layout.DetailBeside()
	if beside {
		panes++
		if m.inDetail {
			at = board.PaneCount
		}
	}
	at = (at + step + panes) % panes
	if at == board.PaneCount {
		m.inDetail = true
		return
	}
	m.focusPane(board.Pane(at))
}

// focusSideways moves the focus left or right: the board has two columns, and the detail is to their right.
func (m *Model) focusSideways(step int) {
	beside := m.detail != nil && m.layout.DetailBeside()
	column := int(m.focus) % 2
	switch {
	case m.inDetail && step < 0:
		m.inDetail = false
	case step > 0 && column == 1 && beside:
		m.inDetail = true
	case step > 0 && column == 0, step < 0 && column == 1:
		m.focusPane(m.focus ^ 1)
	}
}

// goBack leaves one level: dialog, detail, screen, range, marks, filter, zoom.
func (m *Model) goBack() tea.Cmd {
	p := m.focusedPane()
	switch {
	case len(m.dialogs) > 0:
		return m.handleDialogAction(dialog.Close{})
	case m.detailFocused():
		return m.backInDetail()
	case m.screen != layout.Board:
		m.screen = layout.Board
	case p.State().Ranging:
		p.Marks().CancelRange()
	case p.State().Marks > 0:
		p.Marks().ClearMarks()
	case p.State().Filter != "":
		return m.clearFilter()
	case m.detail != nil:
		m.closeDetail()
	case m.zoom:
		m.zoom = false
	}
	return nil
}

// quit ends the console. While something is being sent it asks first, since quitting would stop it in the middle.
func (m *Model) quit() tea.Cmd {
	if sending := m.sendingJobs(); len(sending) > 0 {
		lines := append(sending, "", "Requests already sent stay in effect. The rest will not be sent, and you will not see how those in flight end.")
		return m.openQuestion(dialog.NewQuestion("Quit while sending?", lines...), (*Model).leaveConsole)
	}
	return m.leaveConsole()
}

func (m *Model) leaveConsole() tea.Cmd {
	m.account.cancel()
	return tea.Sequence(m.saveState(), tea.Quit)
}
