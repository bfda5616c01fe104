package table

import (
	"fmt"
	"slices"
	"testing"

	"waybill/board"
	"waybill/model"
	"waybill/views/theme"
)

// boardColumns is a table as busy as the tasks pane.
func boardColumns() []Column[*stop] {
	text := func(get func(*stop) string, token theme.Token) func(*stop, *Context) (string, theme.Token) {
		return func(s *stop, _ *Context) (string, theme.Token) { return get(s), token }
	}
	return []Column[*stop]{
		{Key: "status", Min: 1, Gap: 1, Render: func(s *stop, ctx *Context) (string, theme.Token) {
			b := ctx.Theme.Badge(board.OrderTone(model.OrderStatus(s.status)))
			return b.Glyph, b.Token
		}},
		{Key: "id", Title: "task", Min: 8, Render: text(func(s *stop) string { return s.id }, theme.Text)},
		{Key: "kind", Title: "kind", Min: 4, Drop: 5, Render: text(func(*stop) string { return "drop" }, theme.Muted)},
		{Key: "state", Title: "state", Min: 10, Drop: 4, Render: func(s *stop, ctx *Context) (string, theme.Token) {
			b := ctx.Theme.Badge(board.OrderTone(model.OrderStatus(s.status)))
			return b.Word, b.Token
		}},
		{Key: "window", Title: "window", Min: 11, Drop: 3, Render: text(func(*stop) string { return "13:00–13:58" }, theme.Text)},
		{Key: "late", Title: "late", Min: 6, Align: theme.Right, Render: text(func(*stop) string { return "34m" }, theme.StatusToken(board.ToneLate))},
		{Key: "worker", Title: "worker", Min: 10, Max: 20, Flex: 1, Render: text(func(s *stop) string { return s.worker }, theme.Text)},
		{Key: "address", Title: "address", Min: 12, Flex: 3, Drop: 1, Render: text(func(s *stop) string { return s.address }, theme.Text)},
		{Key: "recipient", Title: "recipient", Min: 10, Flex: 1, Drop: 6, Render: text(func(*stop) string { return "Åsa Ångström" }, theme.Muted)},
		{Key: "notes", Title: "notes", Min: 10, Flex: 1, Drop: 7, Render: text(func(*stop) string { return "leave at the door, dog bites" }, theme.Muted)},
	}
}

func boardRows(n int) []*stop {
	states := []string{"unassigned", "assigned", "active", "completed", "failed"}
	rows := make([]*stop, n)
	for i := range rows {
		rows[i] = &stop{fmt.Sprintf("%08x", i*2654435761%(1<<32)), states[i%len(states)], "D. Okafor", "88 Colin P Kelly Junior Street"}
	}
	return rows
}

func boardTable(n int) (*Table[*stop], *Frame) {
	tb := New(func(s *stop) string { return s.id }, boardColumns())
	tb.SetRows(boardRows(n))
	tb.SetSize(200, 60)
	tb.Move(n / 2)
	return tb, &Frame{
		Theme: theme.Choose(theme.Dark, theme.BackgroundDark), Focused: true,
		Changed: func(id, _ string) bool { return id[0]&1 == 1 },
		IsNew:   func(id string) bool { return id[1] == '0' },
	}
}

var sizes = []int{500, 50_000}

func BenchmarkDraw200x60(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			tb, f := boardTable(n)
			dst := make([]byte, 0, 1<<16)
			b.ReportAllocs()
			for b.Loop() {
				dst = dst[:0]
				for line := range 60 {
					dst = tb.AppendLine(dst, line, f)
				}
			}
			b.ReportMetric(float64(len(dst)), "bytes/frame")
		})
	}
}

func BenchmarkCursorMove(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			tb, _ := boardTable(n)
			b.ReportAllocs()
			for b.Loop() {
				tb.Move(1)
				tb.Move(-1)
			}
		})
	}
}

func BenchmarkSetRows(b *testing.B) {
	for _, n := range sizes {
		same := boardRows(n)
		reversed := slices.Clone(same)
		slices.Reverse(reversed)
		without := slices.Delete(slices.Clone(same), n/10, n/10+1)
		at := make(map[string]int, n)
		for i, r := range same {
			at[r.id] = i
		}
		index := func(id string) (int, bool) { row, ok := at[id]; return row, ok }
		for _, c := range []struct {
			name string
			a, b Source[*stop]
		}{
			{"same", slice[*stop](same), slice[*stop](same)},
			{"reversed", slice[*stop](same), slice[*stop](reversed)},
			{"reversed and indexed", indexed[*stop]{same, index}, indexed[*stop]{same, index}},
			{"row gone", slice[*stop](same), slice[*stop](without)},
		} {
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				tb, _ := boardTable(n)
				id := same[n/10].id
				b.ReportAllocs()
				for b.Loop() {
					tb.SetSource(c.a)
					tb.SetCursor(id)
					tb.SetSource(c.b)
				}
			})
		}
	}
}

func BenchmarkRangeOverEverything(b *testing.B) {
	tb, f := boardTable(50_000)
	tb.MarkAll()
	tb.Go(Top)
	tb.ToggleRange()
	dst := make([]byte, 0, 1<<16)
	for b.Loop() {
		tb.Go(Bottom)
		_ = tb.SelectedCount()
		dst = tb.AppendLine(dst[:0], 30, f)
	}
}
