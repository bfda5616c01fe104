package formview

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/operations/form"
	"waybill/views"
	"waybill/views/theme"
)

// toggleEditor edits a yes/no value: a choice of two that is drawn as a checkbox.
type toggleEditor struct{ choiceEditor }

func newToggleEditor() *toggleEditor {
	return &toggleEditor{choiceEditor{options: []form.Option{{Label: "no"}, {Value: "yes"}}}}
}

func (t *toggleEditor) set(value string) {
	if value != "yes" {
		value = ""
	}
	t.choiceEditor.set(value)
}

func (t *toggleEditor) update(msg tea.Msg) {
	press, _ := msg.(tea.KeyPressMsg)
	switch key := press.String(); {
	case key == "space" && !t.typing.rejected:
		t.resetTyping()
		t.move(1)
	case key == "backspace", key == "delete":
		t.resetTyping()
		t.choose(0)
	case press.Text == "":
		t.choiceEditor.update(msg)
	case !t.typing.add(press.Text, t.value()):
	case strings.EqualFold(press.Text, "y"):
		t.choose(1)
	case strings.EqualFold(press.Text, "n"):
		t.choose(0)
	default: // other text was meant for another field
		t.set(t.typing.reject())
	}
}

func (t *toggleEditor) draw(th *theme.Theme, width, _ int, focused bool) []string {
	token, text := theme.Muted, "[ ] no"
	if t.value() != "" {
		token, text = theme.Text, "[x] yes"
	}
	if focused {
		token = theme.Accent
	}
	return []string{string(views.NewLine(nil, th, width).Put(token, text).End())}
}
