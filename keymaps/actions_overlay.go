package keymaps

import "slices"

// dialogActions are the keys of menus, forms and questions.
func dialogActions() []Action {
	actions := slices.Concat(menuActions(), textInputActions(), formActions(), previewActions(), confirmActions())
	for i := range actions {
		actions[i].Hidden = true
	}
	return inGroup(GroupDialogs, actions)
}

func menuActions() []Action {
	pointed := []Scope{Menu, Candidates, Progress, Preview}
	return []Action{
		{
			ID: "menu.down", Title: "Down",
			Help: "Next line.",
			Keys: []string{"j", "down"}, Scopes: pointed,
		},
		{
			ID: "menu.up", Title: "Up",
			Help: "Previous line.",
			Keys: []string{"k", "up"}, Scopes: pointed,
		},
		{
			ID: "menu.choose", Title: "Choose", HintLabel: "choose",
			Help: "Takes the line under the cursor.",
			Keys: []string{"enter"}, Scopes: []Scope{Menu, Candidates, Progress},
			HintOrder: 20,
		},
	}
}

func textInputActions() []Action {
	typed := []Scope{Palette, Picker, Help, Filter, Prompt}
	return []Action{
		{
			ID: "type.down", Title: "Next suggestion",
			Help: "Next line; in the filter, a newer one.",
			Keys: []string{"down", "ctrl+n"}, Scopes: typed,
		},
		{
			ID: "type.up", Title: "Previous suggestion",
			Help: "Previous line; in the filter, an older one.",
			Keys: []string{"up", "ctrl+p"}, Scopes: typed,
		},
		{
			ID: "type.page-down", Title: "Page of suggestions down",
			Help: "A screen down.",
			Keys: []string{"pgdown"}, Scopes: typed,
		},
		{
			ID: "type.page-up", Title: "Page of suggestions up",
			Help: "A screen up.",
			Keys: []string{"pgup"}, Scopes: typed,
		},
		{
			ID: "type.complete", Title: "Complete", HintLabel: "complete",
			Help: "Completes the word being typed.",
			Keys: []string{"tab"}, Scopes: []Scope{Palette, Picker, Help, Filter},
			HintOrder: 21,
		},
		{
			ID: "type.accept", Title: "Accept", HintLabel: "accept",
			Help: "Takes what is typed or the chosen line.",
			Keys: []string{"enter"}, Scopes: typed,
			HintOrder: 20,
		},
	}
}

func formActions() []Action {
	return []Action{
		{
			ID: "form.next", Title: "Next field", HintLabel: "next",
			Help: "Goes to the next field.",
			Keys: []string{"tab"}, Scopes: []Scope{Form},
			HintOrder: 21,
		},
		{
			ID: "form.previous", Title: "Previous field",
			Help: "Goes to the field before.",
			Keys: []string{"shift+tab"}, Scopes: []Scope{Form},
		},
		{
			ID: "form.preview", Title: "Preview", HintLabel: "preview",
			Help: "Shows what will be sent. Enter in the last field does the same.",
			Keys: []string{"f2", "ctrl+s"}, Scopes: []Scope{Form},
			HintOrder: 20,
		},
		{
			ID: "form.pick", Title: "Choose from a list", HintLabel: "pick",
			Help: "Opens the list for this field.",
			Keys: []string{"f4"}, Scopes: []Scope{Form},
			HintOrder: 22,
		},
		{
			ID: "form.reset", Title: "Start over",
			Help: "Throws the draft away and starts with the defaults.",
			Keys: []string{"f8"}, Scopes: []Scope{Form},
		},
	}
}

func previewActions() []Action {
	return []Action{
		{
			ID: "preview.send", Title: "Send", HintLabel: "send",
			Help: "Sends what is shown, once.",
			Keys: []string{"y"}, Scopes: []Scope{Preview},
			Writes: true, HintOrder: 20,
		},
		{
			ID: "preview.edit", Title: "Back to the form", HintLabel: "edit",
			Help: "Goes on editing.",
			Keys: []string{"e"}, Scopes: []Scope{Preview},
			HintOrder: 21,
		},
		{
			ID: "preview.map", Title: "Routes on the map", HintLabel: "map",
			Help: "Shows the routes of a dispatch as they are planned.",
			Keys: []string{"m"}, Scopes: []Scope{Preview},
			HintOrder: 23,
		},
		{
			ID: "preview.curl", Title: "Copy as curl", HintLabel: "copy as curl",
			Help: "Copies the request as a command, without the key.",
			Keys: []string{"c"}, Scopes: []Scope{Preview},
			HintOrder: 22,
		},
	}
}

// confirmActions answer a question. The safe answer is on Enter, and the key
// that says yes starts nothing dangerous anywhere, so the key that asked can
// never answer itself.
func confirmActions() []Action {
	return []Action{
		{
			ID: "confirm.yes", Title: "Yes", HintLabel: "yes",
			Help: "Does it.",
			Keys: []string{"y"}, Scopes: []Scope{Confirm},
			HintOrder: 20,
		},
		{
			ID: "confirm.no", Title: "No", HintLabel: "no",
			Help: "Does nothing.",
			Keys: []string{"n", "enter"}, Scopes: []Scope{Confirm},
			HintOrder: 21,
		},
	}
}
