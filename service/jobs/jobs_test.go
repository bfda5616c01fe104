package jobs_test

import (
	"context"
	"errors"
	"testing"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"waybill/model"
	"waybill/service/jobs"
	"waybill/service/servicetest"
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
	servicetest.Await(t, func() bool {
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
