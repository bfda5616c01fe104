// Package canvas draws maps in braille, two by four dots per cell, with glyphs
// and labels on top, and trends in a single row.
//
// A cell is one byte of dots and one token, written in one pass with the
// theme's sequences, because the map is drawn again on every refresh. A general
// chart library keeps a style per cell and brings its own event handling.
package canvas

import (
	"cmp"
	"unicode/utf8"

	"waybill/views/theme"
)

// Dots per cell.
const (
	dotsX = 2
	dotsY = 4
)

// Canvas is a picture. Later drawing covers earlier drawing, so the most
// important comes last.
type Canvas struct {
	width, height int // in cells
	cells         []cell
}

type cell struct {
	glyph string // a glyph or letter; empty shows the dots
	dots  uint8
	token theme.Token
	tail  bool // belongs to the wide letter before it
	taken bool // labels must not cover it
}

// New returns an empty canvas of a size in cells.
func New(width, height int) *Canvas {
	c := &Canvas{}
	c.Resize(width, height)
	return c
}

// Resize clears the canvas and changes its size. It reuses memory.
func (c *Canvas) Resize(width, height int) {
	c.width, c.height = max(width, 0), max(height, 0)
	if n := c.width * c.height; n <= cap(c.cells) {
		c.cells = c.cells[:n]
		clear(c.cells)
	} else {
		c.cells = make([]cell, n)
	}
}

// Size returns the size in cells.
func (c *Canvas) Size() (width, height int) { return c.width, c.height }

// Dots returns the size in dots, the unit of coordinates.
func (c *Canvas) Dots() (width, height int) { return c.width * dotsX, c.height * dotsY }

// Point draws one dot. Dots outside the canvas are ignored.
func (c *Canvas) Point(x, y int, token theme.Token) {
	if x < 0 || y < 0 || x >= c.width*dotsX || y >= c.height*dotsY {
		return
	}
	at := &c.cells[y/dotsY*c.width+x/dotsX]
	at.dots |= dotBit(x%dotsX, y%dotsY)
	at.token = token
}

// dotBit returns the bit of a dot in the Unicode braille block. Its lowest row
// was added later and has the two highest bits.
func dotBit(x, y int) uint8 {
	if y == 3 {
		return 1 << (6 + x)
	}
	return 1 << (x*3 + y)
}

// Line draws a straight line between two dots, ends included. It is clipped to
// the canvas first.
func (c *Canvas) Line(x0, y0, x1, y1 int, token theme.Token) {
	w, h := c.Dots()
	x0, y0, x1, y1, ok := clip(x0, y0, x1, y1, w-1, h-1)
	if !ok {
		return
	}
	dx, dy := abs(x1-x0), -abs(y1-y0)
	stepX, stepY := cmp.Compare(x1, x0), cmp.Compare(y1, y0)
	for drift := dx + dy; ; {
		c.Point(x0, y0, token)
		if x0 == x1 && y0 == y1 {
			return
		}
		twice := 2 * drift
		if twice >= dy {
			drift += dy
			x0 += stepX
		}
		if twice <= dx {
			drift += dx
			y0 += stepY
		}
	}
}

// Glyph draws a one-cell glyph on the cell of a dot, in place of the dots. It
// reports whether the dot is on the canvas.
func (c *Canvas) Glyph(x, y int, glyph string, token theme.Token) bool {
	if x < 0 || y < 0 || x >= c.width*dotsX || y >= c.height*dotsY {
		return false
	}
	c.eraseLetter(x/dotsX, y/dotsY)
	c.cells[y/dotsY*c.width+x/dotsX] = cell{glyph: glyph, token: token, taken: true}
	return true
}

// Label writes a name beside the glyph at a dot: to the right if there is room,
// otherwise to the left, above or below. It does not cover other glyphs and
// labels, and reports whether there was room; write important names first.
func (c *Canvas) Label(x, y int, text string, token theme.Token, m theme.Measure) bool {
	width := 0
	for _, cells := range m.Clusters(text) {
		width += cells
	}
	if width == 0 || x < 0 || y < 0 || x >= c.width*dotsX || y >= c.height*dotsY {
		return false
	}
	cx, cy := x/dotsX, y/dotsY
	for _, at := range [...][2]int{
		{cx + 2, cy}, {cx - 1 - width, cy}, {cx - width/2, cy - 1}, {cx - width/2, cy + 1}, {cx + 2, cy - 1}, {cx + 2, cy + 1},
	} {
		if c.isFree(at[0], at[1], width) {
			c.writeLabel(at[0], at[1], text, token, m)
			return true
		}
	}
	return false
}

// isFree reports whether a label fits with a free cell on both sides. It may
// cover dots.
func (c *Canvas) isFree(x, y, width int) bool {
	if y < 0 || y >= c.height || x < 0 || x+width > c.width {
		return false
	}
	from, to := max(x-1, 0), min(x+width+1, c.width)
	for _, at := range c.cells[y*c.width+from : y*c.width+to] {
		if at.taken {
			return false
		}
	}
	return true
}

func (c *Canvas) writeLabel(x, y int, text string, token theme.Token, m theme.Measure) {
	row := c.cells[y*c.width : (y+1)*c.width]
	for letter, cells := range m.Clusters(text) {
		row[x] = cell{glyph: letter, token: token, taken: true}
		for i := 1; i < cells; i++ {
			row[x+i] = cell{tail: true, token: token, taken: true}
		}
		x += cells
	}
}

// eraseLetter erases a wide letter that is about to be partly covered.
func (c *Canvas) eraseLetter(x, y int) {
	row := c.cells[y*c.width : (y+1)*c.width]
	blank := func(i int) { row[i] = cell{glyph: " ", token: row[i].token, taken: true} }
	for i := x + 1; i < len(row) && row[i].tail; i++ {
		blank(i)
	}
	for i := x; i > 0 && row[i].tail; i-- {
		blank(i)
		if !row[i-1].tail {
			blank(i - 1)
		}
	}
}

// AppendLine appends one row of the canvas and resets the style at its end.
func (c *Canvas) AppendLine(dst []byte, y int, th *theme.Theme) []byte {
	if y < 0 || y >= c.height {
		return theme.AppendSpaces(dst, c.width)
	}
	on := ""
	for i := range c.width {
		at := &c.cells[y*c.width+i]
		if at.tail {
			continue
		}
		if at.glyph == "" && at.dots == 0 {
			dst = append(dst, ' ')
			continue
		}
		if next := th.On(at.token, theme.RowPlain); next != on {
			on = next
			dst = append(dst, next...)
		}
		switch {
		case at.glyph != "":
			dst = append(dst, at.glyph...)
		case th.ASCII():
			dst = append(dst, asciiDots(at.dots))
		default:
			dst = utf8.AppendRune(dst, 0x2800+rune(at.dots))
		}
	}
	if on != "" {
		dst = append(dst, theme.Reset...)
	}
	return dst
}

// asciiDots returns an ASCII character that shows roughly where the dots are.
func asciiDots(dots uint8) byte {
	const upper, lower = 0b00_011_011, 0b11_100_100
	switch {
	case dots&upper != 0 && dots&lower != 0:
		return ':'
	case dots&upper != 0:
		return '\''
	default:
		return '.'
	}
}

func abs(n int) int { return max(n, -n) }
