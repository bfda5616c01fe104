// Package views draws the panes, pages and dialogs of the console.
//
// A view gets a snapshot of the board and holds cursor, marks, filter and scroll position. It draws line by line into a
// buffer and knows nothing of HTTP, settings or the program around it.
//
// Lip Gloss defines every style and border and renders everything except table rows: header, titles, tabs, status line and
// boxes through [Chrome], the lines of dialogs, forms, menus, details and pages through [Line]. Bubbles provides the line
// editor, the hints, scrolling and the progress bar. Its list is not used: it needs a module for fuzzy search that ranks by
// other rules than the palette does. Dialogs are spliced into the dimmed board line by line (1.7 ms per frame at 200x60)
// because a Lip Gloss canvas takes 6.4 ms.
package views

import (
	"strings"
	"time"

	"waybill/model"
	"waybill/views/theme"
)

// Frame holds what all views of one screen have in common.
type Frame struct {
	Theme *theme.Theme
	Now   time.Time
	Zone  *time.Location
	Key   func(action string) string // returns the key of an action; may be nil
}

// Millis returns the current time in milliseconds.
func (f *Frame) Millis() model.Millis { return model.MillisOf(f.Now) }

// Line draws one line into a buffer with the Lip Gloss styles of the theme. It never exceeds its width.
type Line struct {
	theme *theme.Theme
	dst   []byte
	left  int
}

// NewLine starts a line at the end of a buffer.
func NewLine(dst []byte, th *theme.Theme, width int) *Line {
	return &Line{theme: th, dst: dst, left: width}
}

// Left returns the number of free cells.
func (l *Line) Left() int { return l.left }

// Put adds text in a token's style, truncated to the free cells.
func (l *Line) Put(token theme.Token, text string) *Line {
	return l.Fit(token, text, min(l.theme.Measure.Width(text), l.left), theme.Left)
}

// Fit adds text padded or truncated to a width.
func (l *Line) Fit(token theme.Token, text string, width int, align theme.Align) *Line {
	width = min(width, l.left)
	if width <= 0 {
		return l
	}
	fitted := l.theme.Measure.AppendFit(nil, text, width, align)
	l.dst = append(l.dst, l.theme.Style(token).Inline(true).Render(string(fitted))...)
	l.left -= width
	return l
}

// PutStyled adds text that has its own styles and takes the given number of cells.
func (l *Line) PutStyled(text string, cells int) *Line {
	if cells = min(cells, l.left); cells <= 0 {
		return l
	}
	l.dst = append(append(l.dst, text...), theme.Reset...)
	l.left -= cells
	return l
}

// PutCursor adds a character with the text cursor on it.
func (l *Line) PutCursor(under string) *Line {
	width := l.theme.Measure.Width(under)
	if width == 0 || width > l.left {
		under, width = " ", 1
	}
	return l.Fit(theme.AccentBar, under, width, theme.Left)
}

// Space adds spaces.
func (l *Line) Space(cells int) *Line {
	cells = max(min(cells, l.left), 0)
	l.dst = theme.AppendSpaces(l.dst, cells)
	l.left -= cells
	return l
}

// End fills the line with spaces and returns the buffer.
func (l *Line) End() []byte { return theme.AppendSpaces(l.dst, l.left) }

// Span is a text with its token.
type Span struct {
	Token theme.Token
	Text  string
}

// PutSpans adds spans.
func (l *Line) PutSpans(spans []Span) *Line {
	for _, s := range spans {
		l.Put(s.Token, s.Text)
	}
	return l
}

// Wrap breaks a text into lines of at most width cells, at spaces where possible. Several spaces become one.
func Wrap(text string, width int, m theme.Measure) []string {
	if width <= 0 {
		return nil
	}
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		wrapped := m.Wrap(strings.Join(strings.Fields(paragraph), " "), width)
		lines = append(lines, strings.Split(wrapped, "\n")...)
	}
	return lines
}
