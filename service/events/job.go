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

// QueueName is the job queue of deliveries. It needs as many workers as there may be webhooks whose servers do not
// answer; one that waits costs next to nothing.
const QueueName = "deliveries"

// QueueWorkers is how many webhooks are served at once.
const QueueWorkers = 1000

// DeliverArgs asks for the deliveries of a webhook to be worked on.
type DeliverArgs struct {
	Webhook model.ID `json:"webhook" river:"unique"`
}

// Kind implements river.JobArgs.
func (DeliverArgs) Kind() string { return "deliver" }

// InsertOpts implements river.JobArgsWithInsertOpts. There is one unfinished job a webhook: a lane that runs finds what
// was added, and says so before it ends.
func (DeliverArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{
		Queue:       QueueName,
		MaxAttempts: 100, // what makes it fail is the store, never the receiver
		UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning,
			rivertype.JobStateRetryable, rivertype.JobStateScheduled,
		}},
	}
}

// Worker delivers what is due for the webhook of a job.
type Worker struct {
	river.WorkerDefaults[DeliverArgs]
	Broker *Broker
}

// Work implements river.Worker. The job is completed in the transaction that finds nothing due: an event recorded
// after that finds no job and makes a new one.
func (w *Worker) Work(ctx context.Context, job *river.Job[DeliverArgs]) error {
	return w.Broker.DeliverDue(ctx, job.Args.Webhook, func(tx *store.Tx, more bool) error {
		if _, err := river.JobCompleteTx[*riversqlite.Driver, *sql.Tx](ctx, tx.Tx, job); err != nil {
			return fmt.Errorf("complete the job: %w", err)
		}
		if more {
			return w.Broker.enqueue(ctx, tx, job.Args.Webhook)
		}
		if _, err := tx.Exec(ctx, "UPDATE webhooks SET queued = 0 WHERE id = $1", job.Args.Webhook); err != nil {
			return fmt.Errorf("note that a webhook is idle: %w", err)
		}
		return nil
	})
}

// requestDelivery makes sure, inside a change, that a webhook's deliveries are worked on after it. The queue is asked only when
// the webhook is idle: asking costs as much as all the rest of an event.
func (b *Broker) requestDelivery(ctx context.Context, tx *store.Tx, webhook model.ID) error {
	if b.jobs == nil {
		return nil
	}
	result, err := tx.Exec(ctx, "UPDATE webhooks SET queued = 1 WHERE id = $1 AND queued = 0", webhook)
	if err != nil {
		return fmt.Errorf("note that a webhook is busy: %w", err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
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
