package world_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service/geo"
	"waybill/service/geo/city"
	"waybill/service/store"
	"waybill/service/world"
)

// fleet is a service with drivers whose estimates are refreshed.
type fleet struct {
	*servicetest.Server
	t         testing.TB
	refresher *world.EstimateUpdater
	team      model.ID
}

func newFleet(t testing.TB) *fleet {
	t.Helper()
	f := &fleet{Server: servicetest.Start(t), t: t}
	f.refresher = world.NewEstimateUpdater(f.World)
	var team model.Team
	f.Do("POST", "/teams", `{"name":"All","workers":[],"managers":[]}`).OK(&team)
	f.team = team.ID
	return f
}

func (f *fleet) worker(vehicle string) model.ID {
	f.t.Helper()
	var worker model.Worker
	phone := fmt.Sprintf("+1415555%04d", f.count("workers"))
	f.Do("POST", "/workers", fmt.Sprintf(`{"name":"W","phone":%q,"teams":[%q],"vehicle":{"type":%q}}`, phone, f.team, vehicle)).OK(&worker)
	return worker.ID
}

func (f *fleet) count(table string) int {
	var n int
	require.NoError(f.t, f.Store.QueryRow(f.t.Context(), "SELECT count(*) FROM "+table).Scan(&n))
	return n
}

// onDuty puts a worker to work somewhere.
func (f *fleet) onDuty(worker model.ID, at model.Location) {
	f.t.Helper()
	require.NoError(f.t, f.World.GoOnDuty(f.t.Context(), worker))
	f.at(worker, at)
}

func (f *fleet) at(worker model.ID, at model.Location) {
	f.t.Helper()
	require.NoError(f.t, f.World.ReportPositions(f.t.Context(), []world.Position{{Worker: worker, Location: at}}))
}

// task makes a task at a place in a worker's list, or in nobody's.
func (f *fleet) task(worker model.ID, at model.Location, more string) model.ID {
	f.t.Helper()
	container := ""
	if worker != "" {
		container = fmt.Sprintf(`,"container":{"type":"WORKER","worker":%q}`, worker)
	}
	var task model.Task
	f.Do("POST", "/tasks", fmt.Sprintf(`{"destination":{"address":{"number":"1","street":"A St","city":"San Francisco","country":"USA"},
		"location":[%v,%v]},"recipients":[]%s%s}`, at.Lon, at.Lat, container, more)).OK(&task)
	return task.ID
}

func (f *fleet) refresh() world.UpdateStats {
	f.t.Helper()
	done, err := f.refresher.Update(f.t.Context())
	require.NoError(f.t, err)
	return done
}

func (f *fleet) get(id model.ID) model.Task {
	f.t.Helper()
	var task model.Task
	f.Do("GET", "/tasks/"+string(id), nil).OK(&task)
	return task
}

func (f *fleet) delayOf(worker model.ID) model.Opt[model.Seconds] {
	f.t.Helper()
	var w model.Worker
	f.Do("GET", "/workers/"+string(worker), nil).OK(&w)
	return w.DelayTime
}

// travel is how long a way takes by car.
func travel(t testing.TB, from, to model.Location) time.Duration {
	t.Helper()
	route, err := geo.StraightLine{}.Route(t.Context(), []geo.Location{{Lon: from.Lon, Lat: from.Lat}, {Lon: to.Lon, Lat: to.Lat}}, geo.Car)
	require.NoError(t, err)
	return time.Duration(route.Legs[0].Seconds) * time.Second
}

func places() (depot, first, second model.Location) {
	return model.Location{Lon: -122.40, Lat: 37.78}, model.Location{Lon: -122.42, Lat: 37.77}, model.Location{Lon: -122.43, Lat: 37.75}
}

func before(t model.Millis) string { return fmt.Sprintf(`,"completeBefore":%d`, t) }

func TestEstimatesFollowTheRoute(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	depot, one, two := places()
	worker := f.worker("CAR")
	f.onDuty(worker, depot)
	now := f.World.Now()
	legOne, legTwo := travel(t, depot, one), travel(t, one, two)
	first := f.task(worker, one, `,"serviceTime":5`)
	second := f.task(worker, two, before(now.Add(legOne+5*time.Minute+legTwo-90*time.Second)))
	done := f.refresh()
	require.Equal(t, 2, done.Tasks)

	a, b := f.get(first), f.get(second)
	require.Equal(t, now.Add(legOne), a.EstimatedArrivalTime.Value())
	require.Equal(t, now.Add(legOne+5*time.Minute), a.EstimatedCompletionTime.Value())
	require.True(t, a.ETA.IsNull(), "an ETA is for the task that the driver is on the way to")
	require.True(t, a.DelayTime.IsNull(), "it has no deadline")
	require.Equal(t, now.Add(legOne+5*time.Minute+legTwo), b.EstimatedArrivalTime.Value())
	require.Equal(t, now.Add(legOne+5*time.Minute+legTwo+model.FallbackServiceTime.Duration()), b.EstimatedCompletionTime.Value(),
		"an organization without a past has the fallback")
	require.Equal(t, model.Seconds(90), b.DelayTime.Value())
	require.Equal(t, model.Seconds(90), f.delayOf(worker).Value())

	require.NoError(t, f.World.StartTask(t.Context(), worker, first))
	f.refresh()
	a = f.get(first)
	require.Equal(t, model.Seconds(legOne.Seconds()), a.ETA.Value())
	require.Equal(t, now.Add(legOne), a.EstimatedArrivalTime.Value())
	require.True(t, a.EstimatedCompletionTime.IsNull(), "only tasks that are not started have one")
	require.Equal(t, b.EstimatedArrivalTime, f.get(second).EstimatedArrivalTime)
}

func TestAWindowThatOpensLaterHoldsUpTheRest(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	depot, one, two := places()
	worker := f.worker("CAR")
	f.onDuty(worker, depot)
	opens := f.World.Now().Add(2 * time.Hour)
	first := f.task(worker, one, fmt.Sprintf(`,"serviceTime":5,"completeAfter":%d`, opens))
	second := f.task(worker, two, "")
	f.refresh()
	a, b := f.get(first), f.get(second)
	require.Equal(t, opens, a.EstimatedArrivalTime.Value())
	require.Equal(t, opens.Add(5*time.Minute), a.EstimatedCompletionTime.Value())
	require.Equal(t, opens.Add(5*time.Minute+travel(t, one, two)), b.EstimatedArrivalTime.Value())
}

func TestPastTimeAtTheDoorIsTheOrganizationsServiceTime(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	depot, one, two := places()
	worker := f.worker("CAR")
	f.onDuty(worker, depot)
	for _, minutes := range []time.Duration{4, 10} {
		task := f.task(worker, one, "")
		require.NoError(t, f.World.StartTask(t.Context(), worker, task))
		f.at(worker, one)
		require.NoError(t, f.World.RecordArrival(t.Context(), worker, task))
		f.Clock.Advance(minutes * time.Minute)
		require.NoError(t, f.World.CompleteTask(t.Context(), worker, task, world.Completion{}))
	}
	open, planned := f.task(worker, two, ""), f.task(worker, two, "")
	require.NoError(t, f.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec(t.Context(), "UPDATE tasks SET planned_minutes = 3 WHERE id = $1", planned)
		return err
	}))
	f.refresh()
	a := f.get(open)
	require.Equal(t, 7*time.Minute, a.EstimatedCompletionTime.Value().Sub(a.EstimatedArrivalTime.Value()))
	b := f.get(planned)
	require.Equal(t, 3*time.Minute, b.EstimatedCompletionTime.Value().Sub(b.EstimatedArrivalTime.Value()))
}

func TestDelaysAreRefreshedEveryMinuteOnDutyAndEveryTenOff(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	depot, one, _ := places()
	on, off := f.worker("CAR"), f.worker("CAR")
	f.onDuty(on, depot)
	f.at(off, depot)
	due := f.World.Now().Add(travel(t, depot, one))
	f.task(on, one, before(due))
	f.task(off, one, before(due))
	require.Equal(t, 2, f.refresh().Tasks)
	require.Zero(t, f.refresh().Workers, "nothing is due twice")
	require.True(t, f.delayOf(on).IsNull())
	f.Clock.Advance(59 * time.Second)
	require.Zero(t, f.refresh().Workers)
	f.Clock.Advance(time.Second)
	require.Equal(t, 1, f.refresh().Workers)
	require.Equal(t, model.Seconds(60), f.delayOf(on).Value())
	require.True(t, f.delayOf(off).IsNull())
	f.Clock.Advance(9 * time.Minute)
	require.Equal(t, 2, f.refresh().Workers)
	require.Equal(t, model.Seconds(600), f.delayOf(on).Value())
	require.Equal(t, model.Seconds(600), f.delayOf(off).Value())

	f.at(on, one) // the driver has caught up by ten minutes' worth of road
	f.Clock.Advance(time.Minute)
	f.refresh()
	require.Less(t, f.delayOf(on).Value(), model.Seconds(600))
}

func TestARefreshWritesOnlyWhatIsDifferent(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	depot, one, two := places()
	worker := f.worker("CAR")
	f.onDuty(worker, depot)
	opens := f.World.Now().Add(5 * time.Hour)
	f.task(worker, one, fmt.Sprintf(`,"completeAfter":%d`, opens))
	f.task(worker, two, "")
	require.Equal(t, 2, f.refresh().Written)
	for range 5 {
		f.Clock.Advance(time.Minute)
		done := f.refresh()
		require.Equal(t, 2, done.Tasks)
		require.Zero(t, done.Written, "the window is what decides, so a minute changes nothing")
	}
	task := f.task(worker, two, "")
	require.Equal(t, 1, f.refresh().Written, "a changed list is looked at at once")
	require.True(t, f.get(task).EstimatedArrivalTime.Has())
}

func TestTasksWithoutADriverAreLateByTheClock(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	_, one, _ := places()
	task := f.task("", one, before(f.World.Now().Add(time.Minute)))
	f.refresh()
	require.True(t, f.get(task).DelayTime.IsNull())
	f.Clock.Advance(3 * time.Minute)
	f.refresh()
	require.Equal(t, model.Seconds(120), f.get(task).DelayTime.Value())
	f.Do("PUT", "/tasks/"+string(task), fmt.Sprintf(`{"completeBefore":%d}`, f.World.Now().Add(time.Hour))).OK(nil)
	f.Clock.Advance(time.Minute)
	f.refresh()
	require.True(t, f.get(task).DelayTime.IsNull())
}

func TestADriverWhoIsOffDutySetsOutWithTheNextShift(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	depot, one, _ := places()
	worker := f.worker("CAR")
	f.at(worker, depot)
	begins := f.World.Now().Add(3 * time.Hour)
	f.Do("POST", "/workers/"+string(worker)+"/schedule", fmt.Sprintf(
		`{"entries":[{"date":"2026-03-02","timezone":"America/Los_Angeles","shifts":[[%d,%d]]}]}`, begins, begins.Add(8*time.Hour))).OK(nil)
	task := f.task(worker, one, "")
	f.refresh()
	require.Equal(t, begins.Add(travel(t, depot, one)), f.get(task).EstimatedArrivalTime.Value())

	nowhere := f.worker("CAR")
	lost := f.task(nowhere, one, before(f.World.Now().Add(-time.Minute)))
	f.refresh()
	require.True(t, f.get(lost).EstimatedArrivalTime.IsNull(), "nobody knows where this driver is")
	require.Equal(t, model.Seconds(60), f.get(lost).DelayTime.Value())
}

func TestThresholdsHearOfTheTaskOnTheWay(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	depot, one, _ := places()
	worker := f.worker("CAR")
	f.onDuty(worker, depot)
	require.NoError(t, f.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec(t.Context(), `INSERT INTO webhooks (id, org, trigger, threshold, name, url, created)
			VALUES ($1, $2, 2, 150, '', 'https://example.com', 0)`, model.NewID(), f.Org)
		return err
	}))
	fired := func() int { return f.count("firings") }
	task := f.task(worker, one, "")
	require.NoError(t, f.World.StartTask(t.Context(), worker, task))
	f.refresh()
	require.Zero(t, fired())
	f.at(worker, one)
	f.Clock.Advance(10 * time.Second)
	f.refresh()
	require.Equal(t, 1, fired())
}

// BenchmarkRefresh refreshes 500 workers with 10,000 tasks: when everything has changed, and when nothing has. The
// baseline reads the same rows and does nothing with them.
func BenchmarkRefresh(b *testing.B) {
	f := newFleet(b)
	fillRoutes(b, f, 500, 20)
	b.Run("baseline", func(b *testing.B) {
		for b.Loop() {
			rows, err := f.Store.Query(b.Context(), `SELECT t.id, d.lon, d.lat FROM tasks t JOIN destinations d ON d.id = t.destination
				WHERE t.state IN (1, 2) ORDER BY t.worker, t.position`)
			require.NoError(b, err)
			for rows.Next() {
				var id string
				var lon, lat float64
				require.NoError(b, rows.Scan(&id, &lon, &lat))
			}
			require.NoError(b, rows.Err())
		}
	})
	b.Run("changed", func(b *testing.B) {
		for b.Loop() {
			f.Clock.Advance(time.Minute)
			require.Equal(b, 10_000, f.refreshWritten(b))
		}
	})
	b.Run("unchanged", func(b *testing.B) {
		for b.Loop() {
			f.refresher = world.NewEstimateUpdater(f.World)
			require.Zero(b, f.refreshWritten(b))
		}
	})
}

func (f *fleet) refreshWritten(b *testing.B) int {
	done, err := f.refresher.Update(b.Context())
	require.NoError(b, err)
	require.Equal(b, 10_000, done.Tasks)
	return done.Written
}

func fillRoutes(b *testing.B, f *fleet, workers, tasks int) {
	b.Helper()
	actor := world.Actor{Type: world.ActorAPI, ID: f.Org, Org: f.Org}
	for n := range workers {
		require.NoError(b, f.Store.RunInTransaction(b.Context(), func(ctx context.Context) error {
			worker, err := f.World.CreateWorker(ctx, actor, model.WorkerInput{
				Name: model.Some("W"), Phone: model.Some(city.Phone(n)), Teams: model.Some([]model.ID{f.team}),
			})
			if err != nil {
				return err
			}
			at := func(i int) model.Location {
				return model.Location{Lon: -122.4 - float64(i*7%50)/1000, Lat: 37.75 + float64((i+n)*13%40)/1000}
			}
			if err := f.World.GoOnDuty(ctx, worker.ID); err != nil {
				return err
			}
			if err := f.World.ReportPositions(ctx, []world.Position{{Worker: worker.ID, Location: at(0)}}); err != nil {
				return err
			}
			for i := range tasks {
				if _, err := f.World.CreateTask(ctx, actor, model.TaskInput{
					Destination: model.Some(model.Embedded(model.DestinationInput{
						Address: model.Some(model.AddressInput{Number: "1", Street: "A St", City: "San Francisco", Country: "USA"}), Location: model.Some(at(i + 1)),
					})),
					Recipients: model.Some([]model.IDOr[model.RecipientInput]{}), Container: model.Some(model.WorkerContainer(worker.ID)),
					Notes: model.Some("Leave it with the doorman, please, and take a photo."),
				}); err != nil {
					return err
				}
			}
			return nil
		}))
	}
}

func TestWorkersThatAreNoMoreAreForgotten(t *testing.T) {
	f := newFleet(t)
	first := f.worker("CAR")
	f.worker("BICYCLE")
	_, err := f.refresher.Update(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, f.refresher.KnownWorkers())
	f.Do("DELETE", "/workers/"+string(first), nil).OK(nil)
	_, err = f.refresher.Update(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, f.refresher.KnownWorkers())
}
