package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"waybill/board"
)

// viewCounts is the number of rows of user-defined views.
type viewCounts map[board.SavedView]int

// viewCount is the number of rows of a view; negative while it is unknown.
func (m *Model) viewCount(v board.SavedView) int {
	if n, ok := v.Count(m.panes.Snapshot().Counters); ok {
		return n
	}
	if n, ok := m.counts[v]; ok {
		return n
	}
	return -1
}

// countViews counts the rows of views that the board has no counter for. It reads every row, so it runs now and then in
// the background.
func (m *Model) countViews() tea.Cmd {
	snapshot := m.panes.Snapshot()
	var uncounted []board.SavedView
	for _, v := range m.allViews() {
		if _, known := v.Count(snapshot.Counters); !known {
			uncounted = append(uncounted, v)
		}
	}
	if len(uncounted) == 0 {
		return nil
	}
	return m.run(buildTimeout, func(ctx context.Context) result {
		counts := viewCounts{}
		for _, v := range uncounted {
			if n, err := countRows(ctx, snapshot, v); err == nil {
				counts[v] = n
			}
		}
		return func(m *Model) tea.Cmd {
			m.counts = counts
			return nil
		}
	})
}

// countRows counts the rows of a view as its pane would show them.
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
	default:
		return viewLen(board.BuildTasks(s, filter, board.Sort{}).Run(ctx))
	}
}

func viewLen[R any](view *board.View[R], err error) (int, error) {
	if err != nil {
		return 0, err
	}
	return view.Len(), nil
}
