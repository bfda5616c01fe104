package world_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service/world"
)

func (f *fleet) put(id model.ID, body string) model.Task {
	f.t.Helper()
	var task model.Task
	f.Do("PUT", "/tasks/"+string(id), body).OK(&task)
	return task
}

// A task is as late as its window says from the moment on at which the window is changed, not from the next estimate on.
func TestDelayFollowsAChangedWindowAtOnce(t *testing.T) {
	f := newFleet(t)
	depot, first, _ := places()
	worker := f.worker("CAR")
	f.onDuty(worker, depot)
	now := f.World.Now()
	task := f.task(worker, first, before(now.Add(time.Hour)))
	f.refresh()
	arrival := f.get(task).EstimatedArrivalTime.Value()
	require.True(t, f.get(task).DelayTime.IsNull())

	late := f.put(task, fmt.Sprintf(`{"completeBefore":%d}`, arrival.Add(-90*time.Second)))
	require.Equal(t, model.Seconds(90), late.DelayTime.Value())
	require.Equal(t, model.Seconds(90), f.delayOf(worker).Value(), "the worker is as late as the task")
	_, err := world.NewEstimateUpdater(f.World).Update(t.Context())
	require.NoError(t, err)
	require.Equal(t, late.DelayTime, f.get(task).DelayTime, "the next estimate says the same")

	require.True(t, f.put(task, fmt.Sprintf(`{"completeBefore":%d}`, arrival.Add(time.Minute))).DelayTime.IsNull())
	require.True(t, f.delayOf(worker).IsNull())
	f.put(task, fmt.Sprintf(`{"completeBefore":%d}`, arrival.Add(-time.Second)))
	require.True(t, f.put(task, `{"completeBefore":null}`).DelayTime.IsNull())
	f.put(task, fmt.Sprintf(`{"completeBefore":%d}`, arrival.Add(-time.Second)))
	require.Equal(t, model.Seconds(1), f.put(task, `{"notes":"third floor"}`).DelayTime.Value(), "other changes leave it")
}

func TestDelayOfATaskThatNobodyHasFollowsItsWindowAtOnce(t *testing.T) {
	f := newFleet(t)
	_, first, _ := places()
	now := model.MillisOf(servicetest.Epoch())
	task := f.task("", first, before(now.Add(time.Minute)))
	f.Clock.Advance(2 * time.Minute)
	require.Equal(t, model.Seconds(90), f.put(task, fmt.Sprintf(`{"completeBefore":%d}`, now.Add(30*time.Second))).DelayTime.Value())
	require.True(t, f.put(task, fmt.Sprintf(`{"completeBefore":%d}`, now.Add(time.Hour))).DelayTime.IsNull())
}

func TestDelayFollowsAMoveAtOnce(t *testing.T) {
	f := newFleet(t)
	depot, first, _ := places()
	worker := f.worker("CAR")
	f.onDuty(worker, depot)
	task := f.task("", first, before(f.World.Now().Add(time.Minute)))
	f.Clock.Advance(2 * time.Minute)
	moved := f.put(task, fmt.Sprintf(`{"container":{"type":"WORKER","worker":%q}}`, worker))
	require.Equal(t, model.Seconds(60), moved.DelayTime.Value(), "it is late wherever it is")
	require.Equal(t, model.Seconds(60), f.delayOf(worker).Value())
}
