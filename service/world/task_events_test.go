package world_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/clocktest"
	"waybill/model"
	"waybill/service/store"
	"waybill/service/world"
)

// recorder keeps the triggers of what was recorded, and the task as it was then.
type recorder struct {
	triggers []model.Trigger
	workers  []model.ID
	tasks    []model.Task
	filled   []model.Event
}

func (r *recorder) Record(ctx context.Context, tx *store.Tx, _ model.ID, events ...world.Event) error {
	for _, e := range events {
		r.triggers = append(r.triggers, e.Trigger)
		r.workers = append(r.workers, e.Worker)
		var filled model.Event
		if e.Fill != nil {
			e.Fill(&filled)
		}
		r.filled = append(r.filled, filled)
		if e.TaskID != "" {
			task, err := world.ReadTask(ctx, tx, e.TaskID)
			if err != nil {
				return err
			}
			r.tasks = append(r.tasks, task)
		}
	}
	return nil
}

func (r *recorder) CheckThresholds(context.Context, *store.Tx, model.ID, ...world.Measurement) error {
	return nil
}

func (r *recorder) take() []model.Trigger {
	taken := r.triggers
	*r = recorder{}
	return taken
}

type fixture struct {
	*world.World
	store   *store.Store
	events  *recorder
	actor   world.Actor
	workers [2]model.ID
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	ctx := context.Background()
	opened, err := store.Open(ctx, t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { opened.Close() })
	f := fixture{store: opened, events: &recorder{}}
	clock := clocktest.New(time.Date(2026, 3, 2, 17, 0, 0, 0, time.UTC))
	f.World = world.New(world.Options{Store: opened, Clock: clock, Events: f.events})
	org, _, err := f.CreateOrganization(ctx, world.NewOrganization{Name: "Bay", Country: "US", Timezone: "America/Los_Angeles"})
	require.NoError(t, err)
	f.actor = world.Actor{Type: world.ActorAPI, ID: model.NewID(), Org: org.ID}
	for i := range f.workers {
		f.workers[i] = model.NewID()
		require.NoError(t, opened.Write(ctx, func(tx *store.Tx) error {
			_, err := tx.Exec(ctx, `INSERT INTO workers (id, org, phone, on_duty, lon, lat, created, modified, doc)
				VALUES ($1, $2, $1, 1, 0, 0, 0, 0, '{}')`, f.workers[i], org.ID)
			return err
		}))
	}
	return f
}

func (f fixture) create(t *testing.T, more string) model.ID {
	t.Helper()
	raw, err := f.CreateTask(t.Context(), f.actor, input(t, more))
	require.NoError(t, err)
	var task model.Task
	require.NoError(t, model.Unmarshal(raw, &task))
	return task.ID
}

func input(t *testing.T, more string) model.TaskInput {
	t.Helper()
	var in model.TaskInput
	body := `{"destination":{"address":{"city":"Quito","country":"EC"},"location":[0,0]},"recipients":[]` + more + `}`
	require.NoError(t, model.Unmarshal([]byte(body), &in))
	return in
}

func onWorker(worker model.ID) string {
	return `,"container":{"type":"WORKER","worker":"` + string(worker) + `"}`
}

// Each change records exactly its events, in the transaction of the change.
func TestEventsOfATask(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	update := func(id model.ID, body string) {
		var in model.TaskInput
		require.NoError(t, model.Unmarshal([]byte(body), &in))
		_, err := f.UpdateTask(ctx, f.actor, id, in)
		require.NoError(t, err)
	}
	triggers := func(list ...model.Trigger) []model.Trigger { return list }

	id := f.create(t, "")
	require.Equal(t, triggers(model.TriggerTaskCreated), f.events.take())
	update(id, `{"notes":"x"}`)
	require.Equal(t, triggers(model.TriggerTaskUpdated), f.events.take())
	update(id, `{"notes":"x"}`)
	require.Empty(t, f.events.take(), "nothing changed")
	update(id, `{"container":{"type":"WORKER","worker":"`+string(f.workers[0])+`"}}`)
	require.Equal(t, f.workers[0], f.events.workers[0])
	require.Equal(t, model.TaskAssigned, f.events.tasks[0].State, "the event shows the task as it is after the change")
	require.Equal(t, triggers(model.TriggerTaskAssigned, model.TriggerTaskUpdated), f.events.take())
	update(id, `{"notes":"y","container":{"type":"WORKER","worker":"`+string(f.workers[1])+`"}}`)
	require.Equal(t, []model.ID{f.workers[0], f.workers[1], f.workers[1]}, f.events.workers)
	require.Equal(t, triggers(model.TriggerTaskUnassigned, model.TriggerTaskAssigned, model.TriggerTaskUpdated), f.events.take())
	update(id, `{"container":{"type":"ORGANIZATION"}}`)
	require.Equal(t, triggers(model.TriggerTaskUnassigned, model.TriggerTaskUpdated), f.events.take())

	_, err := f.CloneTask(ctx, f.actor, id, model.CloneOptions{})
	require.NoError(t, err)
	require.Equal(t, triggers(model.TriggerTaskCloned), f.events.take(), "a clone is not created")
	require.NoError(t, f.DeleteTask(ctx, f.actor, id))
	require.Equal(t, triggers(model.TriggerTaskDeleted), f.events.take())

	id = f.create(t, onWorker(f.workers[0]))
	require.Equal(t, triggers(model.TriggerTaskCreated), f.events.take(), "a task created for a worker was not assigned")
	require.NoError(t, f.StartTask(ctx, f.workers[0], id))
	require.Equal(t, triggers(model.TriggerTaskStarted), f.events.take())
	require.NoError(t, f.CompleteTask(ctx, f.workers[0], id, world.Completion{}))
	require.Equal(t, triggers(model.TriggerTaskCompleted), f.events.take())
	id = f.create(t, onWorker(f.workers[0]))
	require.NoError(t, f.StartTask(ctx, f.workers[0], id))
	f.events.take()
	require.NoError(t, f.FailTask(ctx, f.workers[0], id, world.Completion{}))
	require.Equal(t, triggers(model.TriggerTaskFailed), f.events.take())

	require.NoError(t, f.GoOffDuty(ctx, f.workers[0]))
	require.Equal(t, "0", string(f.events.filled[0].Status.Value()))
	require.Equal(t, triggers(model.TriggerWorkerDuty), f.events.take())
	require.NoError(t, f.GoOffDuty(ctx, f.workers[0]))
	require.Empty(t, f.events.take())
	require.NoError(t, f.GoOnDuty(ctx, f.workers[0]))
	require.Equal(t, "1", string(f.events.filled[0].Status.Value()))
}

func TestContainerChangesRecordOnlyWhatMoved(t *testing.T) {
	f := newFixture(t)
	first, second := f.create(t, onWorker(f.workers[0])), f.create(t, onWorker(f.workers[0]))
	f.events.take()
	_, err := f.UpdateContainer(t.Context(), f.actor, model.WorkerContainer(f.workers[0]), model.ContainerUpdate{
		Tasks: model.ContainerTasks{IDs: []model.ID{second, first}},
	})
	require.NoError(t, err)
	require.Empty(t, f.events.take(), "a new order is no event")
	_, err = f.UpdateContainer(t.Context(), f.actor, model.WorkerContainer(f.workers[0]), model.ContainerUpdate{
		Tasks: model.ContainerTasks{IDs: []model.ID{second}},
	})
	require.NoError(t, err)
	require.Equal(t, []model.Trigger{model.TriggerTaskUnassigned, model.TriggerTaskUpdated}, f.events.take())
}

func TestBatchRecordsOneEvent(t *testing.T) {
	f := newFixture(t)
	in := model.BatchRequest{Tasks: []model.TaskInput{input(t, ""), {}}}
	_, err := f.CreateBatch(t.Context(), f.actor, in)
	require.NoError(t, err)
	require.Empty(t, f.events.take(), "tasks of a batch are not announced one by one")
	_, err = f.SubmitBatch(t.Context(), f.actor, in)
	require.Error(t, err, "a world without a queue promises nothing")

	queued := world.New(world.Options{Store: f.store, Events: f.events, Jobs: queueOfNone{}})
	accepted, err := queued.SubmitBatch(t.Context(), f.actor, in)
	require.NoError(t, err)
	require.NoError(t, queued.RunBatch(t.Context(), accepted.JobID))
	require.Len(t, f.events.filled, 1)
	event := f.events.filled[0]
	require.Equal(t, model.Some(accepted.JobID), event.JobID)
	require.Equal(t, `"completedWithErrors"`, string(event.Status.Value()))
	require.Len(t, event.NewTasks.Value(), 1)
	require.Len(t, event.Errors.Value(), 1)
	require.Len(t, event.FailedTasks.Value(), 1)
	require.Equal(t, []model.Trigger{model.TriggerBatchDone}, f.events.take())

	accepted, err = queued.SubmitBatch(t.Context(), f.actor, in)
	require.NoError(t, err)
	require.NoError(t, queued.FailBatch(t.Context(), accepted.JobID))
	require.Equal(t, []model.Trigger{model.TriggerBatchDone}, f.events.take())
	require.NoError(t, queued.RunBatch(t.Context(), accepted.JobID))
	require.Empty(t, f.events.take(), "a batch that was given up is not run any more")
}

type queueOfNone struct{}

func (queueOfNone) Enqueue(context.Context, *store.Tx, world.JobArgs) error { return nil }

// A short id that is taken makes a new one; the task's address on the tracking page follows.
func TestTakenShortIDIsReplaced(t *testing.T) {
	f := newFixture(t)
	ids := &repeatingIDs{short: []model.ShortID{"aaaaaaaa", "aaaaaaaa", "bbbbbbbb"}}
	w := world.New(world.Options{Store: f.store, IDs: ids, TrackingBase: "https://t.example/"})
	for _, want := range []model.ShortID{"aaaaaaaa", "bbbbbbbb"} {
		raw, err := w.CreateTask(t.Context(), f.actor, input(t, ""))
		require.NoError(t, err)
		var task model.Task
		require.NoError(t, model.Unmarshal(raw, &task))
		require.Equal(t, want, task.ShortID)
		require.Equal(t, "https://t.example/t/"+string(want), task.TrackingURL)
	}
	container, err := w.Container(t.Context(), f.actor.Org, model.OrganizationContainer(f.actor.Org))
	require.NoError(t, err)
	require.Len(t, container.Tasks, 2)
}

type repeatingIDs struct {
	world.RandomIDs
	short []model.ShortID
}

func (r *repeatingIDs) ShortID() model.ShortID {
	next := r.short[0]
	r.short = r.short[1:]
	return next
}

func TestTasksOfAWorkerWhoGoesFallToTheOrganization(t *testing.T) {
	f := newFixture(t)
	first, second := f.create(t, onWorker(f.workers[0])), f.create(t, onWorker(f.workers[0]))
	f.events.take()
	require.NoError(t, f.store.Write(t.Context(), func(tx *store.Tx) error {
		f.ReleaseContainer(t.Context(), tx, f.actor, model.WorkerContainer(f.workers[0]))
		return nil
	}))
	container, err := f.Container(t.Context(), f.actor.Org, model.OrganizationContainer(f.actor.Org))
	require.NoError(t, err)
	require.Equal(t, []model.ID{first, second}, container.Tasks)
	require.Len(t, f.events.take(), 4)
}
