package ui

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/model"
	serviceworld "waybill/service/world"
)

// stand puts a driver somewhere on the street of the tasks, so many kilometres west of the hub.
func (d *testService) stand(t *testing.T, worker int, km float64) {
	t.Helper()
	require.NoError(t, d.World.ReportPositions(context.Background(), []serviceworld.Position{{
		Worker: d.workers[worker].ID, Location: model.Location{Lon: -122.40 - km/87.9, Lat: 37.78},
	}}))
}

// give puts a task at the end of a driver's route.
func (d *testService) give(t *testing.T, worker int, tasks ...model.ID) {
	t.Helper()
	for _, id := range tasks {
		d.Do("PUT", "/containers/workers/"+string(d.workers[worker].ID), map[string]any{"tasks": []any{-1, id}}).OK(nil)
	}
}

// The list contains the assigned driver with the current arrival, and marks drivers who would be later.
func TestCandidatesShowAssignedDriverAndGain(t *testing.T) {
	world := newTestService(t, "Ada Okafor", "Ben Castillo")
	world.stand(t, 0, 2)
	world.stand(t, 1, 20)
	task := world.task(t, 1, time.Minute)
	world.give(t, 0, task.ID)
	d := world.console(t, nil)
	d.find(task.ID)
	d.press("route.candidates")
	d.showsWrapped("nobody is better than Ada Okafor", "has it now", "worse")

	d.press("menu.choose")
	d.showsWrapped("already with Ada Okafor, stop 1 of 1", "Who can take")
	d.press("menu.down", "menu.choose")
	d.showsWrapped("PUT /containers/workers/", "Ada Okafor has it now: there", "worse.")

	world.stand(t, 1, 1)
	world.stand(t, 0, 30)
	d = world.console(t, nil)
	d.find(task.ID)
	d.press("route.candidates")
	d.showsWrapped("nobody in time, now with Ada Okafor", "better")
	d.press("menu.choose")
	d.showsWrapped("This is", "better.")
}

// No candidates are listed for a task that cannot be assigned.
func TestCandidatesRefusedForStartedTask(t *testing.T) {
	world := newTestService(t, "Ada Okafor", "Ben Castillo")
	task := world.task(t, 1, time.Hour)
	world.give(t, 0, task.ID)
	require.NoError(t, world.World.StartTask(context.Background(), world.workers[0].ID, task.ID))
	d := world.console(t, nil)
	d.find(task.ID)
	d.press("route.candidates")
	require.Empty(t, d.m.dialogs)
	d.showsWrapped("The task has been started; it stays with its driver. Complete it with")
}

// J and K move a stop without a preview only where the route is shown.
func TestMovingStopSkipsPreviewOnlyOnShownRoute(t *testing.T) {
	world := newTestService(t, "Ada Okafor")
	one, two := world.task(t, 1, time.Hour), world.task(t, 2, time.Hour)
	world.give(t, 0, one.ID, two.ID)
	d := world.console(t, nil)
	d.find(one.ID)
	d.press("route.later")
	d.showsWrapped("moves one position on the route of Ada Okafor, behind task "+string(two.ShortID), "y confirm")
	require.Empty(t, d.m.jobs.list)
	d.press("back", "pane.workers", "look.detail")
	for range 20 {
		if d.screen(); d.m.cursorTarget().ID == one.ID { // what the cursor is on is known once it is drawn
			break
		}
		d.press("move.down")
	}
	d.press("route.later")
	require.Len(t, d.m.jobs.list, 1, d.screen())
	d.showsWrapped("now stop 2 of Ada Okafor")
}
