package formview

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/views"
	"waybill/views/theme"
)

// toggleEditor edits a yes/no value.
type toggleEditor struct {
	on     bool
	typing typeAhead
}

func (t *toggleEditor) set(value string) { t.on = value == "yes" }
func (t *toggleEditor) text() string     { return t.value() }

func (t *toggleEditor) value() string {
	if t.on {
		return "yes"
	}
	return ""
}

func (t *toggleEditor) update(msg tea.Msg) {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return
	}
	if text := key.Text; text != "" && text != " " {
		t.handleText(text)
		return
	}
	if t.typing.rejected && key.Text == " " { // between two words
		return
	}
	t.resetTyping()
	switch key.String() {
	case "space", "left", "right":
		t.on = !t.on
	case "backspace", "delete":
		t.on = false
	}
}

// handleText sets the value from the first letter of yes or no. Other text leaves the value unchanged.
func (t *toggleEditor) handleText(text string) {
	if !t.typing.add(text, t.value()) {
		return
	}
	switch strings.ToLower(text) {
	case "y":
		t.on = true
	case "n":
		t.on = false
	default:
		t.set(t.typing.reject())
	}
}

func (t *toggleEditor) resetTyping()       { t.typing = typeAhead{} }
func (t *toggleEditor) textRejected() bool { return t.typing.rejected }

func (t *toggleEditor) draw(th *theme.Theme, width, _ int, focused bool) []string {
	token, text := theme.Muted, "[ ] no"
	if t.on {
		token, text = theme.Text, "[x] yes"
	}
	if focused {
		token = theme.Accent
	}
	return []string{string(views.NewLine(nil, th, width).Put(token, text).End())}
}
