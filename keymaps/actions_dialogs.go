package keymaps

import "slices"

// dialogActions returns the keys of menus, text inputs, forms, previews and confirmations.
func dialogActions() []Action {
	return inGroup(GroupDialogs, hidden(slices.Concat(
		menuActions(), textInputActions(), formActions(), previewActions(), confirmActions(),
	)))
}

func menuActions() []Action {
	cursorScopes := []Scope{Menu, Candidates, Progress, Preview}
	return []Action{
		{
			ID: "menu.down", Title: "Down",
			Help: "Go to the next line.",
			Keys: []string{"j", "down"}, Scopes: cursorScopes,
		},
		{
			ID: "menu.up", Title: "Up",
			Help: "Go to the previous line.",
			Keys: []string{"k", "up"}, Scopes: cursorScopes,
		},
		{
			ID: "menu.choose", Title: "Choose", HintLabel: "choose",
			Help: "Choose the current line.",
			Keys: []string{"enter"}, Scopes: []Scope{Menu, Candidates, Progress},
			HintOrder: 20,
		},
	}
}

func textInputActions() []Action {
	inputScopes := []Scope{Palette, Picker, Help, Filter, Prompt}
	return []Action{
		{
			ID: "type.down", Title: "Next suggestion",
			Help: "Go to the next line; in the filter, to a newer filter.",
			Keys: []string{"down", "ctrl+n"}, Scopes: inputScopes,
		},
		{
			ID: "type.up", Title: "Previous suggestion",
			Help: "Go to the previous line; in the filter, to an older filter.",
			Keys: []string{"up", "ctrl+p"}, Scopes: inputScopes,
		},
		{
			ID: "type.page-down", Title: "Suggestions: page down",
			Help: "Scroll one screen down.",
			Keys: []string{"pgdown"}, Scopes: inputScopes,
		},
		{
			ID: "type.page-up", Title: "Suggestions: page up",
			Help: "Scroll one screen up.",
			Keys: []string{"pgup"}, Scopes: inputScopes,
		},
		{
			ID: "type.complete", Title: "Complete", HintLabel: "complete",
			Help: "Complete the current word.",
			Keys: []string{"tab"}, Scopes: []Scope{Palette, Picker, Help, Filter},
			HintOrder: 21,
		},
		{
			ID: "type.accept", Title: "Accept", HintLabel: "accept",
			Help: "Accept the text or the chosen line.",
			Keys: []string{"enter"}, Scopes: inputScopes,
			HintOrder: 20,
		},
	}
}

func formActions() []Action {
	return []Action{
		{
			ID: "form.next", Title: "Next field", HintLabel: "next",
			Help: "Go to the next field.",
			Keys: []string{"tab"}, Scopes: []Scope{Form},
			HintOrder: 21,
		},
		{
			ID: "form.previous", Title: "Previous field",
			Help: "Go to the previous field.",
			Keys: []string{"shift+tab"}, Scopes: []Scope{Form},
		},
		{
			ID: "form.preview", Title: "Preview", HintLabel: "preview",
			Help: "Show the request before sending it. Enter in the last field does the same.",
			Keys: []string{"f2", "ctrl+s"}, Scopes: []Scope{Form},
			HintOrder: 20,
		},
		{
			ID: "form.pick", Title: "Choose from list", HintLabel: "list",
			Help: "Open the list of values for this field.",
			Keys: []string{"f4"}, Scopes: []Scope{Form},
			HintOrder: 22,
		},
		{
			ID: "form.reset", Title: "Reset form",
			Help: "Discard the draft and start with the defaults.",
			Keys: []string{"f8"}, Scopes: []Scope{Form},
		},
	}
}

func previewActions() []Action {
	return []Action{
		{
			ID: "preview.send", Title: "Send", HintLabel: "confirm",
			Help: "Send the request shown.",
			Keys: []string{"y"}, Scopes: []Scope{Preview},
			Writes: true, HintOrder: 20,
		},
		{
			ID: "preview.edit", Title: "Back to form", HintLabel: "edit",
			Help: "Edit the values again.",
			Keys: []string{"e"}, Scopes: []Scope{Preview},
			HintOrder: 21,
		},
		{
			ID: "preview.map", Title: "Routes on map", HintLabel: "map",
			Help: "Show the planned routes of a dispatch on the map.",
			Keys: []string{"m"}, Scopes: []Scope{Preview},
			HintOrder: 23,
		},
		{
			ID: "preview.curl", Title: "Copy as curl", HintLabel: "copy as curl",
			Help: "Copy the request as a curl command without the API key.",
			Keys: []string{"c"}, Scopes: []Scope{Preview},
			HintOrder: 22,
		},
	}
}

// confirmActions returns the keys that answer a confirmation. Enter means no, and the key for yes triggers nothing
// dangerous in any scope, so the key that opened the question cannot confirm it.
func confirmActions() []Action {
	return []Action{
		{
			ID: "confirm.yes", Title: "Yes", HintLabel: "yes",
			Help: "Confirm.",
			Keys: []string{"y"}, Scopes: []Scope{Confirm},
			HintOrder: 20,
		},
		{
			ID: "confirm.no", Title: "No", HintLabel: "no",
			Help: "Cancel.",
			Keys: []string{"n", "enter"}, Scopes: []Scope{Confirm},
			HintOrder: 21,
		},
	}
}
