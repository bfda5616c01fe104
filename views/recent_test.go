package views

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/board"
	"waybill/model"
)

// However filters and orders follow each other, and whatever happens to rows meanwhile, a pane shows what one shows that
// was never filtered otherwise.
func TestRecentFiltersAreShownAtOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := model.MillisOf(time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC))
		state := board.NewBoard(board.DefaultSettings(), now)
		used := NewBoard(state.Snapshot())
		pane := used.panes[2]
		require.Equal(t, board.PaneTasks, pane.Kind())
		change := func() {
			at := rapid.IntRange(0, 30).Draw(t, "task")
			task := model.Task{
				ID: model.ID(fmt.Sprintf("task%020d", at)), ShortID: model.ShortID(fmt.Sprintf("%08x", at)),
				TimeLastModified: now, State: model.TaskState(rapid.IntRange(0, 3).Draw(t, "state")),
				Notes: rapid.SampledFrom([]string{"m", "mi", "mis", "other"}).Draw(t, "notes"),
			}
			snapshot, delta := state.Apply(board.Change{ReceivedAt: now, Tasks: []model.Task{task}})
			finish(pane, used.ShowSnapshot(snapshot, &delta, true)...)
		}
		for range 12 {
			change()
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				change()
			case 1:
				sort := rapid.SampledFrom([]string{"", "task", "-notes", "state"}).Draw(t, "sort")
				by, err := board.ParseSort(pane.Kind(), sort)
				require.NoError(t, err)
				finish(pane, pane.SetSort(by))
			case 2:
				finish(pane, pane.rebuildTimed())
			default:
				build, err := pane.SetFilter(rapid.SampledFrom([]string{"", "m", "mi", "mis"}).Draw(t, "filter"))
				require.NoError(t, err)
				finish(pane, build)
			}
			require.Equal(t, idsInNewPane(t, state.Snapshot(), pane), shownIDs(pane))
		}
	})
}

func finish(pane boardPane, builds ...Build) {
	for _, b := range builds {
		for b != nil {
			b = pane.showBuilt(b(context.Background()))
		}
	}
}

func idsInNewPane(t require.TestingT, s *board.Snapshot, like Pane) []model.ID {
	pane := NewBoard(s).panes[2]
	finish(pane, pane.showSnapshot(s, nil, false))
	build, err := pane.SetFilter(like.State().Filter)
	require.NoError(t, err)
	finish(pane, build, pane.SetSort(like.State().Sort))
	return shownIDs(pane)
}

func shownIDs(pane Pane) []model.ID {
	pane.SetSize(80, pane.Len()+2)
	return pane.OnScreen()
}
