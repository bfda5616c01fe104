// Package views draws the panes and screens of the console.
//
// A view gets a snapshot of the board and keeps what the person did to it: cursor, marks, filter, scroll. It draws
// line by line into a buffer with a theme's finished sequences and knows nothing of HTTP, of settings or of the
// program around it.
package views

import (
	"time"

	"waybill/model"
	"waybill/views/theme"
)

// Frame is what a drawing depends on besides the view itself.
type Frame struct {
	Theme *theme.Theme
	Now   time.Time
	Zone  *time.Location
	Key   func(action string) string // the key of an action; nil names none
}

// Millis is now as the board counts it.
func (f *Frame) Millis() model.Millis { return model.MillisOf(f.Now) }

// Line is one line being drawn into a buffer, never longer than its width.
type Line struct {
	theme *theme.Theme
	dst   []byte
	left  int
	on    string
	fills bool // the style that is on would show on blanks
}

// NewLine starts a line of a width at the end of a buffer.
func NewLine(dst []byte, th *theme.Theme, width int) *Line {
	return &Line{theme: th, dst: dst, left: width}
}

// Left is how many cells are still free.
func (l *Line) Left() int { return l.left }

func (l *Line) style(token theme.Token) {
	l.fills = token == theme.AccentBar || token == theme.Banner || token == theme.Match
	if next := l.theme.On(token, theme.RowPlain); next != l.on {
		l.on = next
		l.dst = append(l.dst, next...)
	}
}

// Put adds text in a token's style, cut to what is left.
func (l *Line) Put(token theme.Token, text string) *Line {
	return l.Fit(token, text, min(l.theme.Measure.Width(text), l.left), theme.Left)
}

// Fit adds text padded or cut to a width.
func (l *Line) Fit(token theme.Token, text string, width int, align theme.Align) *Line {
	width = min(width, l.left)
	if width <= 0 {
		return l
	}
	l.style(token)
	l.dst = l.theme.Measure.AppendFit(l.dst, text, width, align)
	l.left -= width
	return l
}

// PutStyled adds text that brings its own styles along and is known to fit into so many cells.
func (l *Line) PutStyled(text string, cells int) *Line {
	if cells = min(cells, l.left); cells <= 0 {
		return l
	}
	l.dst = append(append(l.dst, text...), theme.Reset...)
	l.on, l.fills = "", false
	l.left -= cells
	return l
}

// Space adds blank cells.
func (l *Line) Space(cells int) *Line {
	cells = max(min(cells, l.left), 0)
	if l.fills && cells > 0 {
		l.style(theme.Text)
	}
	l.dst = theme.AppendSpaces(l.dst, cells)
	l.left -= cells
	return l
}

// Rule fills what is left, but for some cells, with a rule.
func (l *Line) Rule(keep int) *Line {
	if n := l.left - keep; n > 0 {
		l.style(theme.Rule)
		l.dst = theme.AppendRepeat(l.dst, l.theme.Glyphs.Horizontal, n)
		l.left -= n
	}
	return l
}

// End fills the rest of the line and ends all styles.
func (l *Line) End() []byte {
	if l.on != "" {
		l.dst = append(l.dst, theme.Reset...)
	}
	return theme.AppendSpaces(l.dst, l.left)
}

// Span is a piece of text with its meaning.
type Span struct {
	Token theme.Token
	Text  string
}

func widthOf(m theme.Measure, spans []Span) int {
	sum := 0
	for _, s := range spans {
		sum += m.Width(s.Text)
	}
	return sum
}

// PutSpans adds pieces one after another.
func (l *Line) PutSpans(spans []Span) *Line {
	for _, s := range spans {
		l.Put(s.Token, s.Text)
	}
	return l
}
