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

func (w *testBroker) reportMeasures(measures ...world.Measurement) {
	w.t.Helper()
	w.write(func(tx *store.Tx) error { return w.broker.CheckThresholds(w.t.Context(), tx, w.org, measures...) })
}

// TestThresholdsFireOnceOver1000Reports moves a worker to the destination, with a report per second.
func TestThresholdsFireOnceOver1000Reports(t *testing.T) {
	w := newTestBroker(t)
	eta, arrival, delayed := w.listen(nil), w.listen(nil), w.listen(nil)
	w.createWebhook(eta.URL, model.TriggerTaskETA, 300)
	w.createWebhook(arrival.URL, model.TriggerTaskArrival, 150)
	w.createWebhook(delayed.URL, model.TriggerTaskDelayed, 60)
	task, driver := model.NewID(), model.NewID()
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 1000 {
		left := max(0, 600-i) + random.IntN(10)
		w.reportMeasures(world.Measurement{
			Task: task, Worker: driver, State: model.TaskActive,
			ETA: model.Some(model.Seconds(left)), Distance: model.Some(float64(left) * 8), Delay: model.Some(model.Seconds(i / 5)),
		})
		w.clock.Advance(time.Second)
	}
	w.deliverAll()
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
	w := newTestBroker(t)
	receiver := w.listen(nil)
	for _, trigger := range []model.Trigger{model.TriggerTaskETA, model.TriggerTaskArrival, model.TriggerTaskDelayed} {
		w.createWebhook(receiver.URL, trigger, 100)
	}
	met := world.Measurement{ETA: model.Some(model.Seconds(1)), Distance: model.Some(1.0), Delay: model.Some(model.Seconds(1000))}
	for _, state := range []model.TaskState{model.TaskUnassigned, model.TaskAssigned, model.TaskCompleted} {
		m := met
		m.Task, m.State = model.NewID(), state
		w.reportMeasures(m)
	}
	w.reportMeasures(world.Measurement{Task: model.NewID(), State: model.TaskActive}) // no measures
	w.deliverAll()
	require.Zero(t, receiver.count())
	met.Task, met.State = model.NewID(), model.TaskActive
	w.reportMeasures(met)
	w.deliverAll()
	require.Equal(t, 3, receiver.count())
}

// TestTasksDoNotDelayEachOther checks that the rule of 30 seconds applies per task: many tasks that reach the threshold
// together all fire at once.
func TestTasksDoNotDelayEachOther(t *testing.T) {
	w := newTestBroker(t)
	for trigger, met := range map[model.Trigger]world.Measurement{
		model.TriggerTaskETA:     {ETA: model.Some(model.Seconds(60))},
		model.TriggerTaskArrival: {Distance: model.Some(50.0)},
		model.TriggerTaskDelayed: {Delay: model.Some(model.Seconds(900))},
	} {
		receiver := w.listen(nil)
		w.createWebhook(receiver.URL, trigger, 100)
		tasks := newIDs(5)
		start := w.world.Now()
		for range 300 {
			for _, task := range tasks {
				met.Task, met.State = task, model.TaskActive
				w.reportMeasures(met)
			}
			w.clock.Advance(time.Second)
		}
		w.deliverAll()
		seen := map[model.ID]model.Millis{}
		for _, event := range receiver.events(t) {
			require.NotContains(t, seen, event.TaskID.Value(), "%s fires once per task", trigger.Name())
			seen[event.TaskID.Value()] = event.Time
		}
		for _, task := range tasks {
			require.Equal(t, start, seen[task], trigger.Name())
		}
	}
}

func TestAFiringIsRolledBackWithItsChange(t *testing.T) {
	w := newTestBroker(t)
	receiver := w.listen(nil)
	w.createWebhook(receiver.URL, model.TriggerTaskETA, 100)
	m := world.Measurement{Task: model.NewID(), State: model.TaskActive, ETA: model.Some(model.Seconds(5))}
	require.Error(t, w.store.Write(t.Context(), func(tx *store.Tx) error {
		require.NoError(t, w.broker.CheckThresholds(t.Context(), tx, w.org, m))
		return store.ErrClosed
	}))
	w.reportMeasures(m)
	w.reportMeasures(m)
	w.deliverAll()
	require.Equal(t, 1, receiver.count())
}
