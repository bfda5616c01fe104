package keymaps

func dataActions() []Action {
	return inGroup(GroupData, []Action{
		{
			ID: "data.refresh", Title: "Refresh",
			Help: "Refresh now, within the request budget.",
			Keys: []string{"r"}, Commands: []string{"refresh"},
		},
		{
			ID: "data.pause", Title: "Pause or resume refreshing",
			Help: "Stop refreshing until you press the key again.",
			Keys: []string{"p"}, Commands: []string{"pause"},
		},
		{
			ID: "data.interval", Title: "Refresh interval…",
			Help: "Choose how often this pane refreshes, or turn refreshing off.",
			Keys: []string{"P"}, Commands: []string{"interval"},
		},
	})
}

func consoleActions() []Action {
	return inGroup(GroupConsole, []Action{
		{
			ID: "console.profile", Title: "Switch profile…",
			Help: "Switch to another account. Cancels the requests that are still running.",
			Keys: []string{"@"}, Commands: []string{"profile"},
		},
		{
			ID: "console.connect", Title: "Connect to service…",
			Help:     "Enter an address and an API key, test them and save the key.",
			Commands: []string{"connect"},
		},
		{
			ID: "console.readonly", Title: "Toggle read-only mode",
			Help: "Disable every action that changes something. Turning it off asks for confirmation.",
			Keys: []string{"!"}, Commands: []string{"readonly"},
		},
		{
			ID: "console.lock", Title: "Turn read-only mode on",
			Help:     "Disable every action that changes something.",
			Commands: []string{"ro", "lock"},
		},
		{
			ID: "console.unlock", Title: "Turn read-only mode off",
			Help:     "Allow changes again. Asks for confirmation.",
			Commands: []string{"rw", "unlock"},
		},
		{
			ID: "console.theme", Title: "Theme…",
			Help:     "Choose dark, light, high contrast, mono, or follow the terminal's background.",
			Commands: []string{"theme"},
		},
		{
			ID: "console.ascii", Title: "Toggle ASCII symbols",
			Help:     "Draw only with characters that every font has.",
			Commands: []string{"ascii"},
		},
		{
			ID: "console.mouse", Title: "Toggle mouse",
			Help:     "With the mouse on, hold the terminal's modifier key to select text.",
			Commands: []string{"mouse"},
		},
		{
			ID: "console.notify", Title: "Notifications…",
			Help:     "Choose how to be told about late tasks: not at all, with a bell, or by a terminal notification.",
			Commands: []string{"notify"},
		},
		{
			ID: "console.zone", Title: "Time zone…",
			Help:     "Show times in the organization's zone, in yours, or in UTC.",
			Commands: []string{"zone"},
		},
		{
			ID: "console.undo", Title: "Undo",
			Help: "Undo the last change where possible: an assignment, a new task, an edited note.",
			Keys: []string{"U"}, Commands: []string{"undo"},
			Writes: true, Dangerous: true,
		},
	})
}
