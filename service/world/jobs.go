package world

import (
	"context"
	"net/http"

	"waybill/model"
	"waybill/service/store"
)

// JobArgs is work to be done after a change has committed; its kind names the worker that does it.
type JobArgs interface{ Kind() string }

// Jobs takes work inside the change that asks for it, so that the work exists exactly when the change does.
type Jobs interface {
	Enqueue(ctx context.Context, tx *store.Tx, args JobArgs) error
}

// refuseJobs refuses work: a world without a queue must not promise what nobody will do.
type refuseJobs struct{}

func (refuseJobs) Enqueue(_ context.Context, _ *store.Tx, args JobArgs) error {
	return &Error{
		Status: http.StatusServiceUnavailable, Code: model.CodeInternal, Subcode: model.ErrorUnavailable,
		Message: "This service runs without a job queue and cannot do " + args.Kind() + " jobs.",
	}
}
