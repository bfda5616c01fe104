// Package draw paints the routes of a plan with braille dots, for a terminal without a map.
package draw

import (
	"math"
	"strings"

	"waybill/planner"
)

// Size of the picture in characters when the caller does not choose.
const (
	DefaultWidth  = 72
	DefaultHeight = 24
)

// A braille character is two dots wide and four high.
const (
	dotsAcross = 2
	dotsDown   = 4
	blank      = '\u2800'
)

// Routes draws every route of the plan as a line through its stops, and marks starts with a ◆. Without coordinates there is nothing
// to draw and the picture is empty.
func Routes(p *planner.Problem, sol *planner.Plan, width, height int) string {
	if width <= 0 {
		width = DefaultWidth
	}
	if height <= 0 {
		height = DefaultHeight
	}
	if len(p.Places) == 0 {
		return ""
	}
	c := newCanvas(p.Places, width, height)
	tasks := make(map[string]int, len(p.Tasks))
	for i := range p.Tasks {
		tasks[p.Tasks[i].ID] = p.Tasks[i].Place
	}
	workers := make(map[string]*planner.Worker, len(p.Workers))
	for i := range p.Workers {
		workers[p.Workers[i].ID] = &p.Workers[i]
	}
	for i := range sol.Routes {
		r := &sol.Routes[i]
		w := workers[r.Worker]
		if w == nil || len(r.Stops) == 0 {
			continue
		}
		at := p.Places[w.Start]
		for k := range r.Stops {
			to := p.Places[tasks[r.Stops[k].Task]]
			c.drawLine(at, to)
			at = to
		}
		if w.End != planner.Anywhere {
			c.drawLine(at, p.Places[w.End])
		}
	}
	for _, w := range workers {
		c.markPlace(p.Places[w.Start])
	}
	return c.String()
}

// canvas is a grid of dots with a mark for a few cells.
type canvas struct {
	width, height  int
	dots           []uint8
	marked         []bool
	low            planner.Place
	scaleX, scaleY float64
}

// newCanvas fits the places into the grid with the same scale both ways. A character cell is about twice as high as wide, so its
// dots are square.
func newCanvas(places []planner.Place, width, height int) *canvas {
	low, high := places[0], places[0]
	for _, p := range places {
		low.Lat, low.Lng = min(low.Lat, p.Lat), min(low.Lng, p.Lng)
		high.Lat, high.Lng = max(high.Lat, p.Lat), max(high.Lng, p.Lng)
	}
	// A degree of longitude is shorter the farther from the equator; planes of benchmark files lie outside the globe's degrees.
	narrow := 1.0
	if math.Abs(low.Lat) <= 90 && math.Abs(high.Lat) <= 90 && math.Abs(low.Lng) <= 180 && math.Abs(high.Lng) <= 180 {
		narrow = max(math.Cos((low.Lat+high.Lat)/2*math.Pi/180), 0.1)
	}
	across := max((high.Lng-low.Lng)*narrow, 1e-9)
	up := max(high.Lat-low.Lat, 1e-9)
	scale := min(float64(width*dotsAcross-1)/across, float64(height*dotsDown-1)/up)
	used := min(int(up*scale)/dotsDown+1, height)
	return &canvas{
		width: width, height: used, dots: make([]uint8, width*used), marked: make([]bool, width*used),
		low: low, scaleX: scale * narrow, scaleY: scale,
	}
}

func (c *canvas) dotAt(p planner.Place) (x, y int) {
	x = int(math.Round((p.Lng - c.low.Lng) * c.scaleX))
	y = c.height*dotsDown - 1 - int(math.Round((p.Lat-c.low.Lat)*c.scaleY))
	return min(max(x, 0), c.width*dotsAcross-1), min(max(y, 0), c.height*dotsDown-1)
}

func (c *canvas) setDot(x, y int) {
	bits := [dotsDown][dotsAcross]uint8{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}
	c.dots[y/dotsDown*c.width+x/dotsAcross] |= bits[y%dotsDown][x%dotsAcross]
}

func (c *canvas) markPlace(p planner.Place) {
	x, y := c.dotAt(p)
	c.marked[y/dotsDown*c.width+x/dotsAcross] = true
}

// drawLine sets the dots between two places.
func (c *canvas) drawLine(from, to planner.Place) {
	x0, y0 := c.dotAt(from)
	x1, y1 := c.dotAt(to)
	steps := max(abs(x1-x0), abs(y1-y0), 1)
	for i := range steps + 1 {
		c.setDot(x0+(x1-x0)*i/steps, y0+(y1-y0)*i/steps)
	}
}

func abs(n int) int { return max(n, -n) }

// String is the picture, a line of characters for each row, without blanks at the ends.
func (c *canvas) String() string {
	var b strings.Builder
	for row := range c.height {
		line := make([]rune, c.width)
		for col := range c.width {
			line[col] = blank + rune(c.dots[row*c.width+col])
			if c.marked[row*c.width+col] {
				line[col] = '◆'
			}
		}
		b.WriteString(strings.TrimRight(string(line), string(blank)))
		b.WriteByte('\n')
	}
	return b.String()
}
