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

func (w *town) measure(measures ...world.Measurement) {
	w.t.Helper()
	w.write(func(tx *store.Tx) error { return w.broker.CheckThresholds(w.t.Context(), tx, w.org, measures...) })
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
		w.measure(world.Measurement{
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
	met := world.Measurement{ETA: model.Some(model.Seconds(1)), Distance: model.Some(1.0), Delay: model.Some(model.Seconds(1000))}
	for _, state := range []model.TaskState{model.TaskUnassigned, model.TaskAssigned, model.TaskCompleted} {
		m := met
		m.Task, m.State = model.NewID(), state
		w.measure(m)
	}
	w.measure(world.Measurement{Task: model.NewID(), State: model.TaskActive}) // nothing is known of it
	w.drain()
	require.Zero(t, station.count())
	met.Task, met.State = model.NewID(), model.TaskActive
	w.measure(met)
	w.drain()
	require.Equal(t, 3, station.count())
}

// TestTasksDoNotHoldUpEachOther: the rule of 30 seconds is about one task. Many that reach the threshold together all
// fire at once; a rush hour must not make arrivals known after the door has closed.
func TestTasksDoNotHoldUpEachOther(t *testing.T) {
	w := newTown(t)
	for trigger, met := range map[model.Trigger]world.Measurement{
		model.TriggerTaskETA:     {ETA: model.Some(model.Seconds(60))},
		model.TriggerTaskArrival: {Distance: model.Some(50.0)},
		model.TriggerTaskDelayed: {Delay: model.Some(model.Seconds(900))},
	} {
		station := w.listen(nil)
		w.hook(station.URL, trigger, 100)
		tasks := newIDs(5)
		start := w.world.Now()
		for range 300 {
			for _, task := range tasks {
				met.Task, met.State = task, model.TaskActive
				w.measure(met)
			}
			w.clock.Advance(time.Second)
		}
		w.drain()
		seen := map[model.ID]model.Millis{}
		for _, event := range station.events(t) {
			require.NotContains(t, seen, event.TaskID.Value(), "%s fires once a task", trigger.Name())
			seen[event.TaskID.Value()] = event.Time
		}
		for _, task := range tasks {
			require.Equal(t, start, seen[task], trigger.Name())
		}
	}
}

func TestAFiringIsForgottenWithItsChange(t *testing.T) {
	w := newTown(t)
	station := w.listen(nil)
	w.hook(station.URL, model.TriggerTaskETA, 100)
	m := world.Measurement{Task: model.NewID(), State: model.TaskActive, ETA: model.Some(model.Seconds(5))}
	require.Error(t, w.store.Write(t.Context(), func(tx *store.Tx) error {
		require.NoError(t, w.broker.CheckThresholds(t.Context(), tx, w.org, m))
		return store.ErrClosed
	}))
	w.measure(m)
	w.measure(m)
	w.drain()
	require.Equal(t, 1, station.count())
}
