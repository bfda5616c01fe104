package terminal

import (
	"fmt"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

// Screen is what a person sees: the cells, line after line.
type Screen struct {
	Width, Height int
	Cells         []uv.Cell
}

// Line is one line of cells.
func (s Screen) Line(y int) []uv.Cell { return s.Cells[y*s.Width : (y+1)*s.Width] }

// Text is the screen without its styles and without blanks at the ends of lines.
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

// Least is a bound below which no program can turn one screen into another by writing cells: those that changed, one
// cursor move for each run of them, and one change of style wherever a cell is styled unlike the one drawn before.
func Least(before, after Screen) int {
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
