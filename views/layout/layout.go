// Package layout divides the screen into rectangles.
//
// [Compute] is a pure function from the size of the terminal and the state of
// the console to named rectangles. They tile the screen: every cell belongs to
// exactly one part, so a frame is written line by line, left to right. Only a
// dialog lies on top of other parts.
package layout

import "waybill/board"

// Sizes at which the layout changes. Below Min there is only a message; from
// Quad on four panes are visible; from Beside on the detail is beside them.
const (
	MinWidth    = 60
	MinHeight   = 15
	QuadWidth   = 100
	QuadHeight  = 28
	BesideWidth = 160
)

// Screen is what is shown between header and status line.
type Screen uint8

// The screens. A page is a single list or text: activity, requests, events,
// webhooks.
const (
	Board Screen = iota
	Map
	Page
)

// State is what the layout depends on besides the size.
type State struct {
	Screen Screen
	Focus  board.Pane
	Zoom   bool // show only the focused pane
	Detail bool // the detail is open
	Banner bool // show the banner, for example without network
	Jobs   int  // lines for running operations
	Dialog Dialog
}

// Mode is the kind of layout.
type Mode uint8

// The modes.
const (
	TooSmall Mode = iota // only a message
	Single               // one pane at a time, with a tab bar on the board
	Quad                 // four panes
)

// Rect is a rectangle of cells.
type Rect struct{ X, Y, W, H int }

// Empty reports whether the rectangle has no cells.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Contains reports whether a cell is in the rectangle.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// The cut methods cut off and return one side of r.

func (r *Rect) cutTop(n int) Rect {
	n = max(min(n, r.H), 0)
	cut := Rect{r.X, r.Y, r.W, n}
	r.Y, r.H = r.Y+n, r.H-n
	return cut
}

func (r *Rect) cutBottom(n int) Rect {
	n = max(min(n, r.H), 0)
	r.H -= n
	return Rect{r.X, r.Y + r.H, r.W, n}
}

func (r *Rect) cutLeft(n int) Rect {
	n = max(min(n, r.W), 0)
	cut := Rect{r.X, r.Y, n, r.H}
	r.X, r.W = r.X+n, r.W-n
	return cut
}

func (r *Rect) cutRight(n int) Rect {
	n = max(min(n, r.W), 0)
	r.W -= n
	return Rect{r.X + r.W, r.Y, n, r.H}
}

// Layout holds the rectangle of every part; it is empty for invisible parts.
type Layout struct {
	Mode   Mode
	Width  int
	Height int
	Body   Rect // everything between header and status line
	Dialog Rect // on top of the other parts; empty without a dialog

	rects [partCount]Rect
}

// Rect returns the rectangle of a part.
func (l *Layout) Rect(p Part) Rect { return l.rects[p] }

// Shows reports whether a pane is visible.
func (l *Layout) Shows(p board.Pane) bool { return !l.rects[BodyOf(p)].Empty() }

// DetailBeside reports whether the detail is beside the board.
func (l *Layout) DetailBeside() bool { return !l.rects[DetailDivider].Empty() }

// PartAt returns the part at a cell.
func (l *Layout) PartAt(x, y int) Part {
	for p := range partCount {
		if l.rects[p].Contains(x, y) {
			return p
		}
	}
	return Nothing
}

// Compute returns the layout of a screen of w by h cells.
func Compute(w, h int, s State) Layout {
	l := Layout{Width: w, Height: h, Mode: Quad}
	screen := Rect{0, 0, max(w, 0), max(h, 0)}
	if w < MinWidth || h < MinHeight {
		l.Mode, l.Body = TooSmall, screen
		l.rects[Message] = screen
		return l
	}
	if w < QuadWidth || h < QuadHeight || s.Zoom || s.Screen != Board {
		l.Mode = Single
	}
	l.rects[Header] = screen.cutTop(1)
	if s.Banner {
		l.rects[Banner] = screen.cutTop(1)
	}
	l.rects[Status] = screen.cutBottom(1)
	l.rects[Jobs] = screen.cutBottom(min(s.Jobs, maxJobLines(h)))
	l.Body = screen
	if s.Dialog.Kind != NoDialog {
		l.Dialog = s.Dialog.rectIn(l.Body)
	}
	l.fillBody(screen, s)
	return l
}

// maxJobLines returns the most lines that running operations may take.
func maxJobLines(h int) int {
	if h < QuadHeight {
		return 1
	}
	return 3
}

func (l *Layout) fillBody(body Rect, s State) {
	if s.Detail {
		if l.Width < BesideWidth { // instead of the board
			l.Mode = Single
			l.setTitled(body, DetailTitle, DetailBody)
			return
		}
		beside := body.cutRight(clamp(l.Width*3/10, 48, 72))
		l.rects[DetailDivider] = body.cutRight(1)
		l.setTitled(beside, DetailTitle, DetailBody)
	}
	switch {
	case s.Screen == Map:
		l.fillMap(body)
	case s.Screen == Page:
		l.setTitled(body, PageTitle, PageBody)
	case l.Mode == Quad:
		l.fillQuad(body)
	default:
		l.rects[Tabs] = body.cutTop(1)
		l.setTitled(body, TitleOf(s.Focus), BodyOf(s.Focus))
	}
}

// fillQuad gives three fifths of the width to the left panes, which are read
// most, and a little more than half of the height to the lower ones, which are
// longer.
func (l *Layout) fillQuad(body Rect) {
	left := body.cutLeft((body.W - 1) * 3 / 5)
	l.rects[Divider] = body.cutLeft(1)
	right := body
	upper := left.H * 9 / 20
	l.setTitled(left.cutTop(upper), DelaysTitle, DelaysBody)
	l.setTitled(right.cutTop(upper), WorkersTitle, WorkersBody)
	l.setTitled(left, TasksTitle, TasksBody)
	l.setTitled(right, OrdersTitle, OrdersBody)
}

// fillMap puts the list of the nearest drivers beside the map, or below it on a
// narrow screen.
func (l *Layout) fillMap(body Rect) {
	if body.W >= 80 {
		near := body.cutRight(clamp(body.W*3/10, 26, 44))
		l.rects[NearDivider] = body.cutRight(1)
		l.setTitled(near, NearTitle, NearBody)
	} else {
		l.setTitled(body.cutBottom(6), NearTitle, NearBody)
	}
	l.setTitled(body, MapTitle, MapBody)
}

// setTitled gives the first line of an area to the title and the rest to the body.
func (l *Layout) setTitled(area Rect, title, body Part) {
	l.rects[title] = area.cutTop(1)
	l.rects[body] = area
}

func clamp(n, low, high int) int { return max(min(n, high), low) }
