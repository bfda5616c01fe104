package service_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service/jobs"
	"waybill/service/store"
)

func batchBody(n int) string {
	return `{"tasks":[` + strings.Repeat(taskBody("")+",", n-1) + taskBody("") + `]}`
}

// awaitBatch asks until the batch is done.
func awaitBatch(t testing.TB, s *servicetest.Server, id model.ID) model.BatchJob {
	t.Helper()
	var job model.BatchJob
	servicetest.WaitFor(t, func() bool {
		s.Do("GET", "/tasks/batch/"+string(id), nil).OK(&job)
		return job.Status != model.BatchPending
	})
	return job
}

func TestBatchCreatesUnassignedTasks(t *testing.T) {
	s := servicetest.Start(t)
	var accepted model.BatchAccepted
	s.Do("POST", "/tasks/batch-async", batchBody(3)).OK(&accepted)
	require.Equal(t, model.BatchPending, accepted.Status)
	require.True(t, accepted.JobID.Valid())
	var job model.BatchJob
	s.Do("GET", "/tasks/batch/"+string(accepted.JobID), nil).OK(&job)
	require.Equal(t, model.BatchPending, job.Status)
	require.Equal(t, "Less than a minute ago.", job.Submitted)
	require.Equal(t, model.Int(3), job.TasksReceived)
	s.RunJobs()
	job = awaitBatch(t, s, accepted.JobID)
	require.Equal(t, model.BatchSucceeded, job.Status)
	require.Equal(t, model.Int(3), job.TasksCreated)
	require.Len(t, job.NewTasks, 3)
	for _, task := range job.NewTasks {
		require.Equal(t, model.TaskUnassigned, task.State)
	}
	require.Len(t, listAll(t, s, "/tasks/all?from=0"), 3)
}

func TestBatchTasksFailOneByOne(t *testing.T) {
	s := servicetest.Start(t)
	s.RunJobs()
	var accepted model.BatchAccepted
	bad := []string{
		`{"recipients":[]}`, taskBody(`"autoAssign":{"mode":"distance"}`), taskBody(`"dependencies":["` + string(model.NewID()) + `"]`),
		`{"destination":{"address":{"number":"1","street":"X","city":"Nowhereville-on-Void","country":"USA"}},"recipients":[]}`,
	}
	geocoded := `{"destination":{"address":{"number":"1","street":"Main St","city":"San Francisco","country":"USA"}},"recipients":[]}`
	s.Do("POST", "/tasks/batch-async", `{"tasks":[`+strings.Join(append(bad, taskBody(""), geocoded), ",")+`]}`).OK(&accepted)
	job := awaitBatch(t, s, accepted.JobID)
	require.Equal(t, model.BatchCompletedWithErrors, job.Status)
	require.Equal(t, model.Int(6), job.TasksReceived)
	require.Equal(t, model.Int(2), job.TasksCreated)
	require.Equal(t, model.Int(4), job.TasksErrored)
	require.Len(t, job.FailedTasks, 4)
	require.Len(t, job.NewTasksWithWarnings, 1, "where an address was only found roughly")
	codes := map[model.Int]bool{}
	for _, e := range job.Errors {
		codes[e.ErrorCode] = true
		require.True(t, e.TaskData.Has())
		require.NotEmpty(t, e.Message)
	}
	require.Equal(t, map[model.Int]bool{model.ErrorMissing: true, model.ErrorInvalid: true, model.ErrorNotFound: true, model.ErrorGeocoding: true}, codes)
}

// Whatever refuses a request for a batch, the refusal has the batch shape with all of its four members.
func TestEveryRefusalOfABatchHasItsShape(t *testing.T) {
	s := servicetest.Start(t)
	for _, path := range []string{"/v2/tasks/batch-async", "/v2/tasks/batch"} {
		for name, r := range map[string]struct {
			raw
			status  int
			subcode model.Int
		}{
			"no key":      {raw{method: "POST", authorization: "Basic d3Jvbmc6"}, 401, model.ErrorKey},
			"too large":   {raw{method: "POST", body: strings.NewReader(strings.Repeat(" ", 33<<20))}, 413, model.ErrorInvalid},
			"not JSON":    {raw{method: "POST", body: strings.NewReader("a=b"), contentType: "text/plain"}, 415, model.ErrorWrongType},
			"GET":         {raw{method: "GET"}, 405, model.ErrorMethodNotAllowed},
			"PATCH":       {raw{method: "PATCH"}, 405, model.ErrorMethodNotAllowed},
			"empty batch": {raw{method: "POST", body: strings.NewReader(`{"tasks":[]}`)}, 400, model.ErrorMissing},
		} {
			r.url = path
			answer := send(t, s, r.raw)
			require.Equal(t, r.status, answer.Status, name)
			var e model.BatchErrorBody
			require.NoError(t, model.Unmarshal(answer.Body, &e), name)
			require.Equal(t, model.Int(r.status), e.StatusCode, name)
			require.Equal(t, r.subcode, e.Error, "%s: %s", name, answer.Body)
			require.NotEmpty(t, e.Message, name)
			require.NotEmpty(t, e.Cause.Value().Text, name)
			if r.status == 405 {
				require.Equal(t, "POST", answer.Header.Get("Allow"), "%s: no method that finds nothing", name)
			}
		}
	}
}

func TestBatchErrorsHaveTheirOwnShape(t *testing.T) {
	s := servicetest.Start(t)
	for _, path := range []string{"/tasks/batch-async", "/tasks/batch"} {
		for body, subcode := range map[string]model.Int{
			`{"tasks":[]}`: model.ErrorMissing, batchBody(501): model.ErrorInvalid, `{"tasks":5}`: model.ErrorMissing, `{}`: model.ErrorMissing,
		} {
			answer := s.Do("POST", path, body)
			require.Equal(t, http.StatusBadRequest, answer.Status)
			var e model.BatchErrorBody
			require.NoError(t, model.Unmarshal(answer.Body, &e))
			require.Equal(t, model.Int(http.StatusBadRequest), e.StatusCode)
			require.Equal(t, subcode, e.Error)
			require.NotEmpty(t, e.Message)
			require.True(t, e.Cause.Has())
			require.NotContains(t, string(answer.Body), `"code"`)
		}
	}
	_, otherKey := s.AddOrganization("Other", "")
	var accepted model.BatchAccepted
	s.Do("POST", "/tasks/batch-async", batchBody(1)).OK(&accepted)
	s.DoAs(otherKey, "GET", "/tasks/batch/"+string(accepted.JobID), nil).Refused(http.StatusUnauthorized, model.ErrorScope)
	s.Do("GET", "/tasks/batch/"+string(model.NewID()), nil).Refused(http.StatusNotFound, model.ErrorNotFound)
}

func TestSynchronousBatch(t *testing.T) {
	s := servicetest.Start(t)
	var result model.BatchSyncResult
	s.Do("POST", "/tasks/batch", `{"tasks":[`+taskBody("")+`,{"recipients":[]}]}`).OK(&result)
	require.Len(t, result.Tasks, 1)
	require.Len(t, result.Errors, 1)
	require.Equal(t, model.ErrorMissing, result.Errors[0].Error.Error)
	require.Equal(t, model.TaskUnassigned, getTask(t, s, result.Tasks[0].ID).State)
}

func TestBatchOf500(t *testing.T) {
	s := servicetest.Start(t)
	s.RunJobs()
	var accepted model.BatchAccepted
	s.Do("POST", "/tasks/batch-async", batchBody(500)).OK(&accepted)
	require.Equal(t, model.Int(500), awaitBatch(t, s, accepted.JobID).TasksCreated)
}

func TestJobsOfAKilledProcessGoOn(t *testing.T) {
	s := servicetest.Start(t)
	var accepted model.BatchAccepted
	s.Do("POST", "/tasks/batch-async", batchBody(2)).OK(&accepted)
	ctx := context.Background()
	// As a process leaves it that was killed while it did the job.
	require.NoError(t, s.Store.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE river_job SET state = 'running', attempt = 1, attempted_at = created_at`)
		return err
	}))
	s.RunJobs()
	require.Equal(t, model.BatchSucceeded, awaitBatch(t, s, accepted.JobID).Status)
	require.Len(t, listAll(t, s, "/tasks/all?from=0"), 2)
	require.NoError(t, s.World.RunBatch(ctx, accepted.JobID), "a batch that has run does nothing again")
	require.Len(t, listAll(t, s, "/tasks/all?from=0"), 2)
}

func TestStoppingWaitsForRunningJobs(t *testing.T) {
	s := servicetest.Start(t)
	runner, err := jobs.New(jobs.Options{Store: s.Store, World: s.World, Poll: 5 * time.Millisecond})
	require.NoError(t, err)
	require.NoError(t, runner.Start(context.Background()))
	var accepted model.BatchAccepted
	s.Do("POST", "/tasks/batch-async", batchBody(200)).OK(&accepted)
	running := func() (n int) {
		require.NoError(t, s.Store.QueryRow(context.Background(), "SELECT count(*) FROM river_job WHERE state <> 'available'").Scan(&n))
		return n
	}
	servicetest.WaitFor(t, func() bool { return running() == 1 })
	require.NoError(t, runner.Stop(context.Background()))
	var job model.BatchJob
	s.Do("GET", "/tasks/batch/"+string(accepted.JobID), nil).OK(&job)
	require.Equal(t, model.BatchSucceeded, job.Status)
}
