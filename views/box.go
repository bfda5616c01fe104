package views

import (
	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/progress"
	"charm.land/lipgloss/v2"

	"waybill/keymaps"
	"waybill/views/theme"
)

// Box is the frame of a dialog, with a title in the upper edge and hints in the lower one.
type Box struct {
	Title string
	Note  string         // at the right of the title
	Hints []keymaps.Hint // in the lower edge
	Foot  string         // plain text in the lower edge, instead of hints
	Token theme.Token    // of the title; zero for the default
}

// AppendLine draws one line of the box. drawInside draws the lines between the edges.
func (b *Box) AppendLine(dst []byte, y, width, height int, th *theme.Theme, drawInside func(l *Line, y int)) []byte {
	border := th.Border()
	switch y {
	case 0:
		return b.appendTop(NewLine(dst, th, width), border)
	case height - 1:
		return b.appendBottom(NewLine(dst, th, width), border)
	}
	edge := th.Style(theme.Rule)
	dst = append(append(dst, edge.Render(border.Left)...), ' ')
	inner := NewLine(dst, th, width-4)
	drawInside(inner, y-1)
	return append(append(inner.End(), ' '), edge.Render(border.Right)...)
}

func (b *Box) appendTop(l *Line, border lipgloss.Border) []byte {
	token := theme.TitleFocus
	if b.Token != 0 {
		token = b.Token
	}
	m := l.theme.Measure
	l.Put(theme.Rule, border.TopLeft)
	if b.Title != "" && l.Left() > 5 {
		l.Put(theme.Rule, border.Top).Space(1).Put(token, m.Truncate(b.Title, l.Left()-4)).Space(1)
	}
	if note := m.Width(b.Note); note > 0 && l.Left() > note+5 {
		l.Rule(note+4).Space(1).Put(theme.Muted, b.Note).Space(1)
	}
	return l.Rule(1).Put(theme.Rule, border.TopRight).End()
}

func (b *Box) appendBottom(l *Line, border lipgloss.Border) []byte {
	l.Put(theme.Rule, border.BottomLeft)
	if room := l.Left() - 4; room > 1 && (b.Foot != "" || len(b.Hints) > 0) {
		l.Put(theme.Rule, border.Bottom).Space(1)
		if hints := Hints(l.theme, b.Hints, room); hints != "" {
			l.PutStyled(hints, lipgloss.Width(hints))
		} else {
			l.Put(theme.Muted, l.theme.Measure.Truncate(b.Foot, room))
		}
		l.Space(1)
	}
	return l.Rule(1).Put(theme.Rule, border.BottomRight).End()
}

// Hints draws keys with their labels, as many as fit in a width.
func Hints(th *theme.Theme, hints []keymaps.Hint, width int) string {
	return joinHints(th, hints, " "+th.Glyphs.Dot+" ", width)
}

func joinHints(th *theme.Theme, hints []keymaps.Hint, separator string, width int) string {
	h := help.New()
	h.ShortSeparator, h.Ellipsis = separator, th.Glyphs.More
	h.Styles = help.Styles{
		ShortKey: th.Style(theme.Key), ShortDesc: th.Style(theme.Muted),
		ShortSeparator: th.Style(theme.Rule), Ellipsis: th.Style(theme.Muted),
	}
	h.SetWidth(width)
	bindings := make([]key.Binding, len(hints))
	for i, hint := range hints {
		bindings[i] = key.NewBinding(key.WithKeys(hint.Key), key.WithHelp(hint.Key, hint.Label))
	}
	return h.ShortHelpView(bindings)
}

// ProgressBar draws the share of done in total as plain text. Anything done shows at least one full cell.
func ProgressBar(th *theme.Theme, done, total, width int) string {
	full, empty := '█', '░'
	if th.ASCII() {
		full, empty = '#', '.'
	}
	bar := progress.New(progress.WithWidth(width), progress.WithoutPercentage(), progress.WithFillCharacters(full, empty))
	bar.FullColor, bar.EmptyColor = lipgloss.NoColor{}, lipgloss.NoColor{}
	if width <= 0 || total <= 0 || done <= 0 {
		return bar.ViewAs(0)
	}
	cells := min(max(done*width/total, 1), width)
	return bar.ViewAs(float64(cells) / float64(width))
}
