package screenbench

import (
	"fmt"
	"time"

	"github.com/charmbracelet/colorprofile"

	"waybill/board"
	"waybill/keymaps"
	"waybill/ui/screen"
	"waybill/views/canvas"
	"waybill/views/layout"
	"waybill/views/table"
	"waybill/views/theme"
)

// row is as much of a task, a worker or an order as its pane shows.
type row struct {
	id     string
	status board.Tone
	fields [8]string
}

// console is the smallest console there is: panes, titles, header, status line.
type console struct {
	theme  *theme.Theme
	panes  [board.PaneCount]*table.Table[*row]
	keys   *keymaps.Table
	state  layout.State
	layout layout.Layout
	width  int
	height int
	clock  time.Time

	changed map[string]bool
	spans   []layout.Span
	out     []byte
}

func newConsole(width, height, tasks, workers int) *console {
	b := &console{
		theme: theme.Choose(theme.Dark, theme.BackgroundDark), keys: keymaps.Default(),
		width: width, height: height, clock: time.Unix(1_800_000_000, 0), changed: map[string]bool{},
	}
	counts := [board.PaneCount]int{tasks / 20, workers, tasks, tasks / 10}
	for p := range board.Pane(board.PaneCount) {
		b.panes[p] = table.New(func(r *row) string { return r.id }, columnsOf(p))
		b.panes[p].SetRows(makeRows(p, counts[p]))
	}
	b.arrange()
	return b
}

func (b *console) arrange() {
	b.layout = layout.Compute(b.width, b.height, b.state)
	for p, t := range b.panes {
		r := b.layout.Rect(layout.BodyOf(board.Pane(p)))
		t.SetSize(r.W, r.H)
	}
}

func makeRows(p board.Pane, n int) []*row {
	statuses := []board.Tone{board.ToneLate, board.ToneAtRisk, board.ToneUnassigned, board.ToneAssigned, board.ToneActive, board.ToneSilent, board.ToneIdle}
	rows := make([]*row, n)
	for i := range rows {
		key := uint32(i*2654435761) + uint32(p)
		minutes := 34 - i%90
		rows[i] = &row{
			id: fmt.Sprintf("%d%08x", p, key), status: statuses[i%len(statuses)],
			fields: [8]string{
				fmt.Sprintf("%dm", minutes), fmt.Sprintf("%08x", key), fmt.Sprintf("D. Okafor %d", i%700),
				fmt.Sprintf("%02d:%02d", i%24, i%60), fmt.Sprintf("%02d:%02d", (i+1)%24, i%60),
				fmt.Sprintf("%d Colin P Kelly Junior Street", i%999), fmt.Sprintf("%d/12", i%12), "behind 2 late stops",
			},
		}
	}
	return rows
}

func columnsOf(p board.Pane) []table.Column[*row] {
	titles := [board.PaneCount][8]string{
		{"late", "task", "worker", "due", "eta", "address", "load", "why"},
		{"late", "doing", "name", "seen", "since", "place", "load", "note"},
		{"late", "task", "worker", "from", "to", "address", "qty", "notes"},
		{"price", "order", "client", "pickup", "drop-off", "address", "items", "service"},
	}[p]
	columns := []table.Column[*row]{{Key: "status", Min: 1, Gap: 1, Render: func(r *row, ctx *table.Context) (string, theme.Token) {
		badge := ctx.Theme.Badge(r.status)
		return badge.Glyph, badge.Token
	}}}
	widths := [8]int{6, 8, 10, 5, 5, 12, 5, 12}
	for i, title := range titles {
		columns = append(columns, table.Column[*row]{
			Key: title, Title: title, Min: widths[i], Flex: widths[i] / 10, Drop: i,
			Render: func(r *row, ctx *table.Context) (string, theme.Token) {
				if i == 0 {
					return r.fields[0], ctx.Theme.Badge(r.status).Token
				}
				return r.fields[i], theme.Text
			},
		})
	}
	return columns
}

// changingColumns is the column of each pane whose cells change in a test.
var changingColumns = [board.PaneCount]string{"due", "seen", "from", "pickup"}

// frame is the screen as text, written line by line into one buffer.
func (b *console) frame() []byte {
	frames := [board.PaneCount]table.Frame{}
	for p := range frames {
		frames[p] = table.Frame{
			Theme: b.theme, Focused: board.Pane(p) == b.state.Focus,
			Changed: func(id, column string) bool { return b.changed[id] && column == changingColumns[p] },
		}
	}
	b.out = b.out[:0]
	for y := range b.height {
		if y > 0 {
			b.out = append(b.out, '\n')
		}
		b.spans = b.layout.AppendRow(b.spans[:0], y)
		for _, s := range b.spans {
			b.out = b.appendSpan(b.out, s, &frames)
		}
	}
	return b.out
}

func (b *console) appendSpan(dst []byte, s layout.Span, frames *[board.PaneCount]table.Frame) []byte {
	pane, inPane := s.Part.Pane()
	g := &b.theme.Glyphs
	switch {
	case s.Part.IsDivider():
		joints := [...]string{layout.Straight: g.Vertical, layout.TeeDown: g.TeeDown, layout.Cross: g.Cross, layout.TeeLeft: g.TeeLeft, layout.TeeRight: g.TeeRight}
		return b.theme.Append(dst, theme.Rule, joints[s.Joint])
	case inPane && s.Part.IsTitle():
		return b.appendTitle(dst, pane, s.W)
	case inPane:
		return b.panes[pane].AppendLine(dst, s.Line, &frames[pane])
	case s.Part == layout.Header:
		trend := canvas.Spark([]int{1, 2, 2, 4, 7, 5, 4}, 8, g.Trend)
		return b.theme.Measure.AppendFit(dst, " waybill  SANDBOX  Bay Couriers  "+trend+"  "+b.clock.UTC().Format("15:04:05"), s.W, theme.Left)
	case s.Part == layout.Status:
		return b.appendStatus(dst, s.W)
	default:
		return theme.AppendSpaces(dst, s.W)
	}
}

func (b *console) appendTitle(dst []byte, pane board.Pane, width int) []byte {
	token := theme.Title
	if pane == b.state.Focus {
		token = theme.TitleFocus
	}
	name := fmt.Sprintf(" %d %s %d ", pane+1, [...]string{"Delays", "Drivers on duty", "Tasks", "Orders"}[pane], b.panes[pane].Len())
	dst = b.theme.Append(dst, theme.Rule, b.theme.Glyphs.Horizontal)
	dst = b.theme.Append(dst, token, name)
	dst = append(dst, b.theme.On(theme.Rule, theme.RowPlain)...)
	dst = theme.AppendRepeat(dst, b.theme.Glyphs.Horizontal, width-1-len(name))
	return append(dst, theme.Reset...)
}

func (b *console) appendStatus(dst []byte, width int) []byte {
	scopes := [...]keymaps.Scope{keymaps.Delays, keymaps.Workers, keymaps.Tasks, keymaps.Orders}
	left := width
	for _, h := range b.keys.Hints([]keymaps.Scope{keymaps.Global, scopes[b.state.Focus]}, keymaps.Context{}, width) {
		dst = b.theme.Append(dst, theme.Key, h.Key)
		dst = append(dst, " "+h.Label+"  "...)
		left -= h.Width() + 2
	}
	return theme.AppendSpaces(dst, left)
}

// sink is what becomes of a frame: it is compared with the last one, and the difference is sent.
type sink struct{ painter *screen.Painter }

func newSink(width, height int) *sink {
	return &sink{screen.NewPainter(width, height, colorprofile.ANSI256)}
}

// show sends a frame and returns how many bytes that took.
func (t *sink) show(frame []byte) int { return len(t.painter.Paint(string(frame))) }
