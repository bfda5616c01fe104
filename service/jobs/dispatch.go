package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"waybill/service/world"
)

// dispatchWorker plans the tasks of teams.
type dispatchWorker struct {
	river.WorkerDefaults[world.DispatchArgs]
	world *world.World
}

// Work implements river.Worker. When the last attempt fails, the team must not stay locked for ever.
func (d *dispatchWorker) Work(ctx context.Context, job *river.Job[world.DispatchArgs]) error {
	return runAttempt(ctx, job.JobRow, job.Args.Dispatch, d.world.RunDispatch, d.world.FailDispatch)
}

// NextRetry implements river.Worker.
func (d *dispatchWorker) NextRetry(job *river.Job[world.DispatchArgs]) time.Time {
	return time.Now().Add(time.Duration(job.Attempt) * time.Second)
}
