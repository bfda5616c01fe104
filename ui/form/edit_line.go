package form

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"

	"waybill/ui/field"
	"waybill/ui/theme"
)

// lineEditor is a line of text, typed into an input of huh.
type lineEditor struct {
	input  *huh.Input
	typed  string // what is in the input
	taken  field.Option
	secret bool
	look   Look
	hint   string
}

func newLineEditor(spec *field.Field, look Look) *lineEditor {
	l := &lineEditor{secret: spec.Kind == field.Secret, hint: spec.Hint}
	l.setLook(look)
	return l
}

// setLook makes the input anew, because one of huh keeps its first theme.
func (l *lineEditor) setLook(look Look) {
	focused := l.input != nil
	l.look = look
	l.input = huh.NewInput().Prompt("").Value(&l.typed)
	if l.secret {
		l.input.EchoMode(huh.EchoModePassword)
	}
	l.input.WithTheme(styles(look.Theme))
	l.input.WithKeyMap(&huh.KeyMap{})
	if focused {
		l.focus(true)
	}
}

// value is what stands behind the text: that of the option that was taken, or the text itself.
func (l *lineEditor) value() string {
	if l.taken.Label != "" && l.typed == l.taken.Label {
		return l.taken.Value
	}
	return l.typed
}

func (l *lineEditor) text() string { return l.typed }

func (l *lineEditor) set(value string) {
	l.taken = field.Option{}
	l.show(value)
}

// take holds an option's value and shows its label.
func (l *lineEditor) take(o field.Option) {
	if o.Label == "" {
		o.Label = o.Value
	}
	l.taken = o
	l.show(o.Label)
}

func (l *lineEditor) show(text string) {
	l.typed = text
	l.input.Value(&l.typed)
	l.input.Update(tea.KeyPressMsg{Code: tea.KeyEnd})
}

// update drops the commands of the input: they make its cursor blink, and paste from the clipboard of the machine that
// the program runs on, which over SSH is somebody else's.
func (l *lineEditor) update(msg tea.Msg) { l.input.Update(msg) }

func (l *lineEditor) focus(on bool) {
	if on {
		l.input.Focus()
		return
	}
	l.input.Blur()
}

func (l *lineEditor) draw(width, _ int, focused bool) []string {
	th := l.look.Theme
	switch {
	case focused && l.typed == "":
		// huh would fill a hint of wide characters up with zero bytes
		return []string{cursorOn(th, l.hint, width)}
	case focused:
		l.input.WithWidth(width)
		return []string{fitStyled(th, l.input.View(), width)}
	case l.typed == "":
		return []string{paint(th, theme.Muted, blank(th, l.hint), width)}
	case l.secret:
		return []string{paint(th, theme.Text, strings.Repeat("*", utf8.RuneCountInString(l.typed)), width)}
	}
	return []string{paint(th, theme.Text, l.typed, width)}
}

// blank is what an empty field shows.
func blank(th *theme.Theme, hint string) string {
	if hint == "" {
		return th.Glyphs.None
	}
	return hint
}
