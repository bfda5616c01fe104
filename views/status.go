package views

import (
	"waybill/keymaps"
	"waybill/views/theme"
)

// Status is the content of the status line, the last line of the screen.
type Status struct {
	Age      Span   // age of the focused pane's data
	InFlight int    // requests without an answer
	Budget   string // requests left in this second
	Slowed   string // why refreshes are slower than usual
	Marked   string // "3 marked"
	Pending  []Span // keys of an unfinished key sequence, and the keys that continue it
	Message  Span   // the last message; it replaces the hints
	More     string // how to read a message that does not fit
	Hints    func(width int) []keymaps.Hint
}

// AppendStatus draws the status line.
func (c *Chrome) AppendStatus(dst []byte, s *Status, th *theme.Theme, width int) []byte {
	line := s.facts(th, width)
	room := width
	for _, span := range line {
		room -= th.Measure.Width(span.Text)
	}
	var hints []keymaps.Hint
	switch {
	case len(s.Pending) > 0:
		line = append(line, s.Pending...)
	case s.Message.Text != "" && s.More != "" && th.Measure.Width(s.Message.Text) > room:
		room = max(room-th.Measure.Width(s.More)-2, 0)
		line = append(line, Span{s.Message.Token, th.Measure.Fit(s.Message.Text, room, theme.Left) + "  "}, Span{theme.Key, s.More})
	case s.Message.Text != "":
		line = append(line, s.Message)
	case s.Hints != nil:
		hints = s.Hints(room)
	}
	type content struct {
		spans []Span
		hints []keymaps.Hint
	}
	return c.append(dst, content{line, hints}, th, width, func() string {
		if len(hints) == 0 {
			return fill(th, renderSpans(th, line), "", width)
		}
		return fill(th, renderSpans(th, line), joinHints(th, hints, "  ", room-2)+"  ", width)
	})
}

// facts returns what is at the left of the status line.
func (s *Status) facts(th *theme.Theme, width int) []Span {
	arrow := "  "
	if s.InFlight > 0 {
		arrow = " " + th.Glyphs.Arrow
	}
	spans := []Span{{theme.Text, " "}, s.Age, {theme.Muted, arrow}}
	if s.Budget != "" && width >= 100 {
		spans = append(spans, Span{theme.Muted, " " + s.Budget})
	}
	if s.Slowed != "" {
		spans = append(spans, Span{theme.Warn, "  " + s.Slowed})
	}
	if s.Marked != "" {
		spans = append(spans, Span{theme.Mark, "  " + s.Marked})
	}
	return append(spans, Span{theme.Text, "  "})
}
