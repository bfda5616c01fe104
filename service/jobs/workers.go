package jobs

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"waybill/model"
	"waybill/service/world"
)

// dispatchWorker runs dispatches.
type dispatchWorker struct {
	river.WorkerDefaults[world.DispatchArgs]
	world *world.World
}

// Work implements river.Worker. When the last attempt fails, the dispatch fails, so that the team is not locked forever.
func (d *dispatchWorker) Work(ctx context.Context, job *river.Job[world.DispatchArgs]) error {
	return runAttempt(ctx, job.JobRow, job.Args.Dispatch, d.world.RunDispatch, d.world.FailDispatch)
}

// NextRetry implements river.Worker.
func (d *dispatchWorker) NextRetry(job *river.Job[world.DispatchArgs]) time.Time {
	return time.Now().Add(time.Duration(job.Attempt) * time.Second)
}

// batchWorker creates the tasks of batches.
type batchWorker struct {
	river.WorkerDefaults[world.BatchArgs]
	world *world.World
}

// Work implements river.Worker. When the last attempt fails, the batch fails, so that clients do not wait forever.
func (b *batchWorker) Work(ctx context.Context, job *river.Job[world.BatchArgs]) error {
	return runAttempt(ctx, job.JobRow, job.Args.Batch, b.world.RunBatch, b.world.FailBatch)
}

// NextRetry implements river.Worker. It retries soon, because the cause, such as a full disk, may be gone soon.
func (b *batchWorker) NextRetry(job *river.Job[world.BatchArgs]) time.Time {
	return time.Now().Add(time.Duration(job.Attempt*job.Attempt) * time.Second)
}

// runAttempt runs a job. If its last attempt fails, it calls fail, which ends the dispatch or batch.
func runAttempt(ctx context.Context, job *rivertype.JobRow, id model.ID, run, fail func(context.Context, model.ID) error) error {
	err := recoverPanic(ctx, id, run)
	if err != nil && job.Attempt >= job.MaxAttempts {
		return errors.Join(err, fail(context.WithoutCancel(ctx), id))
	}
	return err
}

// recoverPanic calls run and turns a panic into an error.
func recoverPanic(ctx context.Context, id model.ID, run func(context.Context, model.ID) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return run(ctx, id)
}
