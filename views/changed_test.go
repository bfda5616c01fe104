package views

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/board"
	"waybill/model"
	"waybill/views/theme"
)

// Data changes oftener than what is shown of it: only what reads otherwise is marked.
func TestOnlyCellsWithChangedTextAreHighlighted(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	at := func(d time.Duration) model.Opt[model.Millis] { return model.Some(model.MillisOf(now.Add(d))) }
	const task, order, worker = "k00000000000000000000001", "o00000000000000000000001", "w00000000000000000000001"
	state := board.NewBoard(board.DefaultSettings(), model.MillisOf(now))
	pickup := model.Task{
		ID: task, ShortID: "9e01ab42", State: model.TaskAssigned, Worker: model.Some[model.ID](worker),
		CompleteBefore: at(time.Hour), EstimatedArrivalTime: at(20 * time.Minute), EstimatedCompletionTime: at(25 * time.Minute),
	}
	s, first := state.Apply(board.Change{
		Tasks:   []model.Task{pickup},
		Workers: []model.Worker{{ID: worker, Name: "Ada", OnDuty: true, TimeLastSeen: at(0), Tasks: []model.ID{task}, DelayTime: model.Some[model.Seconds](601)}},
		Orders:  []model.Order{{ID: order, ShortID: "18fa03cc", Status: model.OrderAssigned, PickupTask: pickup}},
	})
	b := NewBoard(s)
	b.ShowSnapshot(s, &first, false)
	f := &Frame{Theme: theme.Choose(theme.Dark, theme.BackgroundDark), Now: now, Zone: time.UTC}
	for _, p := range b.Panes {
		p.SetSize(200, 10)
		p.AppendLine(nil, 0, f, false, false)
	}
	apply := func(c board.Change) {
		s, delta := state.Apply(c)
		require.False(t, delta.Empty())
		b.ShowSnapshot(s, &delta, true)
	}
	tasks, workers, orders := b.Panes[2].(*list[board.TaskRow]), b.Panes[1].(*list[board.WorkerRow]), b.Panes[3].(*list[board.OrderRow])

	require.Zero(t, tasks.highlights.Len(), "the first reading highlights nothing")

	// Seconds that no cell shows.
	pickup.EstimatedArrivalTime, pickup.EstimatedCompletionTime = at(20*time.Minute+20*time.Second), at(25*time.Minute+20*time.Second)
	apply(board.Change{
		Tasks:   []model.Task{pickup},
		Orders:  []model.Order{{ID: order, ShortID: "18fa03cc", Status: model.OrderAssigned, PickupTask: pickup}},
		Workers: []model.Worker{{ID: worker, Name: "Ada", OnDuty: true, TimeLastSeen: at(0), Tasks: []model.ID{task}, DelayTime: model.Some[model.Seconds](630)}},
	})
	require.Zero(t, tasks.highlights.Len())
	require.Zero(t, workers.highlights.Len())
	require.Zero(t, orders.highlights.Len(), "its pickup is assigned, as it was")

	pickup.EstimatedArrivalTime = at(22 * time.Minute)
	pickup.Notes = "Ring twice"
	apply(board.Change{Tasks: []model.Task{pickup}})
	require.True(t, tasks.changed(task, "eta"))
	require.True(t, tasks.changed(task, "notes"))
	require.False(t, tasks.changed(task, "state"))
	require.False(t, tasks.changed(task, "window"))
}
