package form

import (
	tea "charm.land/bubbletea/v2"

	"waybill/ui/theme"
)

// switchEditor is yes or nothing: one key, where huh's confirmation has two buttons.
type switchEditor struct {
	on   bool
	look Look
}

func newSwitchEditor(look Look) *switchEditor { return &switchEditor{look: look} }

func (s *switchEditor) setLook(look Look) { s.look = look }
func (s *switchEditor) set(value string)  { s.on = value == "yes" }
func (s *switchEditor) text() string      { return s.value() }

func (s *switchEditor) value() string {
	if s.on {
		return "yes"
	}
	return ""
}

func (s *switchEditor) update(msg tea.Msg) {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return
	}
	switch key.String() {
	case "space", "left", "right":
		s.on = !s.on
	case "y", "Y":
		s.on = true
	case "n", "N", "backspace", "delete":
		s.on = false
	}
}

func (s *switchEditor) draw(width, _ int, focused bool) []string {
	th := s.look.Theme
	token, mark, word := theme.Muted, "[ ]", "no"
	if s.on {
		token, mark, word = theme.Text, "[x]", "yes"
	}
	if focused {
		token = theme.Accent
	}
	return []string{paint(th, token, mark+" "+word, width)}
}
