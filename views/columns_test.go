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
func TestWhatStaysOnASmallScreen(t *testing.T) {
	b := NewBoard(board.NewBoard(board.DefaultSettings(), 1).Snapshot())
	for _, c := range []struct {
		pane, width int
		shown       []board.Column
	}{
		{0, 59, []board.Column{board.BySlack, board.ByTask, board.ByWorker, "why"}},
		{0, 71, []board.Column{board.BySlack, board.ByTask, board.ByDue, board.ByWorker, "why"}},
		{1, 40, []board.Column{board.ByName, board.ByDoing, board.ByDelay}},
		{1, 48, []board.Column{board.ByName, board.ByDoing, board.ByDelay, board.ByStops}},
		{2, 59, []board.Column{board.ByTask, board.ByState, board.BySlack, board.ByWorker}},
		{3, 40, []board.Column{board.ByOrder, board.ByPickup, board.ByDropoff}},
		{3, 48, []board.Column{board.ByOrder, board.ByPickup, board.ByDropoff, board.ByDue}},
	} {
		pane := b.Panes[c.pane]
		pane.SetSize(c.width, 10)
		var fits []board.Column
		for _, choice := range pane.ColumnChoices() {
			if choice.Fits {
				fits = append(fits, board.Column(choice.Key))
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
	text, token := (&shared{snapshot: s}).load(s.Workers.Get(worker))
	require.Equal(t, "22/15", text)
	require.Equal(t, theme.Warn, token, "more than there is room for")
}
