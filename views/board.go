package views

import (
	"time"

	"waybill/board"
	"waybill/model"
	"waybill/views/layout"
)

// Board is the four panes of one console.
type Board struct {
	Panes  [4]Pane // in the order of [layout.Pane]
	shared *shared
	looked bool
}

// NewBoard is a board without rows.
func NewBoard(s *board.Snapshot) *Board {
	sh := &shared{snapshot: s, frame: &Frame{}, looks: &board.Looks{}}
	return &Board{shared: sh, Panes: [4]Pane{newDelays(sh), newWorkers(sh), newTasks(sh), newOrders(sh)}}
}

// Snapshot is what the panes show.
func (b *Board) Snapshot() *board.Snapshot { return b.shared.snapshot }

// ShowSnapshot shows a newer snapshot in every pane and returns what remains to be built.
func (b *Board) ShowSnapshot(s *board.Snapshot, delta *board.Delta, fresh bool) []Build {
	if delta != nil && fresh {
		for _, p := range b.Panes {
			p.Note(delta)
		}
	}
	b.shared.snapshot = s
	if delta == nil || !delta.Empty() {
		b.shared.why, b.shared.loads = nil, nil
	}
	var builds []Build
	for _, p := range b.Panes {
		if build := p.Learn(s, delta, fresh); build != nil {
			builds = append(builds, build)
		}
	}
	return builds
}

// RebuildTimed orders anew what depends on the time.
func (b *Board) RebuildTimed() []Build {
	var builds []Build
	for _, p := range b.Panes {
		if build := p.Rebuild(); build != nil {
			builds = append(builds, build)
		}
	}
	return builds
}

// ShowBuilt hands a finished view to its pane.
func (b *Board) ShowBuilt(built Built) Build {
	for _, p := range b.Panes {
		if p.Kind() == built.Pane {
			return p.Take(built)
		}
	}
	return nil
}

// RememberDelays remembers the delays as they are: trends count from here. It is called when someone has looked at them.
func (b *Board) RememberDelays() {
	if delays, ok := b.Panes[layout.Delays].(*list[board.TaskRow]); ok && delays.view != nil {
		b.shared.looks.Look(delays.view.All(), b.shared.snapshot.Now)
		b.looked = true
	}
}

// whyStays is how long an explanation holds when nothing happens: its minutes grow, and that is all.
const whyStays = model.Millis(15 * time.Second / time.Millisecond)

// explain says why a task is in trouble. Explanations are kept while the board stays as it is: they look at every stop
// before the task's, and an idle console draws once a second.
func (sh *shared) explain(r *board.TaskRow) board.Triage {
	if sh.why == nil || sh.snapshot.Now-sh.whyAt >= whyStays {
		sh.why, sh.whyAt = map[model.ID]board.Triage{}, sh.snapshot.Now
	}
	t, ok := sh.why[r.ID]
	if !ok {
		t = sh.snapshot.Explain(r)
		sh.why[r.ID] = t
	}
	return t
}
