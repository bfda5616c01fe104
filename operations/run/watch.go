package run

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"waybill/apiclient"
	"waybill/operations"
)

// WatchOptions say how often a job is looked at. The zero value is right for most.
type WatchOptions struct {
	// First is the wait after the first look; 0 means 1 s. Waits grow while nothing changes, up to Longest; 0 means 15 s.
	First, Longest time.Duration
	// Timeout limits one look; 0 means 30 s.
	Timeout time.Duration
}

func (o WatchOptions) withDefaults() WatchOptions {
	if o.First <= 0 {
		o.First = time.Second
	}
	if o.Longest <= 0 {
		o.Longest = 15 * time.Second
	}
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	return o
}

// JobProgress is what is known of a job.
type JobProgress struct {
	Version int // for the next [Watching.Wait]
	// State is what the last look that went well has shown.
	State operations.JobState
	// Text are the state's, or say why it cannot be read at the moment.
	Text string
	// Err is why the last look failed; nil when it went well.
	Err error
	// Began is when the watching did, Read when a look last went well.
	Began, Read time.Time
	// Ended says that no more will be learned: the job has ended, or it cannot be followed, for the reason in Err.
	Ended bool
}

// JobWatch is a job being followed. It is safe for concurrent use.
type JobWatch struct {
	follow  operations.Follow
	options WatchOptions

	mu       sync.Mutex
	progress JobProgress
	changed  signal
}

// Watch follows a job until it ends, nobody may see it any more, or the context ends. It returns at once.
func Watch(ctx context.Context, client *apiclient.Client, follow operations.Follow, o WatchOptions) *JobWatch {
	w := &JobWatch{
		follow: follow, options: o.withDefaults(), changed: newSignal(),
		progress: JobProgress{Text: "started", Began: time.Now()},
	}
	go w.run(apiclient.WithPriority(ctx, apiclient.PriorityVisible), client)
	return w
}

// Follow is what is being followed.
func (w *JobWatch) Follow() operations.Follow { return w.follow }

// Snapshot is what is known at this moment.
func (w *JobWatch) Snapshot() JobProgress {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.progress
	p.Version = w.changed.version
	return p
}

// Wait blocks until more is known than in the progress of that version, and returns the latest. It reports false once
// nothing more will be learned, and true without news when the context ends first.
func (w *JobWatch) Wait(ctx context.Context, seen int) (JobProgress, bool) {
	waitForChange(ctx, &w.mu, &w.changed, func() bool { return w.progress.Ended || w.changed.version > seen })
	p := w.Snapshot()
	return p, !p.Ended
}

func (w *JobWatch) run(ctx context.Context, client *apiclient.Client) {
	wait := w.options.First
	for {
		moved, ended := w.look(ctx, client)
		if ended {
			return
		}
		if moved {
			wait = w.options.First
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			w.giveUp(context.Cause(ctx), "no longer followed")
			return
		}
		wait = min(w.options.Longest, wait*3/2)
	}
}

// look looks once and reports whether the job has moved, and whether the watching is over.
func (w *JobWatch) look(ctx context.Context, client *apiclient.Client) (moved, ended bool) {
	limited, cancel := context.WithTimeout(ctx, w.options.Timeout)
	defer cancel()
	state, err := callPoll(limited, client, w.follow)
	_, mistake := errors.AsType[*panicError](err)
	switch {
	case err == nil:
		return w.take(state), state.Ended
	case ctx.Err() != nil:
		w.giveUp(context.Cause(ctx), "no longer followed")
		return false, true
	case mistake, isPermanent(err):
		w.giveUp(err, "cannot be followed any more: "+errorText(err))
		return false, true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.progress.Err = err
	w.progress.Text = fmt.Sprintf("cannot be read at the moment (%s); it goes on and will be asked for again", errorText(err))
	w.changed.raise()
	return false, false
}

// take keeps a state and reports whether it is news.
func (w *JobWatch) take(state operations.JobState) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := &w.progress
	before := p.State
	moved := before.Summary != state.Summary || before.Done != state.Done || before.Total != state.Total || before.Ended != state.Ended
	news := moved || p.Err != nil || p.Read.IsZero()
	p.State, p.Text, p.Err, p.Read, p.Ended = state, state.Summary, nil, time.Now(), state.Ended
	if news {
		w.changed.raise()
	}
	return moved
}

func (w *JobWatch) giveUp(err error, words string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.progress.Err, w.progress.Text, w.progress.Ended = err, words, true
	w.changed.raise()
}

// isPermanent reports an error that will not pass: the job is gone, or is nobody's business here.
func isPermanent(err error) bool {
	for _, kind := range []error{
		apiclient.ErrNotFound, apiclient.ErrForbidden, apiclient.ErrOtherOrganization, apiclient.ErrUnsupportedRoute,
	} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

func callPoll(ctx context.Context, client *apiclient.Client, follow operations.Follow) (state operations.JobState, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			state, err = operations.JobState{}, &panicError{reason: reason}
		}
	}()
	return follow.Poll(ctx, client)
}
