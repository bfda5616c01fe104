package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"waybill/apiclient"
	"waybill/operations"
)

// ErrDidNotHappen says that a step with an unknown outcome was looked up and was not carried out.
var ErrDidNotHappen = errors.New("it did not happen")

// RetryFailed begins a run of the steps that failed and certainly did nothing; nil when there are none, or when they
// were handed to another run before.
func (r *Run) RetryFailed(ctx context.Context) *Run {
	return r.restart(ctx, func(s *State) bool { return s.Retryable && s.Status == Failed })
}

// Resume begins a run of the steps that were not sent; nil when there are none, or when they were handed to another run
// before. Whoever stopped a run meant it: ask before this is called.
func (r *Run) Resume(ctx context.Context) *Run { return r.restart(ctx, isUnsent) }

// Unsent are the steps that [Run.Resume] would send.
func (r *Run) Unsent() []operations.Step {
	r.mu.Lock()
	defer r.mu.Unlock()
	var steps []operations.Step
	for i, s := range r.states {
		if isUnsent(s) {
			steps = append(steps, r.steps[i])
		}
	}
	return steps
}

func isUnsent(s *State) bool { return s.Retryable && s.Status == Stopped }

// Steps are what the run carries out.
func (r *Run) Steps() []operations.Step { return r.steps[:len(r.steps):len(r.steps)] }

// restart hands steps over to a new run. No step is handed over twice: the new run may have carried it out.
func (r *Run) restart(ctx context.Context, fits func(*State) bool) *Run {
	var steps []operations.Step
	r.mu.Lock()
	for i, s := range r.states {
		if fits(s) {
			steps = append(steps, r.steps[i])
			r.updateState(i, func(s *State) { s.Retryable = false })
		}
	}
	r.mu.Unlock()
	if len(steps) == 0 {
		return nil
	}
	return Start(ctx, r.client, steps, r.options)
}

// LookUpUnknown finds out what became of the steps whose outcome is not known, and returns when it has. Those that
// were carried out are done then, those that were not have failed and can be sent again, and those that nobody is
// certain of stay unknown.
func (r *Run) LookUpUnknown(ctx context.Context) Progress {
	places := make(chan struct{}, r.options.Parallel)
	var group sync.WaitGroup
	for i, s := range r.Snapshot().Steps {
		if s.Status != Unknown || r.steps[i].Lookup == nil {
			continue
		}
		group.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			r.lookupStep(ctx, i)
		})
	}
	group.Wait()
	return r.Snapshot()
}

func (r *Run) lookupStep(ctx context.Context, i int) {
	ctx, cancel := context.WithTimeout(ctx, r.options.Timeout)
	defer cancel()
	found, err := callLookup(ctx, r.client, r.steps[i].Lookup)
	if after, news := r.applyLookup(i, found, err); news {
		r.endEntry(after.entry, outcomeOf(&after.State, after.Ended.Sub(after.Began)))
	}
}

// lookupState is a state that a look has changed, with its entry in the journal.
type lookupState struct {
	State
	entry string
}

// applyLookup takes what a look at a step showed, and reports whether it is unknown no more.
func (r *Run) applyLookup(i int, found operations.LookupResult, err error) (lookupState, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.states[i].Status != Unknown {
		return lookupState{}, false // someone else looked at the same time
	}
	r.updateState(i, func(s *State) { applyResult(s, found, err) })
	after := lookupState{*r.states[i], r.entries[i]}
	if after.Status == Done {
		r.results = append(r.results, after.Result)
	}
	return after, after.Status != Unknown
}

// applyResult takes what a look showed.
func applyResult(s *State, found operations.LookupResult, err error) {
	switch {
	case err != nil:
		s.Text = "still not known: " + errorText(err)
	case !found.Certain:
		s.Text = cmp.Or(found.Summary, "still not known; it may be under way")
	case found.Happened:
		s.Status, s.Err, s.Text = Done, nil, cmp.Or(found.Summary, "it happened")
		s.Result = operations.Result{Object: s.Object, Summary: s.Text}
		if found.Result.Object != "" {
			s.Result = found.Result
		}
	default:
		s.Status, s.Err, s.Text, s.Retryable = Failed, ErrDidNotHappen, cmp.Or(found.Summary, ErrDidNotHappen.Error()), true
	}
}

func callLookup(
	ctx context.Context, c *apiclient.Client, ask func(context.Context, *apiclient.Client) (operations.LookupResult, error),
) (found operations.LookupResult, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			found, err = operations.LookupResult{}, fmt.Errorf("the console made a mistake while it looked (%v)", reason)
		}
	}()
	return ask(ctx, c)
}
