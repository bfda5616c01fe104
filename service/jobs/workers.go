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

// worker runs the jobs of one kind. When the last attempt fails, it calls fail, so that a team is not locked and clients do
// not wait forever.
type worker[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	id        func(T) model.ID
	run, fail func(context.Context, model.ID) error
	// retryAfter is the pause after an attempt. It is short, because the cause, such as a full disk, may be gone soon.
	retryAfter func(attempt int) time.Duration
}

// Work implements river.Worker.
func (w *worker[T]) Work(ctx context.Context, job *river.Job[T]) error {
	return runAttempt(ctx, job.JobRow, w.id(job.Args), w.run, w.fail)
}

// NextRetry implements river.Worker.
func (w *worker[T]) NextRetry(job *river.Job[T]) time.Time {
	return time.Now().Add(w.retryAfter(job.Attempt))
}

func newDispatchWorker(w *world.World) *worker[world.DispatchArgs] {
	return &worker[world.DispatchArgs]{
		id: func(args world.DispatchArgs) model.ID { return args.Dispatch }, run: w.RunDispatch, fail: w.FailDispatch,
		retryAfter: func(attempt int) time.Duration { return time.Duration(attempt) * time.Second },
	}
}

func newBatchWorker(w *world.World) *worker[world.BatchArgs] {
	return &worker[world.BatchArgs]{
		id: func(args world.BatchArgs) model.ID { return args.Batch }, run: w.RunBatch, fail: w.FailBatch,
		retryAfter: func(attempt int) time.Duration { return time.Duration(attempt*attempt) * time.Second },
	}
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
