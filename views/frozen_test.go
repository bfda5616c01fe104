package views

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/board"
	"waybill/model"
	"waybill/views/theme"
)

// testBoard is a board with its panes, for tests that look at what is drawn.
type testBoard struct {
	t     *testing.T
	now   time.Time
	board *board.Board
	panes *Board
	frame *Frame
}

func newTestBoard(t *testing.T, c board.Change) *testBoard {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	y := &testBoard{
		t: t, now: now, board: board.NewBoard(board.DefaultSettings(), model.MillisOf(now)),
		frame: &Frame{Theme: theme.Choose(theme.Dark, theme.BackgroundDark), Now: now, Zone: time.UTC},
	}
	s, _ := y.board.Apply(c)
	y.panes = NewBoard(s)
	y.panes.ShowSnapshot(s, nil, false)
	for _, p := range y.panes.Panes {
		p.SetSize(200, 12)
		p.EndFirstLoad()
	}
	return y
}

func (y *testBoard) apply(c board.Change) {
	s, delta := y.board.Apply(c)
	y.panes.ShowSnapshot(s, &delta, true)
}

func (y *testBoard) lines(pane int) []string {
	var lines []string
	for line := range 12 {
		lines = append(lines, strings.TrimRight(plainText(string(y.panes.Panes[pane].AppendLine(nil, line, y.frame, true, false))), " "))
	}
	return lines
}

func testAt(now time.Time, minutes int) model.Opt[model.Millis] {
	return model.Some(model.MillisOf(now.Add(time.Duration(minutes) * time.Minute)))
}

func testTask(now time.Time, n, due, arrival int) model.Task {
	return model.Task{
		ID: model.ID(fmt.Sprintf("k%023d", n)), ShortID: model.ShortID(fmt.Sprintf("%08x", n)), State: model.TaskAssigned,
		Worker: model.Some[model.ID]("w00000000000000000000001"), CompleteBefore: testAt(now, due), EstimatedArrivalTime: testAt(now, arrival),
	}
}

// Behind a dialog rows keep their places and say what is true now; what is gone is marked so, and counts are those of now.
func TestFrozenRowsShowPresentData(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	first, second, third := testTask(now, 1, 0, 76), testTask(now, 2, 0, 50), testTask(now, 3, 0, 40)
	y := newTestBoard(t, board.Change{Tasks: []model.Task{first, second, third}})
	delays := y.panes.Panes[0]
	require.Contains(t, y.lines(0)[1], "1h16 late")
	delays.Marks().SetFrozen(true)
	first.CompleteBefore, first.EstimatedArrivalTime = testAt(now, 60), testAt(now, 6)
	third.State, third.CompletionDetails.Success = model.TaskCompleted, model.Some(true)
	y.apply(board.Change{Tasks: []model.Task{first, third}, Removed: []model.ID{second.ID}})
	lines := y.lines(0)
	require.Contains(t, lines[1], "54m spare")
	require.NotContains(t, lines[1], "late")
	require.NotContains(t, lines[1], "not started")
	require.Regexp(t, `^ –! 50m late +00000002`, lines[2])
	require.Regexp(t, `^  ✓ done +•? +00000003`, lines[3])
	require.Zero(t, delays.Len(), "as many as are late or at risk by the counters beside it")
	require.Equal(t, y.panes.Snapshot().Counters.Late+y.panes.Snapshot().Counters.AtRisk, delays.Len())
	delays.Marks().SetFrozen(false)
	require.Empty(t, delays.OnScreen())
}

// Another filter is another list: a cursor whose row is not in it begins at the top. A row that leaves by itself leaves
// the cursor where the eye is.
func TestCursorAfterAnotherFilter(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	var tasks []model.Task
	for n := range 10 {
		task := testTask(now, n, 100+n, 50)
		task.Notes = []string{"even", "odd"}[n%2]
		tasks = append(tasks, task)
	}
	y := newTestBoard(t, board.Change{Tasks: tasks})
	pane := y.panes.panes[2]
	pane.Move(6)
	require.Equal(t, tasks[6].ID, pane.CursorID())
	build, err := pane.SetFilter("notes:even")
	require.NoError(t, err)
	finish(pane, build)
	require.Equal(t, tasks[6].ID, pane.CursorID(), "it is in both")
	build, err = pane.SetFilter("notes:odd")
	require.NoError(t, err)
	finish(pane, build)
	require.Equal(t, tasks[1].ID, pane.CursorID())
	pane.Move(2)
	y.apply(board.Change{Removed: []model.ID{tasks[5].ID}})
	require.Equal(t, tasks[7].ID, pane.CursorID())
}
