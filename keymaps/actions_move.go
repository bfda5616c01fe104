package keymaps

import (
	"slices"
	"strconv"
)

func moveActions() []Action {
	return inGroup(GroupMove, slices.Concat(paneActions(), cursorActions(), quitActions(), mapActions()))
}

func paneActions() []Action {
	return []Action{
		{
			ID: "pane.delays", Title: "Go to Delays",
			Help: "Late and at risk, worst first.",
			Keys: []string{"1"}, Commands: []string{"delays"}, Scopes: []Scope{Global},
		},
		{
			ID: "pane.workers", Title: "Go to Workers",
			Help: "Workers on duty, late and silent ones first.",
			Keys: []string{"2"}, Commands: []string{"workers"}, Scopes: []Scope{Global},
		},
		{
			ID: "pane.tasks", Title: "Go to Tasks",
			Help: "All open work.",
			Keys: []string{"3"}, Commands: []string{"tasks"}, Scopes: []Scope{Global},
		},
		{
			ID: "pane.orders", Title: "Go to Orders",
			Help: "Orders and how far their two tasks are.",
			Keys: []string{"4"}, Commands: []string{"orders"}, Scopes: []Scope{Global},
		},
		{
			ID: "pane.next", Title: "Next pane",
			Help: "Moves the focus to the next pane or to the detail beside them.",
			Keys: []string{"tab"}, Scopes: []Scope{Global},
			Hidden: true,
		},
		{
			ID: "pane.previous", Title: "Previous pane",
			Help: "Moves the focus back.",
			Keys: []string{"shift+tab"}, Scopes: []Scope{Global},
			Hidden: true,
		},
		{
			ID: "pane.left", Title: "Pane to the left",
			Help: "Moves the focus to the pane on the left.",
			Keys: []string{"h", "left"}, Scopes: paneScopes(),
			Hidden: true,
		},
		{
			ID: "pane.right", Title: "Pane to the right",
			Help: "Moves the focus to the pane on the right.",
			Keys: []string{"l", "right"}, Scopes: paneScopes(),
			Hidden: true,
		},
		{
			ID: "pane.zoom", Title: "Zoom the pane",
			Help: "Gives the focused pane the whole screen, and back.",
			Keys: []string{"z"}, Scopes: []Scope{Global},
		},
	}
}

func cursorActions() []Action {
	return []Action{
		{
			ID: "move.down", Title: "Down",
			Help: "Next row.",
			Keys: []string{"j", "down"}, Scopes: listScopes(),
			Hidden: true,
		},
		{
			ID: "move.up", Title: "Up",
			Help: "Previous row.",
			Keys: []string{"k", "up"}, Scopes: listScopes(),
			Hidden: true,
		},
		{
			ID: "move.top", Title: "First row",
			Help: "Goes to the first row.",
			Keys: []string{"g g", "home"}, Scopes: listScopes(),
			Hidden: true,
		},
		{
			ID: "move.bottom", Title: "Last row",
			Help: "Goes to the last row.",
			Keys: []string{"G", "end"}, Scopes: listScopes(),
			Hidden: true,
		},
		{
			ID: "move.half-down", Title: "Half a page down",
			Help: "Moves half a screen down.",
			Keys: []string{"}", "ctrl+d"}, Scopes: listScopes(),
			Hidden: true,
		},
		{
			ID: "move.half-up", Title: "Half a page up",
			Help: "Moves half a screen up.",
			Keys: []string{"{", "ctrl+u"}, Scopes: listScopes(),
			Hidden: true,
		},
		{
			ID: "move.page-down", Title: "Page down",
			Help: "Moves a screen down.",
			Keys: []string{"pgdown", "ctrl+f"}, Scopes: listScopes(),
			Hidden: true,
		},
		{
			ID: "move.page-up", Title: "Page up",
			Help: "Moves a screen up.",
			Keys: []string{"pgup", "ctrl+b"}, Scopes: listScopes(),
			Hidden: true,
		},
		{
			ID: "move.screen-top", Title: "Top of the screen",
			Help: "Goes to the first row on the screen.",
			Keys: []string{"H"}, Scopes: listScopes(),
			Hidden: true,
		},
		{
			ID: "move.screen-middle", Title: "Middle of the screen",
			Help: "Goes to the row in the middle of the screen.",
			Keys: []string{"M"}, Scopes: listScopes(),
			Hidden: true,
		},
		{
			ID: "move.screen-bottom", Title: "Bottom of the screen",
			Help: "Goes to the last row on the screen.",
			Keys: []string{"L"}, Scopes: listScopes(),
			Hidden: true,
		},
		{
			ID: "move.next-match", Title: "Next match",
			Help: "Goes to the next row that matches the last search.",
			Keys: []string{";"}, Scopes: listScopes(),
			Hidden: true,
		},
		{
			ID: "move.previous-match", Title: "Previous match",
			Help: "Goes to the previous row that matches the last search.",
			Keys: []string{","}, Scopes: listScopes(),
			Hidden: true,
		},
	}
}

func quitActions() []Action {
	return []Action{
		{
			ID: "back", Title: "Back",
			Help: "Backs out one level: overlay, range, marks, filter, detail, zoom.",
			Keys: []string{"esc"}, Scopes: slices.Concat([]Scope{Global}, dialogScopes()),
			Hidden: true,
		},
		{
			ID: "quit", Title: "Quit",
			Help: "Leaves the console. Drafts, filters and marks are kept.",
			Keys: []string{"q"}, Commands: []string{"quit", "q"}, Scopes: []Scope{Global},
		},
		{
			ID: "interrupt", Title: "Quit at once",
			Help: "Leaves the console from anywhere, even while typing. Drafts are kept.",
			Keys: []string{"ctrl+c"}, Scopes: []Scope{Always},
			Hidden: true,
		},
	}
}

func mapActions() []Action {
	here := []Scope{Map}
	return []Action{
		{
			ID: "map.left", Title: "Pan left",
			Help: "Moves the map to the west.",
			Keys: []string{"h", "left"}, Scopes: here,
			Hidden: true,
		},
		{
			ID: "map.right", Title: "Pan right",
			Help: "Moves the map to the east.",
			Keys: []string{"l", "right"}, Scopes: here,
			Hidden: true,
		},
		{
			ID: "map.up", Title: "Pan up",
			Help: "Moves the map to the north.",
			Keys: []string{"k", "up"}, Scopes: here,
			Hidden: true,
		},
		{
			ID: "map.down", Title: "Pan down",
			Help: "Moves the map to the south.",
			Keys: []string{"j", "down"}, Scopes: here,
			Hidden: true,
		},
		{
			ID: "map.zoom-in", Title: "Zoom in", HintLabel: "closer",
			Help: "Shows a smaller area.",
			Keys: []string{"+", "="}, Scopes: here,
			HintOrder: 5, Hidden: true,
		},
		{
			ID: "map.zoom-out", Title: "Zoom out", HintLabel: "wider",
			Help: "Shows a larger area.",
			Keys: []string{"-"}, Scopes: here,
			HintOrder: 6, Hidden: true,
		},
		{
			ID: "map.fit", Title: "Fit everything", HintLabel: "fit",
			Help: "Shows all workers and tasks of the filter.",
			Keys: []string{"0"}, Scopes: here,
			HintOrder: 7, Hidden: true,
		},
		{
			ID: "map.follow", Title: "Follow the selected one", HintLabel: "follow",
			Help: "Keeps the selected worker or task in the middle.",
			Keys: []string{"f"}, Scopes: here,
			HintOrder: 8, Hidden: true,
		},
		{
			ID: "map.next", Title: "Next on the map",
			Help: "Selects the next one, nearest first.",
			Keys: []string{"]"}, Scopes: here,
			Hidden: true,
		},
		{
			ID: "map.previous", Title: "Previous on the map",
			Help: "Selects the previous one.",
			Keys: []string{"["}, Scopes: here,
			Hidden: true,
		},
	}
}

func findActions() []Action {
	everywhere := []Scope{Global}
	actions := []Action{
		{
			ID: "find.filter", Title: "Filter", HintLabel: "filter",
			Help: "Shows only rows that match: words, and terms such as late>10m team:north worker:none !done.",
			Keys: []string{"/"}, Scopes: everywhere,
			HintOrder: 80,
		},
		{
			ID: "find.clear", Title: "Clear the filter",
			Help: "Shows every row again.",
			Keys: []string{"\\"}, Scopes: everywhere,
		},
		{
			ID: "find.sort", Title: "Sort by…",
			Help: "Menu of all columns to sort by. The choice is remembered per pane.",
			Keys: []string{"s"}, Commands: []string{"sort"}, Scopes: everywhere,
		},
		{
			ID: "find.sort-flip", Title: "Reverse the order",
			Help: "Sorts the other way round.",
			Keys: []string{"S"}, Scopes: everywhere,
		},
		{
			ID: "find.sort-left", Title: "Sort by the column to the left",
			Help: "Moves the sorting one column to the left.",
			Keys: []string{"<"}, Scopes: everywhere,
		},
		{
			ID: "find.sort-right", Title: "Sort by the column to the right",
			Help: "Moves the sorting one column to the right.",
			Keys: []string{">"}, Scopes: everywhere,
		},
		{
			ID: "find.columns", Title: "Choose columns…",
			Help:     "Which columns the pane shows, and in which order.",
			Commands: []string{"columns"}, Scopes: everywhere,
		},
		{
			ID: "find.palette", Title: "All actions", HintLabel: "actions",
			Help: "Every action by typing a part of its name; also words with arguments, such as profile acme.",
			Keys: []string{":"}, Scopes: everywhere,
			HintOrder: 90, Hidden: true,
		},
		{
			ID: "find.help", Title: "Help", HintLabel: "help",
			Help: "Every key that works here, and why some do not.",
			Keys: []string{"?", "f1"}, Commands: []string{"help"}, Scopes: everywhere,
			HintOrder: 91,
		},
		{
			ID: "find.goto", Title: "Go to an id…",
			Help: "Opens a task, order, worker, recipient or destination by its id or short id.",
			Keys: []string{"#"}, Commands: []string{"goto", "open"}, Scopes: everywhere,
		},
		{
			ID: "find.watch", Title: "Watch an id…",
			Help: "Adds an id or short id to the watchlist, which is polled one by one where the service has no lists.",
			Keys: []string{"W"}, Commands: []string{"watch"}, Scopes: everywhere,
		},
		{
			ID: "view.list", Title: "Saved views…",
			Help: "Built-in and own views: a pane with filter and sorting.",
			Keys: []string{"b"}, Commands: []string{"view"}, Scopes: everywhere,
		},
		{
			ID: "view.save", Title: "Save this view…",
			Help: "Keeps the filter and the sorting of this pane under a name, on a key from 5 to 9 if wanted.",
			Keys: []string{"B"}, Commands: []string{"save"}, Scopes: everywhere,
		},
	}
	names := []string{"late now", "unassigned", "at risk", "idle workers", "silent workers"}
	for i, name := range names {
		key := strconv.Itoa(i + 5)
		actions = append(actions, Action{
			ID: "view." + key, Title: "Saved view " + key, Keys: []string{key}, Scopes: everywhere,
			Help: "Shows the view saved on " + key + "; " + name + " unless you saved another.",
		})
	}
	return inGroup(GroupFind, actions)
}

func selectActions() []Action {
	where := listScopes()
	return inGroup(GroupSelect, []Action{
		{
			ID: "mark.toggle", Title: "Mark",
			Help: "Marks the row for an action on many, or takes the mark off.",
			Keys: []string{"space"}, Scopes: where,
			Hidden: true,
		},
		{
			ID: "mark.range", Title: "Mark a range",
			Help: "Starts a range; move, then press again to mark it. Rows hold still meanwhile.",
			Keys: []string{"v"}, Scopes: where,
			Hidden: true,
		},
		{
			ID: "mark.all", Title: "Mark all shown",
			Help: "Marks every row that passes the filter.",
			Keys: []string{"*"}, Scopes: where,
		},
		{
			ID: "mark.clear", Title: "Clear the marks",
			Help: "Takes all marks off.",
			Keys: []string{"V"}, Scopes: where,
		},
	})
}

func dialogScopes() []Scope {
	var modal []Scope
	for _, s := range Scopes() {
		if s.IsModal() {
			modal = append(modal, s)
		}
	}
	return modal
}

func inGroup(g Group, actions []Action) []Action {
	for i := range actions {
		actions[i].Group = g
	}
	return actions
}
