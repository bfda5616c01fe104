package run

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"waybill/apiclient"
	"waybill/operations"
)

// ErrDidNotHappen says that a lookup found that the step was not carried out.
var ErrDidNotHappen = errors.New("it did not happen")

// RetryFailed starts a run of the steps that failed and did nothing; nil when there are none left.
func (r *Run) RetryFailed(ctx context.Context) *Run {
	return r.restart(ctx, func(s *State) bool { return s.Retryable && s.Status == Failed })
}

// Resume starts a run of the steps that were not sent; nil when there are none left. Ask before calling it: somebody
// stopped the run on purpose.
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

// Steps are the steps of the run.
func (r *Run) Steps() []operations.Step { return r.steps[:len(r.steps):len(r.steps)] }

// restart starts a new run with the steps that fit. Each step is passed on once, because the new run may carry it out.
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

// LookUpUnknown looks up all steps with an unknown outcome and waits for the answers. Steps that happened become done,
// those that did not become failed and retryable, and uncertain ones stay unknown.
func (r *Run) LookUpUnknown(ctx context.Context) Progress {
	slots := make(chan struct{}, r.options.Parallel)
	var group sync.WaitGroup
	for i, s := range r.Snapshot().Steps {
		if s.Status != Unknown || r.steps[i].Lookup == nil {
			continue
		}
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			r.lookupStep(ctx, i)
		})
	}
	group.Wait()
	return r.Snapshot()
}

func (r *Run) lookupStep(ctx context.Context, i int) {
	ctx, cancel := context.WithTimeout(ctx, r.options.Timeout)
	defer cancel()
	found, err := recoverPanic(ctx, r.client, "internal error in the lookup (%v)", r.steps[i].Lookup)
	if after, news := r.applyLookup(i, found, err); news {
		r.endEntry(after.entry, outcomeOf(&after.State, after.Ended.Sub(after.Began)))
	}
}

// lookupState is a state after a lookup, with its journal entry.
type lookupState struct {
	State
	entry string
}

// applyLookup stores the answer of a lookup, and reports whether the step is no longer unknown.
func (r *Run) applyLookup(i int, found operations.LookupResult, err error) (lookupState, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.states[i].Status != Unknown {
		return lookupState{}, false // another lookup was faster
	}
	r.updateState(i, func(s *State) { applyResult(s, found, err) })
	after := lookupState{*r.states[i], r.entries[i]}
	if after.Status == Done {
		r.results = append(r.results, after.Result)
	}
	return after, after.Status != Unknown
}

// applyResult sets a state from the answer of a lookup.
func applyResult(s *State, found operations.LookupResult, err error) {
	switch {
	case err != nil:
		s.Text = "still unknown: " + apiclient.ErrorText(err)
	case !found.Certain:
		s.Text = cmp.Or(found.Summary, "still unknown; it may be running")
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
