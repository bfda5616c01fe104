package jobs

import (
	"context"
	"errors"
	"fmt"

	"waybill/model"
	"waybill/service/store"
)

// recoverJobs makes the running jobs of an earlier process available again, unless that was their last attempt: a job
// that crashes the process every time must end. Dispatches and batches without a job fail.
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
		return fmt.Errorf("recover jobs of an earlier process: %w", err)
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

// failAll calls fail with every id that a query returns.
func (r *Runner) failAll(ctx context.Context, query string, fail func(context.Context, model.ID) error) error {
	ids, err := store.QueryColumn[model.ID](ctx, r.store, query)
	for _, id := range ids {
		err = errors.Join(err, fail(ctx, id))
	}
	return err
}
