package run

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"waybill/apiclient"
	"waybill/operations"
	"waybill/operations/journal"
)

// sendStep records, sends and retries one step, and returns its final state.
func (r *Run) sendStep(ctx context.Context, i int) State {
	if !r.waitForBudget(ctx, i) {
		return notSent()
	}
	began := time.Now()
	r.lockedUpdate(i, func(s *State) { s.Status, s.Text, s.Began = Sending, "", began })
	entry := r.beginEntry(i)
	var ended State
	var acknowledged atomic.Value // the id of the last request that the service acknowledged
	for attempt := 1; ; attempt++ {
		if !r.maySend(ctx) {
			ended = notSent()
			break
		}
		r.lockedUpdate(i, func(s *State) { s.Text, s.Attempts = "", attempt })
		done, err := r.attempt(apiclient.WithReceipts(ctx, func(id string) { acknowledged.Store(id) }), i)
		wait, again := r.waitBeforeRetry(attempt, done, err)
		if again {
			r.lockedUpdate(i, func(s *State) {
				s.Text = fmt.Sprintf("%s; retrying in %s", apiclient.ErrorText(err), wait.Round(time.Second))
			})
			again = r.waitFor(ctx, wait)
		}
		if !again {
			ended = r.stateOf(ctx, i, done, err)
			break
		}
	}
	ended.Ended = time.Now()
	if ended.Status == Done {
		ended.RequestID, _ = acknowledged.Load().(string)
	}
	r.endEntry(entry, outcomeOf(&ended, ended.Ended.Sub(began)))
	return ended
}

// attempt calls Do.
func (r *Run) attempt(ctx context.Context, i int) (operations.Result, error) {
	step := &r.steps[i]
	ctx, cancel := r.withTimeout(ctx, max(r.options.Timeout, step.Timeout))
	defer cancel()
	ctx = operations.WithProgress(ctx, func(p operations.StepProgress) { r.showProgress(i, p) })
	return recoverPanic(ctx, r.client, "internal error (%v); the outcome is unknown, so check before you send it again", step.Do)
}

// showProgress shows the progress of a long step.
func (r *Run) showProgress(i int, p operations.StepProgress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.states[i].Status == Sending {
		r.updateState(i, func(s *State) { s.Text, s.Done, s.Total = p.Text, p.Done, p.Total })
	}
}

// panicError is a panic in a step.
type panicError string

func (e panicError) Error() string { return string(e) }

// recoverPanic calls a part of a step and turns a panic into an error with the text.
func recoverPanic[T any](
	ctx context.Context, c *apiclient.Client, text string, call func(context.Context, *apiclient.Client) (T, error),
) (result T, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = panicError(fmt.Sprintf(text, reason))
		}
	}()
	return call(ctx, c)
}

// errTooSlow is a timeout for the client too.
var errTooSlow = fmt.Errorf("the step timed out: %w", context.DeadlineExceeded)

// maxPause is the longest that a step waits for the request budget.
const maxPause = 2 * time.Minute

// withTimeout limits an attempt. Time in which the limiter holds all requests back does not count.
func (r *Run) withTimeout(ctx context.Context, limit time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	var timer *time.Timer
	timer = time.AfterFunc(time.Hour, func() {
		if held := r.limiterPause(); held > 0 && held <= maxPause {
			timer.Reset(held + limit)
			return
		}
		cancel(errTooSlow)
	})
	timer.Reset(limit)
	return ctx, func() {
		timer.Stop()
		cancel(nil)
	}
}

// limiterPause is how long the limiter holds all requests back after a refusal.
func (r *Run) limiterPause() time.Duration {
	if r.client == nil {
		return 0
	}
	until := r.client.Limiter().Snapshot().PausedUntil
	if until.IsZero() {
		return 0
	}
	return time.Until(until)
}

// waitForBudget waits for the limiter before the step is recorded, so that a stop can still cancel it.
func (r *Run) waitForBudget(ctx context.Context, i int) bool {
	for {
		held := r.limiterPause()
		if held <= 0 {
			return r.maySend(ctx)
		}
		r.lockedUpdate(i, func(s *State) {
			s.Text = fmt.Sprintf("request limit reached; continuing in %s", held.Round(time.Second))
		})
		if !r.waitFor(ctx, held) {
			return false
		}
	}
}

// waitFor waits and reports whether to continue.
func (r *Run) waitFor(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return r.maySend(ctx)
	case <-r.stop:
	case <-ctx.Done():
	}
	return false
}

// maySend reports whether steps may be sent.
func (r *Run) maySend(ctx context.Context) bool {
	select {
	case <-r.stop:
		return false
	default:
		return ctx.Err() == nil
	}
}

// lockedUpdate updates a state under the lock.
func (r *Run) lockedUpdate(i int, change func(*State)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.updateState(i, change)
}

// waitBeforeRetry decides whether to retry: only when the service did nothing, for a temporary reason.
func (r *Run) waitBeforeRetry(attempt int, done operations.Result, err error) (time.Duration, bool) {
	busy, limited := errors.Is(err, apiclient.ErrBusy), errors.Is(err, apiclient.ErrRateLimited)
	if attempt > r.options.Retries || !busy && !limited || errors.Is(err, apiclient.ErrUnknownOutcome) || !isEmpty(&done) {
		return 0, false
	}
	wait := time.Second << min(attempt, 6)
	if limited {
		wait *= 2
	}
	if refusal, ok := errors.AsType[*apiclient.Error](err); ok && refusal.RetryAfter > 0 {
		wait = max(wait, refusal.RetryAfter)
	}
	return wait + rand.N(wait/4), wait <= maxPause
}

// stateOf is the final state of an attempt.
func (r *Run) stateOf(ctx context.Context, i int, done operations.Result, err error) State {
	s := State{Result: done, Err: err, Text: apiclient.ErrorText(err), RequestID: requestID(err)}
	_, panicked := errors.AsType[panicError](err)
	switch {
	case err == nil:
		s.Status, s.Text = Done, done.Summary
		return s
	case errors.Is(err, apiclient.ErrUnknownOutcome):
		s.Status = Unknown
		if r.steps[i].Lookup == nil {
			s.Text += "; please check it, the service cannot tell"
		}
	case panicked:
		s.Status = Failed
	case ctx.Err() != nil && isEmpty(&done):
		s.Status, s.Text, s.Retryable = Stopped, textNotSent, true
	default:
		s.Status, s.Retryable = Failed, isEmpty(&done)
	}
	if done.Summary != "" {
		s.Text = done.Summary + "; then " + s.Text
	}
	return s
}

func notSent() State { return State{Status: Stopped, Text: textNotSent, Retryable: true} }

const textNotSent = "not sent"

// beginEntry records that a step is about to be sent. When recording fails, the step is sent anyway and the progress says
// so: deliveries do not wait for a disk.
func (r *Run) beginEntry(i int) (entry string) {
	if r.options.Journal == nil {
		return ""
	}
	e := r.options.Entry
	e.Object, e.Label, e.Run = r.steps[i].Object, r.steps[i].Label, r.id
	entry, err := r.options.Journal.Begin(e)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.unrecorded = err
		return ""
	}
	r.entries[i] = entry
	return entry
}

// endEntry records the outcome of a step.
func (r *Run) endEntry(entry string, outcome journal.Outcome) {
	if entry == "" {
		return
	}
	if err := r.options.Journal.End(entry, outcome); err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.unrecorded = err
	}
}

func outcomeOf(s *State, took time.Duration) journal.Outcome {
	_, panicked := errors.AsType[panicError](s.Err)
	return journal.Outcome{
		Result: s.Text, RequestID: s.RequestID, Duration: took,
		Failed: s.Status == Failed || s.Status == Stopped, Unknown: s.Status == Unknown || panicked,
	}
}
