package keymaps

import "strconv"

func findActions() []Action {
	actions := []Action{
		action("find.filter", "Filter", "Show only matching rows. Use words and terms such as late>10m team:north worker:none !done.").
			keys("/").hint("filter", 80),
		action("find.clear", "Clear filter", "Show all rows again.").keys("\\"),
		action("find.sort", "Sort by…", "Choose the column to sort by. Each pane remembers its choice.").
			keys("s").commands("sort"),
		action("find.sort-flip", "Reverse sort order", "Switch between ascending and descending.").keys("S"),
		action("find.sort-left", "Sort by previous column", "Sort by the column to the left of the current one.").
			keys("<"),
		action("find.sort-right", "Sort by next column", "Sort by the column to the right of the current one.").
			keys(">"),
		action("find.columns", "Choose columns…", "Choose which columns the pane shows, and in which order.").
			commands("columns"),
		action("find.palette", "All actions", "Find an action by a part of its name, or type a command such as profile acme.").
			keys(":").hint("actions", 90).hidden(),
		action("find.help", "Help", "Show all keys that work here, and why some are disabled.").
			keys("?", "f1").commands("help").hint("help", 91),
		action("find.goto", "Go to ID…", "Open a task, order, driver, recipient or destination by its ID or short ID.").
			keys("#").commands("goto", "open"),
		action("find.watch", "Watch ID…", "Add an ID or short ID to the watchlist. Needed only where the service cannot list objects.").
			keys("W").commands("watch"),
		action("view.list", "Saved views…", "Open a built-in or saved view: a pane with its filter and sort order.").
			keys("b").commands("view"),
		action("view.save", "Save view…", "Save the filter and sort order of this pane under a name and, if you like, a key from 5 to 9.").
			keys("B").commands("save"),
	}
	names := []string{"late now", "unassigned", "at risk", "idle drivers", "silent drivers"}
	for i, name := range names {
		key := strconv.Itoa(i + 5)
		help := "Open the view saved on " + key + ". Default: " + name + "."
		actions = append(actions, action("view."+key, "Saved view "+key, help).keys(key))
	}
	return inGroup(GroupFind, actions)
}

func selectActions() []Action {
	return inGroup(GroupSelect, inScopes(listScopes(), []Action{
		action("mark.toggle", "Mark", "Mark or unmark the row for a bulk operation.").keys("space").hidden(),
		action("mark.range", "Mark range", "Start a range; move, then press again to mark it. Rows do not move until then.").
			keys("v").hidden(),
		action("mark.all", "Mark all", "Mark every row that passes the filter.").keys("*"),
		action("mark.clear", "Clear marks", "Unmark all rows.").keys("V"),
	}))
}
