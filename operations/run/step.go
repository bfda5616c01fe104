package run

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"sync/atomic"
	"time"

	"waybill/apiclient"
	"waybill/operations"
	"waybill/operations/journal"
)

// sendStep does everything about one step and returns how it ended.
func (r *Run) sendStep(ctx context.Context, i int) State {
	if !r.waitForBudget(ctx, i) {
		return notSent()
	}
	began := time.Now()
	r.lockedUpdate(i, func(s *State) { s.Status, s.Text, s.Began = Sending, "", began })
	entry := r.beginEntry(i)
	var ended State
	var acknowledged receipt
	for attempt := 1; ; attempt++ {
		if !r.maySend(ctx) {
			ended = notSent()
			break
		}
		r.lockedUpdate(i, func(s *State) { s.Text, s.Attempts = "", attempt })
		done, err := r.attempt(apiclient.WithReceipts(ctx, acknowledged.set), i)
		wait, again := r.waitBeforeRetry(attempt, done, err)
		if again {
			r.lockedUpdate(i, func(s *State) {
				s.Text = fmt.Sprintf("%s; trying again in %s", errorText(err), wait.Round(time.Second))
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
		ended.RequestID = acknowledged.last()
	}
	r.endEntry(entry, outcomeOf(&ended, ended.Ended.Sub(began)))
	return ended
}

// receipt is the last request of a step that the service acknowledged.
type receipt struct{ id atomic.Pointer[string] }

func (r *receipt) set(id string) { r.id.Store(&id) }

func (r *receipt) last() string {
	if id := r.id.Load(); id != nil {
		return *id
	}
	return ""
}

// attempt calls Do. Whatever it does, the console goes on.
func (r *Run) attempt(ctx context.Context, i int) (done operations.Result, err error) {
	step := &r.steps[i]
	ctx, cancel := r.withTimeout(ctx, max(r.options.Timeout, step.Timeout))
	defer cancel()
	defer func() {
		if reason := recover(); reason != nil {
			done, err = operations.Result{}, &panicError{reason: reason, stack: debug.Stack()}
		}
	}()
	return step.Do(operations.WithProgress(ctx, func(p operations.StepProgress) { r.showProgress(i, p) }), r.client)
}

// showProgress shows how far a step is that takes long.
func (r *Run) showProgress(i int, p operations.StepProgress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.states[i].Status == Sending {
		r.updateState(i, func(s *State) { s.Text, s.Done, s.Total = p.Text, p.Done, p.Total })
	}
}

// panicError is a fault of the program in the middle of a step.
type panicError struct {
	reason any
	stack  []byte
}

func (e *panicError) Error() string {
	return fmt.Sprintf("the console made a mistake (%v) and does not know how far this got; look before sending it again", e.reason)
}

// Stack is where it happened.
func (e *panicError) Stack() []byte { return e.stack }

// errTooSlow is a timeout in the eyes of the client too.
var errTooSlow = fmt.Errorf("the step took too long: %w", context.DeadlineExceeded)

// maxPause is the longest that the request budget may hold a step up before it is given up.
const maxPause = 2 * time.Minute

// withTimeout gives an attempt its time. While the service has told everyone to wait, that time does not run: a
// request that never got its turn is not a slow one.
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

// limiterPause is how long no request goes out because the service refused one for its rate.
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

// waitForBudget waits for the end of such a time here, where a stop can still take the step back.
func (r *Run) waitForBudget(ctx context.Context, i int) bool {
	for {
		held := r.limiterPause()
		if held <= 0 {
			return r.maySend(ctx)
		}
		r.lockedUpdate(i, func(s *State) {
			s.Text = fmt.Sprintf("the organization's request limit is used up; going on in %s", held.Round(time.Second))
		})
		if !r.waitFor(ctx, held) {
			return false
		}
	}
}

// waitFor waits and reports whether to go on.
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

// maySend reports whether new things may be sent.
func (r *Run) maySend(ctx context.Context) bool {
	select {
	case <-r.stop:
		return false
	default:
		return ctx.Err() == nil
	}
}

// lockedUpdate tells how far a step is.
func (r *Run) lockedUpdate(i int, change func(*State)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.updateState(i, change)
}

// waitBeforeRetry says whether to try a step again: only when the answer says that nothing was done, for a reason that
// passes.
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

// stateOf says what an attempt means.
func (r *Run) stateOf(ctx context.Context, i int, done operations.Result, err error) State {
	s := State{Result: done, Err: err, Text: errorText(err), RequestID: requestID(err)}
	_, panicked := errors.AsType[*panicError](err)
	switch {
	case err == nil:
		s.Status, s.Text = Done, done.Summary
		return s
	case errors.Is(err, apiclient.ErrUnknownOutcome):
		s.Status = Unknown
		if r.steps[i].Lookup == nil {
			s.Text += "; look for yourself, the service cannot be asked"
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

const textNotSent = "stopped before it was sent"

// beginEntry records that a step is about to be sent. When that is not possible the step is sent all the same, and the
// progress says that it is not recorded: parcels do not wait for a disk.
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

// endEntry records how a step ended.
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
	_, panicked := errors.AsType[*panicError](s.Err)
	return journal.Outcome{
		Result: s.Text, RequestID: s.RequestID, Duration: took,
		Failed: s.Status == Failed || s.Status == Stopped, Unknown: s.Status == Unknown || panicked,
	}
}
