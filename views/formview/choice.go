package formview

import (
	"cmp"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"waybill/operations/form"
	"waybill/views"
	"waybill/views/theme"
)

// choiceEditor chooses one of a few options. All are visible where there is room.
type choiceEditor struct {
	options []form.Option
	current int
	unknown string // a value that is not among the options; kept until another one is chosen
	typing  typeAhead
}

func (c *choiceEditor) option() form.Option {
	if c.unknown != "" || len(c.options) == 0 {
		return form.Option{Value: c.unknown}
	}
	return c.options[c.current]
}

func (c *choiceEditor) value() string { return c.option().Value }
func (c *choiceEditor) text() string  { return optionLabel(c.option()) }

func optionLabel(o form.Option) string { return cmp.Or(o.Label, o.Value) }

func (c *choiceEditor) set(value string) {
	c.choose(0)
	if value == "" {
		return
	}
	at := slices.IndexFunc(c.options, func(o form.Option) bool { return o.Value == value })
	if at < 0 {
		c.unknown = value
		return
	}
	c.choose(at)
}

func (c *choiceEditor) choose(at int) { c.current, c.unknown = at, "" }

func (c *choiceEditor) update(msg tea.Msg) {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok || len(c.options) == 0 {
		return
	}
	if key.Text != "" {
		c.handleText(key.Text)
		return
	}
	c.resetTyping()
	switch key.String() {
	case "left":
		c.move(-1)
	case "right":
		c.move(1)
	case "home":
		c.choose(0)
	case "end":
		c.choose(len(c.options) - 1)
	}
}

func (c *choiceEditor) move(step int) {
	if c.unknown != "" {
		c.choose(0)
		return
	}
	c.choose((c.current + step + len(c.options)) % len(c.options))
}

// handleText chooses the option that starts with the typed text. If none does, as with an address typed into the wrong
// field, the value before is restored.
func (c *choiceEditor) handleText(text string) {
	if !c.typing.add(text, c.value()) {
		return
	}
	for i := range c.options {
		at := (c.current + c.typing.searchOffset() + i) % len(c.options)
		if c.typing.matches(optionLabel(c.options[at])) {
			c.choose(at)
			return
		}
	}
	c.set(c.typing.reject())
}

func (c *choiceEditor) resetTyping()       { c.typing = typeAhead{} }
func (c *choiceEditor) textRejected() bool { return c.typing.rejected }

func (c *choiceEditor) draw(th *theme.Theme, width, _ int, focused bool) []string {
	l := views.NewLine(nil, th, width)
	need := 0
	for _, o := range c.options {
		need += th.Measure.Width(optionLabel(o)) + 4
	}
	switch {
	case c.unknown != "":
		l.Put(theme.Warn, th.Glyphs.Silent+" "+c.unknown)
	case len(c.options) == 0:
		l.Put(theme.Muted, th.Glyphs.None)
	case need-2 > width:
		c.putCurrent(l, th, focused)
	default:
		c.putAll(l, th, focused)
	}
	return []string{string(l.End())}
}

func (c *choiceEditor) putAll(l *views.Line, th *theme.Theme, focused bool) {
	for i, o := range c.options {
		if i > 0 {
			l.Space(2)
		}
		glyph, token := th.Glyphs.Unassigned, theme.Muted
		if i == c.current {
			glyph, token = th.Glyphs.Mark, chosenToken(focused)
		}
		l.Put(token, glyph+" "+optionLabel(o))
	}
}

// putCurrent draws only the current option.
func (c *choiceEditor) putCurrent(l *views.Line, th *theme.Theme, focused bool) {
	position := fmt.Sprintf("  %d of %d", c.current+1, len(c.options))
	room := l.Left() - th.Measure.Width(position) - 4
	l.Put(theme.Muted, "< ").Put(chosenToken(focused), th.Measure.Truncate(c.text(), room)).Put(theme.Muted, " >")
	l.Put(theme.Muted, position)
}

func chosenToken(focused bool) theme.Token {
	if focused {
		return theme.Accent
	}
	return theme.Text
}
