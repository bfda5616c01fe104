package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riversqlite"

	"waybill/service/store"
	"waybill/service/world"
)

// Options are what a Runner is made of; Store and World are required.
type Options struct {
	Store *store.Store
	World *world.World
	Log   *slog.Logger
	// Workers do the kinds of jobs beyond batches; see [Register].
	Workers []Registration
	// Queues are further queues, with how many of their jobs run at once.
	Queues map[string]int
	// Poll is how often the database is asked for new jobs; 200 ms when 0.
	Poll time.Duration
	// Drain is how long Stop lets running jobs finish before their contexts end; 20 s when 0.
	Drain time.Duration
}

// Registration adds a worker to those of a Runner.
type Registration func(*river.Workers) error

// Register makes the registration of a worker.
func Register[T river.JobArgs](worker river.Worker[T]) Registration {
	return func(workers *river.Workers) error { return river.AddWorkerSafely(workers, worker) }
}

const (
	defaultPoll  = 200 * time.Millisecond
	defaultDrain = 20 * time.Second
	// defaultWorkers is how many jobs of the default queue run at once: dispatches and large batches are work for
	// the processor, so there is little to gain from more.
	defaultWorkers = 4
	// jobTimeout ends a job that hangs. A batch may have to look up 500 addresses with a service that takes one a
	// second.
	jobTimeout  = 10 * time.Minute
	maxAttempts = 5
)

// Runner does the jobs of a store.
type Runner struct {
	store  *store.Store
	world  *world.World
	client *river.Client[*sql.Tx]
}

// New makes a Runner; Start starts it.
func New(o Options) (*Runner, error) {
	workers := river.NewWorkers()
	registrations := append([]Registration{
		Register(&batchWorker{world: o.World}), Register(&dispatchWorker{world: o.World}),
	}, o.Workers...)
	for _, register := range registrations {
		if err := register(workers); err != nil {
			return nil, fmt.Errorf("register a worker: %w", err)
		}
	}
	queues := map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: defaultWorkers}}
	for name, n := range maps.All(o.Queues) {
		queues[name] = river.QueueConfig{MaxWorkers: n}
	}
	if o.Poll == 0 {
		o.Poll = defaultPoll
	}
	if o.Drain == 0 {
		o.Drain = defaultDrain
	}
	client, err := river.NewClient(riversqlite.New(o.Store.Writer()), &river.Config{
		Logger: warningsOnly(o.Log), Workers: workers, Queues: queues, PollOnly: true,
		FetchPollInterval: o.Poll, FetchCooldown: min(o.Poll, river.FetchCooldownDefault),
		JobTimeout: jobTimeout, RescueStuckJobsAfter: jobTimeout + time.Minute, MaxAttempts: maxAttempts,
		SoftStopTimeout: o.Drain,
	})
	if err != nil {
		return nil, fmt.Errorf("open the job queue: %w", err)
	}
	return &Runner{store: o.Store, world: o.World, client: client}, nil
}

// Start begins to do jobs, first those that an earlier process was doing when it was killed. The caller owns the data
// folder (see store.LockServer), so no other process can still be doing them, and they need not wait to be found
// stuck.
func (r *Runner) Start(ctx context.Context) error {
	if err := r.recoverJobs(ctx); err != nil {
		return err
	}
	if err := r.client.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("start the job queue: %w", err)
	}
	return nil
}

// Stop takes no new jobs and waits for those that run.
func (r *Runner) Stop(ctx context.Context) error {
	if err := r.client.Stop(ctx); err != nil {
		return errors.Join(fmt.Errorf("stop the job queue: %w", err), r.client.StopAndCancel(context.WithoutCancel(ctx)))
	}
	return nil
}

// batchWorker creates the tasks of batches.
type batchWorker struct {
	river.WorkerDefaults[world.BatchArgs]
	world *world.World
}

// Work implements river.Worker. When the last attempt fails, the batch is told so: who asks for it must not wait for
// ever.
func (b *batchWorker) Work(ctx context.Context, job *river.Job[world.BatchArgs]) error {
	return runAttempt(ctx, job.JobRow, job.Args.Batch, b.world.RunBatch, b.world.FailBatch)
}

// NextRetry implements river.Worker: what made a batch fail, such as a full disk, may pass soon.
func (b *batchWorker) NextRetry(job *river.Job[world.BatchArgs]) time.Time {
	return time.Now().Add(time.Duration(job.Attempt*job.Attempt) * time.Second)
}
