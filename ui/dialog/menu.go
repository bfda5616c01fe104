package dialog

import (
	"waybill/keymaps"
	"waybill/views"
	"waybill/views/layout"
	"waybill/views/theme"
)

// Menu is a short list to choose from.
type Menu struct {
	base
	title   string
	hints   []keymaps.Hint
	Choices views.Choices
}

// NewMenu returns a menu. The verb says what enter does. The first nine lines can also be chosen by their digit.
func NewMenu(scope keymaps.Scope, title string, choices []views.Choice, verb string) *Menu {
	for i := range choices[:min(len(choices), 9)] {
		choices[i].Key = string(rune('1' + i))
	}
	d := &Menu{base: base{scope: scope}, title: title, hints: []keymaps.Hint{hint("enter", verb), hint("esc", "cancel")}}
	d.Choices.Set(choices)
	return d
}

// Placement implements [Dialog].
func (d *Menu) Placement(c *Context) layout.Dialog {
	const frame, columns, maxNote = 8, 12, 64
	measure := c.Theme.Measure
	hints := 0
	for _, h := range d.hints {
		hints += h.Width() + len(" · ")
	}
	width := max(measure.Width(d.title), hints) + frame
	for _, choice := range d.Choices.Items {
		note := max(measure.Width(choice.Note), measure.Width(choice.Disabled))
		width = max(width, measure.Width(choice.Label)+min(note, maxNote)+columns)
	}
	return layout.Dialog{Kind: layout.Menu, Width: width, Height: len(d.Choices.Items) + 2}
}

// RunAction implements [Dialog].
func (d *Menu) RunAction(id string) (Action, bool) {
	n, move := steps(id)
	d.Choices.Move(n)
	if at, ok := d.Choices.Current(); ok && id == "menu.choose" {
		return d.choose(at), true
	}
	return nil, move || id == "menu.choose"
}

// PressKey chooses a line by its digit.
func (d *Menu) PressKey(key string) Action {
	for i, c := range d.Choices.Items {
		if c.Key == key && key != "" {
			return d.choose(i)
		}
	}
	return nil
}

func (d *Menu) choose(at int) Action {
	if reason := d.Choices.Items[at].Disabled; reason != "" {
		return Warn{reason}
	}
	return Choose{at}
}

// AppendLine implements [Dialog].
func (d *Menu) AppendLine(dst []byte, c *Context, y, width, height int) []byte {
	box := views.Box{Title: d.title, Hints: d.hints}
	d.Choices.ScrollToCursor(height - 2)
	keys := d.Choices.KeyWidth(c.Theme.Measure)
	return box.AppendLine(dst, y, width, height, c.Theme, func(l *views.Line, line int) { d.Choices.PutLine(l, line, keys) })
}

// Question asks before something that cannot be undone. The key for yes is never the one that opened it.
type Question struct {
	base
	title string
	lines []string
}

// NewQuestion returns a question that is answered with yes or no.
func NewQuestion(title string, lines ...string) *Question {
	placement := layout.Dialog{Kind: layout.Menu, Width: 72, Height: len(lines) + 4}
	return &Question{base: base{keymaps.Confirm, placement}, title: title, lines: lines}
}

// RunAction implements [Dialog].
func (d *Question) RunAction(id string) (Action, bool) {
	switch id {
	case "confirm.yes":
		return Confirm{}, true
	case "confirm.no":
		return Close{}, true
	}
	return nil, false
}

// AppendLine implements [Dialog].
func (d *Question) AppendLine(dst []byte, c *Context, y, width, height int) []byte {
	box := views.Box{Title: d.title, Token: theme.Warn}
	return box.AppendLine(dst, y, width, height, c.Theme, func(l *views.Line, line int) {
		switch {
		case line < len(d.lines):
			l.Put(theme.Text, d.lines[line])
		case line == len(d.lines)+1:
			l.Put(theme.Key, c.KeyFor("confirm.yes")).Put(theme.Muted, " yes · ")
			l.Put(theme.Key, c.KeyFor("confirm.no")).Put(theme.Muted, " or esc no")
		}
	})
}
