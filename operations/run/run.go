// Package runner carries out what verbs have prepared: many steps through the client's request budget, with progress, a
// result for each, a stop that leaves nothing in doubt, and a journal that knows of every change before it is sent.
package run

import (
	"context"
	"crypto/rand"
	"strings"
	"sync"
	"time"

	"waybill/apiclient"
	"waybill/operations"
	"waybill/operations/journal"
)

// Journal is where changes are recorded; [journal.Activity] is one.
type Journal interface {
	// Begin records that a change is about to be sent, and is done when the disk has it.
	Begin(e journal.Entry) (id string, err error)
	// End records what became of it.
	End(id string, o journal.Outcome) error
}

// Options say how steps are carried out.
type Options struct {
	// Journal records every step; nil records nothing.
	Journal Journal
	// Entry is what the entries of all steps have in common: person, account, action and what is done.
	Entry journal.Entry
	// Parallel is how many steps are under way at once; 0 means 4.
	Parallel int
	// Timeout limits one attempt at a step, without the time that the request budget makes it wait; 0 means 60 s.
	Timeout time.Duration
	// Retries is how often a step is tried again that was refused because something else was being changed or because
	// the request limit was used up; 0 means 3, less than 0 never. The client has tried several times before that.
	Retries int
}

func (o Options) withDefaults() Options {
	if o.Parallel <= 0 {
		o.Parallel = 4
	}
	if o.Timeout <= 0 {
		o.Timeout = 60 * time.Second
	}
	if o.Retries == 0 {
		o.Retries = 3
	}
	return o
}

// Run is steps being carried out. It is safe for concurrent use.
type Run struct {
	client  *apiclient.Client
	steps   []operations.Step
	options Options
	id      string
	stop    chan struct{} // closed by Stop and when going on is no use

	mu         sync.Mutex
	states     []*State
	results    []operations.Result
	entries    []string // ids in the journal; empty for what is not recorded
	order      schedule
	running    int
	stopping   bool
	ended      bool
	halted     error
	unrecorded error
	offline    int // steps in a row that found no service
	changed    signal
}

// Start begins to carry out steps. It returns at once; [Run.Wait] tells how far it is.
//
// The context is that of the account: when it ends, what is under way is given up and what it did is not known. To end
// a run without such doubts there is [Run.Stop].
//
// A step whose Do fails after it has changed something says so by returning what it has done beside the error; such a
// step is never sent again.
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

// ID names the run in the journal.
func (r *Run) ID() string { return r.id }

// Stop sends nothing new. What is under way is waited for, because a write that is given up in the middle may have been
// made or not.
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

// startReady starts what may start now.
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

// finish ends the run when nothing is left to wait for.
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

// runStep carries out a step and makes room for the next.
func (r *Run) runStep(ctx context.Context, i int) {
	ended := r.sendStep(ctx, i)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running--
	r.recordEnd(i, ended)
	r.order.finish(i)
	r.startReady(ctx)
}

// recordEnd takes the end of a step.
func (r *Run) recordEnd(i int, ended State) {
	r.updateState(i, func(s *State) {
		ended.Object, ended.Label, ended.Began, ended.Attempts = s.Object, s.Label, s.Began, s.Attempts
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

// updateState gives a step a new state. States that were handed out stay as they are.
func (r *Run) updateState(i int, change func(*State)) {
	next := *r.states[i]
	change(&next)
	r.states[i] = &next
	r.changed.raise()
}

// Snapshot is how far the run is at this moment.
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

// Wait blocks until something has changed since the progress of that version, and returns how far the run is then;
// whatever happened in between is in it. It reports false once the run has ended, and true without news when the
// context ends first.
func (r *Run) Wait(ctx context.Context, seen int) (Progress, bool) {
	waitForChange(ctx, &r.mu, &r.changed, func() bool { return r.ended || r.changed.version > seen })
	p := r.Snapshot()
	return p, !p.Ended
}
