package events

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"waybill/model"
	"waybill/service/store"
	"waybill/service/world"
)

// DeliverDue delivers what is due for one webhook, for a few seconds at most, and then calls done inside a transaction in
// which nothing new can come: more says that something is still due, so that the webhook needs another turn. When
// another lane of the webhook runs in this process, that one does the work.
func (b *Broker) DeliverDue(ctx context.Context, webhook model.ID, done func(tx *store.Tx, more bool) error) error {
	l, err := b.newSender(webhook)
	if errors.Is(err, errSenderRunning) {
		return b.store.Write(ctx, func(tx *store.Tx) error { return done(tx, false) })
	}
	defer l.close()
	stop := make(chan struct{})
	spell := time.AfterFunc(maxSenderTime, func() { close(stop) })
	defer spell.Stop()
	for {
		if err := l.run(ctx, stop); err != nil {
			return err
		}
		finished := false
		err := b.store.Write(ctx, func(tx *store.Tx) error {
			more, err := l.hasDue(ctx, tx)
			if err != nil {
				return err
			}
			if more && !isClosed(stop) {
				return nil
			}
			finished = true
			return done(tx, more)
		})
		if err != nil || finished {
			return err
		}
		l.lastSeq = 0 // look again from the oldest: a retry may have come due
	}
}

func isClosed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}

// DeliverAll delivers everything that is due now, for every webhook, and returns when that is done.
func (b *Broker) DeliverAll(ctx context.Context) error {
	webhooks, err := b.webhooksDue(ctx, b.store)
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	errs := make([]error, len(webhooks))
	for i, webhook := range webhooks {
		wg.Go(func() {
			for more := true; more && errs[i] == nil; {
				errs[i] = b.DeliverDue(ctx, webhook, func(_ *store.Tx, due bool) error { more = due; return nil })
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

func (b *Broker) webhooksDue(ctx context.Context, q store.Querier) ([]model.ID, error) {
	rows, err := q.Query(ctx, `SELECT w.id FROM webhooks w WHERE w.enabled = 1 AND EXISTS
		(SELECT 1 FROM deliveries d WHERE d.webhook = w.id AND d.state = 0 AND d.next_at <= $1)`, int64(b.now()))
	if err != nil {
		return nil, fmt.Errorf("look for deliveries: %w", err)
	}
	defer rows.Close()
	var ids []model.ID
	for rows.Next() {
		var id model.ID
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("look for deliveries: %w", err)
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

const (
	// retryInterval is how often, on the world's clock, retries are looked for.
	retryInterval = 15 * time.Second
	// minPause is the real time that passes in between at least: a fast clock must not make the broker busy.
	minPause = 250 * time.Millisecond
)

// Run queues the retries that come due and forgets old events, until ctx is done.
func (b *Broker) Run(ctx context.Context) error {
	for {
		if err := b.QueueRetries(ctx); err != nil && ctx.Err() == nil {
			b.log.Error("look for deliveries", "error", err)
		}
		if err := b.waitForRetryInterval(ctx); err != nil {
			return err
		}
	}
}

func (b *Broker) waitForRetryInterval(ctx context.Context) error {
	if err := b.clock.Sleep(ctx, retryInterval); err != nil {
		return err
	}
	return world.SystemClock{}.Sleep(ctx, minPause)
}

// QueueRetries queues the retries that are due now and forgets old events.
func (b *Broker) QueueRetries(ctx context.Context) error {
	webhooks, err := b.webhooksDue(ctx, b.store)
	if err != nil {
		return err
	}
	if len(webhooks) > 0 {
		err = b.store.Write(ctx, func(tx *store.Tx) error {
			for _, webhook := range webhooks {
				// Asked whatever is noted of the webhook: should its job have been lost, this makes another.
				if err := b.enqueue(ctx, tx, webhook); err != nil {
					return fmt.Errorf("queue retries: %w", err)
				}
			}
			return nil
		})
	}
	return errors.Join(err, b.deleteOldEvents(ctx))
}
