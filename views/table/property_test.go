package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/views/theme"
)

// The one promise that matters: whatever happens to the rows, the cursor and
// the marks are on the ids a person put them on.
func TestIdentityUnderRandomReplacement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tb := newStops()
		tb.SetSize(40, rapid.IntRange(1, 12).Draw(t, "height"))
		marks := map[string]bool{}
		var rows []stop
		t.Repeat(map[string]func(*rapid.T){
			"replace": func(t *rapid.T) {
				before, id := rows, tb.CursorID()
				rows = drawRows(t)
				tb.SetSource(drawSource(t, rows))
				if len(rows) == 0 || id == "" {
					return
				}
				require.Contains(t, expectedCursor(before, rows, id), tb.CursorID())
			},
			"move":   func(t *rapid.T) { tb.Move(rapid.IntRange(-20, 20).Draw(t, "by")) },
			"page":   func(t *rapid.T) { tb.Go(rapid.SampledFrom([]Motion{PageUp, PageDown}).Draw(t, "motion")) },
			"screen": func(*rapid.T) { tb.Go(ScreenMiddle) },
			"resize": func(t *rapid.T) {
				id := tb.CursorID()
				tb.SetSize(rapid.IntRange(0, 90).Draw(t, "w"), rapid.IntRange(0, 15).Draw(t, "h"))
				require.Equal(t, id, tb.CursorID())
			},
			"mark": func(*rapid.T) {
				if id := tb.CursorID(); id != "" {
					marks[id] = !marks[id]
				}
				tb.ToggleMark()
			},
			"": func(t *rapid.T) { checkInvariants(t, tb, rows, marks) },
		})
	})
}

func checkInvariants(t *rapid.T, tb *Table[stop], rows []stop, marks map[string]bool) {
	for id, marked := range marks {
		require.Equal(t, marked, tb.Marked(id), "mark of %s", id)
	}
	require.Equal(t, len(rows), tb.Len())
	if len(rows) == 0 {
		return
	}
	current, ok := tb.CursorRow()
	require.True(t, ok)
	require.Equal(t, current.id, tb.CursorID())
	require.Contains(t, tb.OnScreen(), tb.CursorID(), "the cursor is on the screen")
	require.Len(t, tb.OnScreen(), min(len(rows), max(tb.height-tb.headerHeight(), 1)), "no empty lines while rows are hidden")
}

// expectedCursor are the ids the cursor may be on after a replacement.
func expectedCursor(before, after []stop, id string) []string {
	has := func(id string) bool { return slices.ContainsFunc(after, func(s stop) bool { return s.id == id }) }
	if has(id) {
		return []string{id}
	}
	at := slices.IndexFunc(before, func(s stop) bool { return s.id == id })
	for _, distance := range []int{1, 2, 3, 4, -1, -2, -3, -4} { // below first
		if i := at + distance; i >= 0 && i < len(before) && has(before[i].id) {
			return []string{before[i].id}
		}
	}
	ids := make([]string, len(after))
	for i, s := range after {
		ids[i] = s.id
	}
	return ids
}

func drawRows(t *rapid.T) []stop {
	ids := rapid.SliceOfNDistinct(rapid.IntRange(0, 30), 0, 25, rapid.ID).Draw(t, "ids")
	rows := make([]stop, len(ids))
	for i, id := range ids {
		rows[i] = stop{id: fmt.Sprint(id)}
	}
	return rows
}

func drawSource(t *rapid.T, rows []stop) Source[stop] {
	if rapid.Bool().Draw(t, "without index") {
		return slice[stop](rows)
	}
	at := map[string]int{}
	for i, r := range rows {
		at[r.id] = i
	}
	return indexed[stop]{rows, func(id string) (int, bool) { row, ok := at[id]; return row, ok }}
}

// Every line is exactly as wide as the table, whatever the rows hold.
func TestLinesAreExact(t *testing.T) {
	hostile := []string{"", "plain", "東京都", "e\u0301\u0301", "\x1b[2J", "a\nb", "👩‍👩‍👧 family", "नमस्ते", strings.Repeat("x", 300), "\u202eabc", "\xff"}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(hostile)
		tb := New(func(s stop) string { return s.id }, drawColumns(t, text))
		rows := drawRows(t)
		tb.SetRows(rows)
		width, height := rapid.IntRange(0, 130).Draw(t, "width"), rapid.IntRange(1, 14).Draw(t, "height")
		tb.SetSize(width, height)
		tb.SetEmpty(text.Draw(t, "empty"))
		tb.SetSort(Sort{Column: "c1", Desc: rapid.Bool().Draw(t, "desc")})
		tb.Move(rapid.IntRange(0, 30).Draw(t, "cursor"))
		if rapid.Bool().Draw(t, "range") {
			tb.ToggleRange()
			tb.Move(3)
		}
		method := rapid.SampledFrom([]theme.Method{theme.ByCodePoint, theme.ByGrapheme}).Draw(t, "method")
		th, err := theme.New(theme.Options{Name: rapid.SampledFrom(theme.Names()).Draw(t, "theme"), Measure: method})
		require.NoError(t, err)
		f := &Frame{
			Theme: th, Focused: rapid.Bool().Draw(t, "focused"), Stale: rapid.Bool().Draw(t, "stale"),
			Changed: func(id, _ string) bool { return len(id)%4 == 1 },
			IsNew:   func(id string) bool { return id > "2" },
		}

		lines := strings.Split(drawAll(tb, f), "\n")
		require.Len(t, lines, height)
		counting := ansi.WcWidth
		if method == theme.ByGrapheme {
			counting = ansi.GraphemeWidth
		}
		for _, line := range lines {
			require.Equal(t, width, counting.StringWidth(line), "%q", line)
			require.True(t, width == 0 || !strings.Contains(line, "\x1b") || strings.HasSuffix(line, theme.Reset), "%q leaves a style on", line)
		}
	})
}

func drawColumns(t *rapid.T, text *rapid.Generator[string]) []Column[stop] {
	columns := make([]Column[stop], rapid.IntRange(0, 8).Draw(t, "columns"))
	for i := range columns {
		content := text.Draw(t, "content")
		token := theme.Token(rapid.IntRange(0, theme.TokenCount-1).Draw(t, "token"))
		columns[i] = Column[stop]{
			Key: fmt.Sprint("c", i), Title: text.Draw(t, "title"),
			Align:  rapid.SampledFrom([]theme.Align{theme.Left, theme.Right}).Draw(t, "align"),
			Min:    rapid.IntRange(1, 15).Draw(t, "min"),
			Max:    rapid.SampledFrom([]int{0, 15, 30}).Draw(t, "max"),
			Flex:   rapid.IntRange(0, 3).Draw(t, "flex"),
			Gap:    rapid.IntRange(0, 3).Draw(t, "gap"),
			Drop:   rapid.IntRange(0, 4).Draw(t, "drop"),
			Render: func(stop, *Context) (string, theme.Token) { return content, token },
		}
	}
	return columns
}

// Columns leave in order of their drop number, and the space they leave is
// never wasted while a column could use it.
func TestColumnsDropInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := drawColumns(t, rapid.Just("x"))
		width := rapid.IntRange(0, 150).Draw(t, "width")
		slots := fitColumns(columns, width)
		used, kept := gutterWidth, map[int]bool{}
		for _, s := range slots {
			used += s.width + s.gap
			kept[s.column] = true
			if c := columns[s.column]; c.Max > 0 {
				require.LessOrEqual(t, s.width, max(c.Max, c.Min))
			}
		}
		if len(slots) > 0 {
			require.LessOrEqual(t, used, width)
		}
		for lost, c := range columns {
			for other := range kept {
				if !kept[lost] && columns[other].Drop > 0 {
					require.GreaterOrEqual(t, c.Drop, columns[other].Drop, "column %d left before %d", lost, other)
				}
			}
		}
		for _, s := range slots {
			if used < width && columns[s.column].Flex > 0 {
				require.False(t, hasRoom(&columns[s.column], s.width), "cells are left over")
			}
		}
	})
}
