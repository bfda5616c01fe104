package events

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"waybill/model"
	"waybill/service/store"
)

// maxConcurrentSends is how many deliveries of one webhook are sent at once. Each has another subject or is a retry.
const maxConcurrentSends = 64

// States of a delivery in the database.
const (
	deliveryPending   = 0
	deliveryDelivered = 1
	deliveryGivenUp   = 2
	deliveryStopped   = 3
)

// sender makes the deliveries of one webhook. At most one sender per webhook runs at a time. A receiver that does not
// answer delays no other webhook, and its own later events only until one attempt has timed out.
type sender struct {
	*Broker
	webhook model.ID
	wake    chan struct{}
	results chan attemptResult
	// waiting lists the deliveries to start, in order.
	waiting []delivery
	// lastSeq is the number of the newest delivery that was read.
	lastSeq int64
	// running counts the current attempts; busy has the subjects of the first attempts among them.
	running int
	busy    map[model.ID]bool
	// unordered has the subjects whose events are no longer kept in order, because an attempt timed out.
	unordered map[model.ID]bool
}

type delivery struct {
	seq      int64
	id       model.ID
	subject  model.ID
	attempts int
	firstAt  model.Millis
}

type attemptResult struct {
	delivery delivery
	timedOut bool
	err      error
}

// errSenderRunning means that another sender of the webhook runs in this process.
var errSenderRunning = errors.New("another sender of this webhook is running")

func (b *Broker) newSender(webhook model.ID) (*sender, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.senders[webhook] != nil {
		return nil, errSenderRunning
	}
	s := &sender{
		Broker: b, webhook: webhook, wake: make(chan struct{}, 1), results: make(chan attemptResult),
		busy: map[model.ID]bool{}, unordered: map[model.ID]bool{},
	}
	b.senders[webhook] = s.wake
	return s, nil
}

func (s *sender) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.senders, s.webhook)
}

// run sends until nothing is due or stop is closed, and then waits for the current attempts.
func (s *sender) run(ctx context.Context, stop <-chan struct{}) error {
	// Attempts must not outlive the sender.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stopping := false
	var failed error
	for {
		if !stopping && failed == nil {
			failed = s.startDeliveries(ctx)
		}
		if s.running == 0 && (stopping || failed != nil || len(s.waiting) == 0) {
			return failed
		}
		select {
		case result := <-s.results:
			s.running--
			s.recordResult(result)
			failed = errors.Join(failed, result.err)
		case <-s.wake:
		case <-stop:
			stopping, stop = true, nil
		}
	}
}

// recordResult updates what the result of an attempt means for later deliveries of its subject.
func (s *sender) recordResult(result attemptResult) {
	if result.delivery.attempts == 0 {
		delete(s.busy, result.delivery.subject)
	}
	if result.timedOut {
		s.unordered[result.delivery.subject] = true
	}
}

// startDeliveries reads new deliveries and starts those that need not wait for an earlier one.
func (s *sender) startDeliveries(ctx context.Context) error {
	if err := s.readDue(ctx); err != nil {
		return err
	}
	blocked := map[model.ID]bool{}
	stillWaiting := s.waiting[:0]
	for _, d := range s.waiting {
		// Retries are not kept in order.
		ordered := d.attempts == 0 && d.subject != "" && !s.unordered[d.subject]
		if s.running >= maxConcurrentSends || (ordered && (s.busy[d.subject] || blocked[d.subject])) {
			blocked[d.subject] = true
			stillWaiting = append(stillWaiting, d)
			continue
		}
		if d.attempts == 0 {
			s.busy[d.subject] = true
		}
		s.running++
		go func() {
			timedOut, err := s.attemptDelivery(ctx, d)
			s.results <- attemptResult{d, timedOut, err}
		}()
	}
	s.waiting = stillWaiting
	return nil
}

// readLimit is how many deliveries a sender keeps in memory.
const readLimit = 1000

// readDue reads due deliveries that the sender has not read yet.
func (s *sender) readDue(ctx context.Context) error {
	if len(s.waiting) >= readLimit {
		return nil
	}
	scan := func(rows *sql.Rows, d *delivery) error {
		return rows.Scan(&d.seq, &d.id, &d.subject, &d.attempts, &d.firstAt)
	}
	due, err := store.QueryRows(ctx, s.store, "read deliveries", scan, `SELECT d.seq, d.id, d.subject, d.attempts,
		coalesce(d.first_at, 0) FROM deliveries d JOIN webhooks w ON w.id = d.webhook
		WHERE d.webhook = $1 AND d.state = 0 AND d.seq > $2 AND d.next_at <= $3 AND w.enabled = 1
		ORDER BY d.seq LIMIT 1000`, s.webhook, s.lastSeq, int64(s.now()))
	if len(due) > 0 {
		s.lastSeq = due[len(due)-1].seq
		s.waiting = append(s.waiting, due...)
	}
	return err
}

// attemptDelivery sends a delivery once and saves the outcome. If the service itself cancels the attempt, the delivery
// stays due.
func (s *sender) attemptDelivery(ctx context.Context, d delivery) (timedOut bool, err error) {
	var target, secret string
	var body []byte
	err = s.store.QueryRow(ctx, `SELECT w.url, o.webhook_secret, e.body FROM deliveries d
		JOIN events e ON e.seq = d.event JOIN webhooks w ON w.id = d.webhook JOIN organizations o ON o.id = w.org
		WHERE d.seq = $1 AND d.state = 0 AND w.enabled = 1`, d.seq).Scan(&target, &secret, &body)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil // the webhook was deleted or disabled meanwhile
	}
	if err != nil {
		return false, fmt.Errorf("read delivery: %w", err)
	}
	started := s.now()
	if d.firstAt == 0 {
		d.firstAt = started
	}
	status, sendErr := s.postEvent(ctx, target, secret, d.id, body)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	timedOut = sendErr != nil && isTimeout(sendErr)
	// Save the outcome even if the service is told to stop now.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sendTimeout)
	defer cancel()
	if model.IsDelivered(status) {
		return timedOut, s.saveSuccess(ctx, d)
	}
	return timedOut, s.saveFailure(ctx, d, describeFailure(status, sendErr))
}

func isTimeout(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) ||
		(errors.As(err, &timeout) && timeout.Timeout())
}

// describeFailure describes why a delivery failed.
func describeFailure(status int, err error) string {
	if err != nil {
		return model.Clean(describeClientError(err).Error())
	}
	return fmt.Sprintf("status %d %s", status, http.StatusText(status))
}

// saveSuccess counts a delivery once, even if it was sent twice because the service was killed in between.
func (s *sender) saveSuccess(ctx context.Context, d delivery) error {
	now := s.now()
	return s.store.Write(ctx, func(tx *store.Tx) error {
		saved, err := tx.Change(ctx, "save a successful delivery", `UPDATE deliveries SET state = $2, attempts = attempts + 1, first_at = $3, finished = $4,
			outcome = 'status 200' WHERE seq = $1 AND state <> $2`, d.seq, deliveryDelivered, int64(d.firstAt), int64(now))
		if err != nil || saved == 0 {
			return err
		}
		_, err = tx.Change(ctx, "count a delivery",
			"UPDATE webhooks SET successes = successes + 1, failures = 0 WHERE id = $1", s.webhook)
		return err
	})
}

func (s *sender) saveFailure(ctx context.Context, d delivery, reason string) error {
	attempts := d.attempts + 1
	state, next, finished := deliveryPending, int64(0), any(nil)
	if at, again := model.NextDelivery(d.firstAt, attempts); again {
		next = int64(at)
	} else {
		state, finished = deliveryGivenUp, int64(s.now())
	}
	disabled := false
	err := s.store.Write(ctx, func(tx *store.Tx) error {
		saved, err := tx.Change(ctx, "save a failed delivery", `UPDATE deliveries
			SET state = $2, attempts = $3, first_at = $4, next_at = $5, finished = $6, outcome = $7
			WHERE seq = $1 AND state = 0`, d.seq, state, attempts, int64(d.firstAt), next, finished, reason)
		if err != nil || saved == 0 {
			return err
		}
		var failures int
		err = tx.QueryRow(ctx, "UPDATE webhooks SET failures = failures + 1 WHERE id = $1 RETURNING failures", s.webhook).Scan(&failures)
		if err != nil {
			return fmt.Errorf("count a failure: %w", err)
		}
		disabled = model.DisablesWebhook(failures)
		if !disabled {
			return nil
		}
		return s.disableWebhook(ctx, tx)
	})
	if disabled && err == nil {
		s.log.Warn("webhook disabled after too many failures in a row", "webhook", s.webhook, "last", reason)
	}
	return err
}

// disableWebhook disables the webhook and stops its pending deliveries. Their events stay in the log and can be replayed.
func (s *sender) disableWebhook(ctx context.Context, tx *store.Tx) error {
	if _, err := tx.Change(ctx, "disable a webhook", "UPDATE webhooks SET enabled = 0 WHERE id = $1", s.webhook); err != nil {
		return err
	}
	_, err := tx.Change(ctx, "stop deliveries", "UPDATE deliveries SET state = $2, finished = $3 WHERE webhook = $1 AND state = 0",
		s.webhook, deliveryStopped, int64(s.now()))
	return err
}

// hasDue reports whether a delivery of the webhook is due now.
func (s *sender) hasDue(ctx context.Context, q store.Querier) (bool, error) {
	var due bool
	err := q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM deliveries d JOIN webhooks w ON w.id = d.webhook
		WHERE d.webhook = $1 AND d.state = 0 AND d.next_at <= $2 AND w.enabled = 1)`, s.webhook, int64(s.now())).Scan(&due)
	if err != nil {
		return false, fmt.Errorf("find due deliveries: %w", err)
	}
	return due, nil
}

// maxSenderTime is how long a sender starts new deliveries, in real time. The job queue would take a longer job for
// stuck.
const maxSenderTime = 8 * time.Second
