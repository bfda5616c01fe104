package screenbench

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"waybill/board"
	"waybill/views/table"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
)

func TestFramesAreExact(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 40}, {100, 30}, {80, 24}, {60, 20}} {
		b := newConsole(size[0], size[1], 500, 40)
		for focus := range board.Pane(board.PaneCount) {
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
		change func(*console)
		most   int
	}{
		{"nothing", func(*console) {}, 0},
		{"clock", func(b *console) { b.clock = b.clock.Add(time.Second) }, 10},
		{"cursor down", func(b *console) { b.panes[b.state.Focus].Move(1) }, 330},
		{"focus the next pane", func(b *console) { b.state.Focus = board.PaneWorkers }, 400},
		{"twenty cells change in four panes", changeTwentyCells, 380},
		{"five cells change in one pane", func(b *console) { markChanged(b, board.PaneTasks) }, 120},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newConsole(200, 60, 500, 40)
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

func changeTwentyCells(b *console) {
	for p := range board.Pane(board.PaneCount) {
		markChanged(b, p)
	}
}

// markChanged changes a cell in each of the first five rows of a pane.
func markChanged(b *console, p board.Pane) {
	for _, id := range b.panes[p].OnScreen()[:5] {
		b.changed[id] = true
	}
}

var taskCounts = []int{500, 50_000}

// BenchmarkFrame is the work of View: everything drawn into one string.
func BenchmarkFrame(b *testing.B) {
	for _, n := range taskCounts {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			snapshot := newConsole(200, 60, n, 1000)
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
			press func(*console, int)
		}{
			{"down", func(b *console, _ int) { b.panes[board.PaneTasks].Move(1) }},
			{"page", func(b *console, _ int) { b.panes[board.PaneTasks].Go(table.PageDown) }},
			{"up and down", func(b *console, i int) { b.panes[board.PaneTasks].Move(1 - i%2*2) }},
			{"focus", func(b *console, i int) { b.state.Focus = board.Pane(i % board.PaneCount) }},
		} {
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				snapshot, term := newConsole(200, 60, n, 1000), newSink(200, 60)
				snapshot.state.Focus = board.PaneTasks
				term.show(snapshot.frame())
				sent, i := 0, 0
				for b.Loop() {
					c.press(snapshot, i)
					sent += term.show(snapshot.frame())
					if i++; snapshot.panes[board.PaneTasks].Position() == snapshot.panes[board.PaneTasks].Len() {
						snapshot.panes[board.PaneTasks].Go(table.Top)
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
			snapshot, term := newConsole(200, 60, n, 1000), newSink(200, 60)
			rows := [2][]*row{makeRows(board.PaneTasks, n), makeRows(board.PaneTasks, n)}
			slices.Reverse(rows[1])
			term.show(snapshot.frame())
			i := 0
			for b.Loop() {
				snapshot.panes[board.PaneTasks].SetRows(rows[i%2])
				term.show(snapshot.frame())
				i++
			}
		})
	}
}
