package service_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service/store"
	"waybill/service/world"
)

// fleet is a team with drivers on duty and tasks that wait.
type fleet struct {
	*servicetest.Server
	team    model.Team
	workers []model.ID
	tasks   []model.ID
}

func startFleet(t *testing.T, workers, tasks int) *fleet {
	t.Helper()
	f := &fleet{Server: servicetest.Start(t)}
	f.Do("POST", "/teams", `{"name":"North","workers":[],"managers":[]}`).OK(&f.team)
	for i := range workers {
		var w model.Worker
		f.Do("POST", "/workers", fmt.Sprintf(`{"name":"Driver %d","phone":"+1415555%04d","teams":["%s"],"vehicle":{"type":"CAR"}}`,
			i, 2000+i, f.team.ID)).OK(&w)
		require.NoError(t, f.World.GoOnDuty(t.Context(), w.ID))
		require.NoError(t, f.World.ReportPositions(t.Context(), []world.Position{{
			Worker: w.ID, Location: model.Location{Lon: -122.42 + float64(i)/100, Lat: 37.77},
		}}))
		f.workers = append(f.workers, w.ID)
	}
	for i := range tasks {
		f.addTask(fmt.Sprintf(`"container":{"type":"TEAM","team":"%s"}`, f.team.ID), float64(i%7)/200, float64(i%5)/200)
	}
	return f
}

func (f *fleet) addTask(more string, east, north float64) model.ID {
	var task model.Task
	f.Do("POST", "/tasks", fmt.Sprintf(`{"destination":{"address":{"city":"San Francisco","country":"USA"},"location":[%f,%f]},
		"recipients":[],%s}`, -122.42+east, 37.77+north, more)).OK(&task)
	f.tasks = append(f.tasks, task.ID)
	return task.ID
}

func (f *fleet) wait(t *testing.T, id model.ID) model.DispatchJob {
	t.Helper()
	var job model.DispatchJob
	servicetest.WaitFor(t, func() bool {
		f.Do("GET", "/dispatches/"+string(id), nil).OK(&job)
		return job.Status != model.DispatchRunning
	})
	return job
}

func (f *fleet) dispatch(t *testing.T, body string) model.DispatchJob {
	t.Helper()
	var accepted model.DispatchAccepted
	f.Do("POST", "/teams/"+string(f.team.ID)+"/dispatch", body).OK(&accepted)
	return f.wait(t, accepted.DispatchID)
}

func TestDispatchPutsTasksOnRoutes(t *testing.T) {
	f := startFleet(t, 3, 20)
	f.RunJobs()
	job := f.dispatch(t, `{"routeEnd":null,"maxTasksPerRoute":8}`)
	require.Equal(t, model.DispatchSucceeded, job.Status)
	result := job.Dispatch.Value()
	require.Empty(t, result.Plan.Unplanned)
	planned := 0
	for _, route := range result.Plan.Routes {
		require.LessOrEqual(t, len(route.Stops), 8)
		var container model.Container
		f.Do("GET", "/containers/workers/"+string(route.RouteID), nil).OK(&container)
		order := []model.ID{}
		for _, stop := range route.Stops {
			order = append(order, stop.ID)
			require.Less(t, stop.ArrivalTime, stop.DepartTime)
		}
		require.Equal(t, order, container.Tasks, "the route is in the container, in order")
		planned += len(order)
	}
	require.Equal(t, 20, planned)
	var task model.Task
	f.Do("GET", "/tasks/"+string(f.tasks[0]), nil).OK(&task)
	require.Equal(t, model.TaskAssigned, task.State)
}

func TestDispatchKeepsWhatDriversHave(t *testing.T) {
	f := startFleet(t, 2, 0)
	pinned := f.addTask(fmt.Sprintf(`"container":{"type":"WORKER","worker":"%s"}`, f.workers[0]), 0.02, 0)
	f.addTask(fmt.Sprintf(`"container":{"type":"TEAM","team":"%s"}`, f.team.ID), 0.021, 0)
	f.RunJobs()
	f.dispatch(t, `{"routeEnd":null}`)
	var task model.Task
	f.Do("GET", "/tasks/"+string(pinned), nil).OK(&task)
	require.Equal(t, f.workers[0], task.Worker.Value())
}

func TestOfManyDispatchesAtOnceOneIsAccepted(t *testing.T) {
	f := startFleet(t, 1, 3)
	var wg sync.WaitGroup
	answers := make([]servicetest.Answer, 50)
	for i := range answers {
		wg.Go(func() { answers[i] = f.Do("POST", "/teams/"+string(f.team.ID)+"/dispatch", nil) })
	}
	wg.Wait()
	accepted := 0
	for _, a := range answers {
		if a.Status == http.StatusOK {
			accepted++
			continue
		}
		body := a.Refused(http.StatusConflict, model.ErrorAutoDispatch)
		require.Contains(t, body.Message.Message, "already in progress for this team")
	}
	require.Equal(t, 1, accepted)
}

func TestDispatchLeavesOutWhatChangedMeanwhile(t *testing.T) {
	f := startFleet(t, 1, 4)
	var accepted model.DispatchAccepted
	f.Do("POST", "/teams/"+string(f.team.ID)+"/dispatch", nil).OK(&accepted)
	// The job has not run; what happens now happens between the request and the plan.
	f.Do("DELETE", "/tasks/"+string(f.tasks[0]), nil).OK(nil)
	f.RunJobs()
	job := f.wait(t, accepted.DispatchID)
	require.Equal(t, model.DispatchSucceeded, job.Status)
	require.Len(t, job.Dispatch.Value().Plan.Routes[0].Stops, 3)
}

func TestDispatchIsRefusedBeyond200Miles(t *testing.T) {
	f := startFleet(t, 1, 1)
	f.addTask(fmt.Sprintf(`"container":{"type":"TEAM","team":"%s"}`, f.team.ID), 5, 0)
	f.Do("POST", "/teams/"+string(f.team.ID)+"/dispatch", nil).Refused(http.StatusBadRequest, model.ErrorInvalid)
}

func TestDispatchWithoutWorkersSaysWhy(t *testing.T) {
	f := startFleet(t, 0, 2)
	f.RunJobs()
	job := f.dispatch(t, "")
	for _, out := range job.Dispatch.Value().Plan.Unplanned {
		require.Contains(t, out.Reason.Value(), "No worker")
	}
	require.Len(t, job.Dispatch.Value().Plan.Unplanned, 2)
	var list []model.DispatchJob
	f.Do("GET", "/teams/"+string(f.team.ID)+"/dispatches", nil).OK(&list)
	require.Len(t, list, 1)
}

// One task that nobody could ever carry, or that never ends, is left out with its reason; the dispatch goes on.
func TestOneSenselessTaskDoesNotStopADispatch(t *testing.T) {
	f := startFleet(t, 1, 2)
	f.Do("PUT", "/workers/"+string(f.workers[0]), `{"capacity":10}`).OK(nil)
	odd := f.addTask(fmt.Sprintf(`"quantity":500000,"container":{"type":"TEAM","team":"%s"}`, f.team.ID), 0.001, 0.001)
	f.RunJobs()
	job := f.dispatch(t, `{"routeEnd":null}`)
	require.Equal(t, model.DispatchSucceeded, job.Status)
	require.False(t, job.Reason.Has())
	unplanned := job.Dispatch.Value().Plan.Unplanned
	require.Len(t, unplanned, 1)
	require.Equal(t, odd, unplanned[0].ID)
	require.True(t, unplanned[0].Reason.Has())
}

// What cannot succeed later either ends at once, and says why.
func TestADispatchThatCannotBePlannedSaysWhy(t *testing.T) {
	f := startFleet(t, 1, 1)
	var accepted model.DispatchAccepted
	f.Do("POST", "/teams/"+string(f.team.ID)+"/dispatch", "{}").OK(&accepted)
	var attempts int
	require.NoError(t, f.Store.QueryRow(t.Context(), "SELECT max_attempts FROM river_job WHERE kind = 'dispatch'").Scan(&attempts))
	require.Equal(t, 5, attempts)
	require.NoError(t, f.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec(t.Context(), `UPDATE dispatches SET request = '{"routeEnd":"hub://`+string(model.NewID())+`"}'`)
		return err
	}))
	f.RunJobs()
	job := f.wait(t, accepted.DispatchID)
	require.Equal(t, model.DispatchFailed, job.Status)
	require.Contains(t, job.Reason.Value(), "There is no such hub.")
	require.NoError(t, f.Store.QueryRow(t.Context(), "SELECT attempt FROM river_job WHERE kind = 'dispatch'").Scan(&attempts))
	require.Equal(t, 1, attempts)
}

func TestDispatchOptionsHaveBounds(t *testing.T) {
	f := startFleet(t, 0, 0)
	for _, body := range []string{`{"maxAllowedDelay":10000000}`, `{"serviceTime":1000000000000}`, `{"serviceTime":-1}`, `{"maxAllowedDelay":0}`} {
		f.Do("POST", "/teams/"+string(f.team.ID)+"/dispatch", body).Refused(400, 1000)
	}
}

func TestSenselessNumbersAreRefused(t *testing.T) {
	f := startFleet(t, 1, 1)
	for _, body := range []string{
		`{"serviceTime":1e12}`, `{"quantity":1e10}`, `{"quantity":-1}`, `{"additionalQuantities":{"quantityB":1e300}}`,
	} {
		f.Do("PUT", "/tasks/"+string(f.tasks[0]), body).Refused(400, 1000)
	}
	f.Do("PUT", "/workers/"+string(f.workers[0]), `{"capacity":1e10}`).Refused(400, 1000)
	f.Do("POST", "/tasks/"+string(f.tasks[0])+"/clone", `{"options":{"overrides":{"serviceTime":1e12}}}`).Refused(400, 1000)
}
