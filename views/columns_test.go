package views

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/model"
	"waybill/ui/theme"
)

// What a pane is sorted by, and the state in words, is there on small screens too. Widths are those that the panes have
// on screens of 100 and 120 columns.
func TestWhatStaysOnASmallScreen(t *testing.T) {
	b := NewBoard(model.NewBoard(model.DefaultSettings(), 1).Snapshot())
	for _, c := range []struct {
		pane, width int
		shown       []model.Column
	}{
		{0, 59, []model.Column{model.BySlack, model.ByTask, model.ByWorker, "why"}},
		{0, 71, []model.Column{model.BySlack, model.ByTask, model.ByDue, model.ByWorker, "why"}},
		{1, 40, []model.Column{model.ByName, model.ByDoing, model.ByDelay}},
		{1, 48, []model.Column{model.ByName, model.ByDoing, model.ByDelay, model.ByStops}},
		{2, 59, []model.Column{model.ByTask, model.ByState, model.BySlack, model.ByWorker}},
		{3, 40, []model.Column{model.ByOrder, model.ByPickup, model.ByDropoff}},
		{3, 48, []model.Column{model.ByOrder, model.ByPickup, model.ByDropoff, model.ByDue}},
	} {
		pane := b.Panes[c.pane]
		pane.SetSize(c.width, 10)
		var fits []model.Column
		for _, choice := range pane.ColumnChoices() {
			if choice.Fits {
				fits = append(fits, model.Column(choice.Key))
			}
		}
		require.ElementsMatch(t, c.shown, fits, "%s in %d", pane.Kind(), c.width)
	}
}

func TestLoadIsInUnitsOfCapacity(t *testing.T) {
	board := model.NewBoard(model.DefaultSettings(), 1)
	const worker, first, second = "w00000000000000000000001", "k00000000000000000000001", "k00000000000000000000002"
	s, _ := board.Apply(model.Change{
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
