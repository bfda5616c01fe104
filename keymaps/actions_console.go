package keymaps

func dataActions() []Action {
	return inGroup(GroupData, []Action{
		action("data.refresh", "Refresh", "Refresh now, within the request budget.").keys("r").commands("refresh"),
		action("data.pause", "Pause or resume refreshing", "Stop refreshing until you press the key again.").
			keys("p").commands("pause"),
		action("data.interval", "Refresh interval…", "Choose how often this pane refreshes, or turn refreshing off.").
			keys("P").commands("interval"),
	})
}

func consoleActions() []Action {
	return inGroup(GroupConsole, []Action{
		action("console.profile", "Switch profile…", "Switch to another account. Cancels the requests that are still running.").
			keys("@").commands("profile"),
		action("console.connect", "Connect to service…", "Enter an address and an API key, test them and save the key.").
			commands("connect"),
		action("console.readonly", "Toggle read-only mode", "Disable every action that changes something. Turning it off asks for confirmation.").
			keys("!").commands("readonly"),
		action("console.lock", "Turn read-only mode on", "Disable every action that changes something.").
			commands("ro", "lock"),
		action("console.unlock", "Turn read-only mode off", "Allow changes again. Asks for confirmation.").
			commands("rw", "unlock"),
		action("console.theme", "Theme…", "Choose dark, light, high contrast, mono, or follow the terminal's background.").
			commands("theme"),
		action("console.ascii", "Toggle ASCII symbols", "Draw only with characters that every font has.").
			commands("ascii"),
		action("console.mouse", "Toggle mouse", "With the mouse on, hold the terminal's modifier key to select text.").
			commands("mouse"),
		action("console.notify", "Notifications…", "Choose how to be told about late tasks: not at all, with a bell, or by a terminal notification.").
			commands("notify"),
		action("console.zone", "Time zone…", "Show times in the organization's zone, in yours, or in UTC.").
			commands("zone"),
		action("console.undo", "Undo", "Undo the last change where possible: an assignment, a new task, an edited note.").
			keys("U").commands("undo").dangerous(),
	})
}
