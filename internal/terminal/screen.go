package terminal

import (
	"fmt"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

// Screen is the content of a terminal: its cells, line by line.
type Screen struct {
	Width, Height int
	Cells         []uv.Cell
}

// Line returns the cells of a line.
func (s Screen) Line(y int) []uv.Cell { return s.Cells[y*s.Width : (y+1)*s.Width] }

// Text returns the screen without styles and without blanks at the ends of lines.
func (s Screen) Text() string {
	var all strings.Builder
	for y := range s.Height {
		var line strings.Builder
		for _, c := range s.Line(y) {
			if c.Content == "" && c.Width > 0 { // the second half of a wide character has no width of its own
				c.Content = " "
			}
			line.WriteString(c.Content)
		}
		all.WriteString(strings.TrimRight(line.String(), " "))
		all.WriteByte('\n')
	}
	return all.String()
}

// MinBytes returns how many bytes a program has to send at least to turn one screen into another by writing cells: the
// changed cells, one cursor move per run of them, and one change of style wherever a cell differs in style from the one
// drawn before.
func MinBytes(before, after Screen) int {
	same := func(i int) bool {
		a, b := &before.Cells[i], &after.Cells[i]
		return a.Content == b.Content && a.Style.Equal(&b.Style)
	}
	total := 0
	pen := &uv.Style{}
	for i := range after.Cells {
		if same(i) {
			continue
		}
		if i%after.Width == 0 || same(i-1) {
			total += len(fmt.Sprintf("\x1b[%d;%dH", i/after.Width+1, i%after.Width+1))
		}
		if style := &after.Cells[i].Style; !pen.Equal(style) {
			total += len(style.Diff(pen))
			pen = style
		}
		total += len(after.Cells[i].Content)
	}
	return total
}
