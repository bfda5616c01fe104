package keymaps

import "slices"

func moveActions() []Action {
	return inGroup(GroupMove, slices.Concat(paneActions(), cursorActions(), quitActions(), mapActions()))
}

func paneActions() []Action {
	return []Action{
		{
			ID: "pane.delays", Title: "Go to Delays",
			Help: "Show late and at-risk tasks, worst first.",
			Keys: []string{"1"}, Commands: []string{"delays"},
		},
		{
			ID: "pane.workers", Title: "Go to Drivers",
			Help: "Show the drivers on duty, late and silent ones first.",
			Keys: []string{"2"}, Commands: []string{"workers"},
		},
		{
			ID: "pane.tasks", Title: "Go to Tasks",
			Help: "Show all open tasks.",
			Keys: []string{"3"}, Commands: []string{"tasks"},
		},
		{
			ID: "pane.orders", Title: "Go to Orders",
			Help: "Show the orders and the progress of their two tasks.",
			Keys: []string{"4"}, Commands: []string{"orders"},
		},
		{
			ID: "pane.next", Title: "Next pane",
			Help:   "Move the focus to the next pane or to the detail.",
			Keys:   []string{"tab"},
			Hidden: true,
		},
		{
			ID: "pane.previous", Title: "Previous pane",
			Help:   "Move the focus to the previous pane.",
			Keys:   []string{"shift+tab"},
			Hidden: true,
		},
		{
			ID: "pane.left", Title: "Pane to the left",
			Help: "Move the focus to the pane on the left.",
			Keys: []string{"h", "left"}, Scopes: paneScopes(),
			Hidden: true,
		},
		{
			ID: "pane.right", Title: "Pane to the right",
			Help: "Move the focus to the pane on the right.",
			Keys: []string{"l", "right"}, Scopes: paneScopes(),
			Hidden: true,
		},
		{
			ID: "pane.zoom", Title: "Zoom pane",
			Help: "Show the focused pane on the whole screen, or go back to all panes.",
			Keys: []string{"z"},
		},
	}
}

func cursorActions() []Action {
	return hidden([]Action{
		{
			ID: "move.down", Title: "Down",
			Help: "Go to the next row.",
			Keys: []string{"j", "down"}, Scopes: listScopes(),
		},
		{
			ID: "move.up", Title: "Up",
			Help: "Go to the previous row.",
			Keys: []string{"k", "up"}, Scopes: listScopes(),
		},
		{
			ID: "move.top", Title: "First row",
			Help: "Go to the first row.",
			Keys: []string{"g g", "home"}, Scopes: listScopes(),
		},
		{
			ID: "move.bottom", Title: "Last row",
			Help: "Go to the last row.",
			Keys: []string{"G", "end"}, Scopes: listScopes(),
		},
		{
			ID: "move.half-down", Title: "Half a page down",
			Help: "Scroll half a screen down.",
			Keys: []string{"}", "ctrl+d"}, Scopes: listScopes(),
		},
		{
			ID: "move.half-up", Title: "Half a page up",
			Help: "Scroll half a screen up.",
			Keys: []string{"{", "ctrl+u"}, Scopes: listScopes(),
		},
		{
			ID: "move.page-down", Title: "Page down",
			Help: "Scroll one screen down.",
			Keys: []string{"pgdown", "ctrl+f"}, Scopes: listScopes(),
		},
		{
			ID: "move.page-up", Title: "Page up",
			Help: "Scroll one screen up.",
			Keys: []string{"pgup", "ctrl+b"}, Scopes: listScopes(),
		},
		{
			ID: "move.screen-top", Title: "Top of the screen",
			Help: "Go to the first row on the screen.",
			Keys: []string{"H"}, Scopes: listScopes(),
		},
		{
			ID: "move.screen-middle", Title: "Middle of the screen",
			Help: "Go to the middle row on the screen.",
			Keys: []string{"M"}, Scopes: listScopes(),
		},
		{
			ID: "move.screen-bottom", Title: "Bottom of the screen",
			Help: "Go to the last row on the screen.",
			Keys: []string{"L"}, Scopes: listScopes(),
		},
		{
			ID: "move.next-match", Title: "Next match",
			Help: "Go to the next row that matches the last search.",
			Keys: []string{";"}, Scopes: listScopes(),
		},
		{
			ID: "move.previous-match", Title: "Previous match",
			Help: "Go to the previous row that matches the last search.",
			Keys: []string{","}, Scopes: listScopes(),
		},
	})
}

func quitActions() []Action {
	return []Action{
		{
			ID: "back", Title: "Back",
			Help: "Go back one level: close the dialog, end the range, clear the marks or the filter, close the detail, end the zoom.",
			Keys: []string{"esc"}, Scopes: slices.Concat([]Scope{Global}, dialogScopes()),
			Hidden: true,
		},
		{
			ID: "quit", Title: "Quit",
			Help: "Quit the console. Drafts, filters and marks are saved.",
			Keys: []string{"q"}, Commands: []string{"quit", "q"},
		},
		{
			ID: "interrupt", Title: "Quit immediately",
			Help: "Quit the console from anywhere, even while typing. Drafts are saved.",
			Keys: []string{"ctrl+c"}, Scopes: []Scope{Always},
			Hidden: true,
		},
	}
}

func mapActions() []Action {
	return hidden([]Action{
		{
			ID: "map.left", Title: "Pan left",
			Help: "Move the map to the west.",
			Keys: []string{"h", "left"}, Scopes: []Scope{Map},
		},
		{
			ID: "map.right", Title: "Pan right",
			Help: "Move the map to the east.",
			Keys: []string{"l", "right"}, Scopes: []Scope{Map},
		},
		{
			ID: "map.up", Title: "Pan up",
			Help: "Move the map to the north.",
			Keys: []string{"k", "up"}, Scopes: []Scope{Map},
		},
		{
			ID: "map.down", Title: "Pan down",
			Help: "Move the map to the south.",
			Keys: []string{"j", "down"}, Scopes: []Scope{Map},
		},
		{
			ID: "map.zoom-in", Title: "Zoom in", HintLabel: "zoom in",
			Help: "Show a smaller area.",
			Keys: []string{"+", "="}, Scopes: []Scope{Map},
			HintOrder: 5,
		},
		{
			ID: "map.zoom-out", Title: "Zoom out", HintLabel: "zoom out",
			Help: "Show a larger area.",
			Keys: []string{"-"}, Scopes: []Scope{Map},
			HintOrder: 6,
		},
		{
			ID: "map.fit", Title: "Fit everything", HintLabel: "fit",
			Help: "Show all drivers and tasks of the filter.",
			Keys: []string{"0"}, Scopes: []Scope{Map},
			HintOrder: 7,
		},
		{
			ID: "map.follow", Title: "Follow selected", HintLabel: "follow",
			Help: "Keep the selected driver or task in the center.",
			Keys: []string{"f"}, Scopes: []Scope{Map},
			HintOrder: 8,
		},
		{
			ID: "map.next", Title: "Next on the map",
			Help: "Select the next driver or task, nearest first.",
			Keys: []string{"]"}, Scopes: []Scope{Map},
		},
		{
			ID: "map.previous", Title: "Previous on the map",
			Help: "Select the previous driver or task.",
			Keys: []string{"["}, Scopes: []Scope{Map},
		},
	})
}
