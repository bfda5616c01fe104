package ui

import (
	"context"
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/stretchr/testify/require"

	"waybill/board"
	"waybill/internal/sampleday"
	"waybill/settings"
	"waybill/ui/feed"
	"waybill/ui/screen"
	"waybill/views/table"
	"waybill/views/theme"
)

// benchConsole is a console with everything loaded, and the painter its frames go through.
type benchConsole struct {
	m       *Model
	world   *sampleday.World
	painter *screen.Painter
}

func newBenchConsole(b *testing.B, tasks, workers int) *benchConsole {
	b.Helper()
	world := sampleday.New(sampleday.Options{Tasks: tasks, Workers: workers, Orders: 60, Seed: 1, Now: time.Now()})
	client := newClient(b, world)
	m := New(context.Background(), Options{
		Settings: settings.Default(), Theme: theme.Dark, Zone: time.UTC,
		Tick:       func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil },
		Connection: &Connection{Client: client, Profile: settings.NewProfile("bench", "")},
	})
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	c := &benchConsole{m: m, world: world, painter: screen.NewPainter(200, 60, colorprofile.ANSI256)}
	c.work(m.Init())
	require.False(b, m.feed.Status().Loading)
	c.frame()
	return c
}

// work carries out commands until nothing is left to do.
func (c *benchConsole) work(cmd tea.Cmd) {
	queue := []tea.Cmd{cmd}
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		if next == nil {
			continue
		}
		switch msg := next().(type) {
		case tea.BatchMsg:
			queue = append(queue, msg...)
		case resultMsg:
			_, more := c.m.Update(msg)
			queue = append(queue, more)
		}
	}
}

// frame draws a frame and returns how many bytes it takes to send it.
func (c *benchConsole) frame() int { return len(c.painter.Paint(c.m.View().Content)) }

var boardSizes = []int{500, 50_000}

// BenchmarkKey is a key from the message to the last byte of its frame, the terminal itself aside. It is the same at
// five hundred tasks as at fifty thousand; what is longer than a frame, such as a sort, goes on in the background and
// is in the figure "whole".
func BenchmarkKey(b *testing.B) {
	for _, tasks := range boardSizes {
		console := newBenchConsole(b, tasks, 1000)
		for _, key := range []struct {
			name  string
			ready []string
			press func(m *Model, i int) tea.Cmd
		}{
			{"down", []string{"pane.tasks"}, func(m *Model, _ int) tea.Cmd { return m.Press("move.down") }},
			{"page", []string{"pane.tasks"}, func(m *Model, _ int) tea.Cmd { return m.Press("move.page-down") }},
			{"down in workers", []string{"pane.workers"}, func(m *Model, _ int) tea.Cmd { return m.Press("move.down") }},
			{"down in delays", []string{"pane.delays"}, func(m *Model, _ int) tea.Cmd { return m.Press("move.down") }},
			{"focus", nil, func(m *Model, _ int) tea.Cmd { return m.Press("pane.next") }},
			{"sort", []string{"pane.tasks"}, func(m *Model, _ int) tea.Cmd { return m.Press("find.sort-right") }},
			{"filter", []string{"pane.tasks"}, func(m *Model, i int) tea.Cmd {
				return m.setFilter([]string{"m", "mi", "mis", "miss", "unassigned", ""}[i%6])
			}},
		} {
			b.Run(fmt.Sprintf("%s/%d", key.name, tasks), func(b *testing.B) {
				for _, id := range key.ready {
					console.work(console.m.Press(id))
				}
				console.frame()
				bytesSent, i := 0, 0
				var whole time.Duration
				for b.Loop() {
					cmd := key.press(console.m, i)
					bytesSent += console.frame()
					b.StopTimer()
					began := time.Now()
					console.work(cmd)
					whole += time.Since(began)
					if p := console.m.focusedPane(); p.State().Position == p.Len() {
						p.Go(table.Top)
					}
					console.frame()
					i++
					b.StartTimer()
				}
				b.ReportMetric(float64(bytesSent)/float64(b.N), "sent/op")
				b.ReportMetric(float64(whole.Microseconds())/float64(b.N), "whole-µs/op")
			})
			console.work(console.m.setFilter(""))
			console.work(console.m.setSort(board.Sort{}))
		}
	}
}

// BenchmarkPoll is what an answer costs: a page of tasks of which a few changed, to the last byte of the frame.
func BenchmarkPoll(b *testing.B) {
	for _, tasks := range boardSizes {
		b.Run(fmt.Sprint(tasks), func(b *testing.B) {
			console := newBenchConsole(b, tasks, 1000)
			client := newClient(b, console.world)
			for b.Loop() {
				b.StopTimer()
				console.world.Advance(time.Second, 3)
				console.m.feed.Refresh(time.Now())
				request := console.m.feed.Next(time.Now())
				results := make([]feed.Result, 0, len(request))
				for _, r := range request {
					results = append(results, feed.Fetch(context.Background(), client, r, time.Now))
				}
				b.StartTimer()
				for i := range results {
					console.m.applyAnswer(&results[i])
				}
				console.frame()
			}
		})
	}
}

// BenchmarkTick is the work of a second in which nothing happens.
func BenchmarkTick(b *testing.B) {
	for _, tasks := range boardSizes {
		b.Run(fmt.Sprint(tasks), func(b *testing.B) {
			console := newBenchConsole(b, tasks, 1000)
			console.m.feed.Pause(true)
			for b.Loop() {
				console.m.Update(tickMsg(time.Now()))
				_ = console.m.View()
			}
		})
	}
}

// BenchmarkLoad is the reading of a whole board.
func BenchmarkLoad(b *testing.B) {
	for _, tasks := range boardSizes {
		b.Run(fmt.Sprint(tasks), func(b *testing.B) {
			for b.Loop() {
				newBenchConsole(b, tasks, 1000)
			}
		})
	}
}
