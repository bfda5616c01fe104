package views

import (
	"cmp"
	"strings"

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
	Token theme.Token    // of the title; zero for the default
}

// AppendLine draws one line of the box. drawInside draws the lines between the edges.
func (b *Box) AppendLine(dst []byte, y, width, height int, th *theme.Theme, drawInside func(l *Line, y int)) []byte {
	border := th.Border()
	switch y {
	case 0:
		title := ""
		if room := width - 5; b.Title != "" && room > 1 {
			title = th.Render(cmp.Or(b.Token, theme.TitleFocus), th.Measure.Truncate(b.Title, room))
		}
		return append(dst, renderEdge(th, border.TopLeft, border.TopRight, title, b.Note, width)...)
	case height - 1:
		return append(dst, renderEdge(th, border.BottomLeft, border.BottomRight, Hints(th, b.Hints, width-5), "", width)...)
	}
	edge := edgeStyle(th)
	dst = append(append(dst, edge.Render(border.Left)...), ' ')
	inner := NewLine(dst, th, width-4)
	drawInside(inner, y-1)
	return append(append(inner.End(), ' '), edge.Render(border.Right)...)
}

// edgeStyle returns the style of the edges. They are brighter than the rules of the dimmed board behind them.
func edgeStyle(th *theme.Theme) lipgloss.Style { return th.Style(theme.Title) }

// renderEdge draws an edge between two corners, with a drawn text at the left and a note at the right.
func renderEdge(th *theme.Theme, left, right, text, note string, width int) string {
	m, edge, rule := th.Measure, edgeStyle(th), th.Border().Top
	if text != "" {
		text = edge.Render(rule) + " " + text + " "
	}
	room := width - 2 - m.StyledWidth(text)
	if cells := m.Width(note); cells > 0 && room > cells+4 {
		note = " " + th.Render(theme.Muted, note) + " " + edge.Render(rule)
	} else {
		note = ""
	}
	middle := strings.Repeat(rule, max(room-m.StyledWidth(note), 0))
	return edge.Render(left) + text + edge.Render(middle) + note + edge.Render(right)
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
