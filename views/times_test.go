package views

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/board"
	"waybill/model"
)

// A driver who is there is not expected any more.
func TestArrivalReplacesAPastETA(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	task := testTask(now, 1, 100, -9)
	task.State, task.ETA = model.TaskActive, model.Some(model.Seconds(0))
	task.CompletionDetails.Events = []model.CompletionEvent{
		{Name: model.EventStart, Time: testAt(now, -20).Value()}, {Name: model.EventArrival, Time: testAt(now, -9).Value()},
	}
	y := newTestBoard(t, board.Change{
		Tasks:  []model.Task{task},
		Orders: []model.Order{{ID: "o00000000000000000000001", ShortID: "18fa03cc", Status: model.OrderActive, PickupTask: task}},
	})
	require.Regexp(t, `active .* there `, y.lines(2)[1])
	require.Contains(t, y.lines(3)[1], "▶ there 11:51")
	d := Detail{Object: Object{Task: &task, TaskRow: y.panes.Snapshot().Tasks.Get(task.ID)}}
	d.SetSize(80, 60)
	d.Prepare(y.panes.Snapshot(), y.frame)
	var text strings.Builder
	for line := range 30 {
		text.WriteString(plainText(string(d.AppendLine(nil, line, y.frame, 80, true))) + "\n")
	}
	require.Regexp(t, `arrived +2026-03-02 11:51 UTC 9m ago`, text.String())
	require.NotContains(t, text.String(), "eta")
	require.NotContains(t, text.String(), "expected arrival")
}

// What is finished still says when it was due, and beside that when it was done.
func TestDueOfFinishedWork(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	task := testTask(now, 1, -10, 0)
	task.State = model.TaskCompleted
	task.CompletionDetails.Success, task.CompletionDetails.Time = model.Some(false), testAt(now, -20)
	y := newTestBoard(t, board.Change{Tasks: []model.Task{task}})
	build, err := y.panes.panes[2].SetFilter("finished")
	require.NoError(t, err)
	finish(y.panes.panes[2], build)
	require.Regexp(t, `failed 11:40 +11:50`, y.lines(2)[1])
}

// JSON is shown whole, however long its lines and narrow the pane.
func TestLongJSONLinesAreWrapped(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	task := testTask(now, 1, 100, 50)
	task.Notes = strings.Repeat("Ring twice, é東. ", 30) + "END"
	y := newTestBoard(t, board.Change{Tasks: []model.Task{task}})
	d := Detail{Raw: true, Object: Object{Task: &task}}
	d.SetSize(40, 400)
	d.Prepare(y.panes.Snapshot(), y.frame)
	var text strings.Builder
	for line := range 300 {
		text.WriteString(strings.TrimSpace(plainText(string(d.AppendLine(nil, line, y.frame, 40, true)))))
	}
	require.NotContains(t, text.String(), "…")
	require.Contains(t, strings.ReplaceAll(text.String(), " ", ""), strings.ReplaceAll(task.Notes, " ", ""))
}

// The list beside the map cuts neither a unit nor a state.
func TestNearestDriversAreNotTruncated(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	task := testTask(now, 1, 0, 76)
	task.Destination = model.Embedded(model.Destination{ID: "d00000000000000000000001", Location: model.Location{Lon: -122.4, Lat: 37.7}})
	y := newTestBoard(t, board.Change{
		Tasks: []model.Task{task},
		Workers: []model.Worker{{
			ID: "w00000000000000000000001", Name: "Bartholomew Featherstone", OnDuty: true, TimeLastSeen: testAt(now, -30),
			Tasks: []model.ID{task.ID}, Location: model.Some(model.Location{Lon: 57.6, Lat: -37.6}),
		}, {
			ID: "w00000000000000000000002", Name: "Maximiliane Wolkenstein", OnDuty: true, TimeLastSeen: testAt(now, -30),
			Location: model.Some(model.Location{Lon: 57.6, Lat: -37.7}),
		}},
	})
	m := NewMap()
	m.Open(task.ID)
	m.SetSize(40, 20, 10)
	m.Prepare(y.panes, y.frame.Theme)
	for line, word := range []string{"late", "silent"} {
		text := plainText(string(m.AppendNear(nil, line, y.frame, y.panes.Snapshot(), 30)))
		require.Contains(t, text, " km ")
		require.Contains(t, text, word)
	}
}

func TestUnknownOrderStatusIsShownUnchanged(t *testing.T) {
	y := newTestBoard(t, board.Change{})
	d := Detail{Object: Object{OrderRow: &board.OrderRow{Status: "held_at_customs"}}}
	d.SetSize(40, 5)
	d.Prepare(y.panes.Snapshot(), y.frame)
	require.Contains(t, plainText(string(d.AppendLine(nil, 0, y.frame, 40, true))), "¿ held_at_customs")
}
