package views

import (
	"waybill/keymaps"
	"waybill/views/theme"
)

// Status is what stands in the last line.
type Status struct {
	Age      Span // how old the focused pane's data is
	InFlight int
	Budget   string // requests left of those a second
	Slowed   string // why it is slower than usual
	Marked   string // "3 marked"
	Pending  []Span // the beginning of a key sequence and how it may go on
	Message  Span   // what just happened; it takes the place of the hints
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
	hints := s.Hints(l.Left())
	need := 0
	for _, h := range hints {
		need += th.Measure.Width(h.Key+" "+h.Label) + 2
	}
	l.Space(l.Left() - need)
	for _, h := range hints {
		l.Put(theme.Key, h.Key).Put(theme.Muted, " "+h.Label).Space(2)
	}
	return l.End()
}
