package jobs

import (
	"cmp"
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

// Options configures a Runner. Store and World are required.
type Options struct {
	Store *store.Store
	World *world.World
	Log   *slog.Logger
	// Workers run further kinds of jobs; see [Register].
	Workers []Registration
	// Queues are further queues with the number of their concurrent jobs.
	Queues map[string]int
	// Poll is how often the database is polled for new jobs; 200 ms when 0.
	Poll time.Duration
	// Drain is how long Stop waits for running jobs before it cancels them; 20 s when 0.
	Drain time.Duration
}

// Registration adds a worker to a Runner.
type Registration func(*river.Workers) error

// Register returns the registration of a worker.
func Register[T river.JobArgs](worker river.Worker[T]) Registration {
	return func(workers *river.Workers) error { return river.AddWorkerSafely(workers, worker) }
}

const (
	defaultPoll  = 200 * time.Millisecond
	defaultDrain = 20 * time.Second
	// defaultWorkers is how many jobs of the default queue run at once. Dispatches and large batches need the processor,
	// so more would not help.
	defaultWorkers = 4
	// jobTimeout ends a job that hangs. A batch may look up 500 addresses with a service that allows one per second.
	jobTimeout  = 10 * time.Minute
	maxAttempts = 5
)

// Runner runs the jobs of a store.
type Runner struct {
	store  *store.Store
	world  *world.World
	client *river.Client[*sql.Tx]
}

// New makes a Runner; Start starts it.
func New(o Options) (*Runner, error) {
	workers := river.NewWorkers()
	registrations := append([]Registration{
		Register(newBatchWorker(o.World)), Register(newDispatchWorker(o.World)),
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
	o.Poll = cmp.Or(o.Poll, defaultPoll)
	client, err := river.NewClient(riversqlite.New(o.Store.Writer()), &river.Config{
		Logger: warningsOnly(o.Log), Workers: workers, Queues: queues, PollOnly: true,
		FetchPollInterval: o.Poll, FetchCooldown: min(o.Poll, river.FetchCooldownDefault),
		JobTimeout: jobTimeout, RescueStuckJobsAfter: jobTimeout + time.Minute, MaxAttempts: maxAttempts,
		SoftStopTimeout: cmp.Or(o.Drain, defaultDrain),
	})
	if err != nil {
		return nil, fmt.Errorf("open the job queue: %w", err)
	}
	return &Runner{store: o.Store, world: o.World, client: client}, nil
}

// Start starts running jobs, first those that were running when an earlier process was killed. The caller has locked the
// data folder (see store.LockServer), so no other process can still run them.
func (r *Runner) Start(ctx context.Context) error {
	if err := r.recoverJobs(ctx); err != nil {
		return err
	}
	if err := r.client.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("start the job queue: %w", err)
	}
	return nil
}

// Stop starts no new jobs and waits for the running ones.
func (r *Runner) Stop(ctx context.Context) error {
	if err := r.client.Stop(ctx); err != nil {
		return errors.Join(fmt.Errorf("stop the job queue: %w", err), r.client.StopAndCancel(context.WithoutCancel(ctx)))
	}
	return nil
}
