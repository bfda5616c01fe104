package run_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/operations"
	"waybill/operations/run"
)

// job is a job that answers polls in order and then repeats the last answer.
type job struct {
	answers []func() (operations.JobState, error)
	polls   []time.Duration // since the first
	first   time.Time
}

func (j *job) follow() operations.Follow {
	return operations.Follow{ID: "d1", Title: "dispatch of North", Poll: func(context.Context, *apiclient.Client) (operations.JobState, error) {
		if j.first.IsZero() {
			j.first = time.Now()
		}
		answer := j.answers[min(len(j.polls), len(j.answers)-1)]
		j.polls = append(j.polls, time.Since(j.first))
		return answer()
	}}
}

func shows(done, total int) func() (operations.JobState, error) {
	return func() (operations.JobState, error) {
		return operations.JobState{
			Done: done, Total: total, Ended: done == total, Summary: fmt.Sprintf("%d of %d placed", done, total),
		}, nil
	}
}

func failsWith(err error) func() (operations.JobState, error) {
	return func() (operations.JobState, error) { return operations.JobState{}, err }
}

// follow collects every progress until the end, without the one before the first poll.
func follow(t *testing.T, w *run.JobWatch) []run.JobProgress {
	t.Helper()
	var all []run.JobProgress
	var p run.JobProgress
	for more := true; more; {
		p, more = w.Wait(t.Context(), p.Version)
		if !p.Read.IsZero() || p.Err != nil {
			all = append(all, p)
		}
	}
	return all
}

func TestWatchFollowsAJobToItsEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		offline := errors.Join(apiclient.ErrOffline)
		j := &job{answers: []func() (operations.JobState, error){
			shows(0, 4), failsWith(offline), failsWith(offline), shows(0, 4), shows(2, 4), shows(4, 4),
		}}
		w := run.Watch(t.Context(), nil, j.follow(), run.WatchOptions{})
		require.Equal(t, "dispatch of North", w.Follow().Title)
		all := follow(t, w)
		var words []string
		for _, p := range all {
			words = append(words, p.Text)
		}
		const unreadable = "cannot read the progress (the service cannot be reached); the job goes on, checking again"
		require.Equal(t, []string{"0 of 4 placed", unreadable, unreadable, "0 of 4 placed", "2 of 4 placed", "4 of 4 placed"}, words)
		last := all[len(all)-1]
		require.True(t, last.Ended && last.State.Ended)
		require.NoError(t, last.Err)
		require.Equal(t, 2, all[3].State.Done+all[4].State.Done, "an unreadable moment does not forget what was seen")
		require.Equal(t, last.Read.Sub(last.Began), j.polls[5])
		_, more := w.Wait(t.Context(), last.Version)
		require.False(t, more)
	})
}

func TestWatchWaitsLongerWithoutProgress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		j := &job{}
		for range 12 {
			j.answers = append(j.answers, shows(1, 9))
		}
		j.answers = append(j.answers, shows(2, 9), shows(9, 9))
		follow(t, run.Watch(t.Context(), nil, j.follow(), run.WatchOptions{}))
		var waits []time.Duration
		for i := 1; i < len(j.polls); i++ {
			waits = append(waits, j.polls[i]-j.polls[i-1])
		}
		require.Equal(t, time.Second, waits[0])
		require.Equal(t, 1500*time.Millisecond, waits[1])
		require.Equal(t, 15*time.Second, waits[10])
		require.Equal(t, time.Second, waits[12], "it moves again")
	})
}

func TestWatchEndsOnlyOnPermanentErrors(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"gone": apiclient.ErrNotFound, "forbidden": apiclient.ErrForbidden, "no route": apiclient.ErrUnsupportedRoute,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				j := &job{answers: []func() (operations.JobState, error){shows(1, 2), failsWith(err)}}
				all := follow(t, run.Watch(t.Context(), nil, j.follow(), run.WatchOptions{}))
				last := all[len(all)-1]
				require.ErrorIs(t, last.Err, err)
				require.False(t, last.State.Ended)
				require.Contains(t, last.Text, "can no longer be followed")
			})
		})
	}
	t.Run("mistake", func(t *testing.T) {
		t.Parallel()
		j := &job{answers: []func() (operations.JobState, error){func() (operations.JobState, error) { panic("nil map") }}}
		all := follow(t, run.Watch(t.Context(), nil, j.follow(), run.WatchOptions{}))
		require.ErrorContains(t, all[len(all)-1].Err, "nil map")
	})
	t.Run("left", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			ctx, leave := context.WithCancel(t.Context())
			j := &job{answers: []func() (operations.JobState, error){shows(1, 2), failsWith(apiclient.ErrServer)}}
			w := run.Watch(ctx, nil, j.follow(), run.WatchOptions{})
			time.Sleep(time.Hour)
			require.False(t, w.Snapshot().Ended, "it does not give up by itself")
			leave()
			all := follow(t, w)
			require.ErrorIs(t, all[len(all)-1].Err, context.Canceled)
		})
	})
}
