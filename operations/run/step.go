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

// carryOut does everything about one step and returns how it ended.
func (r *Run) carryOut(ctx context.Context, i int) State {
	if !r.waitForBudget(ctx, i) {
		return notSent()
	}
	began := time.Now()
	r.show(i, func(s *State) { s.Status, s.Words, s.Began = Sending, "", began })
	entry := r.begin(i)
	var ended State
	var acknowledged receipt
	for attempt := 1; ; attempt++ {
		if !r.goesOn(ctx) {
			ended = notSent()
			break
		}
		r.show(i, func(s *State) { s.Words, s.Attempts = "", attempt })
		done, err := r.attempt(apiclient.WithReceipts(ctx, acknowledged.keep), i)
		wait, again := r.waitBeforeRetry(attempt, done, err)
		if again {
			r.show(i, func(s *State) { s.Words = fmt.Sprintf("%s; trying again in %s", inWords(err), wait.Round(time.Second)) })
			again = r.pause(ctx, wait)
		}
		if !again {
			ended = r.judge(ctx, i, done, err)
			break
		}
	}
	ended.Ended = time.Now()
	if ended.Status == Done {
		ended.RequestID = acknowledged.last()
	}
	r.end(entry, outcomeOf(&ended, ended.Ended.Sub(began)))
	return ended
}

// receipt is the last request of a step that the service acknowledged.
type receipt struct{ id atomic.Pointer[string] }

func (r *receipt) keep(id string) { r.id.Store(&id) }

func (r *receipt) last() string {
	if id := r.id.Load(); id != nil {
		return *id
	}
	return ""
}

// attempt calls Do. Whatever it does, the console goes on.
func (r *Run) attempt(ctx context.Context, i int) (done operations.Result, err error) {
	step := &r.steps[i]
	ctx, cancel := r.withPatience(ctx, max(r.options.Timeout, step.Timeout))
	defer cancel()
	defer func() {
		if reason := recover(); reason != nil {
			done, err = operations.Result{}, &panicError{reason: reason, stack: debug.Stack()}
		}
	}()
	return step.Do(operations.WithProgress(ctx, func(p operations.StepProgress) { r.tell(i, p) }), r.client)
}

// tell shows how far a step is that takes long.
func (r *Run) tell(i int, p operations.StepProgress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.states[i].Status == Sending {
		r.replace(i, func(s *State) { s.Words, s.Part, s.Whole = p.Words, p.Done, p.Total })
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

// longestHold is the longest that the request budget may hold a step up before it is given up.
const longestHold = 2 * time.Minute

// withPatience gives an attempt its time. While the service has told everyone to wait, that time does not run: a
// request that never got its turn is not a slow one.
func (r *Run) withPatience(ctx context.Context, limit time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	var timer *time.Timer
	timer = time.AfterFunc(time.Hour, func() {
		if held := r.heldUp(); held > 0 && held <= longestHold {
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

// heldUp is how long no request goes out because the service refused one for its rate.
func (r *Run) heldUp() time.Duration {
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
		held := r.heldUp()
		if held <= 0 {
			return r.goesOn(ctx)
		}
		r.show(i, func(s *State) {
			s.Words = fmt.Sprintf("the organization's request limit is used up; going on in %s", held.Round(time.Second))
		})
		if !r.pause(ctx, held) {
			return false
		}
	}
}

// pause waits and reports whether to go on.
func (r *Run) pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return r.goesOn(ctx)
	case <-r.stop:
	case <-ctx.Done():
	}
	return false
}

// goesOn reports whether new things may be sent.
func (r *Run) goesOn(ctx context.Context) bool {
	select {
	case <-r.stop:
		return false
	default:
		return ctx.Err() == nil
	}
}

// show tells how far a step is.
func (r *Run) show(i int, change func(*State)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.replace(i, change)
}

// waitBeforeRetry says whether to try a step again: only when the answer says that nothing was done, for a reason that
// passes.
func (r *Run) waitBeforeRetry(attempt int, done operations.Result, err error) (time.Duration, bool) {
	busy, limited := errors.Is(err, apiclient.ErrBusy), errors.Is(err, apiclient.ErrRateLimited)
	if attempt > r.options.Retries || !busy && !limited || errors.Is(err, apiclient.ErrUnknownOutcome) || !untouched(&done) {
		return 0, false
	}
	wait := time.Second << min(attempt, 6)
	if limited {
		wait *= 2
	}
	if refusal, ok := errors.AsType[*apiclient.Error](err); ok && refusal.RetryAfter > 0 {
		wait = max(wait, refusal.RetryAfter)
	}
	return wait + rand.N(wait/4), wait <= longestHold
}

// judge says what an attempt means.
func (r *Run) judge(ctx context.Context, i int, done operations.Result, err error) State {
	s := State{Done: done, Err: err, Words: inWords(err), RequestID: requestIn(err)}
	_, panicked := errors.AsType[*panicError](err)
	switch {
	case err == nil:
		s.Status, s.Words = Done, done.Summary
		return s
	case errors.Is(err, apiclient.ErrUnknownOutcome):
		s.Status = Unknown
		if r.steps[i].Lookup == nil {
			s.Words += "; look for yourself, the service cannot be asked"
		}
	case panicked:
		s.Status = Failed
	case ctx.Err() != nil && untouched(&done):
		s.Status, s.Words, s.Again = Stopped, wordsStopped, true
	default:
		s.Status, s.Again = Failed, untouched(&done)
	}
	if done.Summary != "" {
		s.Words = done.Summary + "; then " + s.Words
	}
	return s
}

func notSent() State { return State{Status: Stopped, Words: wordsStopped, Again: true} }

const wordsStopped = "stopped before it was sent"

// begin records that a step is about to be sent. When that is not possible the step is sent all the same, and the
// progress says that it is not recorded: parcels do not wait for a disk.
func (r *Run) begin(i int) (entry string) {
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

// end records how a step ended.
func (r *Run) end(entry string, outcome journal.Outcome) {
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
		Result: s.Words, RequestID: s.RequestID, Duration: took,
		Failed: s.Status == Failed || s.Status == Stopped, Unknown: s.Status == Unknown || panicked,
	}
}
