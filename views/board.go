package views

import (
	"waybill/board"
	"waybill/keymaps"
	"waybill/views/layout"
)

// Board is the four panes of one console.
type Board struct {
	Panes  [layout.PaneCount]Pane // by [layout.Pane]
	panes  [layout.PaneCount]boardPane
	delays *list[board.TaskRow]
	data   *board.CellData
}

// NewBoard returns panes that show a snapshot.
func NewBoard(s *board.Snapshot) *Board {
	data := &board.CellData{Snapshot: s}
	b := &Board{data: data, delays: newList(data, board.PaneDelays, keymaps.Delays, board.TaskRows(), TaskObject)}
	b.panes = [layout.PaneCount]boardPane{
		layout.Delays: b.delays,
		layout.Workers: newList(data, board.PaneWorkers, keymaps.Workers, board.WorkerRows(),
			func(*board.WorkerRow) keymaps.Object { return keymaps.Object{Kind: keymaps.Worker} }),
		layout.Tasks: newList(data, board.PaneTasks, keymaps.Tasks, board.TaskRows(), TaskObject),
		layout.Orders: newList(data, board.PaneOrders, keymaps.Orders, board.OrderRows(),
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
