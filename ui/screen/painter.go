package screen

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Painter turns frames into what has to be sent to get from one to the next. It knows what the terminal shows, where
// its cursor is and how its pen writes.
type Painter struct {
	width, height int
	method        ansi.Method
	profile       colorprofile.Profile

	lines []string  // the frame that is shown; a line that is the same again is not looked into
	shown []uv.Line // its cells
	next  uv.ScreenBuffer

	x, y       int      // the cursor; x is unknown when negative
	frameStyle uv.Style // the pen as the frame has it
	sentStyle  uv.Style // and as the terminal was told
	out        []byte
}

// NewPainter is a painter of a terminal that is empty.
func NewPainter(width, height int, profile colorprofile.Profile) *Painter {
	p := &Painter{profile: profile}
	p.reset(width, height)
	p.out = p.out[:0]
	return p
}

// Paint is what turns the screen into a frame. It is valid until the next one.
func (p *Painter) Paint(frame string) []byte {
	p.out = p.out[:0]
	p.paint(frame)
	return p.out
}

// reset forgets the screen: the next frame is sent whole, onto a screen that is wiped first.
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

// paint appends what turns the screen into a frame. Every line of it stands for itself: styles end with the line.
func (p *Painter) paint(content string) {
	for y := range p.height {
		line, rest, _ := strings.Cut(content, "\n")
		content = rest
		if line != p.lines[y] {
			p.lines[y] = line
			uv.NewStyledString(line).Draw(p.next, p.next.Bounds())
			p.paintLine(y, p.next.Lines[0])
		}
	}
	p.setStyle(uv.Style{}) // whatever else is written to the terminal begins plain
}

// paintLine sends the cells of a line that changed.
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
		x += max(line[x].Width, 1) - 1
	}
	copy(shown, line)
}

func isBlank(c *uv.Cell) bool { return c.Content == " " && c.Style.IsZero() }

// writeCell writes a cell where the cursor is, and returns how many cells that takes at most.
func (p *Painter) writeCell(c *uv.Cell) int {
	p.setStyle(c.Style)
	if wide, steady := maxWidth(c); !steady {
		// Terminals do not agree on how wide this is. Its cells are wiped first, and whatever comes next is put at
		// a column of its own, so that a disagreement stays within them. Where it might reach beyond the line and
		// wrap, it is left out.
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
		p.x = -1 // it waits beyond the last column, and terminals differ in what they call that
	}
	return c.Width
}

// maxWidth is the most cells that any terminal gives a character, and whether all give it the same.
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

// maxRewritten is how many cells that are there already are rather written again than jumped over: a jump takes as long.
const maxRewritten = 4

// moveCursor puts the cursor where the next cell goes, the shortest way.
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

// canRewrite reports that cells can be written with the pen as it is, a byte each.
func (p *Painter) canRewrite(cells uv.Line) bool {
	for i := range cells {
		if len(cells[i].Content) != 1 || !cells[i].Style.Equal(&p.frameStyle) {
			return false
		}
	}
	return true
}

// appendControl appends a control sequence with a number, which is left out where it is one.
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
