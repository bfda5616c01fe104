package views

import (
	"charm.land/lipgloss/v2"

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
func AppendStatus(dst []byte, s *Status, th *theme.Theme, width int) []byte {
	l := NewLine(dst, th, width)
	l.Space(1)
	l.PutSpans([]Span{s.Age})
	if s.InFlight > 0 {
		l.Put(theme.Muted, " "+th.Glyphs.Arrow)
	} else {
		l.Space(2)
	}
	if s.Budget != "" && width >= 100 {
		l.Space(1).Put(theme.Muted, s.Budget)
	}
	if s.Slowed != "" {
		l.Space(2).Put(theme.Warn, s.Slowed)
	}
	if s.Marked != "" {
		l.Space(2).Put(theme.Mark, s.Marked)
	}
	l.Space(2)
	if len(s.Pending) > 0 {
		return l.PutSpans(s.Pending).End()
	}
	if s.Message.Text != "" {
		room := l.Left()
		if s.More != "" && th.Measure.Width(s.Message.Text) > room {
			room = max(room-th.Measure.Width(s.More)-2, 0)
			return l.Fit(s.Message.Token, s.Message.Text, room, theme.Left).Space(2).Put(theme.Key, s.More).End()
		}
		return l.Put(s.Message.Token, s.Message.Text).End()
	}
	if s.Hints == nil {
		return l.End()
	}
	hints := joinHints(th, s.Hints(l.Left()), "  ", l.Left()-2)
	cells := lipgloss.Width(hints)
	return l.Space(l.Left()-cells-2).PutStyled(hints, cells).End()
}
