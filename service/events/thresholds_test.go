package events

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/model"
	"waybill/service/store"
	"waybill/service/world"
)

func (w *town) measure(measures ...world.Measure) {
	w.t.Helper()
	w.write(func(tx *store.Tx) error { return w.broker.Thresholds(w.t.Context(), tx, w.org, measures...) })
}

// TestThresholdsFireOnceOver1000Reports drives a worker to the door and about it, second by second.
func TestThresholdsFireOnceOver1000Reports(t *testing.T) {
	w := newTown(t)
	eta, arrival, delayed := w.listen(nil), w.listen(nil), w.listen(nil)
	w.hook(eta.URL, model.TriggerTaskETA, 300)
	w.hook(arrival.URL, model.TriggerTaskArrival, 150)
	w.hook(delayed.URL, model.TriggerTaskDelayed, 60)
	task, driver := model.NewID(), model.NewID()
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 1000 {
		left := max(0, 600-i) + random.IntN(10)
		w.measure(world.Measure{
			Task: task, Worker: driver, State: model.TaskActive,
			ETA: model.Some(model.Seconds(left)), Distance: model.Some(float64(left) * 8), Delay: model.Some(model.Seconds(i / 5)),
		})
		w.clock.Advance(time.Second)
	}
	w.drain()
	require.Equal(t, 1, eta.count())
	require.Equal(t, 1, arrival.count())
	require.Equal(t, 1, delayed.count())
	require.LessOrEqual(t, eta.events(t)[0].ETASeconds.Value(), model.Seconds(300))
	require.LessOrEqual(t, arrival.events(t)[0].Distance.Value(), 150.0)
	require.EqualValues(t, 60, delayed.events(t)[0].Delay.Value())
	require.Equal(t, task, eta.events(t)[0].TaskID.Value())
	require.Equal(t, driver, eta.events(t)[0].WorkerID.Value())
	require.Equal(t, "taskDelayed", delayed.events(t)[0].TriggerName)
}

func TestThresholdsAreForActiveTasksAndKnownMeasures(t *testing.T) {
	w := newTown(t)
	station := w.listen(nil)
	for _, trigger := range []model.Trigger{model.TriggerTaskETA, model.TriggerTaskArrival, model.TriggerTaskDelayed} {
		w.hook(station.URL, trigger, 100)
	}
	met := world.Measure{ETA: model.Some(model.Seconds(1)), Distance: model.Some(1.0), Delay: model.Some(model.Seconds(1000))}
	for _, state := range []model.TaskState{model.TaskUnassigned, model.TaskAssigned, model.TaskCompleted} {
		m := met
		m.Task, m.State = model.NewID(), state
		w.measure(m)
	}
	w.measure(world.Measure{Task: model.NewID(), State: model.TaskActive}) // nothing is known of it
	w.drain()
	require.Zero(t, station.count())
	met.Task, met.State = model.NewID(), model.TaskActive
	w.measure(met)
	w.drain()
	require.Equal(t, 3, station.count())
}

// TestArrivalsFireAtMostEvery30Seconds: tasks that reach the threshold together fire one after the other.
func TestArrivalsFireAtMostEvery30Seconds(t *testing.T) {
	w := newTown(t)
	station := w.listen(nil)
	w.hook(station.URL, model.TriggerTaskArrival, 100)
	measures := make([]world.Measure, 5)
	for i := range measures {
		measures[i] = world.Measure{Task: model.NewID(), State: model.TaskActive, Distance: model.Some(50.0)}
	}
	for range 300 {
		w.measure(measures...)
		w.clock.Advance(time.Second)
	}
	w.drain()
	events := station.events(t)
	require.Len(t, events, 5)
	times := map[model.Millis]bool{}
	for _, event := range events {
		times[event.Time] = true
	}
	start := w.world.Now().Add(-300 * time.Second)
	for i := range 5 {
		require.True(t, times[start.Add(time.Duration(i)*30*time.Second)])
	}
}

func TestAFiringIsForgottenWithItsChange(t *testing.T) {
	w := newTown(t)
	station := w.listen(nil)
	w.hook(station.URL, model.TriggerTaskETA, 100)
	m := world.Measure{Task: model.NewID(), State: model.TaskActive, ETA: model.Some(model.Seconds(5))}
	require.Error(t, w.store.Write(t.Context(), func(tx *store.Tx) error {
		require.NoError(t, w.broker.Thresholds(t.Context(), tx, w.org, m))
		return store.ErrClosed
	}))
	w.measure(m)
	w.measure(m)
	w.drain()
	require.Equal(t, 1, station.count())
}
