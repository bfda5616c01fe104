package jobs_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
	"waybill/service/jobs"
	"waybill/service/store"
	"waybill/service/world"
)

type echoArgs struct {
	Text string `json:"text"`
}

func (echoArgs) Kind() string { return "echo" }

type echoWorker struct {
	river.WorkerDefaults[echoArgs]
	heard chan string
}

func (w *echoWorker) Work(_ context.Context, job *river.Job[echoArgs]) error {
	w.heard <- job.Args.Text
	return nil
}

func TestJobRunsExactlyWhenItsChangeCommits(t *testing.T) {
	s := servicetest.Start(t)
	queue, err := jobs.NewQueue(s.Store)
	require.NoError(t, err)
	ctx := t.Context()
	enqueue := func(text string, outcome error) {
		err := s.Store.Write(ctx, func(tx *store.Tx) error {
			require.NoError(t, queue.Enqueue(ctx, tx, echoArgs{text}))
			return outcome
		})
		require.ErrorIs(t, err, outcome)
	}
	boom := errors.New("boom")
	enqueue("never", boom)
	enqueue("committed", nil)
	worker := &echoWorker{heard: make(chan string, 2)}
	s.RunJobs(jobs.Register(worker))
	require.Equal(t, "committed", <-worker.heard)
	var n int
	require.NoError(t, s.Store.QueryRow(ctx, "SELECT count(*) FROM river_job").Scan(&n))
	require.Equal(t, 1, n)
	enqueue("while running", nil)
	require.Equal(t, "while running", <-worker.heard)
}

func TestTwoWorkersOfOneKindAreRefused(t *testing.T) {
	s := servicetest.Start(t)
	_, err := jobs.New(jobs.Options{Store: s.Store, World: s.World, Workers: []jobs.Registration{
		jobs.Register(&echoWorker{}), jobs.Register(&echoWorker{}),
	}})
	require.Error(t, err)
}

// A batch that cannot run must not leave its sender waiting for ever.
func TestBatchThatCannotRunIsGivenUp(t *testing.T) {
	s := servicetest.Start(t)
	ctx := t.Context()
	actor := world.Actor{Type: world.ActorAPI, ID: model.NewID(), Org: s.Org}
	accepted, err := s.World.SubmitBatch(ctx, actor, model.BatchRequest{Tasks: []model.TaskInput{{}}})
	require.NoError(t, err)
	require.NoError(t, s.Store.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Exec(ctx, "UPDATE batches SET request = 'broken'"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE river_job SET max_attempts = 1")
		return err
	}))
	s.RunJobs()
	var job model.BatchJob
	servicetest.WaitFor(t, func() bool {
		s.Do("GET", "/tasks/batch/"+string(accepted.JobID), nil).OK(&job)
		return job.Status != model.BatchPending
	})
	require.Equal(t, model.BatchFailed, job.Status)
}

// A job that brings the process down at each attempt ends.
func TestJobsAtTheirLastAttemptAreNotTakenOver(t *testing.T) {
	s := servicetest.Start(t)
	ctx := t.Context()
	queue, err := jobs.NewQueue(s.Store)
	require.NoError(t, err)
	require.NoError(t, s.Store.Write(ctx, func(tx *store.Tx) error {
		if err := queue.Enqueue(ctx, tx, echoArgs{"poison"}); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE river_job SET state = 'running', attempt = max_attempts, attempted_at = created_at")
		return err
	}))
	s.RunJobs(jobs.Register(&echoWorker{}))
	var state string
	require.NoError(t, s.Store.QueryRow(ctx, "SELECT state FROM river_job").Scan(&state))
	require.Equal(t, "discarded", state)
}

// promise asks for a dispatch and a batch, whose jobs then wait.
func promise(t *testing.T, s *servicetest.Server) (dispatch, batch, team model.ID) {
	t.Helper()
	var made model.Team
	s.Do("POST", "/teams", `{"name":"North","workers":[],"managers":[]}`).OK(&made)
	var planned model.DispatchAccepted
	s.Do("POST", "/teams/"+string(made.ID)+"/dispatch", "{}").OK(&planned)
	var accepted model.BatchAccepted
	s.Do("POST", "/tasks/batch-async", `{"tasks":[{}]}`).OK(&accepted)
	return planned.DispatchID, accepted.JobID, made.ID
}

// ended waits for both to end.
func ended(t *testing.T, s *servicetest.Server, dispatch, batch model.ID) (dispatched, created string) {
	t.Helper()
	var planned model.DispatchJob
	var made model.BatchJob
	servicetest.WaitFor(t, func() bool {
		s.Do("GET", "/dispatches/"+string(dispatch), nil).OK(&planned)
		s.Do("GET", "/tasks/batch/"+string(batch), nil).OK(&made)
		return planned.Status != model.DispatchRunning && made.Status != model.BatchPending
	})
	return planned.Status, made.Status
}

func exec(t *testing.T, s *servicetest.Server, query string, args ...any) {
	t.Helper()
	require.NoError(t, s.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec(t.Context(), query, args...)
		return err
	}))
}

// What a job was for must not wait for it when it has died with its process, or has been lost.
func TestWhatHasNoJobLeftIsGivenUp(t *testing.T) {
	for name, lose := range map[string]string{
		"died at its last attempt": "UPDATE river_job SET state = 'running', attempt = max_attempts, attempted_at = created_at",
		"discarded before":         "UPDATE river_job SET state = 'discarded', finalized_at = created_at",
		"gone":                     "DELETE FROM river_job",
	} {
		t.Run(name, func(t *testing.T) {
			s := servicetest.Start(t)
			dispatch, batch, team := promise(t, s)
			exec(t, s, lose)
			s.RunJobs()
			var job model.DispatchJob
			s.Do("GET", "/dispatches/"+string(dispatch), nil).OK(&job)
			require.Equal(t, model.DispatchFailed, job.Status)
			require.True(t, job.TimeFinished.Has())
			var answer model.BatchJob
			s.Do("GET", "/tasks/batch/"+string(batch), nil).OK(&answer)
			require.Equal(t, model.BatchFailed, answer.Status)
			s.Do("POST", "/teams/"+string(team)+"/dispatch", "{}").OK(nil)
		})
	}
}

// Jobs that an earlier process has not finished are done, not given up.
func TestWhatHasAJobIsNotGivenUp(t *testing.T) {
	s := servicetest.Start(t)
	dispatch, batch, _ := promise(t, s)
	exec(t, s, "UPDATE river_job SET state = 'running', attempt = 1, attempted_at = created_at")
	s.RunJobs()
	status, state := ended(t, s, dispatch, batch)
	require.Equal(t, model.DispatchSucceeded, status)
	require.Equal(t, model.BatchCompletedWithErrors, state)
}

// A panic is a failure like any other.
func TestAPanicAtTheLastAttemptGivesUpToo(t *testing.T) {
	for _, table := range []string{"dispatches", "batches"} {
		t.Run(table, func(t *testing.T) {
			s := servicetest.Start(t)
			dispatch, batch, _ := promise(t, s)
			exec(t, s, "UPDATE "+table+" SET finished = 0, status = 'failed'")
			exec(t, s, "UPDATE river_job SET max_attempts = 1")
			s.World = world.New(world.Options{Store: s.Store, Clock: &stumbling{Clock: s.Clock}})
			s.RunJobs()
			status, state := ended(t, s, dispatch, batch)
			require.Equal(t, model.DispatchFailed, status)
			require.Equal(t, model.BatchFailed, state)
		})
	}
}

// stumbling is a clock that fails whoever asks first.
type stumbling struct {
	world.Clock
	asked atomic.Bool
}

func (c *stumbling) Now() time.Time {
	if !c.asked.Swap(true) {
		panic("what time is it?")
	}
	return c.Clock.Now()
}
