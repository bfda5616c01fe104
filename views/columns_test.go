package views

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/board"
	"waybill/model"
	"waybill/views/theme"
)

// What a pane is sorted by, and the state in words, is there on small screens too. Widths are those that the panes have
// on screens of 100 and 120 columns.
func TestColumnsOnSmallScreen(t *testing.T) {
	b := NewBoard(board.NewBoard(board.DefaultSettings(), 1).Snapshot())
	for _, c := range []struct {
		pane, width int
		shown       []string
	}{
		{0, 59, []string{board.BySlack, "task", "worker", "why"}},
		{0, 71, []string{board.BySlack, "task", "due", "worker", "why"}},
		{1, 40, []string{"name", "doing", "delay"}},
		{1, 48, []string{"name", "doing", "delay", "stops"}},
		{2, 59, []string{"task", "state", board.BySlack, "worker"}},
		{3, 40, []string{"order", "pickup", "dropoff"}},
		{3, 48, []string{"order", "pickup", "dropoff", "due"}},
	} {
		pane := b.Panes[c.pane]
		pane.SetSize(c.width, 10)
		var fits []string
		for _, choice := range pane.ColumnChoices() {
			if choice.Fits {
				fits = append(fits, choice.Key)
			}
		}
		require.ElementsMatch(t, c.shown, fits, "%s in %d", pane.Kind(), c.width)
	}
}

func TestLoadIsInUnitsOfCapacity(t *testing.T) {
	state := board.NewBoard(board.DefaultSettings(), 1)
	const worker, first, second = "w00000000000000000000001", "k00000000000000000000001", "k00000000000000000000002"
	s, _ := state.Apply(board.Change{
		Workers: []model.Worker{{ID: worker, OnDuty: true, Capacity: 15, Tasks: []model.ID{first, second}}},
		Tasks: []model.Task{
			{ID: first, State: model.TaskAssigned, Worker: model.Some[model.ID](worker), Quantity: 10},
			{ID: second, State: model.TaskAssigned, Worker: model.Some[model.ID](worker), Quantity: 12},
		},
	})
	workers := board.WorkerRows()
	ctx := &board.CellContext{CellData: &board.CellData{Snapshot: s}, Pane: board.PaneWorkers}
	for _, c := range workers.Columns(board.PaneWorkers) {
		if c.Key == "load" {
			text, token := appendCell(nil, &c, s.Workers.Get(worker), ctx, theme.Choose(theme.Dark, theme.BackgroundDark))
			require.Equal(t, "22/15", string(text))
			require.Equal(t, theme.Warn, token, "more than there is room for")
			return
		}
	}
	require.Fail(t, "there is no load column")
}
