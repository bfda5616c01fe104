// Package jobs does the work that outlives a request: batches, dispatches, deliveries. The queue is River, in the
// same database as everything else, so that a job is inserted in the transaction of the change that asks for it.
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

// Queue takes jobs. It implements world.Jobs, and is there before the world whose jobs it takes.
type Queue struct {
	client *river.Client[*sql.Tx]
}

var _ world.Jobs = (*Queue)(nil)

// NewQueue makes the queue of a store. It only takes jobs; a [Runner] does them.
func NewQueue(s *store.Store) (*Queue, error) {
	client, err := river.NewClient(riversqlite.New(s.Writer()), &river.Config{Logger: warningsOnly(nil), MaxAttempts: maxAttempts})
	if err != nil {
		return nil, fmt.Errorf("open the job queue: %w", err)
	}
	return &Queue{client}, nil
}

// Enqueue inserts a job into the running transaction. Arguments may say more about the job by implementing
// river.JobArgsWithInsertOpts.
func (q *Queue) Enqueue(ctx context.Context, tx *store.Tx, args world.JobArgs) error {
	if _, err := q.client.InsertTx(ctx, tx.Tx, args, nil); err != nil {
		return fmt.Errorf("enqueue a %s job: %w", args.Kind(), err)
	}
	return nil
}

// EnqueueMany inserts jobs into the running transaction with one statement.
func (q *Queue) EnqueueMany(ctx context.Context, tx *store.Tx, params []river.InsertManyParams) error {
	if _, err := q.client.InsertManyFastTx(ctx, tx.Tx, params); err != nil {
		return fmt.Errorf("enqueue jobs: %w", err)
	}
	return nil
}
