package world

import (
	"context"
	"net/http"

	"waybill/model"
	"waybill/service/store"
)

// JobArgs describes work to do after a change is committed. The kind selects the code that runs it.
type JobArgs interface{ Kind() string }

// Jobs queues work in the transaction that requests it, so that the work exists exactly when the change does.
type Jobs interface {
	Enqueue(ctx context.Context, tx *store.Tx, args JobArgs) error
}

// enqueue queues work in the transaction that requests it, unless that has failed.
func (w *World) enqueue(ctx context.Context, tx *store.Tx, args JobArgs) error {
	if err := tx.Err(); err != nil {
		return err
	}
	return w.jobs.Enqueue(ctx, tx, args)
}

// refuseJobs refuses all work: without a queue nothing would run it.
type refuseJobs struct{}

func (refuseJobs) Enqueue(_ context.Context, _ *store.Tx, args JobArgs) error {
	return NewError(http.StatusServiceUnavailable, model.CodeInternal, model.ErrorUnavailable,
		"This service has no job queue and cannot run "+args.Kind()+" jobs.")
}
