package events

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivertype"

	"waybill/model"
	"waybill/service/store"
)

// QueueName is the job queue of deliveries.
const QueueName = "deliveries"

// QueueWorkers is how many webhooks are delivered to at once. It is large because servers that do not answer occupy a
// worker each, and a waiting worker costs almost nothing.
const QueueWorkers = 1000

// DeliverArgs is a job that makes the due deliveries of a webhook.
type DeliverArgs struct {
	Webhook model.ID `json:"webhook" river:"unique"`
}

// Kind implements river.JobArgs.
func (DeliverArgs) Kind() string { return "deliver" }

// InsertOpts implements river.JobArgsWithInsertOpts. Each webhook has at most one unfinished job; a running one also
// makes the deliveries that are added meanwhile.
func (DeliverArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{
		Queue:       QueueName,
		MaxAttempts: 100, // only the store can make it fail, never the receiver
		UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning,
			rivertype.JobStateRetryable, rivertype.JobStateScheduled,
		}},
	}
}

// Worker runs DeliverArgs jobs.
type Worker struct {
	river.WorkerDefaults[DeliverArgs]
	Broker *Broker
}

// Work implements river.Worker. It completes the job in the transaction that finds no due delivery, so that an event
// recorded later creates a new job.
func (w *Worker) Work(ctx context.Context, job *river.Job[DeliverArgs]) error {
	return w.Broker.DeliverDue(ctx, job.Args.Webhook, func(tx *store.Tx, more bool) error {
		if _, err := river.JobCompleteTx[*riversqlite.Driver, *sql.Tx](ctx, tx.Tx, job); err != nil {
			return fmt.Errorf("complete the job: %w", err)
		}
		if more {
			return w.Broker.enqueue(ctx, tx, job.Args.Webhook)
		}
		_, err := tx.Change(ctx, "mark a webhook as idle", "UPDATE webhooks SET queued = 0 WHERE id = $1", job.Args.Webhook)
		return err
	})
}

// requestDelivery queues a job for a webhook unless one is queued already. The flag in the webhook's row avoids asking
// the job queue, which would cost as much as everything else about an event.
func (b *Broker) requestDelivery(ctx context.Context, tx *store.Tx, webhook model.ID) error {
	if b.jobs == nil {
		return nil
	}
	marked, err := tx.Change(ctx, "mark a webhook as queued",
		"UPDATE webhooks SET queued = 1 WHERE id = $1 AND queued = 0", webhook)
	if err != nil || marked == 0 {
		return err
	}
	return b.enqueue(ctx, tx, webhook)
}

func (b *Broker) enqueue(ctx context.Context, tx *store.Tx, webhook model.ID) error {
	if b.jobs == nil {
		return nil
	}
	return b.jobs.Enqueue(ctx, tx, DeliverArgs{Webhook: webhook})
}
