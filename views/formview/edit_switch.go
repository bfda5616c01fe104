package formview

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"waybill/views/theme"
)

// switchEditor is yes or nothing: one key, where huh's confirmation has two buttons.
type switchEditor struct {
	on     bool
	look   Look
	typing typing
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
	if text := key.Text; text != "" && text != " " {
		s.typed(text)
		return
	}
	if s.typing.lost && key.Text == " " { // between two words
		return
	}
	s.rest()
	switch key.String() {
	case "space", "left", "right":
		s.on = !s.on
	case "backspace", "delete":
		s.on = false
	}
}

// typed answers with the first letter of yes or no. A text that is meant for another field answers nothing.
func (s *switchEditor) typed(text string) {
	answer := strings.ToLower(text)
	if !s.typing.add(text, s.value()) {
		return
	}
	if answer != "y" && answer != "n" {
		s.set(s.typing.giveUp())
		return
	}
	s.on = answer == "y"
}

func (s *switchEditor) rest()        { s.typing = typing{} }
func (s *switchEditor) astray() bool { return s.typing.lost }

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
