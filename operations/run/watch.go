package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"waybill/apiclient"
	"waybill/operations"
)

// WatchOptions set how often a job is polled. The zero value suits most jobs.
type WatchOptions struct {
	// First is the wait after the first poll; 0 means 1 s. Waits grow up to Longest while nothing changes; 0 means 15 s.
	First, Longest time.Duration
	// Timeout limits one poll; 0 means 30 s.
	Timeout time.Duration
}

func (o WatchOptions) withDefaults() WatchOptions {
	o.First = cmp.Or(o.First, time.Second)
	o.Longest = cmp.Or(o.Longest, 15*time.Second)
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	return o
}

// JobProgress is what is known of a job.
type JobProgress struct {
	Version int // for the next [Watching.Wait]
	// State is the last state that was read.
	State operations.JobState
	// Text is the state's summary, or why it cannot be read now.
	Text string
	// Err is why the last poll failed; nil when it succeeded.
	Err error
	// Began is when watching started, Read when a poll last succeeded.
	Began, Read time.Time
	// Ended says that the job has ended, or cannot be followed for the reason in Err.
	Ended bool
}

// JobWatch follows a job. It is safe for concurrent use.
type JobWatch struct {
	follow  operations.Follow
	options WatchOptions

	mu       sync.Mutex
	progress JobProgress
	changed  signal
}

// Watch follows a job until it ends, can no longer be read, or the context ends. It returns at once.
func Watch(ctx context.Context, client *apiclient.Client, follow operations.Follow, o WatchOptions) *JobWatch {
	w := &JobWatch{
		follow: follow, options: o.withDefaults(), changed: newSignal(),
		progress: JobProgress{Text: "started", Began: time.Now()},
	}
	go w.run(apiclient.WithPriority(ctx, apiclient.PriorityVisible), client)
	return w
}

// Follow is the job that is followed.
func (w *JobWatch) Follow() operations.Follow { return w.follow }

// Snapshot is the present progress.
func (w *JobWatch) Snapshot() JobProgress {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.progress
	p.Version = w.changed.version
	return p
}

// Wait blocks until the progress is newer than the version seen, and returns the latest. It returns false once watching has
// ended, and true without news when the context ends first.
func (w *JobWatch) Wait(ctx context.Context, seen int) (JobProgress, bool) {
	waitForChange(ctx, &w.mu, &w.changed, func() bool { return w.progress.Ended || w.changed.version > seen })
	p := w.Snapshot()
	return p, !p.Ended
}

func (w *JobWatch) run(ctx context.Context, client *apiclient.Client) {
	wait := w.options.First
	for {
		moved, ended := w.poll(ctx, client)
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
			w.end(context.Cause(ctx), "no longer followed")
			return
		}
		wait = min(w.options.Longest, wait*3/2)
	}
}

// poll polls once and reports whether the job has moved and whether watching has ended.
func (w *JobWatch) poll(ctx context.Context, client *apiclient.Client) (moved, ended bool) {
	limited, cancel := context.WithTimeout(ctx, w.options.Timeout)
	defer cancel()
	state, err := recoverPanic(limited, client, "internal error (%v); the outcome is unknown, so check before you send it again", w.follow.Poll)
	_, mistake := errors.AsType[panicError](err)
	switch {
	case err == nil:
		return w.setState(state), state.Ended
	case ctx.Err() != nil:
		w.end(context.Cause(ctx), "no longer followed")
		return false, true
	case mistake, isPermanent(err):
		w.end(err, "can no longer be followed: "+apiclient.ErrorText(err))
		return false, true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.progress.Err = err
	w.progress.Text = fmt.Sprintf("cannot read the progress (%s); the job goes on, checking again", apiclient.ErrorText(err))
	w.changed.raise()
	return false, false
}

// setState stores a state and reports whether the job has moved.
func (w *JobWatch) setState(state operations.JobState) bool {
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

func (w *JobWatch) end(err error, words string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.progress.Err, w.progress.Text, w.progress.Ended = err, words, true
	w.changed.raise()
}

// isPermanent reports an error that will not go away: the job is deleted, or may not be read.
func isPermanent(err error) bool {
	return slices.ContainsFunc([]error{
		apiclient.ErrNotFound, apiclient.ErrForbidden, apiclient.ErrOtherOrganization, apiclient.ErrUnsupportedRoute,
	}, func(kind error) bool { return errors.Is(err, kind) })
}
