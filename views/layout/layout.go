// Package layout decides where everything stands on the screen.
//
// [Compute] is a pure function from the size of the terminal and what is open
// to named rectangles. They tile the screen: every cell belongs to exactly one
// part, so a frame can be written line by line, left to right, and nothing is
// drawn twice. Only an overlay lies on top of others.
package layout

// Sizes at which the arrangement changes: below the least there is only a
// message; from quad on four panes stand together; from beside on the detail
// stands beside them.
const (
	MinWidth    = 60
	MinHeight   = 15
	QuadWidth   = 100
	QuadHeight  = 28
	BesideWidth = 160
)

// Pane is one of the four lists.
type Pane uint8

// The panes, in the order of their keys.
const (
	Delays Pane = iota
	Workers
	Tasks
	Orders
	PaneCount = 4
)

// Screen is what fills the middle.
type Screen uint8

// The screens. A page is any single list or text that takes the whole middle:
// activity, requests, events, webhooks.
const (
	Board Screen = iota
	Map
	Page
)

// State is what the arrangement depends on besides the size.
type State struct {
	Screen  Screen
	Focus   Pane
	Zoom    bool // the focused pane alone
	Detail  bool // the detail is open
	Banner  bool // a line that must be seen, such as no network
	Jobs    int  // lines wanted for running work
	Dialog Dialog
}

// Mode is the arrangement that was chosen.
type Mode uint8

// The modes.
const (
	TooSmall Mode = iota // a message and nothing else
	Single               // one thing at a time, with a tab bar on the board
	Quad                 // four panes
)

// Rect is a rectangle of cells.
type Rect struct{ X, Y, W, H int }

// Empty reports whether there is nothing in it.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Contains reports whether a cell is in it.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// The cutters take a strip off one side and leave the rest in r.

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

// Layout is the outcome: a rectangle for every part, empty for those not
// shown.
type Layout struct {
	Mode    Mode
	Width   int
	Height  int
	Body    Rect // everything between header and status line
	Dialog Rect // on top of the others; empty when none is open

	rects [partCount]Rect
}

// Rect is the rectangle of a part.
func (l *Layout) Rect(p Part) Rect { return l.rects[p] }

// Shows reports whether a pane is on the screen.
func (l *Layout) Shows(p Pane) bool { return !l.rects[p.Body()].Empty() }

// DetailBeside reports whether the detail stands beside what it is about.
func (l *Layout) DetailBeside() bool { return !l.rects[DetailDivider].Empty() }

// PartAt is the part that owns a cell, for the mouse.
func (l *Layout) PartAt(x, y int) Part {
	for p := range partCount {
		if l.rects[p].Contains(x, y) {
			return p
		}
	}
	return Nothing
}

// Compute arranges a screen of w by h cells.
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
	l.rects[Jobs] = screen.cutBottom(min(s.Jobs, jobLines(h)))
	l.Body = screen
	if !s.Dialog.none() {
		l.Dialog = s.Dialog.place(l.Body)
	}
	l.fillBody(screen, s)
	return l
}

// jobLines is how much of the screen running work may take.
func jobLines(h int) int {
	if h < QuadHeight {
		return 1
	}
	return 3
}

func (l *Layout) fillBody(body Rect, s State) {
	if s.Detail {
		if l.Width < BesideWidth { // on top of what it is about
			l.Mode = Single
			l.titled(body, DetailTitle, DetailBody)
			return
		}
		beside := body.cutRight(clamp(l.Width*3/10, 48, 72))
		l.rects[DetailDivider] = body.cutRight(1)
		l.titled(beside, DetailTitle, DetailBody)
	}
	switch {
	case s.Screen == Map:
		l.fillMap(body)
	case s.Screen == Page:
		l.titled(body, PageTitle, PageBody)
	case l.Mode == Quad:
		l.fillQuad(body)
	default:
		l.rects[Tabs] = body.cutTop(1)
		l.titled(body, s.Focus.Title(), s.Focus.Body())
	}
}

// fillQuad gives the left column, whose rows are read most, three fifths, and
// the lower row, which holds the long lists, a little more than half.
func (l *Layout) fillQuad(body Rect) {
	left := body.cutLeft((body.W - 1) * 3 / 5)
	l.rects[Divider] = body.cutLeft(1)
	right := body
	upper := left.H * 9 / 20
	l.titled(left.cutTop(upper), Delays.Title(), Delays.Body())
	l.titled(right.cutTop(upper), Workers.Title(), Workers.Body())
	l.titled(left, Tasks.Title(), Tasks.Body())
	l.titled(right, Orders.Title(), Orders.Body())
}

// fillMap puts the list of who is nearest beside the map, or below it where
// the screen is too narrow for both.
func (l *Layout) fillMap(body Rect) {
	if body.W >= 80 {
		near := body.cutRight(clamp(body.W*3/10, 26, 44))
		l.rects[NearDivider] = body.cutRight(1)
		l.titled(near, NearTitle, NearBody)
	} else {
		l.titled(body.cutBottom(6), NearTitle, NearBody)
	}
	l.titled(body, MapTitle, MapBody)
}

func (l *Layout) titled(area Rect, title, body Part) {
	l.rects[title] = area.cutTop(1)
	l.rects[body] = area
}

func clamp(n, low, high int) int { return max(min(n, high), low) }
