package jobs

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/riverqueue/river/rivertype"

	"waybill/model"
	"waybill/service/store"
)

// runAttempt does a job. When its last attempt fails, in whatever way, what it was for is given up: a team that waits for a
// dispatch can have no other, and who sent a batch asks for it for ever.
func runAttempt(ctx context.Context, job *rivertype.JobRow, id model.ID, run, giveUp func(context.Context, model.ID) error) error {
	err := recoverPanic(ctx, id, run)
	if err != nil && job.Attempt >= job.MaxAttempts {
		return errors.Join(err, giveUp(context.WithoutCancel(ctx), id))
	}
	return err
}

func recoverPanic(ctx context.Context, id model.ID, run func(context.Context, model.ID) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return run(ctx, id)
}

// recoverJobs makes running jobs available again, unless that was their last attempt: a job that brings the process down
// each time must end. What such a job was for is given up with it.
func (r *Runner) recoverJobs(ctx context.Context) error {
	err := r.store.RunInTransaction(ctx, func(ctx context.Context) error {
		return errors.Join(
			r.store.Write(ctx, func(tx *store.Tx) error { return requeueRunning(ctx, tx) }),
			r.failAll(ctx, `SELECT d.id FROM dispatches d WHERE d.finished IS NULL AND NOT EXISTS (SELECT 1 FROM river_job j
				WHERE j.kind = 'dispatch' AND j.args ->> 'dispatch' = d.id AND j.state NOT IN ('discarded', 'cancelled', 'completed'))`,
				r.world.FailDispatch),
			r.failAll(ctx, `SELECT b.id FROM batches b WHERE b.finished IS NULL AND NOT EXISTS (SELECT 1 FROM river_job j
				WHERE j.kind = 'batch' AND j.args ->> 'batch' = b.id AND j.state NOT IN ('discarded', 'cancelled', 'completed'))`,
				r.world.FailBatch),
		)
	})
	if err != nil {
		return fmt.Errorf("take over jobs of an earlier process: %w", err)
	}
	return nil
}

func requeueRunning(ctx context.Context, tx *store.Tx) error {
	if _, err := tx.Exec(ctx, `UPDATE river_job SET state = 'discarded', finalized_at = attempted_at
		WHERE state = 'running' AND attempt >= max_attempts`); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "UPDATE river_job SET state = 'available' WHERE state = 'running'")
	return err
}

// failAll gives up everything whose ids a query finds.
func (r *Runner) failAll(ctx context.Context, query string, fail func(context.Context, model.ID) error) error {
	ids, err := r.ids(ctx, query)
	for _, id := range ids {
		err = errors.Join(err, fail(ctx, id))
	}
	return err
}

func (r *Runner) ids(ctx context.Context, query string) ([]model.ID, error) {
	rows, err := r.store.Query(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []model.ID
	for rows.Next() {
		var id model.ID
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
