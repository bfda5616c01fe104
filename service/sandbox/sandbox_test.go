package sandbox_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/clocktest"
	"waybill/model"
	"waybill/service/events"
	"waybill/service/jobs"
	"waybill/service/sandbox"
	"waybill/service/store"
	"waybill/service/world"
)

// testSandbox is a sandbox with a manual clock.
type testSandbox struct {
	t         *testing.T
	dir       string
	store     *store.Store
	world     *world.World
	clock     *clocktest.Clock
	broker    *events.Broker
	sandbox   *sandbox.Sandbox
	refresher *world.EstimateUpdater
	// client sends events; nil means the default one.
	client *http.Client
}

func noon() time.Time { return time.Date(2026, 3, 2, 20, 0, 0, 0, time.UTC) }

func newTestSandbox(t *testing.T, options sandbox.Options, change ...func(*testSandbox)) *testSandbox {
	t.Helper()
	w := &testSandbox{t: t, dir: t.TempDir(), clock: clocktest.New(noon())}
	for _, f := range change {
		f(w)
	}
	w.open(options)
	t.Cleanup(func() { w.store.Close() })
	return w
}

// open opens the data folder as a new process does.
func (w *testSandbox) open(options sandbox.Options) {
	w.t.Helper()
	var err error
	w.store, err = store.Open(w.t.Context(), w.dir)
	require.NoError(w.t, err)
	queue, err := jobs.NewQueue(w.store)
	require.NoError(w.t, err)
	w.broker, err = events.New(events.Options{
		Store: w.store, Clock: w.clock, Objects: world.EventObjects{Clock: w.clock}, Jobs: queue, Client: w.client,
	})
	require.NoError(w.t, err)
	parts := world.Options{Store: w.store, Clock: w.clock, Jobs: queue, Events: w.broker, Webhooks: w.broker}
	w.world = world.New(parts)
	w.refresher = world.NewEstimateUpdater(w.world)
	w.sandbox, err = sandbox.Open(w.t.Context(), sandbox.Config{Options: options, World: parts, Now: w.clock.Now()})
	require.NoError(w.t, err)
}

// advance advances the clock in steps.
func (w *testSandbox) advance(d, step time.Duration) {
	w.t.Helper()
	for end := w.clock.Now().Add(d); w.clock.Now().Before(end); {
		w.clock.Advance(min(step, end.Sub(w.clock.Now())))
		require.NoError(w.t, w.sandbox.AdvanceTo(w.t.Context(), w.clock.Now()))
	}
}

// digest returns a hash of everything that has happened.
func (w *testSandbox) digest() string {
	w.t.Helper()
	sum := sha256.New()
	for _, query := range []string{
		`SELECT seq, id, org, executor, short_id, state, coalesce(worker, ''), container, container_owner, position, coalesce(started, 0),
			coalesce(arrived, 0), coalesce(completed, 0), modified, first_assignment, doc FROM tasks ORDER BY seq`,
		`SELECT id, on_duty, coalesce(active_task, ''), coalesce(lon, 0), coalesce(lat, 0), coalesce(last_seen, 0), coalesce(battery, 0),
			meters, modified FROM workers ORDER BY id`,
		"SELECT id, status, pickup, dropoff, modified, doc FROM orders ORDER BY id",
		"SELECT seq, org, trigger, task, worker, time, actor_type, actor FROM events ORDER BY seq",
		"SELECT task, time, actor, container, owner FROM assignments ORDER BY task, time, owner",
		"SELECT id, phone, doc FROM recipients ORDER BY id",
	} {
		rows, err := w.store.Query(w.t.Context(), query)
		require.NoError(w.t, err)
		columns, err := rows.Columns()
		require.NoError(w.t, err)
		values, targets := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			targets[i] = &values[i]
		}
		for rows.Next() {
			require.NoError(w.t, rows.Scan(targets...))
			fmt.Fprintln(sum, values...)
		}
		require.NoError(w.t, rows.Err())
		rows.Close()
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func (w *testSandbox) count(query string, args ...any) int {
	w.t.Helper()
	var n int
	require.NoError(w.t, w.store.QueryRow(w.t.Context(), query, args...).Scan(&n))
	return n
}

// smallOptions describes a quick sandbox that is large enough for everything to happen.
func smallOptions(seed uint64) sandbox.Options {
	return sandbox.Options{Seed: seed, Tasks: 120, Workers: 10}
}

func TestASeedDeterminesTheDay(t *testing.T) {
	t.Parallel()
	const duration = time.Hour // long enough for a batch, a new driver and a dispatch
	first := newTestSandbox(t, smallOptions(7))
	filled := first.digest()
	first.advance(duration, time.Minute)

	t.Run("with other steps", func(t *testing.T) {
		t.Parallel()
		again := newTestSandbox(t, smallOptions(7))
		require.Equal(t, filled, again.digest())
		again.advance(duration, 17*time.Minute)
		require.Equal(t, first.digest(), again.digest())
	})
	t.Run("with restarts", func(t *testing.T) {
		t.Parallel()
		again := newTestSandbox(t, smallOptions(7))
		for range 3 {
			again.advance(duration/3, time.Minute)
			require.NoError(t, again.store.Close())
			again.open(sandbox.Options{Seed: 99, Tasks: 5, Workers: 5}) // ignored, because the folder has a sandbox
		}
		require.Equal(t, first.digest(), again.digest())
	})
	t.Run("not with another seed", func(t *testing.T) {
		t.Parallel()
		other := newTestSandbox(t, smallOptions(8))
		require.NotEqual(t, filled, other.digest())
	})
}

func TestANewSandboxShowsEveryState(t *testing.T) {
	t.Parallel()
	w := newTestSandbox(t, sandbox.Options{})
	_, err := w.refresher.Update(t.Context())
	require.NoError(t, err)
	tasks := w.count("SELECT count(*) FROM tasks")
	require.InDelta(t, sandbox.DefaultTasks, tasks, sandbox.DefaultTasks/5)
	require.Equal(t, sandbox.DefaultWorkers, w.count("SELECT count(*) FROM workers"))
	for state := range 4 {
		require.Greater(t, w.count("SELECT count(*) FROM tasks WHERE state = $1", state), 5, "state %d", state)
	}
	require.Positive(t, w.count(`SELECT count(*) FROM tasks WHERE state = 3 AND doc LIKE '%"success":false%'`))
	late := w.count("SELECT count(*) FROM tasks WHERE delay > 0")
	require.GreaterOrEqual(t, late, 5)
	require.LessOrEqual(t, late, 40)
	onDuty := w.count("SELECT count(*) FROM workers WHERE on_duty = 1")
	require.Greater(t, onDuty, sandbox.DefaultWorkers/2)
	require.Less(t, onDuty, sandbox.DefaultWorkers)
	require.Equal(t, 3, w.count("SELECT count(*) FROM teams"))
	require.Equal(t, 3, w.count("SELECT count(*) FROM hubs"))
	require.InDelta(t, 40, w.count("SELECT count(*) FROM orders"), 20)
}

// watcher records what happens on a day.
type watcher struct {
	*testSandbox
	seen    map[string]bool
	delays  map[model.ID]int
	changes map[string]int
}

func (w *watcher) observe() {
	w.t.Helper()
	_, err := w.refresher.Update(w.t.Context())
	require.NoError(w.t, err)
	rows, err := w.store.Query(w.t.Context(),
		"SELECT id, on_duty, coalesce(delay, 0), coalesce(last_seen, 0), coalesce(battery, 1) FROM workers")
	require.NoError(w.t, err)
	defer rows.Close()
	for rows.Next() {
		var id model.ID
		var onDuty bool
		var delay int
		var seen model.Millis
		var battery float64
		require.NoError(w.t, rows.Scan(&id, &onDuty, &delay, &seen, &battery))
		switch before, known := w.delays[id]; {
		case known && delay > before+60 && before > 0:
			w.changes["a delay grows"]++
		case known && delay < before-60 && delay > 0:
			w.changes["a delay shrinks"]++
		}
		w.delays[id] = delay
		w.seen["on time"] = w.seen["on time"] || onDuty && delay == 0
		w.seen["late"] = w.seen["late"] || onDuty && delay > 0
		w.seen["silent"] = w.seen["silent"] || onDuty && seen != 0 && w.world.Now().Sub(seen) > 5*time.Minute
		w.seen["battery low"] = w.seen["battery low"] || battery < 0.2
		w.seen["off duty"] = w.seen["off duty"] || !onDuty
	}
	require.NoError(w.t, rows.Err())
}

func (w *watcher) observeOrders() {
	w.t.Helper()
	rows, err := w.store.Query(w.t.Context(),
		"SELECT id FROM orders")
	require.NoError(w.t, err)
	defer rows.Close()
	for rows.Next() {
		var id model.ID
		require.NoError(w.t, rows.Scan(&id))
		order, err := w.world.Order(w.t.Context(), w.sandbox.Org(), world.OrderRef(id))
		require.NoError(w.t, err)
		w.seen["order "+string(order.Status)] = true
	}
	require.NoError(w.t, rows.Err())
}

func TestAShiftShowsEverything(t *testing.T) {
	t.Parallel()
	if underRace {
		t.Skip("it takes minutes, and only the delivery of events is concurrent, which has its own tests")
	}
	receiver := newTestReceiver(t)
	w := &watcher{
		testSandbox: newTestSandbox(t, sandbox.Options{}, receiver.connect),
		seen:        map[string]bool{}, delays: map[model.ID]int{}, changes: map[string]int{},
	}
	receiver.createWebhooks(w.testSandbox)
	completed := w.count("SELECT count(*) FROM tasks WHERE state = 3")
	for range 3 {
		for range 6 {
			w.advance(10*time.Minute, 10*time.Minute)
			w.observe()
		}
		w.observeOrders()
	}
	for _, what := range []string{"on time", "late", "silent", "battery low", "off duty"} {
		require.True(t, w.seen[what], what)
	}
	for _, status := range []model.OrderStatus{
		model.OrderUnassigned, model.OrderAssigned, model.OrderActive, model.OrderCompleted, model.OrderFailed,
		model.OrderCancelled, model.OrderRejected,
	} {
		require.True(t, w.seen["order "+string(status)], "no order is ever %s", status)
	}
	require.Greater(t, w.changes["a delay grows"], 10)
	require.Greater(t, w.changes["a delay shrinks"], 10)
	require.Greater(t, w.count("SELECT count(*) FROM tasks WHERE state = 3"), completed+100)
	require.NoError(t, w.broker.DeliverAll(t.Context()))
	receiver.requireAllTriggers(w.testSandbox)
}

// TestTheSandboxContinuesWhateverTheUserDoes makes random changes as a user of the console.
func TestTheSandboxContinuesWhateverTheUserDoes(t *testing.T) {
	t.Parallel()
	w := newTestSandbox(t, smallOptions(3))
	actor := world.Actor{Type: world.ActorAPI, ID: w.sandbox.Org(), Org: w.sandbox.Org()}
	rng := rand.New(rand.NewPCG(5, 6))
	one := func(query string) (id model.ID) {
		// If there is none, the world refuses the empty id.
		w.store.QueryRow(t.Context(), query, rng.IntN(5)).Scan(&id) //nolint:errcheck // see above
		return id
	}
	done := 0
	for range 100 {
		w.advance(time.Minute, time.Minute)
		var err error
		switch rng.IntN(6) {
		case 0:
			err = w.world.ForceCompleteTask(t.Context(), actor, one("SELECT id FROM tasks WHERE state = 2 LIMIT 1 OFFSET $1"),
				model.CompleteRequest{CompletionDetails: model.CompleteDetails{Success: model.Some(rng.IntN(2) == 0)}})
		case 1:
			err = w.world.DeleteTask(t.Context(), actor, one("SELECT id FROM tasks WHERE state < 2 AND order_id IS NULL LIMIT 1 OFFSET $1"))
		case 2:
			_, err = w.world.UpdateTask(t.Context(), actor, one("SELECT id FROM tasks WHERE state < 2 LIMIT 1 OFFSET $1"), model.TaskInput{
				Container: model.Some(model.WorkerContainer(one("SELECT id FROM workers LIMIT 1 OFFSET $1"))),
			})
		case 3:
			_, err = w.world.UpdateContainer(t.Context(), actor, model.WorkerContainer(one("SELECT id FROM workers LIMIT 1 OFFSET $1")),
				model.ContainerUpdate{Tasks: model.ContainerTasks{IDs: []model.ID{}}})
		case 4:
			if rng.IntN(10) == 0 {
				err = w.world.DeleteWorker(t.Context(), actor, one("SELECT id FROM workers LIMIT 1 OFFSET $1"))
			}
		case 5:
			worker := one("SELECT id FROM workers WHERE on_duty = 0 LIMIT 1 OFFSET $1")
			err = w.world.GoOnDuty(t.Context(), worker)
		}
		if err == nil {
			done++
		}
	}
	require.Greater(t, done, 30, "too few changes were accepted")
	require.Positive(t, w.count("SELECT count(*) FROM events WHERE trigger = $1 AND actor_type = $2",
		model.TriggerWorkerDeleted, world.ActorAPI))
	require.Positive(t, w.count("SELECT count(*) FROM tasks WHERE state = 2"), "drivers must still be active")
}

func TestASandboxRefusesOtherData(t *testing.T) {
	t.Parallel()
	opened, err := store.Open(t.Context(), t.TempDir())
	require.NoError(t, err)
	defer opened.Close()
	parts := world.Options{Store: opened}
	_, _, err = world.New(parts).CreateOrganization(t.Context(), world.NewOrganization{Name: "Mine", Country: "US", Timezone: "UTC"})
	require.NoError(t, err)
	_, err = sandbox.Open(t.Context(), sandbox.Config{World: parts, Now: noon()})
	require.ErrorIs(t, err, sandbox.ErrNotSandbox)
}

// TestALargeSandboxOpensBeforeItIsFull checks that the first tasks exist when Open returns and the rest follows.
func TestALargeSandboxOpensBeforeItIsFull(t *testing.T) {
	t.Parallel()
	if underRace {
		t.Skip("it is slow and not concurrent")
	}
	w := newTestSandbox(t, sandbox.Options{Tasks: 2200, Workers: 5})
	first := w.count("SELECT count(*) FROM tasks")
	require.Positive(t, first)
	require.Less(t, first, 1000)
	require.NoError(t, w.sandbox.Fill(t.Context()))
	require.InDelta(t, 2200, w.count("SELECT count(*) FROM tasks"), 300)
	require.Equal(t, w.clock.Now(), w.sandbox.Now().UTC())
	require.Zero(t, w.count(`SELECT count(*) FROM containers c WHERE c.size <>
		(SELECT count(*) FROM tasks t WHERE t.container_owner = c.owner AND t.state < 2)`))
}

// TestFillContinuesAfterInterruption cancels the context again and again.
func TestFillContinuesAfterInterruption(t *testing.T) {
	t.Parallel()
	whole := newTestSandbox(t, smallOptions(4))
	opened, err := store.Open(t.Context(), t.TempDir())
	require.NoError(t, err)
	defer opened.Close()
	interrupted := 0
	for stop := 1; ; stop++ {
		ctx, cancel := context.WithCancel(t.Context())
		left := stop
		_, err := sandbox.Open(ctx, sandbox.Config{
			Options: smallOptions(4), World: world.Options{Store: opened}, Now: noon(),
			Progress: func(int, int) {
				if left--; left == 0 {
					cancel()
				}
			},
		})
		cancel()
		if err == nil {
			break
		}
		require.ErrorIs(t, err, context.Canceled)
		interrupted++
	}
	require.Greater(t, interrupted, 3)
	again := &testSandbox{t: t, store: opened}
	require.Equal(t, whole.count("SELECT count(*) FROM tasks"), again.count("SELECT count(*) FROM tasks"))
	require.Equal(t, 10, again.count("SELECT count(*) FROM workers"))
}

// BenchmarkFill measures filling sandboxes of several sizes.
func BenchmarkFill(b *testing.B) {
	for _, size := range []sandbox.Options{{Tasks: 320, Workers: 24}, {Tasks: 5000, Workers: 100}, {Tasks: 50_000, Workers: 1000}} {
		b.Run(fmt.Sprintf("%d tasks", size.Tasks), func(b *testing.B) {
			for b.Loop() {
				opened, err := store.Open(b.Context(), b.TempDir())
				require.NoError(b, err)
				broker, err := events.New(events.Options{Store: opened})
				require.NoError(b, err)
				city, err := sandbox.Open(b.Context(), sandbox.Config{
					Options: size, World: world.Options{Store: opened, Events: broker}, Now: noon(),
				})
				require.NoError(b, err)
				b.ReportMetric(b.Elapsed().Seconds(), "s-to-first-tasks")
				require.NoError(b, city.Fill(b.Context()))
				require.NoError(b, opened.Close())
			}
		})
	}
}

// BenchmarkMinute measures a minute of the default sandbox.
func BenchmarkMinute(b *testing.B) {
	opened, err := store.Open(b.Context(), b.TempDir())
	require.NoError(b, err)
	defer opened.Close()
	city, err := sandbox.Open(b.Context(), sandbox.Config{World: world.Options{Store: opened}, Now: noon()})
	require.NoError(b, err)
	now := noon()
	for b.Loop() {
		now = now.Add(time.Minute)
		require.NoError(b, city.AdvanceTo(b.Context(), now))
	}
}
