// Package dialog holds everything that lies over the screen and takes the keys: menus, prompts, forms, previews and the
// palette. A dialog is given what it shows when it is made. It never sees the console: it answers keys with a typed
// action, and the console decides what that means.
package dialog

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/operations/form"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/theme"
)

// Dialog takes all keys while it is on top.
type Dialog interface {
	// Scope names the keys that work in it; empty for none of its own.
	Scope() keymaps.Scope
	// Placement is where it lies and its preferred size; without a kind it replaces the status line.
	Placement(c *Context) layout.Dialog
	// RunAction runs an action of its scope. It returns false for an action that is not its own.
	RunAction(id string) (Action, bool)
	// InsertText takes typed or pasted text.
	InsertText(text string) Action
	// PressKey takes a key that belongs to no action.
	PressKey(key string) Action
	// AppendLine draws one line.
	AppendLine(dst []byte, c *Context, y, width, height int) []byte
}

// KeyInterceptor is a dialog that sees every key before the actions of its scope do.
type KeyInterceptor interface {
	InterceptKey(key tea.KeyPressMsg) (a Action, intercepted bool)
}

// InputReader is a dialog that reads keys and pasted text itself.
type InputReader interface {
	ReadInput(msg tea.Msg) Action
}

// Context is what a dialog needs to draw itself.
type Context struct {
	Theme  *theme.Theme
	Width  int // of the screen
	Now    time.Time
	KeyFor func(action string) string
}

// Action is what a key in a dialog asks the console for. A nil action asks for nothing.
type Action interface{ action() }

type (
	// Close closes the dialog.
	Close struct{}
	// Inform shows a message; the dialog stays open.
	Inform struct{ Text string }
	// Warn shows a warning; the dialog stays open.
	Warn struct{ Text string }
	// Choose takes a line of a menu.
	Choose struct{ Index int }
	// ChooseColumns shows columns; nil shows the default ones.
	ChooseColumns struct{ Keys []string }
	// Submit takes the text of a prompt.
	Submit struct{ Text string }
	// Accept takes a line of a finder; ID is empty where nothing matches the query.
	Accept struct{ Query, ID string }
	// Confirm says yes.
	Confirm struct{}

	// SetFilter filters by what has been typed so far.
	SetFilter struct{ Text string }
	// KeepFilter closes the filter line and keeps the filter.
	KeepFilter struct{ Text string }
	// RestoreFilter closes the filter line and goes back to the filter before it.
	RestoreFilter struct{ Text string }

	// LeaveField follows a change of the focused field: drafts are saved and notes are read.
	LeaveField struct{}
	// SaveDraft saves the values of a form as a draft.
	SaveDraft struct{}
	// SubmitForm asks for the preview of a form.
	SubmitForm struct{}
	// CloseForm closes a form and keeps its draft.
	CloseForm struct{}
	// PickOption asks for a list of everything the focused field can hold.
	PickOption struct {
		Title   string
		Options []form.Option
	}

	// SendProposal confirms a preview.
	SendProposal struct{}
	// RetryPreview prepares the requests of a preview again; Automatic if nobody pressed a key for it.
	RetryPreview struct{ Automatic bool }
	// EditForm goes back from a preview to its form.
	EditForm struct{}
	// CopyCurl copies the requests of a preview as shell commands.
	CopyCurl struct{}
	// ShowMap shows the planned routes of a dispatch.
	ShowMap struct{}

	// RunNext starts the action that a report suggests.
	RunNext struct{}
)

func (Close) action()         {}
func (Inform) action()        {}
func (Warn) action()          {}
func (Choose) action()        {}
func (ChooseColumns) action() {}
func (Submit) action()        {}
func (Accept) action()        {}
func (Confirm) action()       {}
func (SetFilter) action()     {}
func (KeepFilter) action()    {}
func (RestoreFilter) action() {}
func (LeaveField) action()    {}
func (SaveDraft) action()     {}
func (SubmitForm) action()    {}
func (CloseForm) action()     {}
func (PickOption) action()    {}
func (SendProposal) action()  {}
func (RetryPreview) action()  {}
func (EditForm) action()      {}
func (CopyCurl) action()      {}
func (ShowMap) action()       {}
func (RunNext) action()       {}

// IsAction reports that an action belongs to dialogs, which run it themselves.
func IsAction(id string) bool {
	group, _, _ := strings.Cut(id, ".")
	switch group {
	case "menu", "type", "confirm", "form", "preview":
		return true
	}
	return false
}

// base is what all dialogs have in common: their keys and their place. It takes no text and runs no action.
type base struct {
	scope     keymaps.Scope
	placement layout.Dialog
}

// Scope implements [Dialog].
func (b *base) Scope() keymaps.Scope { return b.scope }

// Placement implements [Dialog].
func (b *base) Placement(*Context) layout.Dialog { return b.placement }

// RunAction implements [Dialog].
func (b *base) RunAction(string) (Action, bool) { return nil, false }

// InsertText implements [Dialog].
func (b *base) InsertText(string) Action { return nil }

// PressKey implements [Dialog].
func (b *base) PressKey(string) Action { return nil }

// editor is what dialogs with a line of text have in common.
type editor struct {
	base
	Input       views.LineEditor
	changed     func() Action // follows every change of the text
	closesEmpty bool          // backspace in an empty line closes the dialog
}

// InsertText implements [Dialog].
func (e *editor) InsertText(text string) Action {
	e.Input.Insert(text)
	return e.changed()
}

// PressKey edits the line.
func (e *editor) PressKey(key string) Action {
	switch {
	case e.closesEmpty && key == "backspace" && e.Input.Text() == "":
		return Close{}
	case e.Input.Edit(key):
		return e.changed()
	}
	return nil
}

// steps is how many lines an action moves a cursor; ok is false for other actions.
func steps(action string) (lines int, ok bool) {
	const page = 10
	switch action {
	case "menu.down", "type.down":
		return 1, true
	case "menu.up", "type.up":
		return -1, true
	case "type.page-down":
		return page, true
	case "type.page-up":
		return -page, true
	}
	return 0, false
}

// hint is a key and what it does, for the lower edge of a dialog.
func hint(key, label string) keymaps.Hint { return keymaps.Hint{Key: key, Label: label} }
