package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"waybill/board"
	"waybill/model"
	"waybill/views/theme"
)

type stop struct{ id, status, worker, address string }

func stopColumns() []Column[stop] {
	field := func(get func(stop) string) func(stop, *Context) (string, theme.Token) {
		return func(s stop, _ *Context) (string, theme.Token) { return get(s), theme.Text }
	}
	return []Column[stop]{
		{Key: "status", Min: 1, Gap: 1, Render: func(s stop, ctx *Context) (string, theme.Token) {
			b := ctx.Theme.Badge(board.OrderTone(model.OrderStatus(s.status)))
			return b.Glyph, b.Token
		}},
		{
			Key: "id", Title: "task", Min: 4, Render: field(func(s stop) string { return s.id }),
			Sortable: true,
		},
		{
			Key: "worker", Title: "worker", Min: 8, Max: 12, Flex: 1, Drop: 1, Render: field(func(s stop) string { return s.worker }),
			Sortable: true,
		},
		{Key: "address", Title: "address", Min: 10, Flex: 2, Drop: 2, Align: theme.Left, Render: field(func(s stop) string { return s.address })},
	}
}

func newStops() *Table[stop] { return New(func(s stop) string { return s.id }, stopColumns()) }

func stops(ids ...string) []stop {
	rows := make([]stop, len(ids))
	for i, id := range ids {
		rows[i] = stop{id, "assigned", "D. Okafor", "88 Colin P Kelly St"}
	}
	return rows
}

func numbered(n int) []stop {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprint(i)
	}
	return stops(ids...)
}

func frame() *Frame {
	return &Frame{Theme: theme.Choose(theme.Mono, theme.BackgroundUnknown), Focused: true}
}

// drawAll returns all lines of a table.
func drawAll[R any](tb *Table[R], f *Frame) string {
	var dst []byte
	for line := range tb.height {
		if line > 0 {
			dst = append(dst, '\n')
		}
		dst = tb.AppendLine(dst, line, f)
	}
	return string(dst)
}

// indexed is a slice with an index, as the views of the board have.
type indexed[R any] struct {
	slice[R]
	find func(id string) (int, bool)
}

func (s indexed[R]) Find(id string) (row int, ok, known bool) {
	row, ok = s.find(id)
	return row, ok, true
}

func plainLines(tb *Table[stop], f *Frame) []string {
	return strings.Split(ansi.Strip(drawAll(tb, f)), "\n")
}

func TestDrawing(t *testing.T) {
	tb := newStops()
	tb.SetRows([]stop{
		{"9e01", "unassigned", "–", "543 Howard Street"},
		{"c77f", "active", "D. Okafor", "88 Colin P Kelly Junior St"},
		{"5d20", "completed", "A. Lindqvist", "1 東京都港区"},
	})
	tb.SetSort(Sort{Column: "id", Desc: true})
	tb.Mark("5d20")
	f := frame()
	f.IsNew = func(id string) bool { return id == "9e01" }
	f.Changed = func(id, column string) bool { return id == "c77f" && column == "worker" }

	for _, c := range []struct {
		width int
		want  []string
	}{
		{48, []string{
			"    task▼ worker        address                 ",
			"▌+○ 9e01  –             543 Howard Street       ",
			"  ▶ c77f  D. Okafor   • 88 Colin P Kelly Junio… ",
			" ●✓ 5d20  A. Lindqvist  1 東京都港区            ",
			"                                                ",
		}},
		{24, []string{
			"    task▼ worker        ",
			"▌+○ 9e01  –             ",
			"  ▶ c77f  D. Okafor   • ",
			" ●✓ 5d20  A. Lindqvist  ",
			"                        ",
		}},
		{12, []string{
			"    task▼   ",
			"▌+○ 9e01    ",
			"  ▶ c77f    ",
			" ●✓ 5d20    ",
			"            ",
		}},
		{7, []string{"    t…▼", "▌+○ 9… ", "  ▶ c… ", " ●✓ 5… ", "       "}},
		{1, []string{" ", "▌", " ", " ", " "}},
		{0, []string{"", "", "", "", ""}},
	} {
		t.Run(fmt.Sprint(c.width), func(t *testing.T) {
			tb.SetSize(c.width, 5)
			got := plainLines(tb, f)
			for i := range got {
				got[i] = strings.TrimRight(got[i], " ")
			}
			for i := range c.want {
				c.want[i] = strings.TrimRight(c.want[i], " ")
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestEmptyTableShowsText(t *testing.T) {
	tb := newStops()
	tb.SetSize(30, 4)
	tb.SetEmpty("Nothing is late.")
	require.Equal(t, "  Nothing is late.            ", plainLines(tb, frame())[1])
	_, ok := tb.CursorRow()
	require.False(t, ok)
	tb.Move(1)
	tb.Go(Bottom)
	tb.ToggleRange()
	tb.ToggleMark()
	require.False(t, tb.Next(1, func(stop) bool { return true }))
	require.Zero(t, tb.SelectedCount())
	require.Zero(t, tb.Position())
}

func TestCursorFollowsItsRow(t *testing.T) {
	tb := newStops()
	tb.SetSize(40, 6)
	tb.SetRows(stops("a", "b", "c", "d"))
	require.True(t, tb.SetCursor("c"))

	tb.SetRows(stops("c", "a", "b"))
	require.Equal(t, "c", tb.CursorID())

	tb.SetRows(stops("x", "y", "z", "a", "b", "c"))
	require.Equal(t, "c", tb.CursorID())
	require.Equal(t, 6, tb.Position())
}

func TestCursorOfRemovedRowMovesToNeighbour(t *testing.T) {
	tb := newStops()
	tb.SetSize(40, 6)
	tb.SetRows(stops("a", "b", "c", "d"))
	tb.SetCursor("b")
	tb.SetRows(stops("d", "c", "a"))
	require.Equal(t, "c", tb.CursorID(), "the one below")
	tb.SetRows(stops("q", "d", "r"))
	require.Equal(t, "d", tb.CursorID(), "c was above a, d above c: only d is left")
	tb.SetRows(stops("p", "q"))
	require.Equal(t, "q", tb.CursorID())
	tb.SetRows(stops("t", "u"))
	require.Equal(t, "u", tb.CursorID(), "nobody is left: the same row number")
}

func TestCursorComesBackWithItsRows(t *testing.T) {
	tb := newStops()
	tb.SetSize(40, 6)
	tb.SetCursor("b")
	tb.SetRows(stops("a", "b"))
	require.Equal(t, "b", tb.CursorID(), "restored before any data")
	tb.SetRows(nil)
	require.Empty(t, tb.CursorID())
	tb.SetRows(stops("a", "b"))
	require.Equal(t, "b", tb.CursorID())
}

func TestListAtTopStaysAtTop(t *testing.T) {
	tb := newStops()
	tb.SetSize(40, 6)
	tb.SetRows(stops("a", "b", "c", "d", "e", "f", "g"))
	tb.SetRows(stops("new", "a", "b", "c", "d", "e", "f", "g"))
	require.Equal(t, "a", tb.CursorID())
	require.Equal(t, "new", tb.OnScreen()[0])

	tb.SetCursor("g") // scrolled: now the row keeps its line instead
	line := slices.Index(tb.OnScreen(), "g")
	tb.SetRows(stops("newer", "new", "a", "b", "c", "d", "e", "f", "g", "h"))
	require.Equal(t, line, slices.Index(tb.OnScreen(), "g"))
}

func TestMotions(t *testing.T) {
	tb := newStops()
	tb.SetSize(40, 11) // ten rows
	tb.SetRows(numbered(100))
	at := func(want string) { t.Helper(); require.Equal(t, want, tb.CursorID()) }

	tb.Move(1)
	at("1")
	tb.Move(-5)
	at("0")
	tb.Go(Bottom)
	at("99")
	require.Equal(t, "90", tb.OnScreen()[0])
	tb.Go(Top)
	at("0")
	tb.Go(PageDown)
	at("9")
	tb.Go(ScreenTop)
	at("9")
	tb.Go(ScreenBottom)
	at("18")
	tb.Go(ScreenMiddle)
	at("13")
	tb.Go(HalfDown)
	at("18")
	tb.Go(HalfUp)
	at("13")
	for range 100 {
		tb.Go(PageDown)
	}
	at("99")
	for range 100 {
		tb.Go(PageUp)
	}
	at("0")

	odd := func(s stop) bool { return strings.HasSuffix(s.id, "7") }
	require.True(t, tb.Next(-1, odd))
	at("97")
	require.True(t, tb.Next(1, odd))
	at("7")
	require.False(t, tb.Next(1, func(stop) bool { return false }))
	at("7")

	id, ok := tb.IDAt(1)
	require.True(t, ok)
	require.Equal(t, tb.OnScreen()[0], id)
	_, ok = tb.IDAt(0)
	require.False(t, ok, "the header is no row")
}

func TestRangeFreezesUntilItEnds(t *testing.T) {
	tb := newStops()
	tb.SetSize(40, 11)
	tb.SetRows(stops("a", "b", "c", "d"))
	tb.SetCursor("b")
	tb.Mark("c", "gone")
	tb.ToggleRange()
	tb.Move(2)
	tb.SetRows(stops("a", "b", "intruder", "c", "d"))
	require.Equal(t, 4, tb.SelectedCount(), "b, c, d and the hidden mark")
	shown, hidden := tb.Selection()
	require.Equal(t, []string{"b", "c", "d"}, shown)
	require.Equal(t, []string{"gone"}, hidden)

	tb.ToggleRange()
	shown, _ = tb.Selection()
	require.Equal(t, []string{"b", "c", "d"}, shown, "what arrived meanwhile was not chosen")
	require.Equal(t, 5, tb.Len(), "but it is shown now")

	tb.Unmark("gone")
	require.Equal(t, 3, tb.MarkCount())
	tb.ClearMarks()
	shown, hidden = tb.Selection()
	require.Equal(t, []string{"d"}, shown, "without marks the cursor's row is meant")
	require.Empty(t, hidden)
}

func TestFreezeKeepsOrderAndShowsPresentData(t *testing.T) {
	tb := newStops()
	tb.SetSize(40, 11)
	tb.SetRows(stops("a", "b", "c"))
	tb.SetCursor("b")
	tb.SetFrozen(true)
	next := []stop{{id: "c"}, {id: "b", worker: "M. Ruiz"}}
	tb.SetRowLookup(func(id string) (stop, bool) {
		i := slices.IndexFunc(next, func(s stop) bool { return s.id == id })
		return next[max(i, 0)], i >= 0
	})
	tb.SetRows(next)
	require.Equal(t, []string{"a", "b", "c"}, tb.OnScreen())
	row, _ := tb.CursorRow()
	require.Equal(t, "M. Ruiz", row.worker)
	tb.SetFrozen(false)
	require.Equal(t, []string{"c", "b"}, tb.OnScreen())
	require.Equal(t, "b", tb.CursorID())
}

func TestWrongIndexIsIgnored(t *testing.T) {
	tb := newStops()
	tb.SetSize(40, 11)
	tb.SetSource(indexed[stop]{stops("a", "b", "c"), func(string) (int, bool) { return 0, true }})
	require.True(t, tb.SetCursor("c"))
	require.Equal(t, "c", tb.CursorID())
}

func TestNextSortUsesSortableColumnsOnScreen(t *testing.T) {
	tb := newStops()
	tb.SetSize(60, 5)
	tb.SetSort(tb.NextSort(1))
	require.Equal(t, "id", tb.sort.Column)
	tb.SetSort(tb.NextSort(1))
	require.Equal(t, "worker", tb.sort.Column)
	require.Equal(t, "id", tb.NextSort(1).Column)
	require.Equal(t, "id", tb.NextSort(-1).Column)
	tb.SetSize(12, 5) // worker dropped
	require.Equal(t, "id", tb.NextSort(-1).Column)
}
