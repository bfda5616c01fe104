package keymaps

import "slices"

// dialogActions returns the keys of menus, text inputs, forms, previews and confirmations.
func dialogActions() []Action {
	return inGroup(GroupDialogs, hidden(slices.Concat(
		menuActions(), textInputActions(), formActions(), previewActions(), confirmActions(),
	)))
}

func menuActions() []Action {
	return inScopes([]Scope{Menu, Candidates, Progress, Preview}, []Action{
		action("menu.down", "Down", "Go to the next line.").keys("j", "down"),
		action("menu.up", "Up", "Go to the previous line.").keys("k", "up"),
		action("menu.choose", "Choose", "Choose the current line.").
			keys("enter").in(Menu, Candidates, Progress).hint("choose", 20),
	})
}

func textInputActions() []Action {
	return inScopes([]Scope{Palette, Picker, Help, Filter, Prompt}, []Action{
		action("type.down", "Next suggestion", "Go to the next line; in the filter, to a newer filter.").
			keys("down", "ctrl+n"),
		action("type.up", "Previous suggestion", "Go to the previous line; in the filter, to an older filter.").
			keys("up", "ctrl+p"),
		action("type.page-down", "Suggestions: page down", "Scroll one screen down.").keys("pgdown"),
		action("type.page-up", "Suggestions: page up", "Scroll one screen up.").keys("pgup"),
		action("type.complete", "Complete", "Complete the current word.").
			keys("tab").in(Palette, Picker, Help, Filter).hint("complete", 21),
		action("type.accept", "Accept", "Accept the text or the chosen line.").keys("enter").hint("accept", 20),
	})
}

func formActions() []Action {
	return inScopes([]Scope{Form}, []Action{
		action("form.next", "Next field", "Go to the next field.").keys("tab").hint("next", 21),
		action("form.previous", "Previous field", "Go to the previous field.").keys("shift+tab"),
		action("form.preview", "Preview", "Show the request before sending it. Enter in the last field does the same.").
			keys("f2", "ctrl+s").hint("preview", 20),
		action("form.pick", "Choose from list", "Open the list of values for this field.").
			keys("f4").hint("list", 22),
		action("form.reset", "Reset form", "Discard the draft and start with the defaults.").keys("f8"),
	})
}

func previewActions() []Action {
	return inScopes([]Scope{Preview}, []Action{
		action("preview.send", "Send", "Send the request shown.").keys("y").hint("confirm", 20).writes(),
		action("preview.edit", "Back to form", "Edit the values again.").keys("e").hint("edit", 21),
		action("preview.map", "Routes on map", "Show the planned routes of a dispatch on the map.").
			keys("m").hint("map", 23),
		action("preview.curl", "Copy as curl", "Copy the request as a curl command without the API key.").
			keys("c").hint("copy as curl", 22),
	})
}

// confirmActions returns the keys that answer a confirmation. Enter means no, and the key for yes triggers nothing
// dangerous in any scope, so the key that opened the question cannot confirm it.
func confirmActions() []Action {
	return inScopes([]Scope{Confirm}, []Action{
		action("confirm.yes", "Yes", "Confirm.").keys("y").hint("yes", 20),
		action("confirm.no", "No", "Cancel.").keys("n", "enter").hint("no", 21),
	})
}
