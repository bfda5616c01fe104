package feed

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
)

var start = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func newFeed() *Feed {
	var stamp board.Stamp
	return New(Options{
		Intervals: Intervals{board.PaneTasks: 15 * time.Second, board.PaneWorkers: 15 * time.Second, board.PaneDelays: time.Minute, board.PaneOrders: 30 * time.Second},
		AtRisk:    15 * time.Minute, Shift: start.Add(-8 * time.Hour), Seed: 1,
		Stamp: func() board.Stamp { stamp++; return stamp },
	}, start)
}

// service answers requests for a list of tasks that takes so many pages.
type service struct {
	pages int
	err   error
	asked map[Lane]int
}

func (s *service) answer(r Request, at time.Time) Result {
	if s.asked == nil {
		s.asked = map[Lane]int{}
	}
	s.asked[r.Lane]++
	out := Result{Request: r, At: at, Err: s.err}
	if s.err != nil {
		return out
	}
	if r.Lane == Open {
		page := 1
		if r.page.LastID != "" {
			_, _ = fmt.Sscanf(string(r.page.LastID), "p%d", &page)
			page++
		}
		out.Tasks = []model.Task{{ID: model.ID(fmt.Sprintf("t%d", page)), TimeCreated: model.MillisOf(at)}}
		if page < s.pages {
			out.LastID = model.ID(fmt.Sprintf("p%d", page))
		}
	}
	return out
}

// run lets the feed ask for a while, each answer taking no time, and returns what the board would have learned.
func run(f *Feed, s *service, from time.Time, length time.Duration) []board.Change {
	var changes []board.Change
	for at := from; at.Before(from.Add(length)); at = at.Add(time.Second) {
		for {
			requests := f.Next(at)
			if len(requests) == 0 {
				break
			}
			for _, r := range requests {
				changes = append(changes, f.Apply(s.answer(r, at)))
			}
		}
	}
	return changes
}

func TestFirstWalkGoesToTheEndAtOnce(t *testing.T) {
	f, s := newFeed(), &service{pages: 700}
	require.True(t, f.Status().Loading)
	changes := run(f, s, start, time.Second)
	require.False(t, f.Status().Loading)
	require.Equal(t, 700, s.asked[Open])
	swept := slices.ContainsFunc(changes, func(c board.Change) bool {
		return slices.ContainsFunc(c.Sweeps, func(w board.Sweep) bool { return w.List == board.SweepOpenTasks })
	})
	require.True(t, swept, "what is gone is let go of")
}

func TestShortListsAreReadAgainEachTime(t *testing.T) {
	f, s := newFeed(), &service{pages: 4}
	run(f, s, start, time.Minute)
	require.InDelta(t, 4*4, s.asked[Open], 4)
	require.Zero(t, s.asked[Fresh])
}

func TestLongListsStayWithinTheShare(t *testing.T) {
	f, s := newFeed(), &service{pages: 700}
	run(f, s, start, time.Second)
	first := s.asked[Open]
	run(f, s, start.Add(time.Second), 5*time.Minute)
	share := 300 * apiclient.DefaultPerSecond * pacedShare
	require.Less(t, float64(s.asked[Open]-first+s.asked[Details]), share*1.1)
	require.GreaterOrEqual(t, s.asked[Fresh], 15, "new work does not wait for the long walk")
	require.Positive(t, s.asked[Urgent])
}

// Delays of workers are requested once per minute, and more often at first while the service reports none.
func TestDelaysOfAServiceThatHasJustStarted(t *testing.T) {
	f, asked, known := newFeed(), []time.Duration{}, false
	for at := start; at.Before(start.Add(10 * time.Minute)); at = at.Add(time.Second) {
		for _, r := range f.Next(at) {
			out := Result{Request: r, At: at}
			if r.Lane == Workers {
				out.Workers = []model.Worker{{ID: "w"}}
				if slices.Contains(r.workers.Fields, "delayTime") {
					asked = append(asked, at.Sub(start))
					known = at.Sub(start) > 20*time.Second
					if known {
						out.Workers[0].DelayTime = model.Some(model.Seconds(60))
					}
				}
			}
			f.Apply(out)
		}
	}
	require.True(t, known)
	require.Less(t, asked[1], 30*time.Second)
	require.Less(t, asked[2], 45*time.Second)
	require.InDelta(t, 10, len(asked)-3, 2, "%v", asked)
}

// With a long list, visible tasks are requested one by one unless a list has just contained them.
func TestVisibleTasksAreNotAskedForTwice(t *testing.T) {
	f, s := newFeed(), &service{pages: 40}
	run(f, s, start, time.Second)
	f.SetVisible([]model.ID{"t1", "elsewhere"}, nil)
	f.Apply(Result{Request: f.markSent(Request{Lane: Urgent}), At: start, Tasks: []model.Task{{ID: "t1"}}})
	var asked []model.ID
	for at := start.Add(15 * time.Second); len(asked) == 0; at = at.Add(time.Second) {
		for _, r := range f.Next(at) {
			if r.Lane == Details {
				asked = append(asked, r.Target().ID)
			}
			f.Apply(s.answer(r, at))
		}
	}
	require.Equal(t, []model.ID{"elsewhere"}, asked)
}

// Finished tasks are read after the open ones before any task is removed, because a task that was completed in between
// is only in the second list.
func TestSweepWaitsForTheFinished(t *testing.T) {
	f, s := newFeed(), &service{pages: 1}
	changes := run(f, s, start, time.Second)
	var lastFinished, sweep int
	for i, c := range changes {
		for _, w := range c.Sweeps {
			if w.List == board.SweepOpenTasks {
				sweep = i
				require.Greater(t, c.Requested, w.Started)
			}
		}
	}
	for i := range changes {
		if i <= sweep {
			lastFinished = i
		}
	}
	require.Equal(t, sweep, lastFinished)
}

func TestWorkerDelaysAreAskedForOnceAMinute(t *testing.T) {
	f := newFeed()
	with, without := 0, 0
	for at := start; at.Before(start.Add(10 * time.Minute)); at = at.Add(time.Second) {
		for _, r := range f.Next(at) {
			if r.Lane == Workers {
				if slices.Contains(r.workers.Fields, "delayTime") {
					with++
				} else {
					without++
				}
			}
			f.Apply(Result{Request: r, At: at, Workers: []model.Worker{{ID: "w", DelayTime: model.Some(model.Seconds(60))}}})
		}
	}
	require.LessOrEqual(t, with, 11)
	require.Greater(t, without, 2*with)
}

func TestDelaysThatWereNotAskedForStay(t *testing.T) {
	f := newFeed()
	ask := func(at time.Time, w model.Worker) model.Worker {
		for _, r := range f.Next(at) {
			if r.Lane == Workers {
				return f.Apply(Result{Request: r, At: at, Workers: []model.Worker{w}}).Workers[0]
			}
		}
		t.Fatal("workers are not asked for")
		return w
	}
	ask(start, model.Worker{ID: "w", DelayTime: model.Some(model.Seconds(90))})
	got := ask(start.Add(20*time.Second), model.Worker{ID: "w"})
	require.Equal(t, model.Seconds(90), got.DelayTime.Value())
}

func TestOutageBacksOffAndEnds(t *testing.T) {
	f, s := newFeed(), &service{pages: 1}
	run(f, s, start, time.Second)
	s.err, s.asked = apiclient.ErrOffline, nil
	run(f, s, start.Add(20*time.Second), 10*time.Minute)
	total := 0
	for _, n := range s.asked {
		total += n
	}
	require.Less(t, total, 40, "ten minutes without a service are a few tries")
	require.True(t, f.Status().Offline)
	require.False(t, f.Status().NextTry.IsZero())
	s.err = nil
	run(f, s, start.Add(11*time.Minute), 2*time.Minute)
	require.False(t, f.Status().Offline)
}

func TestRateLimitSlowsDownAndRecovers(t *testing.T) {
	f, s := newFeed(), &service{pages: 1}
	run(f, s, start, time.Second)
	s.err = apiclient.ErrRateLimited
	run(f, s, start.Add(time.Second), time.Minute)
	require.Greater(t, f.Status().Slowed, 1.0)
	s.err = nil
	run(f, s, start.Add(2*time.Minute), 10*time.Minute)
	require.InDelta(t, 1, f.Status().Slowed, 0)
}

func TestWatchlistMode(t *testing.T) {
	f, s := newFeed(), &service{err: apiclient.ErrUnsupportedRoute}
	run(f, s, start, time.Second)
	require.True(t, f.Status().Watching)
	s.err, s.asked = nil, nil
	f.Watch("a")
	f.Watch("b")
	f.Watch("a")
	run(f, s, start.Add(time.Minute), time.Minute)
	require.Zero(t, s.asked[Open])
	require.InDelta(t, 8, s.asked[Details], 3, "two tasks, every fifteen seconds")
	f.Refresh(start.Add(2 * time.Minute))
	require.False(t, f.Status().Watching, "asking again by hand looks for the lists once more")
}

func TestSelectedIsAskedForFirst(t *testing.T) {
	f := newFeed()
	f.Select(Target{Kind: Task, ID: "x"}, start)
	requests := f.Next(start)
	at := slices.IndexFunc(requests, func(r Request) bool { return r.Lane == Selected })
	require.LessOrEqual(t, at, 1)
	require.Equal(t, apiclient.PriorityUser, requests[at].Priority)
}

func TestMovedTasks(t *testing.T) {
	state := board.NewBoard(board.DefaultSettings(), model.MillisOf(start))
	before, _ := state.Apply(board.Change{ReceivedAt: model.MillisOf(start), Workers: []model.Worker{
		{ID: "w1", Tasks: []model.ID{"a", "b"}}, {ID: "w2", Tasks: []model.ID{"c"}},
	}})
	after, delta := state.Apply(board.Change{ReceivedAt: model.MillisOf(start), Workers: []model.Worker{
		{ID: "w1", TimeLastModified: 1, ActiveTask: model.Some(model.ID("a")), Tasks: []model.ID{}},
		{ID: "w2", TimeLastModified: 1, Tasks: []model.ID{"c", "b"}},
	}})
	require.ElementsMatch(t, []model.ID{"a", "b", "b"}, MovedTasks(before, after, delta.Workers))
}

// With any answers of the service the feed stays within its limit of requests in flight and does not repeat a failed
// request at once.
func TestFeedKeepsItsPromises(t *testing.T) {
	failures := []error{
		nil, apiclient.ErrOffline, apiclient.ErrRateLimited, apiclient.ErrServer, apiclient.ErrNotFound,
		apiclient.ErrForbidden, apiclient.ErrUnsupportedRoute, errors.New("something else"),
	}
	rapid.Check(t, func(t *rapid.T) {
		f := newFeed()
		var flying []Request
		at := start
		for range rapid.IntRange(1, 120).Draw(t, "steps") {
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0:
				at = at.Add(time.Duration(rapid.IntRange(0, 40).Draw(t, "seconds")) * time.Second)
			case 1:
				f.QueueTasks(model.ID(fmt.Sprint(rapid.IntRange(0, 50).Draw(t, "id"))))
			case 2:
				f.Pause(rapid.Bool().Draw(t, "paused"))
			default:
				if len(flying) > 0 {
					i := rapid.IntRange(0, len(flying)-1).Draw(t, "which")
					f.Apply(Result{Request: flying[i], At: at, Err: rapid.SampledFrom(failures).Draw(t, "err")})
					flying = slices.Delete(flying, i, i+1)
				}
			}
			rounds := 0
			for {
				requests := f.Next(at)
				if len(requests) == 0 {
					break
				}
				flying = append(flying, requests...)
				rounds++
				require.Less(t, rounds, maxInFlight+1)
			}
			require.LessOrEqual(t, len(flying), maxInFlight)
			require.Equal(t, len(flying), f.Status().InFlight)
		}
	})
}
