package views

import (
	"strings"

	"waybill/model"
	"waybill/views/theme"
)

// doc is a text with headings and fields, laid out for a width.
type doc struct {
	measure theme.Measure
	width   int
	lines   []docLine
}

// docLine is one line. A line with a target can be pointed at.
type docLine struct {
	spans  []Span
	target model.ID
	kind   LinkKind
}

// LinkKind is what a line of a detail leads to.
type LinkKind uint8

// The kinds of link.
const (
	NoLink LinkKind = iota
	TaskLink
	WorkerLink
	// The others lead to what a task belongs to. Only opening follows them; whatever else is done means the task.
	DriverLink
	OrderLink
	RecipientLink
	DestinationLink
)

const labelWidth = 11

func (d *doc) add(spans ...Span) { d.lines = append(d.lines, docLine{spans: spans}) }

func (d *doc) gap() {
	if len(d.lines) > 0 && len(d.lines[len(d.lines)-1].spans) > 0 {
		d.lines = append(d.lines, docLine{})
	}
}

func (d *doc) heading(text string) {
	d.gap()
	d.add(Span{theme.ColumnHead, text})
}

// field is a label with its value, wrapped. Nothing is shown for an empty value.
func (d *doc) field(label string, token theme.Token, text string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return
	}
	for i, line := range Wrap(text, max(d.width-labelWidth-1, 8), d.measure) {
		if i > 0 {
			label = ""
		}
		d.add(Span{theme.Muted, d.measure.Fit(label, labelWidth, theme.Left) + " "}, Span{token, line})
	}
}

// linked is a field that leads somewhere.
func (w *writer) linked(kind LinkKind, id model.ID, label, text string) {
	at := len(w.lines)
	w.field(label, theme.Text, text)
	if at < len(w.lines) && id != "" {
		first := &w.lines[at]
		first.target, first.kind = id, kind
		first.spans = append(first.spans, Span{theme.Key, " " + w.th.Glyphs.Arrow})
	}
}

// text is a wrapped paragraph.
func (d *doc) text(token theme.Token, text string) {
	for _, line := range Wrap(text, d.width, d.measure) {
		d.add(Span{token, line})
	}
}

func (d *doc) link(kind LinkKind, id model.ID, spans ...Span) {
	d.lines = append(d.lines, docLine{spans: spans, target: id, kind: kind})
}

// Scroll is a long text with a window on it, and a cursor where lines can be pointed at.
type Scroll struct {
	lines  []docLine
	top    int
	height int
	cursor int // line of the link pointed at, or -1
}

func (s *Scroll) set(lines []docLine) {
	target, kind := s.Link()
	s.lines = lines
	s.cursor = -1
	for i := range lines {
		if lines[i].target != "" && lines[i].target == target && lines[i].kind == kind {
			s.cursor = i
			break
		}
	}
	s.clamp()
}

func (s *Scroll) clamp() { s.top = max(min(s.top, len(s.lines)-s.height), 0) }

// Link is what the cursor points at.
func (s *Scroll) Link() (model.ID, LinkKind) {
	if s.cursor < 0 || s.cursor >= len(s.lines) {
		return "", NoLink
	}
	return s.lines[s.cursor].target, s.lines[s.cursor].kind
}

// Move goes to the next link on the way, or scrolls where there is none in sight.
func (s *Scroll) Move(rows int) {
	step := 1
	if rows < 0 {
		step = -1
	}
	for range max(rows, -rows) {
		s.step(step)
	}
}

func (s *Scroll) step(step int) {
	from := s.cursor
	if from < 0 {
		from = s.top - 1
		if step < 0 {
			from = s.top + s.height
		}
	}
	for at := from + step; at >= s.top-1 && at <= s.top+s.height && at >= 0 && at < len(s.lines); at += step {
		if s.lines[at].target != "" {
			s.cursor = at
			s.top = max(min(s.top, at), at-s.height+1)
			return
		}
	}
	s.top += step
	s.clamp()
	if s.cursor >= 0 && (s.cursor < s.top || s.cursor >= s.top+s.height) {
		s.cursor = -1
	}
}

// Top goes to the first line.
func (s *Scroll) Top() { s.top, s.cursor = 0, -1 }

// Bottom goes to the last line.
func (s *Scroll) Bottom() {
	s.top, s.cursor = len(s.lines), -1
	s.clamp()
}

// Page scrolls by screens.
func (s *Scroll) Page(pages int) { s.scroll(pages * max(s.height-1, 1)) }

// HalfPage scrolls by half screens.
func (s *Scroll) HalfPage(halves int) { s.scroll(halves * max(s.height/2, 1)) }

func (s *Scroll) scroll(rows int) {
	s.top, s.cursor = s.top+rows, -1
	s.clamp()
}

// ScreenTop does nothing: a text has no rows to go to.
func (s *Scroll) ScreenTop() {}

// ScreenMiddle does nothing.
func (s *Scroll) ScreenMiddle() {}

// ScreenBottom does nothing.
func (s *Scroll) ScreenBottom() {}

// More says how much lies below the window.
func (s *Scroll) More() int { return max(len(s.lines)-s.top-s.height, 0) }

func (s *Scroll) appendLine(dst []byte, y int, th *theme.Theme, width int, focused bool, opens string) []byte {
	l := NewLine(dst, th, width)
	at := s.top + y
	if at >= len(s.lines) {
		return l.End()
	}
	mark, token := " ", theme.Muted
	if at == s.cursor {
		mark = th.Glyphs.Cursor
		if focused {
			token = theme.Accent
		}
	}
	l.Put(token, mark)
	l.PutSpans(s.lines[at].spans)
	if at == s.cursor && l.Left() > th.Measure.Width(opens)+2 {
		l.Space(2).Put(theme.Muted, opens)
	}
	return l.End()
}
