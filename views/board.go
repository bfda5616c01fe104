package views

import (
	"waybill/board"
	"waybill/keymaps"
)

// TaskObject returns a task as an action sees it.
func TaskObject(r *board.TaskRow) keymaps.Object {
	return keymaps.Object{Kind: keymaps.Task, Status: r.Status}
}

// Board is the four panes of one console.
type Board struct {
	Panes  [board.PaneCount]Pane // by [board.Pane]
	panes  [board.PaneCount]boardPane
	delays *list[board.TaskRow]
	data   *board.CellData
}

// NewBoard returns panes that show a snapshot.
func NewBoard(s *board.Snapshot) *Board {
	data := &board.CellData{Snapshot: s}
	b := &Board{data: data, delays: newList(data, board.PaneDelays, keymaps.Delays, board.TaskRows(), TaskObject)}
	b.panes = [board.PaneCount]boardPane{
		board.PaneDelays: b.delays,
		board.PaneWorkers: newList(data, board.PaneWorkers, keymaps.Workers, board.WorkerRows(),
			func(*board.WorkerRow) keymaps.Object { return keymaps.Object{Kind: keymaps.Worker} }),
		board.PaneTasks: newList(data, board.PaneTasks, keymaps.Tasks, board.TaskRows(), TaskObject),
		board.PaneOrders: newList(data, board.PaneOrders, keymaps.Orders, board.OrderRows(),
			func(*board.OrderRow) keymaps.Object { return keymaps.Object{Kind: keymaps.Order} }),
	}
	for i, p := range b.panes {
		b.Panes[i] = p
	}
	return b
}

// Snapshot returns what the panes show.
func (b *Board) Snapshot() *board.Snapshot { return b.data.Snapshot }

// ShowSnapshot shows a newer snapshot in every pane and returns the builds that remain.
func (b *Board) ShowSnapshot(s *board.Snapshot, delta *board.Delta, fresh bool) []Build {
	if delta != nil && fresh {
		for _, p := range b.panes {
			p.captureCells(delta)
		}
	}
	b.data.Snapshot = s
	if delta == nil || !delta.Empty() {
		b.data.Reset()
	}
	return b.collectBuilds(func(p boardPane) Build { return p.showSnapshot(s, delta, fresh) })
}

// NextHighlights ends a round of highlights in panes.
func (b *Board) NextHighlights(panes ...board.Pane) {
	for _, p := range panes {
		b.panes[p].nextHighlights()
	}
}

// RebuildTimed sorts and filters the panes again whose rows depend on the time.
func (b *Board) RebuildTimed() []Build { return b.collectBuilds(boardPane.rebuildTimed) }

func (b *Board) collectBuilds(start func(boardPane) Build) []Build {
	var builds []Build
	for _, p := range b.panes {
		if build := start(p); build != nil {
			builds = append(builds, build)
		}
	}
	return builds
}

// ShowBuilt shows a finished view in its pane.
func (b *Board) ShowBuilt(built Built) Build {
	for _, p := range b.panes {
		if p.Kind() == built.Pane {
			return p.showBuilt(built)
		}
	}
	return nil
}

// RememberDelays remembers the delays as they are now; trends count from here. Call it when someone has looked at them.
func (b *Board) RememberDelays() {
	if b.delays.view != nil {
		b.data.Delays.Remember(b.delays.view.All(), b.data.Snapshot.Now)
	}
}
