package keymaps

import "strconv"

func findActions() []Action {
	actions := []Action{
		{
			ID: "find.filter", Title: "Filter", HintLabel: "filter",
			Help:      "Show only matching rows. Use words and terms such as late>10m team:north worker:none !done.",
			Keys:      []string{"/"},
			HintOrder: 80,
		},
		{
			ID: "find.clear", Title: "Clear filter",
			Help: "Show all rows again.",
			Keys: []string{"\\"},
		},
		{
			ID: "find.sort", Title: "Sort by…",
			Help: "Choose the column to sort by. Each pane remembers its choice.",
			Keys: []string{"s"}, Commands: []string{"sort"},
		},
		{
			ID: "find.sort-flip", Title: "Reverse sort order",
			Help: "Switch between ascending and descending.",
			Keys: []string{"S"},
		},
		{
			ID: "find.sort-left", Title: "Sort by previous column",
			Help: "Sort by the column to the left of the current one.",
			Keys: []string{"<"},
		},
		{
			ID: "find.sort-right", Title: "Sort by next column",
			Help: "Sort by the column to the right of the current one.",
			Keys: []string{">"},
		},
		{
			ID: "find.columns", Title: "Choose columns…",
			Help:     "Choose which columns the pane shows, and in which order.",
			Commands: []string{"columns"},
		},
		{
			ID: "find.palette", Title: "All actions", HintLabel: "actions",
			Help:      "Find an action by a part of its name, or type a command such as profile acme.",
			Keys:      []string{":"},
			HintOrder: 90, Hidden: true,
		},
		{
			ID: "find.help", Title: "Help", HintLabel: "help",
			Help: "Show all keys that work here, and why some are disabled.",
			Keys: []string{"?", "f1"}, Commands: []string{"help"},
			HintOrder: 91,
		},
		{
			ID: "find.goto", Title: "Go to ID…",
			Help: "Open a task, order, driver, recipient or destination by its ID or short ID.",
			Keys: []string{"#"}, Commands: []string{"goto", "open"},
		},
		{
			ID: "find.watch", Title: "Watch ID…",
			Help: "Add an ID or short ID to the watchlist. Needed only where the service cannot list objects.",
			Keys: []string{"W"}, Commands: []string{"watch"},
		},
		{
			ID: "view.list", Title: "Saved views…",
			Help: "Open a built-in or saved view: a pane with its filter and sort order.",
			Keys: []string{"b"}, Commands: []string{"view"},
		},
		{
			ID: "view.save", Title: "Save view…",
			Help: "Save the filter and sort order of this pane under a name and, if you like, a key from 5 to 9.",
			Keys: []string{"B"}, Commands: []string{"save"},
		},
	}
	names := []string{"late now", "unassigned", "at risk", "idle drivers", "silent drivers"}
	for i, name := range names {
		key := strconv.Itoa(i + 5)
		actions = append(actions, Action{
			ID: "view." + key, Title: "Saved view " + key, Keys: []string{key},
			Help: "Open the view saved on " + key + ". Default: " + name + ".",
		})
	}
	return inGroup(GroupFind, actions)
}

func selectActions() []Action {
	scopes := listScopes()
	return inGroup(GroupSelect, []Action{
		{
			ID: "mark.toggle", Title: "Mark",
			Help: "Mark or unmark the row for a bulk operation.",
			Keys: []string{"space"}, Scopes: scopes,
			Hidden: true,
		},
		{
			ID: "mark.range", Title: "Mark range",
			Help: "Start a range; move, then press again to mark it. Rows keep their order meanwhile.",
			Keys: []string{"v"}, Scopes: scopes,
			Hidden: true,
		},
		{
			ID: "mark.all", Title: "Mark all",
			Help: "Mark every row that passes the filter.",
			Keys: []string{"*"}, Scopes: scopes,
		},
		{
			ID: "mark.clear", Title: "Clear marks",
			Help: "Unmark all rows.",
			Keys: []string{"V"}, Scopes: scopes,
		},
	})
}
