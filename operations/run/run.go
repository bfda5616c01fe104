// Package run carries out the steps of proposals: many at once within the request budget, with progress and a result for
// each, a stop that leaves nothing unknown, and a journal that has every change before it is sent.
package run

import (
	"cmp"
	"context"
	"crypto/rand"
	"strings"
	"sync"
	"time"

	"waybill/apiclient"
	"waybill/operations"
	"waybill/operations/journal"
)

// Journal records changes; [journal.Activity] is one.
type Journal interface {
	// Begin records that a change is about to be sent. It returns when the record is on disk.
	Begin(e journal.Entry) (id string, err error)
	// End records the outcome.
	End(id string, o journal.Outcome) error
}

// Options configure a run.
type Options struct {
	// Journal records every step; nil records nothing.
	Journal Journal
	// Entry is what the entries of all steps share: person, account, action and summary.
	Entry journal.Entry
	// Parallel is how many steps run at once; 0 means 4.
	Parallel int
	// Timeout limits one attempt at a step, not counting waits for the request budget; 0 means 60 s.
	Timeout time.Duration
	// Retries is how often a step is retried that was refused because the object was busy or the request limit was reached;
	// 0 means 3, negative means never. The client retries too.
	Retries int
}

func (o Options) withDefaults() Options {
	o.Parallel = cmp.Or(o.Parallel, 4)
	o.Timeout = cmp.Or(o.Timeout, 60*time.Second)
	o.Retries = cmp.Or(o.Retries, 3)
	return o
}

// Run carries out steps. It is safe for concurrent use.
type Run struct {
	client  *apiclient.Client
	steps   []operations.Step
	options Options
	id      string
	stop    chan struct{} // closed by Stop and by errors that stop the run

	mu         sync.Mutex
	states     []*State
	results    []operations.Result
	entries    []string // ids in the journal; empty for steps that are not recorded
	order      schedule
	running    int
	stopping   bool
	ended      bool
	halted     error
	unrecorded error
	offline    int // consecutive steps that could not reach the service
	changed    signal
}

// Start starts a run and returns at once; [Run.Wait] reports its progress.
//
// When the context ends, running steps are cancelled and their outcome is unknown. Use [Run.Stop] to end a run cleanly.
//
// A step whose Do fails after a change must return its result beside the error; such a step is never sent again.
func Start(ctx context.Context, client *apiclient.Client, steps []operations.Step, o Options) *Run {
	r := &Run{
		client: client, steps: steps, options: o.withDefaults(), id: strings.ToLower(rand.Text()[:10]),
		stop: make(chan struct{}), states: make([]*State, len(steps)), entries: make([]string, len(steps)),
		order: newSchedule(steps), changed: newSignal(),
	}
	for i := range steps {
		r.states[i] = &State{Object: steps[i].Object, Label: steps[i].Label}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.startReady(ctx)
	return r
}

// ID identifies the run in the journal.
func (r *Run) ID() string { return r.id }

// Stop sends no further steps. It lets running steps finish, because a cancelled write has an unknown outcome.
func (r *Run) Stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopSending()
	r.finish()
}

func (r *Run) stopSending() {
	if !r.stopping && !r.ended {
		r.stopping = true
		close(r.stop)
		r.changed.raise()
	}
}

// startReady starts the steps that may run now.
func (r *Run) startReady(ctx context.Context) {
	for !r.stopping && ctx.Err() == nil && r.running < r.options.Parallel {
		i, ok := r.order.next()
		if !ok {
			break
		}
		r.running++
		go r.runStep(ctx, i)
	}
	r.finish()
}

// finish ends the run when no step is running.
func (r *Run) finish() {
	if r.running > 0 || r.ended {
		return
	}
	r.ended = true
	for i, s := range r.states {
		if s.Status == Waiting {
			r.updateState(i, func(s *State) { s.Status, s.Text, s.Retryable = Stopped, textNotSent, true })
		}
	}
	r.changed.raise()
}

// runStep carries out a step and starts the next ones.
func (r *Run) runStep(ctx context.Context, i int) {
	ended := r.sendStep(ctx, i)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running--
	r.recordEnd(i, ended)
	r.order.finish(i)
	r.startReady(ctx)
}

// recordEnd stores the end of a step, and stops the run after an error that every step would meet.
func (r *Run) recordEnd(i int, ended State) {
	r.updateState(i, func(s *State) {
		ended.Object, ended.Label, ended.Began, ended.Attempts = s.Object, s.Label, s.Began, s.Attempts
		ended.Done, ended.Total = s.Done, s.Total
		*s = ended
	})
	if ended.Status == Done || !isEmpty(&ended.Result) {
		r.results = append(r.results, ended.Result)
	}
	r.offline = countOffline(r.offline, ended.Err)
	if StopsRun(ended.Err) || r.offline >= maxOffline {
		r.halted = ended.Err
		r.stopSending()
	}
}

// updateState replaces the state of a step. States that were handed out do not change.
func (r *Run) updateState(i int, change func(*State)) {
	next := *r.states[i]
	change(&next)
	r.states[i] = &next
	r.changed.raise()
}

// Snapshot is the present progress.
func (r *Run) Snapshot() Progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.progress()
}

func (r *Run) progress() Progress {
	p := Progress{
		Run: r.id, Version: r.changed.version, Steps: append([]*State(nil), r.states...), Total: len(r.states),
		Results: r.results[:len(r.results):len(r.results)], Stopping: r.stopping, Ended: r.ended,
		Halted: r.halted, Unrecorded: r.unrecorded,
	}
	p.count()
	return p
}

// Wait blocks until the progress is newer than the version seen, and returns the latest. It returns false once the run has
// ended, and true without news when the context ends first.
func (r *Run) Wait(ctx context.Context, seen int) (Progress, bool) {
	waitForChange(ctx, &r.mu, &r.changed, func() bool { return r.ended || r.changed.version > seen })
	p := r.Snapshot()
	return p, !p.Ended
}
