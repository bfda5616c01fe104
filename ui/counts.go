package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
)

// counted is how many rows views of one's own have.
type counted map[board.SavedView]int

// countOf is how many rows a view has, or negative while that is not known.
func (m *Model) countOf(v board.SavedView) int {
	if n, ok := v.Count(m.panes.Snapshot().Counters); ok {
		return n
	}
	if n, ok := m.counts[v]; ok {
		return n
	}
	return -1
}

// countViews counts the rows of views that no counter of the board stands for. It looks at every row, so it is done now
// and then, where nobody waits.
func (m *Model) countViews() tea.Cmd {
	snapshot := m.panes.Snapshot()
	var own []board.SavedView
	for _, v := range m.allViews() {
		if _, known := v.Count(snapshot.Counters); !known {
			own = append(own, v)
		}
	}
	if len(own) == 0 {
		return nil
	}
	return m.run(buildLimit, func(ctx context.Context) any {
		counts := counted{}
		for _, v := range own {
			if n, err := countRows(ctx, snapshot, v); err == nil {
				counts[v] = n
			}
		}
		return counts
	})
}

// countRows is how many rows a view has, counted as its pane would show them.
func countRows(ctx context.Context, s *board.Snapshot, v board.SavedView) (int, error) {
	filter, _, err := v.Parse()
	if err != nil {
		return 0, err
	}
	filter = filter.InPane()
	switch v.Pane {
	case board.PaneWorkers:
		return lenOf(board.BuildWorkers(s, filter, board.Sort{}).Run(ctx))
	case board.PaneOrders:
		return lenOf(board.BuildOrders(s, filter, board.Sort{}).Run(ctx))
	}
	return lenOf(board.BuildTasks(s, filter, board.Sort{}).Run(ctx))
}

func lenOf[R any](view *board.View[R], err error) (int, error) {
	if err != nil {
		return 0, err
	}
	return view.Len(), nil
}
