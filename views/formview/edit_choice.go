package formview

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"waybill/operations/form"
	"waybill/views/theme"
)

// choiceEditor is one of a few. They are all seen at once where there is room, which the inline select of huh does not do.
type choiceEditor struct {
	options []form.Option
	at      int
	stray   string // a value that is none of the options; kept until another is chosen
	look    Look
	typing  typing
}

func newChoiceEditor(spec *form.Field, look Look) *choiceEditor {
	return &choiceEditor{options: spec.Options, look: look}
}

func (c *choiceEditor) setLook(look Look) { c.look = look }

func (c *choiceEditor) value() string {
	if c.stray != "" {
		return c.stray
	}
	if len(c.options) == 0 {
		return ""
	}
	return c.options[c.at].Value
}

func (c *choiceEditor) text() string {
	if c.stray != "" || len(c.options) == 0 {
		return c.stray
	}
	return label(c.options[c.at])
}

func label(o form.Option) string {
	if o.Label == "" {
		return o.Value
	}
	return o.Label
}

func (c *choiceEditor) set(value string) {
	c.at, c.stray = 0, ""
	if value == "" {
		return
	}
	for i, o := range c.options {
		if o.Value == value {
			c.at = i
			return
		}
	}
	c.stray = value
}

func (c *choiceEditor) update(msg tea.Msg) {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok || len(c.options) == 0 {
		return
	}
	if text := key.Text; text != "" {
		c.typed(text)
		return
	}
	c.rest()
	switch key.String() {
	case "left":
		c.move(-1)
	case "right":
		c.move(1)
	case "home":
		c.at, c.stray = 0, ""
	case "end":
		c.at, c.stray = len(c.options)-1, ""
	}
}

func (c *choiceEditor) move(by int) {
	if c.stray != "" {
		c.at, c.stray = 0, ""
		return
	}
	c.at = (c.at + by + len(c.options)) % len(c.options)
}

// typed goes to the option that begins with what is typed. Once it is clear that a text is meant, such as an address in
// the wrong field, everything is as it was before.
func (c *choiceEditor) typed(text string) {
	if !c.typing.add(text, c.value()) {
		return
	}
	for i := range c.options {
		at := (c.at + c.typing.from() + i) % len(c.options)
		if c.typing.begins(label(c.options[at])) {
			c.at, c.stray = at, ""
			return
		}
	}
	c.set(c.typing.giveUp())
}

func (c *choiceEditor) rest()        { c.typing = typing{} }
func (c *choiceEditor) astray() bool { return c.typing.lost }

func (c *choiceEditor) draw(width, _ int, focused bool) []string {
	th := c.look.Theme
	if c.stray != "" {
		return []string{paint(th, theme.Warn, th.Glyphs.Silent+" "+c.stray, width)}
	}
	if len(c.options) == 0 {
		return []string{paint(th, theme.Muted, th.Glyphs.None, width)}
	}
	need := 0
	for _, o := range c.options {
		need += th.Measure.Width(label(o)) + 4
	}
	l := newLine(th, width)
	if need-2 > width {
		c.drawOne(l, focused)
		return []string{l.end()}
	}
	for i, o := range c.options {
		if i > 0 {
			l.space(2)
		}
		mark, token := th.Glyphs.Unassigned, theme.Muted
		if i == c.at {
			mark, token = th.Glyphs.Mark, theme.Text
			if focused {
				token = theme.Accent
			}
		}
		l.put(token, mark+" "+label(o))
	}
	return []string{l.end()}
}

// drawOne draws the chosen option alone, for want of room.
func (c *choiceEditor) drawOne(l *line, focused bool) {
	token := theme.Text
	if focused {
		token = theme.Accent
	}
	count := fmt.Sprintf("  %d of %d", c.at+1, len(c.options))
	room := l.left - l.theme.Measure.Width(count) - 4
	l.put(theme.Muted, "< ").put(token, l.theme.Measure.Truncate(label(c.options[c.at]), room)).put(theme.Muted, " >")
	l.put(theme.Muted, count)
}

// note is the remark of the chosen option.
func (c *choiceEditor) note() string {
	if c.stray != "" || len(c.options) == 0 {
		return ""
	}
	return c.options[c.at].Note
}
