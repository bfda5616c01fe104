package form

import (
	"strings"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"waybill/ui/field"
	"waybill/ui/theme"
)

// textEditor is several lines of text. The text field of huh ends at 99 lines and drops the rest of what is pasted; this
// is the same area without that end, and without the key that opens another editor.
type textEditor struct {
	area textarea.Model
	look Look
	hint string
}

func newTextEditor(spec *field.Field, look Look) *textEditor {
	t := &textEditor{area: textarea.New(), hint: spec.Hint}
	t.area.Prompt, t.area.ShowLineNumbers = "", false
	t.area.MaxHeight, t.area.MaxWidth = 0, 0
	t.area.KeyMap.Paste.SetEnabled(false)         // from the clipboard of the machine that the program runs on
	t.area.KeyMap.CopySelection.SetEnabled(false) // to it
	t.setLook(look)
	return t
}

func (t *textEditor) setLook(look Look) {
	t.look = look
	plain := textarea.StyleState{Text: look.Theme.Lip(theme.Text), Selection: lipgloss.NewStyle().Reverse(true)}
	st := t.area.Styles()
	st.Focused, st.Blurred = plain, plain
	st.Cursor.Blink = false
	st.Cursor.Color = look.Theme.Lip(theme.Accent).GetForeground()
	t.area.SetStyles(st)
}

func (t *textEditor) value() string { return t.area.Value() }
func (t *textEditor) text() string  { return t.area.Value() }

func (t *textEditor) set(value string) { t.area.SetValue(value) }

func (t *textEditor) update(msg tea.Msg) { t.area, _ = t.area.Update(msg) }

func (t *textEditor) focus(on bool) {
	if on {
		t.area.Focus()
		return
	}
	t.area.Blur()
}

func (t *textEditor) draw(width, rows int, focused bool) []string {
	th := t.look.Theme
	lines := make([]string, rows)
	for i := range lines {
		lines[i] = paint(th, theme.Text, "", width)
	}
	if t.area.Length() == 0 && t.area.LineCount() <= 1 {
		lines[0] = paint(th, theme.Muted, blank(th, t.hint), width)
		if focused {
			lines[0] = cursorOn(th, t.hint, width)
		}
		return lines
	}
	t.area.SetWidth(width)
	t.area.SetHeight(rows)
	for i, line := range strings.Split(t.area.View(), "\n") {
		if i < rows {
			lines[i] = fitStyled(th, line, width)
		}
	}
	return lines
}
