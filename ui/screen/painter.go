package screen

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Painter computes the bytes that change the terminal from one frame to the next. It knows what the terminal shows, where
// its cursor is and which style it writes in.
type Painter struct {
	width, height int
	method        ansi.Method
	profile       colorprofile.Profile

	lines []string  // the frame that is shown; a line that has not changed is skipped
	shown []uv.Line // its cells
	next  uv.ScreenBuffer

	x, y       int      // the cursor; x is unknown when negative
	frameStyle uv.Style // the style as the frame has it
	sentStyle  uv.Style // the style as sent to the terminal
	out        []byte
}

// NewPainter returns a painter for an empty terminal.
func NewPainter(width, height int, profile colorprofile.Profile) *Painter {
	p := &Painter{profile: profile}
	p.reset(width, height)
	p.out = p.out[:0]
	return p
}

// Paint returns the bytes that show a frame. They are valid until the next call.
func (p *Painter) Paint(frame string) []byte {
	p.out = p.out[:0]
	p.paint(frame)
	return p.out
}

// reset clears the screen: the next frame is sent completely.
func (p *Painter) reset(width, height int) {
	p.width, p.height = width, height
	p.lines = make([]string, height)
	p.shown = make([]uv.Line, height)
	for y := range p.shown {
		p.shown[y] = uv.NewLine(width)
	}
	p.next = uv.NewScreenBuffer(width, 1)
	p.next.Method = p.method
	p.frameStyle, p.sentStyle, p.x, p.y = uv.Style{}, uv.Style{}, 0, 0
	p.out = append(p.out, "\x1b[m\x1b[H\x1b[2J"...)
}

// paint appends the bytes that show a frame. Styles end with each line.
func (p *Painter) paint(content string) {
	for y := range p.height {
		line, rest, _ := strings.Cut(content, "\n")
		content = rest
		if line != p.lines[y] {
			p.lines[y] = line
			uv.NewStyledString(line).Draw(p.next, p.next.Bounds())
			removeControls(p.next.Lines[0])
			p.paintLine(y, p.next.Lines[0])
		}
	}
	p.setStyle(uv.Style{}) // other output starts without a style
}

// removeControls clears cells that a terminal would not draw as they are meant: those with a content but no width, which
// are control characters, and those with a control character or broken UTF-8 inside.
func removeControls(line uv.Line) {
	for x := range line {
		switch c := &line[x]; {
		case c.Width == 0 && c.Content != "":
			*c = uv.EmptyCell
		case len(c.Content) > 1 && (!utf8.ValidString(c.Content) || strings.ContainsFunc(c.Content, unicode.IsControl)):
			c.Content = strings.Repeat(" ", c.Width)
		}
	}
}

// paintLine appends the changed cells of a line.
func (p *Painter) paintLine(y int, line uv.Line) {
	shown := p.shown[y]
	blank := len(line) // from here on the line is empty
	for blank > 0 && isBlank(&line[blank-1]) {
		blank--
	}
	torn := 0 // cells before this one may have been overwritten by what was just sent
	for x := 0; x < len(line); x++ {
		if line[x].Equal(&shown[x]) && (x >= torn || line[x].Width == 0) {
			continue
		}
		changed := x
		for x > 0 && line[x].Width == 0 { // the second half of a wide character is sent with its first
			x--
		}
		p.moveCursor(x, y, line)
		if x >= blank && len(line)-x > len(ansi.EraseLineRight) {
			p.setStyle(uv.Style{})
			p.out = append(p.out, ansi.EraseLineRight...)
			break
		}
		torn = max(torn, x+p.writeCell(&line[x]))
		x = max(x+line[x].Width-1, changed) // always forward, whatever the widths are
	}
	copy(shown, line)
}

func isBlank(c *uv.Cell) bool { return c.Content == " " && c.Style.IsZero() }

// writeCell writes a cell at the cursor and returns how many cells it takes at most.
func (p *Painter) writeCell(c *uv.Cell) int {
	p.setStyle(c.Style)
	if wide, steady := maxWidth(c); !steady {
		// Terminals disagree on the width of this character. Its cells are cleared first, and the next cell is
		// positioned explicitly, so that the disagreement stays within them. Where it might wrap, it is left out.
		p.out = append(p.out, strings.Repeat(" ", c.Width)...)
		if p.x+wide <= p.width {
			p.out = appendControl(p.out, p.x+1, 'G')
			p.out = append(p.out, c.Content...)
		}
		p.x = -1
		return wide
	}
	p.out = append(p.out, c.Content...)
	if p.x += c.Width; p.x >= p.width {
		p.x = -1 // terminals differ in the position behind the last column
	}
	return c.Width
}

// maxWidth is the largest width of a character on any terminal, and whether all terminals agree.
func maxWidth(c *uv.Cell) (cells int, steady bool) {
	if len(c.Content) == 1 {
		return 1, true
	}
	if _, size := utf8.DecodeRuneInString(c.Content); size == len(c.Content) {
		return c.Width, true
	}
	byPoint, byCluster := ansi.WcWidth.StringWidth(c.Content), ansi.GraphemeWidth.StringWidth(c.Content)
	return max(byPoint, byCluster, c.Width), byPoint == byCluster
}

// maxRewritten is how many unchanged cells are written again instead of skipped: a cursor movement takes as many bytes.
const maxRewritten = 4

// moveCursor moves the cursor with the fewest bytes.
func (p *Painter) moveCursor(x, y int, line uv.Line) {
	switch {
	case p.y == y && p.x == x:
		return
	case p.y == y && p.x >= 0 && x > p.x && x-p.x <= maxRewritten && p.canRewrite(line[p.x:x]):
		for _, c := range line[p.x:x] {
			p.out = append(p.out, c.Content...)
		}
	case p.y == y && p.x >= 0 && x > p.x:
		p.out = appendControl(p.out, x-p.x, 'C')
	case p.y == y && x == 0:
		p.out = append(p.out, '\r')
	case p.y == y:
		p.out = appendControl(p.out, x+1, 'G')
	case x == 0 && y == p.y+1:
		p.out = append(p.out, '\r', '\n')
	case x == 0:
		p.out = appendControl(p.out, y+1, 'H')
	default:
		p.out = append(p.out, "\x1b["...)
		p.out = strconv.AppendInt(p.out, int64(y+1), 10)
		p.out = append(p.out, ';')
		p.out = strconv.AppendInt(p.out, int64(x+1), 10)
		p.out = append(p.out, 'H')
	}
	p.x, p.y = x, y
}

// canRewrite reports that cells can be written in the current style with one byte each.
func (p *Painter) canRewrite(cells uv.Line) bool {
	for i := range cells {
		if len(cells[i].Content) != 1 || !cells[i].Style.Equal(&p.frameStyle) {
			return false
		}
	}
	return true
}

// appendControl appends a control sequence with a number; 1 is left out.
func appendControl(dst []byte, n int, final byte) []byte {
	dst = append(dst, "\x1b["...)
	if n != 1 {
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	return append(dst, final)
}

func (p *Painter) setStyle(s uv.Style) {
	if s.Equal(&p.frameStyle) {
		return
	}
	p.frameStyle = s
	converted := uv.ConvertStyle(s, p.profile)
	p.out = append(p.out, converted.Diff(&p.sentStyle)...)
	p.sentStyle = converted
}
