package board

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"waybill/model"
)

// Run with: go test ./board -run '^$' -bench Board -benchmem
//
// Each is measured on a small and on a large board: what a dispatcher waits for must not grow with it.

func eachSize(b *testing.B, run func(b *testing.B, snapshot *Board, c *city, tasks int)) {
	for _, tasks := range []int{500, 50_000} {
		b.Run(fmt.Sprintf("tasks=%d", tasks), func(b *testing.B) {
			snapshot, c := boardOf(tasks, 1000)
			b.ReportAllocs()
			b.ResetTimer()
			run(b, snapshot, c, tasks)
		})
	}
}

// spread is a page of 64 tasks that lie far apart on the board.
func spread(c *city, tasks int, changed bool, round int) []model.Task {
	page := make([]model.Task, 64)
	for i := range page {
		page[i] = c.task((i*tasks/64 + round) % tasks)
		page[i].TimeLastModified = noon
		if changed {
			page[i].TimeLastModified += model.Millis(round) + 1
			page[i].Notes = fmt.Sprintf("changed %d", round)
		}
	}
	return page
}

func BenchmarkBoardApplyChangedPage(b *testing.B) {
	eachSize(b, func(b *testing.B, snapshot *Board, c *city, tasks int) {
		round := 0
		for b.Loop() {
			b.StopTimer()
			page := spread(c, tasks, true, round)
			round++
			b.StartTimer()
			snapshot.Apply(Change{Tasks: page})
		}
	})
}

func BenchmarkBoardApplySamePage(b *testing.B) {
	eachSize(b, func(b *testing.B, snapshot *Board, c *city, tasks int) {
		page := spread(c, tasks, false, 0)
		for b.Loop() {
			snapshot.Apply(Change{Tasks: page})
		}
	})
}

func BenchmarkBoardApplyWorkers(b *testing.B) {
	eachSize(b, func(b *testing.B, snapshot *Board, c *city, _ int) {
		round := 0
		for b.Loop() {
			b.StopTimer()
			workers := append([]model.Worker{}, c.workers...)
			round++
			for i := range workers {
				workers[i].TimeLastSeen = model.Some(noon.Add(time.Duration(round) * time.Second))
				workers[i].Location = model.Some(c.place())
			}
			b.StartTimer()
			snapshot.Apply(Change{Workers: workers})
		}
	})
}

func BenchmarkBoardSweepDone(b *testing.B) {
	eachSize(b, func(b *testing.B, snapshot *Board, _ *city, _ int) {
		for b.Loop() {
			snapshot.Apply(Change{Sweeps: []Sweep{{List: SweepOpenTasks, Started: 1}}})
		}
	})
}

func BenchmarkBoardTick(b *testing.B) {
	eachSize(b, func(b *testing.B, snapshot *Board, _ *city, _ int) {
		now := noon
		for b.Loop() {
			now = now.Add(time.Second)
			snapshot.Tick(now)
		}
	})
}

func BenchmarkBoardFollow(b *testing.B) {
	eachSize(b, func(b *testing.B, snapshot *Board, c *city, tasks int) {
		view := BuildTasks(snapshot.Snapshot(), Filter{}, Sort{}).Finish()
		round := 0
		for b.Loop() {
			b.StopTimer()
			page := spread(c, tasks, true, round)
			round++
			snapshot, _ := snapshot.Apply(Change{Tasks: page})
			b.StartTimer()
			view, _ = view.Follow(snapshot.Tasks)
		}
	})
}

// BenchmarkBoardKey is what one key in a filter or a change of sort costs before the frame can be drawn: the start of
// a build and one step of it. The rest is done behind the screen.
func BenchmarkBoardKey(b *testing.B) {
	eachSize(b, func(b *testing.B, snapshot *Board, _ *city, _ int) {
		s := snapshot.Snapshot()
		view := BuildTasks(s, Filter{}, Sort{}).Finish()
		f, _ := ParseFilter(PaneTasks, "howard")
		for b.Loop() {
			view.Change(s.Tasks, s.Now, f, Sort{Column: "address"}).Step(1000)
		}
	})
}

func BenchmarkBoardBuild(b *testing.B) {
	for _, spec := range []struct{ name, filter, sort string }{
		{"all-urgency", "", ""},
		{"all-address", "", "address"},
		{"text", "howard", ""},
		{"nothing", "zebra", ""},
		{"terms", "late>10m team:north worker:none !done", ""},
		{"worker", "worker:okafor", "slack"},
	} {
		b.Run(spec.name, func(b *testing.B) {
			eachSize(b, func(b *testing.B, snapshot *Board, _ *city, _ int) {
				s := snapshot.Snapshot()
				f, _ := ParseFilter(PaneTasks, spec.filter)
				sort, _ := ParseSort(PaneTasks, spec.sort)
				for b.Loop() {
					if _, err := BuildTasks(s, f, sort).Run(context.Background()); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}

func BenchmarkBoardMatch(b *testing.B) {
	eachSize(b, func(b *testing.B, snapshot *Board, _ *city, _ int) {
		s := snapshot.Snapshot()
		f, _ := ParseFilter(PaneTasks, "late>10m team:north !done howard")
		match := TaskRows().Match(f)
		for b.Loop() {
			for row := range s.Tasks.All() {
				match(row, s.Now)
			}
		}
	})
}

func BenchmarkBoardScreen(b *testing.B) {
	eachSize(b, func(b *testing.B, snapshot *Board, _ *city, _ int) {
		s := snapshot.Snapshot()
		delays := BuildTasks(s, TriageFilter(), Sort{}).Finish()
		for b.Loop() {
			for _, row := range delays.Window(delays.Len()/2, 25) {
				s.Explain(row)
			}
		}
	})
}

func BenchmarkBoardCandidates(b *testing.B) {
	eachSize(b, func(b *testing.B, snapshot *Board, _ *city, tasks int) {
		s := snapshot.Snapshot()
		row := s.Tasks.Get(testID('k', tasks/2))
		for b.Loop() {
			s.Candidates(row, 10)
		}
	})
}

// BenchmarkBoardMemory prints what a whole board with its main view keeps.
func BenchmarkBoardMemory(b *testing.B) {
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for b.Loop() {
		before := heap()
		snapshot, _ := boardOf(50_000, 1000)
		afterBoard := heap()
		view := BuildTasks(snapshot.Snapshot(), Filter{}, Sort{}).Finish()
		b.ReportMetric(float64(afterBoard-before)/1e6, "MB-board")
		b.ReportMetric(float64(heap()-afterBoard)/1e6, "MB-view")
		runtime.KeepAlive(snapshot)
		runtime.KeepAlive(view)
	}
}
