package dialog

import (
	"waybill/keymaps"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/theme"
)

// Prompt asks for one line. A text that fails the check stays in it with the reason, so that nothing typed is lost.
type Prompt struct {
	editor
	title string
	note  string
	Check func(text string) error // nil accepts everything
	Err   error                   // why the text is refused
}

// NewPrompt returns a prompt that starts with a text.
func NewPrompt(title, note, text string) *Prompt {
	d := &Prompt{title: title, note: note}
	d.base = base{keymaps.Prompt, layout.Dialog{Kind: layout.Menu, Width: 72, Height: 4}}
	d.changed = func() Action {
		d.Err = nil
		return nil
	}
	d.Input.Set(text)
	return d
}

// RunAction implements [Dialog].
func (d *Prompt) RunAction(id string) (Action, bool) {
	if id != "type.accept" {
		return nil, false
	}
	if d.Check != nil {
		if d.Err = d.Check(d.Input.Text()); d.Err != nil {
			return nil, true
		}
	}
	return Submit{d.Input.Text()}, true
}

// AppendLine implements [Dialog].
func (d *Prompt) AppendLine(dst []byte, c *Context, y, width, height int) []byte {
	box := views.Box{Title: d.title, Hints: []keymaps.Hint{hint("enter", "accept"), hint("esc", "cancel")}}
	return box.AppendLine(dst, y, width, height, c.Theme, func(l *views.Line, line int) {
		switch {
		case line == 0:
			d.Input.Put(l, l.Left())
		case d.Err != nil:
			l.Put(theme.Warn, d.Err.Error())
		default:
			l.Put(theme.Muted, d.note)
		}
	})
}
