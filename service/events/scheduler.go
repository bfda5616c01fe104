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

// DeliverDue makes the due deliveries of one webhook, for a few seconds at most. Then it calls done inside a transaction,
// so that no delivery can be added meanwhile; more says whether deliveries are still due. If another sender of the
// webhook runs in this process, that one makes the deliveries.
func (b *Broker) DeliverDue(ctx context.Context, webhook model.ID, done func(tx *store.Tx, more bool) error) error {
	sender, err := b.newSender(webhook)
	if errors.Is(err, errSenderRunning) {
		return b.store.Write(ctx, func(tx *store.Tx) error { return done(tx, false) })
	}
	defer sender.close()
	stop := make(chan struct{})
	timer := time.AfterFunc(maxSenderTime, func() { close(stop) })
	defer timer.Stop()
	for {
		if err := sender.run(ctx, stop); err != nil {
			return err
		}
		finished := false
		err := b.store.Write(ctx, func(tx *store.Tx) error {
			more, err := sender.hasDue(ctx, tx)
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
		sender.lastSeq = 0 // start again from the oldest, because a retry may be due now
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

// DeliverAll makes all deliveries that are due now and returns when they are done.
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
	ids, err := store.QueryColumn[model.ID](ctx, q, `SELECT w.id FROM webhooks w WHERE w.enabled = 1 AND EXISTS
		(SELECT 1 FROM deliveries d WHERE d.webhook = w.id AND d.state = 0 AND d.next_at <= $1)`, int64(b.now()))
	if err != nil {
		return nil, fmt.Errorf("find webhooks with due deliveries: %w", err)
	}
	return ids, nil
}

const (
	// retryInterval is how often due retries are queued, on the world's clock.
	retryInterval = 15 * time.Second
	// minPause is the shortest real time in between, so that a fast clock does not keep the broker busy.
	minPause = 250 * time.Millisecond
)

// Run queues due retries and deletes old events until ctx is done.
func (b *Broker) Run(ctx context.Context) error {
	for {
		if err := b.QueueRetries(ctx); err != nil && ctx.Err() == nil {
			b.log.Error("cannot queue retries", "error", err)
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

// QueueRetries queues the retries that are due now and deletes old events.
func (b *Broker) QueueRetries(ctx context.Context) error {
	webhooks, err := b.webhooksDue(ctx, b.store)
	if err != nil {
		return err
	}
	if len(webhooks) > 0 {
		err = b.store.Write(ctx, func(tx *store.Tx) error {
			for _, webhook := range webhooks {
				// Enqueue even if the webhook is marked as queued: if its job was lost, this creates another.
				if err := b.enqueue(ctx, tx, webhook); err != nil {
					return fmt.Errorf("queue retries: %w", err)
				}
			}
			return nil
		})
	}
	return errors.Join(err, b.deleteOldEvents(ctx))
}
