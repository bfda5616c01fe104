package formview

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"waybill/views/theme"
)

// line is a line being drawn, never longer than its width.
type line struct {
	theme *theme.Theme
	dst   []byte
	left  int
	on    string
}

func newLine(th *theme.Theme, width int) *line {
	return &line{theme: th, dst: make([]byte, 0, width+32), left: width}
}

// put adds text in a token's style, cut to what is left.
func (l *line) put(token theme.Token, text string) *line {
	return l.fit(token, text, l.theme.Measure.Width(text))
}

// fit adds text padded or cut to a width.
func (l *line) fit(token theme.Token, text string, width int) *line {
	if width = min(width, l.left); width <= 0 {
		return l
	}
	if on := l.theme.On(token, theme.RowPlain); on != l.on {
		l.on = on
		l.dst = append(l.dst, on...)
	}
	l.dst = l.theme.Measure.AppendFit(l.dst, text, width, theme.Left)
	l.left -= width
	return l
}

func (l *line) space(cells int) *line {
	cells = max(min(cells, l.left), 0)
	l.plain()
	l.dst = theme.AppendSpaces(l.dst, cells)
	l.left -= cells
	return l
}

// styled adds what is drawn already and is a width wide, which must be left.
func (l *line) styled(text string, width int) *line {
	l.plain()
	l.dst = append(l.dst, text...)
	l.left -= width
	return l
}

// cursor draws a character with the cursor on it.
func (l *line) cursor(under string) *line {
	width := l.theme.Measure.Width(under)
	if width == 0 || width > l.left {
		under, width = " ", 1
	}
	return l.fit(theme.AccentBar, under, width)
}

func (l *line) plain() {
	if l.on != "" {
		l.dst = append(l.dst, theme.Reset...)
		l.on = ""
	}
}

// end fills the rest of the line and ends all styles.
func (l *line) end() string {
	l.plain()
	return string(theme.AppendSpaces(l.dst, l.left))
}

// paint is a text in a token's style, exactly a width wide.
func paint(th *theme.Theme, token theme.Token, text string, width int) string {
	return newLine(th, width).put(token, text).end()
}

// empty is a field with nothing in it: the cursor, if it is here, and the hint in brackets, so that without colours too
// nobody takes an example for a value.
func empty(th *theme.Theme, hint string, width int, focused bool) string {
	l := newLine(th, width)
	switch {
	case hint != "" && focused:
		l.cursor("(").put(theme.Muted, hint+")")
	case hint != "":
		l.put(theme.Muted, "("+hint+")")
	case focused:
		l.cursor(" ")
	default:
		l.put(theme.Muted, th.Glyphs.None)
	}
	return l.end()
}

// counting is how the theme's terminal counts; the two ways differ on emoji made of several parts.
func counting(th *theme.Theme) ansi.Method {
	const parts = "👩‍🚀"
	if th.Measure.Width(parts) == ansi.GraphemeWidth.StringWidth(parts) {
		return ansi.GraphemeWidth
	}
	return ansi.WcWidth
}

// wrap breaks a text into lines of a width, at spaces where there are any.
func wrap(m theme.Measure, text string, width int) []string {
	if width <= 0 {
		return nil
	}
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		current, used := "", 0
		for _, word := range strings.Fields(paragraph) {
			for m.Width(word) > width { // a word longer than the line
				if used > 0 {
					lines = append(lines, current)
					current, used = "", 0
				}
				head := cells(m, word, width)
				if head == "" {
					word = ""
					break
				}
				lines = append(lines, head)
				word = strings.TrimPrefix(word, head)
			}
			cost := m.Width(word)
			switch {
			case cost == 0:
			case used == 0:
				current, used = word, cost
			case used+1+cost <= width:
				current, used = current+" "+word, used+1+cost
			default:
				lines = append(lines, current)
				current, used = word, cost
			}
		}
		if used > 0 {
			lines = append(lines, current)
		}
	}
	return lines
}

// cells is as much of a text as fits into a width.
func cells(m theme.Measure, text string, width int) string {
	used, end := 0, 0
	for cluster, cost := range m.Clusters(text) {
		if used += cost; used > width {
			break
		}
		end += len(cluster)
	}
	return text[:min(end, len(text))]
}

// thousands is a number with commas.
func thousands(n int) string {
	digits := strconv.Itoa(n)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 && digits[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}
