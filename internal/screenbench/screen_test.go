package screenbench

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"waybill/views/layout"
)

func TestFramesAreExact(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 40}, {100, 30}, {80, 24}, {60, 20}} {
		b := newBoard(size[0], size[1], 500, 40)
		for focus := range layout.Pane(layout.PaneCount) {
			b.state.Focus = focus
			b.arrange()
			lines := bytes.Split(b.frame(), []byte("\n"))
			require.Len(t, lines, size[1])
			for y, line := range lines {
				require.Equal(t, size[0], ansi.StringWidthWc(string(line)), "%v line %d: %q", size, y, line)
			}
		}
	}
}

// The byte budget of a line that may be slow. The numbers are what is sent
// today with a little air; a change that breaks them made the screen dearer.
func TestBytesSent(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*board)
		most   int
	}{
		{"nothing", func(*board) {}, 0},
		{"clock", func(b *board) { b.clock = b.clock.Add(time.Second) }, 10},
		{"cursor down", func(b *board) { b.panes[b.state.Focus].Move(1) }, 330},
		{"focus the next pane", func(b *board) { b.state.Focus = layout.Workers }, 400},
		{"twenty cells change in four panes", changeTwentyCells, 380},
		{"five cells change in one pane", func(b *board) { markChanged(b, layout.Tasks) }, 120},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBoard(200, 60, 500, 40)
			term := newSink(200, 60)
			full := term.show(b.frame())
			require.Less(t, full, 40_000)
			c.change(b)
			sent := term.show(b.frame())
			t.Logf("%d bytes", sent)
			require.LessOrEqual(t, sent, c.most)
		})
	}
}

func changeTwentyCells(b *board) {
	for p := range layout.Pane(layout.PaneCount) {
		markChanged(b, p)
	}
}

// markChanged changes a cell in each of the first five rows of a pane.
func markChanged(b *board, p layout.Pane) {
	for _, id := range b.panes[p].OnScreen()[:5] {
		b.changed[id] = true
	}
}

var taskCounts = []int{500, 50_000}

// BenchmarkFrame is the work of View: everything drawn into one string.
func BenchmarkFrame(b *testing.B) {
	for _, n := range taskCounts {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			snapshot := newBoard(200, 60, n, 1000)
			b.ReportAllocs()
			for b.Loop() {
				_ = snapshot.frame()
			}
			b.ReportMetric(float64(len(snapshot.out)), "bytes/frame")
		})
	}
}

// BenchmarkKey is a key from the action to the last byte sent, the terminal
// itself aside.
func BenchmarkKey(b *testing.B) {
	for _, n := range taskCounts {
		for _, c := range []struct {
			name  string
			press func(*board, int)
		}{
			{"down", func(b *board, _ int) { b.panes[layout.Tasks].Move(1) }},
			{"page", func(b *board, _ int) { b.panes[layout.Tasks].Page(1) }},
			{"up and down", func(b *board, i int) { b.panes[layout.Tasks].Move(1 - i%2*2) }},
			{"focus", func(b *board, i int) { b.state.Focus = layout.Pane(i % layout.PaneCount) }},
		} {
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				snapshot, term := newBoard(200, 60, n, 1000), newSink(200, 60)
				snapshot.state.Focus = layout.Tasks
				term.show(snapshot.frame())
				sent, i := 0, 0
				for b.Loop() {
					c.press(snapshot, i)
					sent += term.show(snapshot.frame())
					if i++; snapshot.panes[layout.Tasks].Position() == snapshot.panes[layout.Tasks].Len() {
						snapshot.panes[layout.Tasks].Top()
					}
				}
				b.ReportMetric(float64(sent)/float64(b.N), "sent/op")
			})
		}
	}
}

// BenchmarkPoll replaces the rows of every pane, as a poll does.
func BenchmarkPoll(b *testing.B) {
	for _, n := range taskCounts {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			snapshot, term := newBoard(200, 60, n, 1000), newSink(200, 60)
			rows := [2][]*row{makeRows(layout.Tasks, n), makeRows(layout.Tasks, n)}
			slices.Reverse(rows[1])
			term.show(snapshot.frame())
			i := 0
			for b.Loop() {
				snapshot.panes[layout.Tasks].SetRows(rows[i%2], nil)
				term.show(snapshot.frame())
				i++
			}
		})
	}
}
