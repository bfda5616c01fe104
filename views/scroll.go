package views

import (
	"charm.land/bubbles/v2/viewport"

	"waybill/model"
	"waybill/views/table"
	"waybill/views/theme"
)

// Scroll shows a long text with a Bubbles viewport, and has a cursor that moves between the links in it.
type Scroll struct {
	viewport viewport.Model
	lines    []docLine
	cursor   int // line of the selected link, or -1
}

// NewScroll returns a text of one span per line.
func NewScroll(spans []Span) *Scroll {
	lines := make([]docLine, len(spans))
	for i := range spans {
		lines[i].spans = spans[i : i+1]
	}
	s := &Scroll{}
	s.setLines(lines)
	return s
}

// setLines replaces the text. The cursor stays on its link.
func (s *Scroll) setLines(lines []docLine) {
	target, kind := s.Link()
	s.lines = lines
	s.cursor = -1
	plain := make([]string, len(lines)) // the viewport holds the text, styles are added line by line
	for i := range lines {
		for _, span := range lines[i].spans {
			plain[i] += span.Text
		}
		if s.cursor < 0 && lines[i].target != "" && lines[i].target == target && lines[i].kind == kind {
			s.cursor = i
		}
	}
	s.viewport.SetContentLines(plain)
}

// SetHeight sets the number of visible lines.
func (s *Scroll) SetHeight(height int) {
	s.viewport.SetHeight(height)
	s.viewport.SetYOffset(s.viewport.YOffset())
}

// Link returns the link under the cursor.
func (s *Scroll) Link() (model.ID, LinkKind) {
	if s.cursor < 0 || s.cursor >= len(s.lines) {
		return "", NoLink
	}
	return s.lines[s.cursor].target, s.lines[s.cursor].kind
}

// Move moves the cursor to the next link, or scrolls where no link is visible.
func (s *Scroll) Move(rows int) {
	step := 1
	if rows < 0 {
		step = -1
	}
	for range max(rows, -rows) {
		s.moveOne(step)
	}
}

func (s *Scroll) moveOne(step int) {
	top, height := s.viewport.YOffset(), s.viewport.Height()
	from := s.cursor
	if from < 0 {
		from = top - 1
		if step < 0 {
			from = top + height
		}
	}
	for at := from + step; at >= top-1 && at <= top+height && at >= 0 && at < len(s.lines); at += step {
		if s.lines[at].target != "" {
			s.cursor = at
			s.viewport.SetYOffset(max(min(top, at), at-height+1))
			return
		}
	}
	s.viewport.SetYOffset(top + step)
	if top = s.viewport.YOffset(); s.cursor < top || s.cursor >= top+height {
		s.cursor = -1
	}
}

// Go scrolls. A text has no rows, so motions on the screen do nothing.
func (s *Scroll) Go(m table.Motion) {
	switch m {
	case table.Up:
		s.moveOne(-1)
	case table.Down:
		s.moveOne(1)
	case table.Top:
		s.scrollTo(0)
	case table.Bottom:
		s.scrollTo(len(s.lines))
	case table.PageUp, table.PageDown, table.HalfUp, table.HalfDown:
		s.scrollTo(s.viewport.YOffset() + m.Scroll(s.viewport.Height()))
	default:
	}
}

func (s *Scroll) scrollTo(line int) {
	s.viewport.SetYOffset(line)
	s.cursor = -1
}

// More returns the number of lines below the visible ones.
func (s *Scroll) More() int { return max(len(s.lines)-s.viewport.YOffset()-s.viewport.Height(), 0) }

// PutLine draws the visible line y.
func (s *Scroll) PutLine(l *Line, y int) {
	if at := s.viewport.YOffset() + y; at < len(s.lines) {
		l.PutSpans(s.lines[at].spans)
	}
}

// appendLine draws the visible line y with the cursor in front of it and a hint behind the selected link.
func (s *Scroll) appendLine(dst []byte, y int, th *theme.Theme, width int, focused bool, hint string) []byte {
	l := NewLine(dst, th, width)
	selected := s.cursor >= 0 && s.cursor == s.viewport.YOffset()+y
	glyph, token := " ", theme.Muted
	if selected {
		glyph = th.Glyphs.Cursor
		if focused {
			token = theme.Accent
		}
	}
	l.Put(token, glyph)
	s.PutLine(l, y)
	if selected && l.Left() > th.Measure.Width(hint)+2 {
		l.Space(2).Put(theme.Muted, hint)
	}
	return l.End()
}
