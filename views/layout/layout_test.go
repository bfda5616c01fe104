package layout

import (
	"fmt"
	"strings"
	"testing"

	"waybill/board"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The drawings in testdata show the layouts. Repeated lines are written once
// with their number in front.
func TestDrawings(t *testing.T) {
	busy := State{Banner: true, Jobs: 2}
	for _, c := range []struct {
		name  string
		w, h  int
		state State
	}{
		{"200x60", 200, 60, State{}},
		{"200x60 detail", 200, 60, State{Detail: true}},
		{"200x60 zoom detail", 200, 60, State{Detail: true, Zoom: true, Focus: board.PaneTasks}},
		{"200x60 map", 200, 60, State{Screen: Map}},
		{"120x40", 120, 40, State{}},
		{"120x40 busy", 120, 40, busy},
		{"120x40 detail", 120, 40, State{Detail: true}},
		{"120x40 form", 120, 40, State{Dialog: Dialog{Kind: Form}}},
		{"120x40 palette", 120, 40, State{Dialog: Dialog{Kind: Palette, Width: 80, Height: 12}}},
		{"100x30", 100, 30, State{}},
		{"100x30 page", 100, 30, State{Screen: Page}},
		{"80x24", 80, 24, State{Focus: board.PaneTasks}},
		{"80x24 busy", 80, 24, State{Focus: board.PaneOrders, Banner: true, Jobs: 2}},
		{"80x24 map", 80, 24, State{Screen: Map}},
		{"80x24 menu", 80, 24, State{Dialog: Dialog{Kind: Menu, Width: 40, Height: 9}}},
		{"60x20", 60, 20, State{Focus: board.PaneWorkers}},
		{"60x20 map", 60, 20, State{Screen: Map}},
		{"50x12", 50, 12, State{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := Compute(c.w, c.h, c.state)
			golden.RequireEqual(t, drawing(&l))
		})
	}
}

// drawing fills every part with its own letter, after its name.
func drawing(l *Layout) string {
	lines := make([]string, l.Height)
	for y := range lines {
		cells := []byte{}
		for _, s := range l.AppendRow(nil, y) {
			cells = append(cells, spanText(s)...)
		}
		if o := l.Dialog; !o.Empty() && y >= o.Y && y < o.Y+o.H {
			copy(cells[o.X:o.X+o.W], strings.Repeat("#", o.W))
		}
		lines[y] = string(cells)
	}
	var b strings.Builder
	for from := 0; from < len(lines); {
		to := from
		for to < len(lines) && lines[to] == lines[from] {
			to++
		}
		fmt.Fprintf(&b, "%3d %s\n", to-from, lines[from])
		from = to
	}
	return b.String()
}

func spanText(s Span) string {
	switch {
	case s.Part.IsDivider():
		return map[Joint]string{Straight: "|", TeeDown: "T", Cross: "+", TeeLeft: "<", TeeRight: ">"}[s.Joint]
	case s.Part.IsTitle():
		name := "- " + nameOf(s.Part) + " "
		return (name + strings.Repeat("-", s.W))[:s.W]
	default:
		name := " " + nameOf(s.Part) + " "
		return (name + strings.Repeat(".", s.W))[:s.W]
	}
}

// Every cell belongs to exactly one part, at every size and with everything
// that may be open.
func TestPartsTileTheScreen(t *testing.T) {
	open := []State{
		{Detail: true, Jobs: 9},
		{Zoom: true, Focus: board.PaneOrders, Banner: true},
		{Screen: Map},
		{Screen: Page, Detail: true},
		{Detail: true, Zoom: true, Jobs: 1},
	}
	for w := 20; w <= 250; w++ {
		for h := 20; h <= 250; h++ {
			checkTiling(t, w, h, State{})
			checkTiling(t, w, h, open[(w+h)%len(open)])
		}
	}
}

func TestPartsTileRandomScreens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := State{
			Screen: rapid.SampledFrom([]Screen{Board, Map, Page}).Draw(t, "screen"),
			Focus:  board.Pane(rapid.IntRange(0, board.PaneCount-1).Draw(t, "focus")),
			Zoom:   rapid.Bool().Draw(t, "zoom"),
			Detail: rapid.Bool().Draw(t, "detail"),
			Banner: rapid.Bool().Draw(t, "banner"),
			Jobs:   rapid.IntRange(-1, 9).Draw(t, "jobs"),
			Dialog: Dialog{
				Kind:  DialogKind(rapid.IntRange(0, int(Full)).Draw(t, "dialog")),
				Width: rapid.IntRange(-1, 300).Draw(t, "dialog width"), Height: rapid.IntRange(-1, 300).Draw(t, "dialog height"),
			},
		}
		w, h := rapid.IntRange(0, 300).Draw(t, "w"), rapid.IntRange(0, 300).Draw(t, "h")
		checkTiling(t, w, h, s)
		checkPromises(t, w, h, s)
	})
}

// checkTiling checks that the spans of a line follow one another without gaps
// from the first column to the last. It only checks lines where a part begins
// or ends, because the parts of a line change nowhere else.
func checkTiling(t require.TestingT, w, h int, s State) {
	l := Compute(w, h, s)
	lines := []int{0, h - 1}
	for _, r := range l.rects {
		if !r.Empty() {
			lines = append(lines, r.Y-1, r.Y, r.Y+r.H-1, r.Y+r.H)
		}
	}
	var spans []Span
	for _, y := range lines {
		if y < 0 || y >= h {
			continue
		}
		spans = l.AppendRow(spans[:0], y)
		x := 0
		for _, span := range spans {
			if span.X != x || span.Line != y-l.Rect(span.Part).Y {
				require.Failf(t, "parts do not tile", "%dx%d %+v line %d: %v starts at %d, not %d", w, h, s, y, span.Part, span.X, x)
			}
			x += span.W
		}
		if x != w {
			require.Failf(t, "parts do not tile", "%dx%d %+v line %d: %d cells", w, h, s, y, x)
		}
	}
}

func checkPromises(t require.TestingT, w, h int, s State) {
	l := Compute(w, h, s)
	if w < MinWidth || h < MinHeight {
		require.Equal(t, TooSmall, l.Mode)
		return
	}
	shown := 0
	for p := range board.Pane(board.PaneCount) {
		if l.Shows(p) {
			shown++
			require.GreaterOrEqual(t, l.Rect(BodyOf(p)).H, 6, "a pane worth showing has a header and five rows")
			require.Equal(t, 1, l.Rect(TitleOf(p)).H)
		}
	}
	onTop := s.Detail && w < BesideWidth
	switch {
	case s.Screen != Board || onTop:
		require.Zero(t, shown)
	case w >= QuadWidth && h >= QuadHeight && !s.Zoom:
		require.Equal(t, board.PaneCount, shown)
	default:
		require.Equal(t, 1, shown)
		require.True(t, l.Shows(s.Focus))
		require.False(t, l.Rect(Tabs).Empty())
	}
	require.Equal(t, s.Detail, !l.Rect(DetailBody).Empty())
	require.Equal(t, s.Detail && w >= BesideWidth, l.DetailBeside())
	if s.Dialog.Kind == NoDialog {
		require.True(t, l.Dialog.Empty())
		return
	}
	o := l.Dialog
	require.False(t, o.Empty())
	require.True(t, l.Body.Contains(o.X, o.Y) && l.Body.Contains(o.X+o.W-1, o.Y+o.H-1), "a dialog stays inside the body")
}

func TestPartAt(t *testing.T) {
	l := Compute(120, 40, State{})
	r := l.Rect(TasksBody)
	require.Equal(t, TasksBody, l.PartAt(r.X, r.Y))
	require.Equal(t, Divider, l.PartAt(l.Rect(Divider).X, 5))
	require.Equal(t, Nothing, l.PartAt(500, 5))
	pane, ok := TasksBody.Pane()
	require.True(t, ok)
	require.Equal(t, board.PaneTasks, pane)
	_, ok = Header.Pane()
	require.False(t, ok)
}

func BenchmarkCompute(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Compute(200, 60, State{Detail: true})
	}
}

// nameOf returns the name of a part in the drawings.
func nameOf(p Part) string {
	return [partCount]string{
		Header: "header", Banner: "banner", Tabs: "tabs",
		DelaysTitle: "delays title", DelaysBody: "delays", WorkersTitle: "workers title", WorkersBody: "workers",
		TasksTitle: "tasks title", TasksBody: "tasks", OrdersTitle: "orders title", OrdersBody: "orders",
		Divider: "divider", PageTitle: "page title", PageBody: "page", MapTitle: "map title", MapBody: "map",
		NearDivider: "nearest divider", NearTitle: "nearest title", NearBody: "nearest",
		DetailDivider: "detail divider", DetailTitle: "detail title", DetailBody: "detail",
		Jobs: "jobs", Status: "status", Message: "message",
	}[p]
}
