package keymaps

import "slices"

func moveActions() []Action {
	return inGroup(GroupMove, slices.Concat(paneActions(), cursorActions(), quitActions(), mapActions()))
}

func paneActions() []Action {
	return []Action{
		action("pane.delays", "Go to Delays", "Show late and at-risk tasks, worst first.").
			keys("1").commands("delays"),
		action("pane.workers", "Go to Drivers", "Show the drivers on duty, late and silent ones first.").
			keys("2").commands("workers"),
		action("pane.tasks", "Go to Tasks", "Show all open tasks.").keys("3").commands("tasks"),
		action("pane.orders", "Go to Orders", "Show the orders and the progress of their two tasks.").
			keys("4").commands("orders"),
		action("pane.next", "Next pane", "Move the focus to the next pane or to the detail.").keys("tab").hidden(),
		action("pane.previous", "Previous pane", "Move the focus to the previous pane.").
			keys("shift+tab").hidden(),
		action("pane.left", "Pane to the left", "Move the focus to the pane on the left.").
			keys("h", "left").in(paneScopes()...).hidden(),
		action("pane.right", "Pane to the right", "Move the focus to the pane on the right.").
			keys("l", "right").in(paneScopes()...).hidden(),
		action("pane.zoom", "Zoom pane", "Show the focused pane on the whole screen, or go back to all panes.").
			keys("z"),
	}
}

func cursorActions() []Action {
	return inScopes(listScopes(), hidden([]Action{
		action("move.down", "Down", "Go to the next row.").keys("j", "down"),
		action("move.up", "Up", "Go to the previous row.").keys("k", "up"),
		action("move.top", "First row", "Go to the first row.").keys("g g", "home"),
		action("move.bottom", "Last row", "Go to the last row.").keys("G", "end"),
		action("move.half-down", "Half a page down", "Scroll half a screen down.").keys("}", "ctrl+d"),
		action("move.half-up", "Half a page up", "Scroll half a screen up.").keys("{", "ctrl+u"),
		action("move.page-down", "Page down", "Scroll one screen down.").keys("pgdown", "ctrl+f"),
		action("move.page-up", "Page up", "Scroll one screen up.").keys("pgup", "ctrl+b"),
		action("move.screen-top", "Top of the screen", "Go to the first row on the screen.").keys("H"),
		action("move.screen-middle", "Middle of the screen", "Go to the middle row on the screen.").keys("M"),
		action("move.screen-bottom", "Bottom of the screen", "Go to the last row on the screen.").keys("L"),
		action("move.next-match", "Next match", "Go to the next row that matches the last search.").keys(";"),
		action("move.previous-match", "Previous match", "Go to the previous row that matches the last search.").
			keys(","),
	}))
}

func quitActions() []Action {
	return []Action{
		action("back", "Back", "Go back one level: close the dialog, end the range, clear the marks or the filter, close the detail, end the zoom.").
			keys("esc").in(slices.Concat([]Scope{Global}, dialogScopes())...).hidden(),
		action("quit", "Quit", "Quit the console. Drafts, filters and marks are saved.").
			keys("q").commands("quit", "q"),
		action("interrupt", "Quit immediately", "Quit the console from anywhere, even while typing. Drafts are saved.").
			keys("ctrl+c").in(Always).hidden(),
		action("suspend", "Suspend", "Go back to the shell and leave the console stopped; the command fg continues it.").
			keys("ctrl+z").in(Always).hidden().commands("suspend"),
	}
}

func mapActions() []Action {
	return inScopes([]Scope{Map}, hidden([]Action{
		action("map.left", "Pan left", "Move the map to the west.").keys("h", "left"),
		action("map.right", "Pan right", "Move the map to the east.").keys("l", "right"),
		action("map.up", "Pan up", "Move the map to the north.").keys("k", "up"),
		action("map.down", "Pan down", "Move the map to the south.").keys("j", "down"),
		action("map.zoom-in", "Zoom in", "Show a smaller area.").keys("+", "=").hint("zoom in", 5),
		action("map.zoom-out", "Zoom out", "Show a larger area.").keys("-").hint("zoom out", 6),
		action("map.fit", "Fit everything", "Show all drivers and tasks of the filter.").keys("0").hint("fit", 7),
		action("map.follow", "Follow selected", "Keep the selected driver or task in the center.").
			keys("f").hint("follow", 8),
		action("map.next", "Next on the map", "Select the next driver or task, nearest first.").keys("]"),
		action("map.previous", "Previous on the map", "Select the previous driver or task.").keys("["),
	}))
}
