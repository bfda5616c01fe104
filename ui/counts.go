package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
)

// viewCounts is how many rows views of one's own have.
type viewCounts map[board.SavedView]int

func (c viewCounts) apply(m *Model) tea.Cmd {
	m.counts = c
	return nil
}

// viewCount is how many rows a view has, or negative while that is not known.
func (m *Model) viewCount(v board.SavedView) int {
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
	return m.run(buildTimeout, func(ctx context.Context) result {
		counts := viewCounts{}
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
		return viewLen(board.BuildWorkers(s, filter, board.Sort{}).Run(ctx))
	case board.PaneOrders:
		return viewLen(board.BuildOrders(s, filter, board.Sort{}).Run(ctx))
	}
	return viewLen(board.BuildTasks(s, filter, board.Sort{}).Run(ctx))
}

func viewLen[R any](view *board.View[R], err error) (int, error) {
	if err != nil {
		return 0, err
	}
	return view.Len(), nil
}
