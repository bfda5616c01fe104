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

// maxConcurrentSends is how many deliveries of one webhook are under way at once. Each is about another task or worker, or a
// retry.
const maxConcurrentSends = 64

// States of a delivery.
const (
	deliveryPending   = 0
	deliveryDelivered = 1
	deliveryGivenUp   = 2
	deliveryStopped   = 3
)

// sender delivers what waits for one webhook. At most one lane of a webhook runs at a time. A lane is alone with its
// receiver: one that does not answer holds up no other webhook, and its own later events only while one attempt runs
// out of time.
type sender struct {
	*Broker
	webhook model.ID
	wake    chan struct{}
	results chan attemptResult
	// waiting are deliveries to be started, in order.
	waiting []delivery
	// lastSeq is the newest delivery that was read.
	lastSeq int64
	// running counts attempts under way; busy are the subjects of first attempts among them.
	running int
	busy    map[model.ID]bool
	// unordered are subjects whose order is given up, because an attempt ran out of time.
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

// errSenderRunning says that another lane of the webhook runs in this process.
var errSenderRunning = errors.New("the webhook's deliveries are being worked on")

func (b *Broker) newSender(webhook model.ID) (*sender, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.senders[webhook] != nil {
		return nil, errSenderRunning
	}
	l := &sender{
		Broker: b, webhook: webhook, wake: make(chan struct{}, 1), results: make(chan attemptResult),
		busy: map[model.ID]bool{}, unordered: map[model.ID]bool{},
	}
	b.senders[webhook] = l.wake
	return l, nil
}

func (l *sender) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.senders, l.webhook)
}

// run delivers until nothing is due, or until stop closes; then it waits for the attempts under way.
func (l *sender) run(ctx context.Context, stop <-chan struct{}) error {
	// Attempts end with the lane, so that none runs on unseen.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stopping := false
	var failed error
	for {
		if !stopping && failed == nil {
			failed = l.startDeliveries(ctx)
		}
		if l.running == 0 && (stopping || failed != nil || len(l.waiting) == 0) {
			return failed
		}
		select {
		case result := <-l.results:
			l.running--
			l.recordResult(result)
			failed = errors.Join(failed, result.err)
		case <-l.wake:
		case <-stop:
			stopping, stop = true, nil
		}
	}
}

// recordResult remembers what an attempt means for those behind it.
func (l *sender) recordResult(result attemptResult) {
	if result.delivery.attempts == 0 {
		delete(l.busy, result.delivery.subject)
	}
	if result.timedOut {
		l.unordered[result.delivery.subject] = true
	}
}

// startDeliveries reads what is new and starts what may start.
func (l *sender) startDeliveries(ctx context.Context) error {
	if err := l.readDue(ctx); err != nil {
		return err
	}
	held := map[model.ID]bool{}
	kept := l.waiting[:0]
	for _, d := range l.waiting {
		// A retry has lost its place in the order already.
		ordered := d.attempts == 0 && d.subject != "" && !l.unordered[d.subject]
		if l.running >= maxConcurrentSends || (ordered && (l.busy[d.subject] || held[d.subject])) {
			held[d.subject] = true
			kept = append(kept, d)
			continue
		}
		if d.attempts == 0 {
			l.busy[d.subject] = true
		}
		l.running++
		go func() {
			timedOut, err := l.attemptDelivery(ctx, d)
			l.results <- attemptResult{d, timedOut, err}
		}()
	}
	l.waiting = kept
	return nil
}

// readLimit bounds how many deliveries a lane holds in memory.
const readLimit = 1000

// readDue takes up to a number of due deliveries that the lane does not know yet.
func (l *sender) readDue(ctx context.Context) error {
	if len(l.waiting) >= readLimit {
		return nil
	}
	rows, err := l.store.Query(ctx, `SELECT d.seq, d.id, d.subject, d.attempts, d.first_at FROM deliveries d
		JOIN webhooks w ON w.id = d.webhook
		WHERE d.webhook = $1 AND d.state = 0 AND d.seq > $2 AND d.next_at <= $3 AND w.enabled = 1
		ORDER BY d.seq LIMIT 1000`, l.webhook, l.lastSeq, int64(l.now()))
	if err != nil {
		return fmt.Errorf("read deliveries: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var d delivery
		var firstAt sql.NullInt64
		if err := rows.Scan(&d.seq, &d.id, &d.subject, &d.attempts, &firstAt); err != nil {
			return fmt.Errorf("read deliveries: %w", err)
		}
		d.firstAt = model.Millis(firstAt.Int64)
		l.lastSeq = d.seq
		l.waiting = append(l.waiting, d)
	}
	return rows.Err()
}

// attemptDelivery sends a delivery once and keeps the outcome. An attempt that the service itself broke off leaves no trace:
// the delivery stays due.
func (l *sender) attemptDelivery(ctx context.Context, d delivery) (timedOut bool, err error) {
	var target, secret string
	var body []byte
	err = l.store.QueryRow(ctx, `SELECT w.url, o.webhook_secret, e.body FROM deliveries d
		JOIN events e ON e.seq = d.event JOIN webhooks w ON w.id = d.webhook JOIN organizations o ON o.id = w.org
		WHERE d.seq = $1 AND d.state = 0 AND w.enabled = 1`, d.seq).Scan(&target, &secret, &body)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil // the webhook was deleted or disabled since
	}
	if err != nil {
		return false, fmt.Errorf("read delivery: %w", err)
	}
	started := l.now()
	if d.firstAt == 0 {
		d.firstAt = started
	}
	status, sendErr := l.postEvent(ctx, target, secret, d.id, body)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	timedOut = sendErr != nil && isTimeout(sendErr)
	// What happened is kept even when the service is told to stop at this moment.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sendTimeout)
	defer cancel()
	if model.IsDelivered(status) {
		return timedOut, l.saveSuccess(ctx, d)
	}
	return timedOut, l.saveFailure(ctx, d, describeFailure(status, sendErr))
}

func isTimeout(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) ||
		(errors.As(err, &timeout) && timeout.Timeout())
}

// describeFailure is a failure in words.
func describeFailure(status int, err error) string {
	if err != nil {
		return model.Clean(withoutURL(err).Error())
	}
	return fmt.Sprintf("status %d %s", status, http.StatusText(status))
}

// saveSuccess counts a delivery once, even if it was sent twice because the service died in between.
func (l *sender) saveSuccess(ctx context.Context, d delivery) error {
	now := l.now()
	return l.store.Write(ctx, func(tx *store.Tx) error {
		result, err := tx.Exec(ctx, `UPDATE deliveries SET state = $2, attempts = attempts + 1, first_at = $3, finished = $4,
			outcome = 'status 200' WHERE seq = $1 AND state <> $2`, d.seq, deliveryDelivered, int64(d.firstAt), int64(now))
		if err != nil {
			return fmt.Errorf("keep a delivery's success: %w", err)
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return err
		}
		if _, err := tx.Exec(ctx, "UPDATE webhooks SET successes = successes + 1, failures = 0 WHERE id = $1", l.webhook); err != nil {
			return fmt.Errorf("count a delivery: %w", err)
		}
		return nil
	})
}

func (l *sender) saveFailure(ctx context.Context, d delivery, reason string) error {
	attempts := d.attempts + 1
	state, next, finished := deliveryPending, int64(0), any(nil)
	if at, again := model.NextDelivery(d.firstAt, attempts); again {
		next = int64(at)
	} else {
		state, finished = deliveryGivenUp, int64(l.now())
	}
	disabled := false
	err := l.store.Write(ctx, func(tx *store.Tx) error {
		result, err := tx.Exec(ctx, `UPDATE deliveries SET state = $2, attempts = $3, first_at = $4, next_at = $5, finished = $6, outcome = $7
			WHERE seq = $1 AND state = 0`, d.seq, state, attempts, int64(d.firstAt), next, finished, reason)
		if err != nil {
			return fmt.Errorf("keep a delivery's failure: %w", err)
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return err
		}
		var failures int
		err = tx.QueryRow(ctx, "UPDATE webhooks SET failures = failures + 1 WHERE id = $1 RETURNING failures", l.webhook).Scan(&failures)
		if err != nil {
			return fmt.Errorf("count a failure: %w", err)
		}
		disabled = model.DisablesWebhook(failures)
		if !disabled {
			return nil
		}
		return l.disableWebhook(ctx, tx)
	})
	if disabled && err == nil {
		l.log.Warn("a webhook was disabled after too many failures in a row", "webhook", l.webhook, "last", reason)
	}
	return err
}

// disableWebhook switches the webhook off. What was on its way stays in the log, from where it can be replayed.
func (l *sender) disableWebhook(ctx context.Context, tx *store.Tx) error {
	if _, err := tx.Exec(ctx, "UPDATE webhooks SET enabled = 0 WHERE id = $1", l.webhook); err != nil {
		return fmt.Errorf("disable a webhook: %w", err)
	}
	if _, err := tx.Exec(ctx, "UPDATE deliveries SET state = $2, finished = $3 WHERE webhook = $1 AND state = 0",
		l.webhook, deliveryStopped, int64(l.now())); err != nil {
		return fmt.Errorf("stop deliveries: %w", err)
	}
	return nil
}

// hasDue reports whether a delivery of the webhook could be sent now.
func (l *sender) hasDue(ctx context.Context, q store.Querier) (bool, error) {
	var due bool
	err := q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM deliveries d JOIN webhooks w ON w.id = d.webhook
		WHERE d.webhook = $1 AND d.state = 0 AND d.next_at <= $2 AND w.enabled = 1)`, l.webhook, int64(l.now())).Scan(&due)
	if err != nil {
		return false, fmt.Errorf("look for deliveries: %w", err)
	}
	return due, nil
}

// maxSenderTime is how long a lane takes on new deliveries before it makes room, in real time: a queue that sees a job run
// for long takes it for dead.
const maxSenderTime = 8 * time.Second
