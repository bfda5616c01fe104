package ui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"waybill/keymaps"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/theme"
)

// prompt asks for one line. What does not pass the check stays in it with the reason: nothing that was typed is lost,
// and what is typed next does not fall on the board as keys.
type prompt struct {
	title string
	note  string
	input views.LineEditor
	check func(text string) error
	err   error
	send  func(m *Model, text string) tea.Cmd
}

func (m *Model) ask(title, note, text string, send func(m *Model, text string) tea.Cmd) tea.Cmd {
	o := &prompt{title: title, note: note, send: send}
	o.input.Set(text)
	return m.open(o)
}

func (o *prompt) scope() keymaps.Scope { return keymaps.Prompt }

func (o *prompt) place(*Model) layout.Dialog {
	return layout.Dialog{Kind: layout.Menu, Width: 72, Height: 4}
}

func (o *prompt) act(m *Model, id string) (tea.Cmd, bool) {
	if id != "type.accept" {
		return nil, false
	}
	if o.check != nil {
		if o.err = o.check(o.input.Text()); o.err != nil {
			return nil, true
		}
	}
	m.closeOverlay()
	return o.send(m, o.input.Text()), true
}

func (o *prompt) typed(_ *Model, text string) tea.Cmd {
	o.err = nil
	o.input.Insert(text)
	return nil
}

func (o *prompt) edit(_ *Model, key string) tea.Cmd {
	o.err = nil
	o.input.Edit(key)
	return nil
}

func (o *prompt) appendLine(dst []byte, m *Model, y, width, height int) []byte {
	box := views.Box{Title: o.title, Foot: "enter accepts  esc leaves"}
	return box.AppendLine(dst, y, width, height, m.look.theme, func(l *views.Line, line int) {
		if line == 0 {
			o.input.Put(l, l.Left(), m.look.theme.Measure)
			return
		}
		if o.err != nil {
			l.Put(theme.Warn, o.err.Error())
			return
		}
		l.Put(theme.Muted, o.note)
	})
}

// confirm asks before something that cannot be undone. The key that says yes is never the one that asked.
type confirm struct {
	plain
	title string
	lines []string
	yes   func(m *Model) tea.Cmd
}

func (o *confirm) scope() keymaps.Scope { return keymaps.Confirm }

func (o *confirm) place(*Model) layout.Dialog {
	return layout.Dialog{Kind: layout.Menu, Width: 72, Height: len(o.lines) + 4}
}

func (o *confirm) act(m *Model, id string) (tea.Cmd, bool) {
	switch id {
	case "confirm.yes":
		m.closeOverlay()
		return o.yes(m), true
	case "confirm.no":
		m.closeOverlay()
		return nil, true
	}
	return nil, false
}

func (o *confirm) appendLine(dst []byte, m *Model, y, width, height int) []byte {
	box := views.Box{Title: o.title, Token: theme.Warn}
	return box.AppendLine(dst, y, width, height, m.look.theme, func(l *views.Line, line int) {
		switch {
		case line < len(o.lines):
			l.Put(theme.Text, o.lines[line])
		case line == len(o.lines)+1:
			l.Put(theme.Key, m.keyOf("confirm.yes")).Put(theme.Muted, " yes   ")
			l.Put(theme.Key, m.keyOf("confirm.no")).Put(theme.Muted, " no, which enter and esc mean too")
		}
	})
}

// reader is a long text on top of everything.
type reader struct {
	plain
	title string
	foot  string
	lines []views.Span
	top   int
	tall  int
}

// readerFoot is how a text is read, where nothing else can be done with it.
const readerFoot = "j k G scroll  esc leaves"

func (o *reader) scope() keymaps.Scope { return keymaps.Preview }

func (o *reader) place(*Model) layout.Dialog {
	return layout.Dialog{Kind: layout.Full, Width: 120, Height: len(o.lines) + 2}
}

func (o *reader) act(_ *Model, id string) (tea.Cmd, bool) {
	switch id {
	case "menu.down":
		o.top = max(min(o.top+1, len(o.lines)-o.tall), 0)
	case "menu.up":
		o.top = max(o.top-1, 0)
	case "preview.send", "preview.edit", "preview.curl":
	default:
		return nil, false
	}
	return nil, true
}

func (o *reader) edit(_ *Model, key string) tea.Cmd {
	switch key {
	case "pgdown", "space", "ctrl+f":
		o.top += o.tall - 1
	case "pgup", "ctrl+b":
		o.top -= o.tall - 1
	case "ctrl+d":
		o.top += o.tall / 2
	case "ctrl+u":
		o.top -= o.tall / 2
	case "end", "G":
		o.top = len(o.lines)
	case "home", "g":
		o.top = 0
	}
	o.top = max(min(o.top, len(o.lines)-o.tall), 0)
	return nil
}

// more says how much lies below.
func (o *reader) more() string {
	switch n := len(o.lines) - o.top - o.tall; {
	case n == 1:
		return "1 more line"
	case n > 1:
		return count(n) + " more lines"
	}
	return ""
}

func (o *reader) appendLine(dst []byte, m *Model, y, width, height int) []byte {
	o.tall = height - 2
	box := views.Box{Title: o.title, Foot: cmp.Or(o.foot, readerFoot), Note: o.more()}
	return box.AppendLine(dst, y, width, height, m.look.theme, func(l *views.Line, line int) {
		if at := o.top + line; at < len(o.lines) {
			l.Put(o.lines[at].Token, o.lines[at].Text)
		}
	})
}
