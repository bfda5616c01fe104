// Package canvas draws small pictures with text: a map of dots and lines in
// braille, two by four dots a cell, with signs and labels on top, and trend
// lines in a single row.
//
// It is written for one thing, a map redrawn on every poll, and so is short: a
// byte of dots and a byte of token for each cell, written out in one pass with
// a theme's finished sequences. A general chart library keeps a style object
// in every cell and brings its own event handling.
package canvas

import (
	"unicode/utf8"

	"waybill/views/theme"
)

// Dots per cell.
const (
	dotsX = 2
	dotsY = 4
)

// Canvas is a picture being drawn. Later drawing wins over earlier in the
// cells both touch, so the most important comes last.
type Canvas struct {
	width, height int // in cells
	cells         []cell
}

type cell struct {
	sign  string // a sign or letter; empty shows the dots
	dots  uint8
	token theme.Token
	tail  bool // belongs to the wide letter before it
	taken bool // labels keep away
}

// New is an empty canvas of a size in cells.
func New(width, height int) *Canvas {
	c := &Canvas{}
	c.Resize(width, height)
	return c
}

// Resize empties the canvas and gives it another size; memory is kept.
func (c *Canvas) Resize(width, height int) {
	c.width, c.height = max(width, 0), max(height, 0)
	if n := c.width * c.height; n <= cap(c.cells) {
		c.cells = c.cells[:n]
		clear(c.cells)
	} else {
		c.cells = make([]cell, n)
	}
}

// Size is the size in cells.
func (c *Canvas) Size() (width, height int) { return c.width, c.height }

// Dots is the size in dots, which is what points are measured in.
func (c *Canvas) Dots() (width, height int) { return c.width * dotsX, c.height * dotsY }

// Point draws one dot. Outside the canvas nothing happens.
func (c *Canvas) Point(x, y int, token theme.Token) {
	if x < 0 || y < 0 || x >= c.width*dotsX || y >= c.height*dotsY {
		return
	}
	at := &c.cells[y/dotsY*c.width+x/dotsX]
	at.dots |= dotBit(x%dotsX, y%dotsY)
	at.token = token
}

// dotBit is the bit of a dot in the Unicode braille block, whose lowest row
// was added later and so has the two highest bits.
func dotBit(x, y int) uint8 {
	if y == 3 {
		return 1 << (6 + x)
	}
	return 1 << (x*3 + y)
}

// Line draws a straight line between two dots, ends included. Far ends outside
// the canvas cost nothing: the line is clipped first.
func (c *Canvas) Line(x0, y0, x1, y1 int, token theme.Token) {
	w, h := c.Dots()
	x0, y0, x1, y1, ok := clip(x0, y0, x1, y1, w-1, h-1)
	if !ok {
		return
	}
	dx, dy := abs(x1-x0), -abs(y1-y0)
	stepX, stepY := sign(x1-x0), sign(y1-y0)
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

// Sign puts a one-cell sign on the cell of a dot, in place of the dots there.
// It reports whether the dot is on the canvas.
func (c *Canvas) Sign(x, y int, glyph string, token theme.Token) bool {
	if x < 0 || y < 0 || x >= c.width*dotsX || y >= c.height*dotsY {
		return false
	}
	c.breakLetter(x/dotsX, y/dotsY)
	c.cells[y/dotsY*c.width+x/dotsX] = cell{sign: glyph, token: token, taken: true}
	return true
}

// Label writes a name beside the sign at a dot: to the right if there is room,
// else to the left, above or below. It keeps off other signs and labels and
// reports whether it found a place; names are written in order of importance.
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
		if c.free(at[0], at[1], width) {
			c.write(at[0], at[1], text, token, m)
			return true
		}
	}
	return false
}

// free reports whether a label fits there with a cell of air around it. Dots
// may be written over: routes go on behind a name.
func (c *Canvas) free(x, y, width int) bool {
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

func (c *Canvas) write(x, y int, text string, token theme.Token, m theme.Measure) {
	row := c.cells[y*c.width : (y+1)*c.width]
	for letter, cells := range m.Clusters(text) {
		row[x] = cell{sign: letter, token: token, taken: true}
		for i := 1; i < cells; i++ {
			row[x+i] = cell{tail: true, token: token, taken: true}
		}
		x += cells
	}
}

// breakLetter blanks a wide letter a part of which is about to be drawn over.
func (c *Canvas) breakLetter(x, y int) {
	row := c.cells[y*c.width : (y+1)*c.width]
	blank := func(i int) { row[i] = cell{sign: " ", token: row[i].token, taken: true} }
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

// AppendLine appends one row of the picture, exactly as wide as the canvas,
// with all styles off at its end.
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
		if at.sign == "" && at.dots == 0 {
			dst = append(dst, ' ') // the colour of nothing does not matter
			continue
		}
		if next := th.On(at.token, theme.RowPlain); next != on {
			on = next
			dst = append(dst, next...)
		}
		switch {
		case at.sign != "":
			dst = append(dst, at.sign...)
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

// asciiDots stands in for braille: where in the cell the dots are, roughly.
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

func sign(n int) int {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}
