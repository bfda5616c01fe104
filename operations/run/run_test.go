package run_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations"
	"waybill/operations/journal"
	"waybill/operations/run"
)

type doFunc = func(ctx context.Context, c *apiclient.Client) (operations.Result, error)

// step returns a step with a label and an object of that name.
func step(name string, do doFunc, locks ...string) operations.Step {
	return operations.Step{Object: model.ID(name), Label: "task " + name, Locks: locks, Do: do}
}

// takes returns a Do that waits and then succeeds or fails.
func takes(d time.Duration, err error) doFunc {
	return func(ctx context.Context, _ *apiclient.Client) (operations.Result, error) {
		select {
		case <-time.After(d):
		case <-ctx.Done():
			return operations.Result{}, ctx.Err()
		}
		if err != nil {
			return operations.Result{}, err
		}
		return operations.Result{Summary: "done"}, nil
	}
}

// finish waits for the end of a run.
func finish(t *testing.T, r *run.Run) run.Progress {
	t.Helper()
	var p run.Progress
	for more := true; more; {
		p, more = r.Wait(t.Context(), p.Version)
	}
	require.True(t, p.Ended)
	return p
}

// memoryJournal is a journal in memory.
type memoryJournal struct {
	mu       sync.Mutex
	entries  []journal.Entry
	outcomes map[string]journal.Outcome
	ends     int
	fail     error
}

func (l *memoryJournal) Begin(e journal.Entry) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fail != nil {
		return "", l.fail
	}
	e.ID = fmt.Sprint(len(l.entries))
	l.entries = append(l.entries, e)
	return e.ID, nil
}

func (l *memoryJournal) End(id string, o journal.Outcome) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.outcomes == nil {
		l.outcomes = map[string]journal.Outcome{}
	}
	l.outcomes[id] = o
	l.ends++
	return nil
}

// begun reports whether the step of an object was recorded.
func (l *memoryJournal) begun(object model.ID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.entries, func(e journal.Entry) bool { return e.Object == object })
}

// of returns the outcome of an object's step.
func (l *memoryJournal) of(object model.ID) journal.Outcome {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.entries, func(e journal.Entry) bool { return e.Object == object })
	return l.outcomes[l.entries[i].ID]
}

func TestRunCarriesOutEveryStepFourAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := new(memoryJournal)
		var mu sync.Mutex
		under, most := 0, 0
		var steps []operations.Step
		for i := range 10 {
			name := fmt.Sprintf("t%d", i)
			steps = append(steps, step(name, func(ctx context.Context, c *apiclient.Client) (operations.Result, error) {
				assert.True(t, log.begun(model.ID(name)), "the intent is recorded before the step is sent")
				mu.Lock()
				under++
				most = max(most, under)
				mu.Unlock()
				defer func() {
					mu.Lock()
					under--
					mu.Unlock()
				}()
				return takes(time.Second, nil)(ctx, c)
			}))
		}
		began := time.Now()
		p := finish(t, run.Start(t.Context(), nil, steps, run.Options{
			Journal: log, Entry: journal.Entry{Person: "ada", Account: "north", Action: "task.delete", What: "delete 10 tasks"},
		}))
		require.Equal(t, 3*time.Second, time.Since(began), "ten steps of a second, four at a time")
		require.Equal(t, 4, most)
		require.Equal(t, 10, p.Done)
		require.Len(t, p.Results, 10)
		require.Equal(t, "10 of 10 done", p.Summary())
		for _, s := range p.Steps {
			require.Equal(t, run.Done, s.Status)
			require.Equal(t, time.Second, s.Ended.Sub(s.Began))
			require.Equal(t, journal.Outcome{Result: "done", Duration: time.Second}, log.of(s.Object))
		}
		require.Contains(t, log.entries, journal.Entry{
			ID: "9", Person: "ada", Account: "north", Action: "task.delete", What: "delete 10 tasks",
			Object: log.entries[9].Object, Label: "task " + string(log.entries[9].Object), Run: p.Run,
		})
	})
}

func TestRunWithoutStepsEndsAtOnce(t *testing.T) {
	t.Parallel()
	p, more := run.Start(t.Context(), nil, nil, run.Options{}).Wait(t.Context(), 0)
	require.False(t, more)
	require.True(t, p.Ended)
	require.Equal(t, "0 of 0 done", p.Summary())
}

// Steps that share a lock never overlap and keep their order; nothing else delays a step while there is room.
func TestLocksKeepStepsApartAndInOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		locks := rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 0, 3), 1, 25).Draw(rt, "locks")
		times := rapid.SliceOfN(rapid.IntRange(1, 5), len(locks), len(locks)).Draw(rt, "seconds")
		parallel := rapid.IntRange(1, 6).Draw(rt, "parallel")
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			held := map[string]int{}
			last := map[string]int{}
			var steps []operations.Step
			for i, names := range locks {
				steps = append(steps, step(fmt.Sprint(i), func(ctx context.Context, c *apiclient.Client) (operations.Result, error) {
					mu.Lock()
					for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
						held[name]++
						assert.Equal(t, 1, held[name], "two steps hold %s", name)
						assert.GreaterOrEqual(t, i, last[name], "step %d overtook %d", i, last[name])
						last[name] = i
					}
					mu.Unlock()
					defer func() {
						mu.Lock()
						defer mu.Unlock()
						for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
							held[name]--
						}
					}()
					return takes(time.Duration(times[i])*time.Second, nil)(ctx, c)
				}, names...))
			}
			p := finish(t, run.Start(t.Context(), nil, steps, run.Options{Parallel: parallel}))
			require.Equal(t, len(locks), p.Done)
		})
	})
}

func TestStuckLockDoesNotBlockOtherSteps(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := run.Start(t.Context(), nil, []operations.Step{
			step("a1", takes(30*time.Second, nil), "a"), step("a2", takes(time.Second, nil), "a"),
			step("b", takes(time.Second, nil), "b"), step("free", takes(time.Second, nil)),
		}, run.Options{Parallel: 2})
		time.Sleep(3 * time.Second)
		var status []run.Status
		for _, s := range r.Snapshot().Steps {
			status = append(status, s.Status)
		}
		require.Equal(t, []run.Status{run.Sending, run.Waiting, run.Done, run.Done}, status)
		finish(t, r)
	})
}

func TestStopWaitsForRunningSteps(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := new(memoryJournal)
		var steps []operations.Step
		for i := range 10 {
			steps = append(steps, step(fmt.Sprint(i), takes(10*time.Second, nil)))
		}
		r := run.Start(t.Context(), nil, steps, run.Options{Journal: log})
		time.Sleep(time.Second)
		r.Stop()
		r.Stop()
		p := r.Snapshot()
		require.True(t, p.Stopping)
		require.False(t, p.Ended, "four are still under way")
		require.Equal(t, "0 of 10 done, stopping, 4 running", p.Summary())
		p = finish(t, r)
		require.Equal(t, 4, p.Done, "a stop gives no write up")
		require.Equal(t, 6, p.Stopped)
		require.Equal(t, 6, p.Retryable)
		require.Equal(t, 6, p.Unsent)
		require.Nil(t, r.RetryFailed(t.Context()), "what was stopped is not sent along")
		require.Len(t, r.Unsent(), 6)
		require.Len(t, log.entries, 4, "what was not sent is not in the activity")

		rest := r.Resume(t.Context())
		require.Len(t, rest.Steps(), 6)
		require.Equal(t, 6, finish(t, rest).Done)
		require.Empty(t, r.Unsent())
		require.NotEqual(t, r.ID(), rest.ID())
		require.Nil(t, rest.Resume(t.Context()))
		require.Nil(t, r.RetryFailed(t.Context()), "nothing failed")
	})
}

func TestOnlyStepsWithoutEffectAreRetried(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := new(memoryJournal)
		tries := map[string]int{}
		counted := func(name string, do doFunc) operations.Step {
			return step(name, func(ctx context.Context, c *apiclient.Client) (operations.Result, error) {
				tries[name]++
				return do(ctx, c)
			}, "one at a time")
		}
		gone := errors.New("the task is gone")
		partly := func(context.Context, *apiclient.Client) (operations.Result, error) {
			return operations.Result{Object: "clone", Summary: "created a clone"}, gone
		}
		panics := func(context.Context, *apiclient.Client) (operations.Result, error) { panic("index out of range") }
		r := run.Start(t.Context(), nil, []operations.Step{
			counted("fine", takes(time.Second, nil)), counted("gone", takes(time.Second, gone)),
			counted("unknown", takes(time.Second, apiclient.ErrUnknownOutcome)), counted("partly", partly),
			counted("mistake", panics),
		}, run.Options{Journal: log})
		p := finish(t, r)
		require.Equal(t, "1 of 5 done, 3 failed, 1 unknown", p.Summary())
		require.Equal(t, 1, p.Retryable)
		require.ErrorIs(t, p.Steps[1].Err, gone)
		require.Equal(t, run.Unknown, p.Steps[2].Status)
		require.Equal(t, "created a clone; then the task is gone", p.Steps[3].Text)
		require.Contains(t, p.Steps[4].Text, "index out of range")
		require.Len(t, p.Results, 2, "the board learns what a failed step has done too")

		require.Equal(t, journal.Outcome{Result: "the task is gone", Failed: true, Duration: time.Second}, log.of("gone"))
		require.True(t, log.of("unknown").Unknown)
		require.False(t, log.of("unknown").Failed)
		mistake := log.of("mistake")
		require.True(t, mistake.Failed && mistake.Unknown, "nobody knows how far a mistake got")

		again := finish(t, r.RetryFailed(t.Context()))
		require.Equal(t, 1, again.Total)
		require.Nil(t, r.RetryFailed(t.Context()), "a second press of the key sends nothing twice")
		require.Equal(t, map[string]int{"fine": 1, "gone": 2, "unknown": 1, "partly": 1, "mistake": 1}, tries)
	})
}

func TestLookUpUnknown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := new(memoryJournal)
		unknown := func(name string, look func() (operations.LookupResult, error)) operations.Step {
			s := step(name, takes(time.Second, apiclient.ErrUnknownOutcome))
			if look != nil {
				s.Lookup = func(context.Context, *apiclient.Client) (operations.LookupResult, error) { return look() }
			}
			return s
		}
		r := run.Start(t.Context(), nil, []operations.Step{
			unknown("happened", func() (operations.LookupResult, error) {
				return operations.LookupResult{Happened: true, Certain: true, Summary: "assigned to Ada"}, nil
			}),
			unknown("did-not", func() (operations.LookupResult, error) { return operations.LookupResult{Certain: true}, nil }),
			unknown("perhaps", func() (operations.LookupResult, error) {
				return operations.LookupResult{Happened: true, Summary: "one like it exists"}, nil
			}),
			unknown("unreadable", func() (operations.LookupResult, error) { return operations.LookupResult{}, errors.New("no network") }),
			unknown("mistake", func() (operations.LookupResult, error) { panic("nil map") }),
			unknown("nobody", nil),
		}, run.Options{Journal: log})
		require.Equal(t, 6, finish(t, r).Unknown)
		require.Nil(t, r.RetryFailed(t.Context()))

		p := r.LookUpUnknown(t.Context())
		require.Equal(t, "1 of 6 done, 1 failed, 4 unknown", p.Summary())
		words := map[model.ID]string{}
		for _, s := range p.Steps {
			words[s.Object] = s.Text
		}
		require.Equal(t, "assigned to Ada", words["happened"])
		require.ErrorIs(t, p.Steps[1].Err, run.ErrDidNotHappen)
		require.Equal(t, "one like it exists", words["perhaps"])
		require.Equal(t, "still unknown: no network", words["unreadable"])
		require.Contains(t, words["mistake"], "nil map")
		require.Contains(t, words["nobody"], "please check it")
		require.Equal(t, []operations.Result{{Object: "happened", Summary: "assigned to Ada"}}, p.Results)

		require.Equal(t, "assigned to Ada", log.of("happened").Result)
		require.True(t, log.of("did-not").Failed)
		require.False(t, log.of("did-not").Unknown)
		require.True(t, log.of("perhaps").Unknown)
		require.Equal(t, 8, log.ends, "six ends, and two that were learned later")

		again := r.RetryFailed(t.Context())
		require.Equal(t, 1, again.Snapshot().Total)
		finish(t, again)
	})
}

func TestCancelledContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := new(memoryJournal)
		ctx, leave := context.WithCancel(t.Context())
		// The errors of the client: cancelled before sending, and after.
		onTheWire := func(ctx context.Context, _ *apiclient.Client) (operations.Result, error) {
			<-ctx.Done()
			return operations.Result{}, errors.Join(apiclient.ErrUnknownOutcome, ctx.Err())
		}
		r := run.Start(ctx, nil, []operations.Step{
			step("sent", onTheWire), step("held", takes(time.Minute, nil)), step("later", takes(time.Second, nil)),
		}, run.Options{Journal: log, Parallel: 2})
		time.Sleep(time.Second)
		leave()
		p := finish(t, r)
		require.Equal(t, "0 of 3 done, 1 unknown, 2 not sent", p.Summary())
		require.True(t, log.of("sent").Unknown)
		require.Equal(t, "not sent", log.of("held").Result)
		require.Len(t, log.entries, 2)
	})
}

func TestStepTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		p := finish(t, run.Start(t.Context(), nil, []operations.Step{
			step("slow", func(ctx context.Context, _ *apiclient.Client) (operations.Result, error) {
				<-ctx.Done()
				return operations.Result{}, context.Cause(ctx)
			}),
		}, run.Options{}))
		require.Equal(t, time.Minute, time.Since(began))
		require.Equal(t, run.Failed, p.Steps[0].Status)
		require.ErrorIs(t, p.Steps[0].Err, context.DeadlineExceeded)
	})
}

func TestStepsAreSentWithoutAJournal(t *testing.T) {
	t.Parallel()
	full := errors.New("no space left on device")
	p := finish(t, run.Start(t.Context(), nil, []operations.Step{step("a", takes(0, nil))}, run.Options{Journal: &memoryJournal{fail: full}}))
	require.Equal(t, 1, p.Done)
	require.ErrorIs(t, p.Unrecorded, full)
}

func TestWaitReturnsTheLatestProgress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var steps []operations.Step
		for i := range 100 {
			steps = append(steps, step(fmt.Sprint(i), takes(time.Second, nil)))
		}
		r := run.Start(t.Context(), nil, steps, run.Options{})
		synctest.Wait()
		seen := r.Snapshot()
		time.Sleep(10*time.Second + time.Millisecond)
		p, more := r.Wait(t.Context(), seen.Version)
		require.True(t, more)
		require.Equal(t, 40, p.Done, "one answer for everything that happened meanwhile")
		require.Equal(t, run.Sending, seen.Steps[0].Status, "what was handed out does not change")

		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		began := time.Now()
		_, more = r.Wait(ctx, p.Version)
		require.True(t, more)
		require.Equal(t, 100*time.Millisecond, time.Since(began), "without news it waits as long as it may")

		// Every reader gets every change.
		var group sync.WaitGroup
		for range 2 {
			group.Go(func() { assert.Equal(t, 100, finish(t, r).Done) })
		}
		group.Wait()
	})
}
