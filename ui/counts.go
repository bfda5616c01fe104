package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"waybill/model"
)

// counted is how many rows views of one's own have.
type counted map[model.SavedView]int

// countOf is how many rows a view has, or negative while that is not known.
func (m *Model) countOf(v model.SavedView) int {
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
	var own []model.SavedView
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
func countRows(ctx context.Context, s *model.Snapshot, v model.SavedView) (int, error) {
	filter, _, err := v.Parse()
	if err != nil {
		return 0, err
	}
	filter = filter.InPane()
	switch v.Pane {
	case model.PaneWorkers:
		return lenOf(model.BuildWorkers(s, filter, model.Sort{}).Run(ctx))
	case model.PaneOrders:
		return lenOf(model.BuildOrders(s, filter, model.Sort{}).Run(ctx))
	}
	return lenOf(model.BuildTasks(s, filter, model.Sort{}).Run(ctx))
}

func lenOf[R any](view *model.View[R], err error) (int, error) {
	if err != nil {
		return 0, err
	}
	return view.Len(), nil
}
