package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
	"waybill/views"
	"waybill/views/layout"
)

// handler runs an action. The argument is what followed its word in the palette.
type handler func(m *Model, argument string) tea.Cmd

// handlers is every action this console can run, by id. What the table of keys offers and is not here is off, with
// that reason.
func handlers() map[string]handler {
	all := map[string]handler{}
	for _, group := range []map[string]handler{
		paneHandlers(), motionHandlers(), findHandlers(), markHandlers(), lookHandlers(), takeHandlers(), dataHandlers(),
		consoleHandlers(), mapHandlers(), verbHandlers(), handHandlers(),
	} {
		for id, h := range group {
			all[id] = h
		}
	}
	return all
}

// does is a handler that asks for nothing.
func does(do func(m *Model)) handler {
	return func(m *Model, _ string) tea.Cmd {
		do(m)
		return nil
	}
}

// alone is a handler without an argument.
func alone(do func(m *Model) tea.Cmd) handler {
	return func(m *Model, _ string) tea.Cmd { return do(m) }
}

func paneHandlers() map[string]handler {
	return map[string]handler{
		"pane.delays":   does(func(m *Model) { m.goTo(layout.Delays) }),
		"pane.workers":  does(func(m *Model) { m.goTo(layout.Workers) }),
		"pane.tasks":    does(func(m *Model) { m.goTo(layout.Tasks) }),
		"pane.orders":   does(func(m *Model) { m.goTo(layout.Orders) }),
		"pane.next":     does(func(m *Model) { m.cycle(1) }),
		"pane.previous": does(func(m *Model) { m.cycle(-1) }),
		"pane.left":     does(func(m *Model) { m.sideways(-1) }),
		"pane.right":    does(func(m *Model) { m.sideways(1) }),
		"pane.zoom":     does(func(m *Model) { m.zoom = !m.zoom }),
		"back":          alone((*Model).back),
		"quit":          alone((*Model).quit),
		"interrupt":     alone((*Model).leaveConsole),
	}
}

func motionHandlers() map[string]handler {
	move := func(do func(c views.Motion)) handler { return does(func(m *Model) { do(m.motion()) }) }
	return map[string]handler{
		"move.down":           move(func(c views.Motion) { c.Move(1) }),
		"move.up":             move(func(c views.Motion) { c.Move(-1) }),
		"move.top":            move(views.Motion.Top),
		"move.bottom":         move(views.Motion.Bottom),
		"move.half-down":      move(func(c views.Motion) { c.HalfPage(1) }),
		"move.half-up":        move(func(c views.Motion) { c.HalfPage(-1) }),
		"move.page-down":      move(func(c views.Motion) { c.Page(1) }),
		"move.page-up":        move(func(c views.Motion) { c.Page(-1) }),
		"move.screen-top":     move(views.Motion.ScreenTop),
		"move.screen-middle":  move(views.Motion.ScreenMiddle),
		"move.screen-bottom":  move(views.Motion.ScreenBottom),
		"move.next-match":     does(func(m *Model) { m.match(true) }),
		"move.previous-match": does(func(m *Model) { m.match(false) }),
	}
}

func markHandlers() map[string]handler {
	onBoard := func(do func(p views.Pane)) handler {
		return does(func(m *Model) {
			if m.screen == layout.Board && !m.detailFocused() {
				do(m.pane())
			}
		})
	}
	return map[string]handler{
		"mark.toggle": onBoard(func(p views.Pane) {
			p.ToggleMark()
			p.Move(1)
		}),
		"mark.range": onBoard(func(p views.Pane) {
			if p.Ranging() {
				p.EndRange()
			} else {
				p.StartRange()
			}
		}),
		"mark.all":   onBoard(views.Pane.MarkAll),
		"mark.clear": onBoard(views.Pane.ClearMarks),
	}
}

func mapHandlers() map[string]handler {
	const step, closer = 0.25, 1.5
	on := func(do func(v *views.Map)) handler { return does(func(m *Model) { do(m.mapView) }) }
	return map[string]handler{
		"map.left":     on(func(v *views.Map) { v.Pan(-step, 0) }),
		"map.right":    on(func(v *views.Map) { v.Pan(step, 0) }),
		"map.up":       on(func(v *views.Map) { v.Pan(0, -step) }),
		"map.down":     on(func(v *views.Map) { v.Pan(0, step) }),
		"map.zoom-in":  on(func(v *views.Map) { v.Zoom(closer) }),
		"map.zoom-out": on(func(v *views.Map) { v.Zoom(1 / closer) }),
		"map.fit":      on((*views.Map).Fit),
		"map.follow": does(func(m *Model) {
			if m.mapView.Follow() {
				m.inform("The map follows the selected one.")
			} else {
				m.inform("The map stays where it is.")
			}
		}),
		"map.next":     on(func(v *views.Map) { v.Select(1) }),
		"map.previous": on(func(v *views.Map) { v.Select(-1) }),
	}
}

// goTo shows the board with a pane focused.
func (m *Model) goTo(p layout.Pane) {
	if m.focus == layout.Delays && p != layout.Delays {
		m.panes.RememberDelays()
	}
	m.screen, m.focus, m.inDetail = layout.Board, p, false
	m.settle()
	if m.detail != nil && !m.layout.DetailBeside() {
		m.closeDetail()
	}
	m.typing.Reset()
}

// cycle moves the focus to the next pane, and to the detail where it stands beside them.
func (m *Model) cycle(step int) {
	if m.screen != layout.Board {
		m.goTo(m.focus)
		return
	}
	places := layout.PaneCount
	at := int(m.focus)
	beside := m.detail != nil && m.layout.DetailBeside()
	if beside {
		places++
		if m.inDetail {
			at = layout.PaneCount
		}
	}
	at = (at + step + places) % places
	if at == layout.PaneCount {
		m.inDetail = true
		return
	}
	m.goTo(layout.Pane(at))
}

// sideways moves the focus across the board: it has two columns, and the detail to their right.
func (m *Model) sideways(step int) {
	beside := m.detail != nil && m.layout.DetailBeside()
	column := int(m.focus) % 2
	switch {
	case m.inDetail && step < 0:
		m.inDetail = false
	case step > 0 && column == 1 && beside:
		m.inDetail = true
	case step > 0 && column == 0, step < 0 && column == 1:
		m.goTo(m.focus ^ 1)
	}
}

// back goes one level out: overlay, range, marks, filter, detail, screen, zoom.
func (m *Model) back() tea.Cmd {
	p := m.pane()
	switch {
	case len(m.overlays) > 0:
		m.closeOverlay()
	case m.detailFocused():
		return m.backInDetail()
	case m.screen != layout.Board:
		m.screen = layout.Board
	case p.Ranging():
		p.CancelRange()
	case p.MarkCount() > 0:
		p.ClearMarks()
	case p.FilterText() != "":
		return m.clearFilter()
	case m.detail != nil:
		m.closeDetail()
	case m.zoom:
		m.zoom = false
	}
	return nil
}

// quit leaves, after a question while something is still being sent: leaving would stop it in the middle.
func (m *Model) quit() tea.Cmd {
	if sending := m.sending(); len(sending) > 0 {
		return m.open(&confirm{
			title: "Leave while this is going on?",
			lines: append(sending, "", "What was sent stays. The rest is not sent; what is under way just now may or may not happen."),
			yes:   (*Model).leaveConsole,
		})
	}
	return m.leaveConsole()
}

func (m *Model) leaveConsole() tea.Cmd {
	m.account.cancel()
	return tea.Sequence(m.save(), tea.Quit)
}

// match goes to the next row that holds what was last searched for.
func (m *Model) match(forward bool) {
	text := m.history.last()
	if text == "" {
		m.warn("Nothing was searched for yet. " + m.keyOf("find.filter") + " filters.")
		return
	}
	if m.screen == layout.Board && !m.pane().FindNext(text, forward) {
		m.warn("No row matches " + text + ".")
	}
}

// setFilter narrows the focused pane.
func (m *Model) setFilter(text string) tea.Cmd {
	build, err := m.pane().SetFilter(strings.TrimSpace(text))
	if err != nil {
		m.warn(err.Error())
		return nil
	}
	return tea.Batch(m.builds([]views.Build{build})...)
}

// clearFilter shows every row again. An order that came with a saved view goes with it.
func (m *Model) clearFilter() tea.Cmd {
	p := m.pane()
	shown := board.SavedView{Pane: p.Kind(), Filter: p.FilterText(), Sort: p.Sort().String()}
	cleared := m.setFilter("")
	for _, v := range m.allViews() {
		if v.Name = ""; v == shown {
			return tea.Batch(cleared, m.setSort(board.Sort{}))
		}
	}
	return cleared
}

func (m *Model) setSort(s board.Sort) tea.Cmd {
	return tea.Batch(m.builds([]views.Build{m.pane().SetSort(s)})...)
}
