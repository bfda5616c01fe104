// Package jobs runs the work that outlives a request: batches, dispatches, deliveries. The queue is River in the same
// database, so that a job is inserted in the transaction of the change that needs it.
package jobs

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riversqlite"

	"waybill/service/store"
	"waybill/service/world"
)

// Queue inserts jobs. It implements world.Jobs and is created before the world that uses it.
type Queue struct {
	client *river.Client[*sql.Tx]
}

var _ world.Jobs = (*Queue)(nil)

// NewQueue makes the queue of a store. A [Runner] runs its jobs.
func NewQueue(s *store.Store) (*Queue, error) {
	client, err := river.NewClient(riversqlite.New(s.Writer()), &river.Config{Logger: warningsOnly(nil), MaxAttempts: maxAttempts})
	if err != nil {
		return nil, fmt.Errorf("open the job queue: %w", err)
	}
	return &Queue{client}, nil
}

// Enqueue inserts a job in the transaction. args may implement river.JobArgsWithInsertOpts.
func (q *Queue) Enqueue(ctx context.Context, tx *store.Tx, args world.JobArgs) error {
	if _, err := q.client.InsertTx(ctx, tx.Tx, args, nil); err != nil {
		return fmt.Errorf("queue a %s job: %w", args.Kind(), err)
	}
	return nil
}
