package apiclient_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/apiclient"
)

// grants starts waiters one after the other and records who was served when. Requests end at once.
type grants struct {
	mu    sync.Mutex
	order []apiclient.Priority
	times []time.Duration
	start time.Time
	wg    sync.WaitGroup
}

func (g *grants) ask(ctx context.Context, l *apiclient.Limiter, p apiclient.Priority, n int) {
	for range n {
		g.wg.Go(func() {
			release, err := l.Wait(ctx, p)
			if err != nil {
				return
			}
			g.mu.Lock()
			g.order = append(g.order, p)
			g.times = append(g.times, time.Since(g.start))
			g.mu.Unlock()
			release()
		})
		synctest.Wait()
	}
}

// most is the largest number of grants in any second.
func most(times []time.Duration) int {
	worst := 0
	for i, from := range times {
		n := 0
		for _, at := range times[i:] {
			if at < from+time.Second {
				n++
			}
		}
		worst = max(worst, n)
	}
	return worst
}

func TestLimiterKeepsTheLimit(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		options      apiclient.LimiterOptions
		most, tenSec int
	}{
		"default":    {apiclient.LimiterOptions{}, 20, 200},
		"four fifth": {apiclient.LimiterOptions{Share: 0.8}, 16, 160},
		"slow":       {apiclient.LimiterOptions{PerSecond: 1}, 1, 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				limiter := apiclient.NewLimiter(test.options)
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second-time.Nanosecond)
				defer cancel()
				g := grants{start: time.Now()}
				g.ask(ctx, limiter, apiclient.PriorityUser, 400)
				g.wg.Wait()
				require.Equal(t, test.most, most(g.times), "in any second")
				require.InDelta(t, test.tenSec, len(g.times), float64(test.most)*0.3, "in ten seconds")
			})
		})
	}
}

func TestLimiterServesUrgentRequestsFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := apiclient.NewLimiter(apiclient.LimiterOptions{PerSecond: 1})
		g := grants{start: time.Now()}
		g.ask(t.Context(), limiter, apiclient.PriorityUser, 1) // takes the only token
		g.ask(t.Context(), limiter, apiclient.PriorityBackground, 2)
		g.ask(t.Context(), limiter, apiclient.PriorityVisible, 2)
		g.ask(t.Context(), limiter, apiclient.PriorityUser, 2)
		require.Equal(t, [3]int{2, 2, 2}, limiter.Snapshot().Waiting)
		g.wg.Wait()
		const u, v, b = apiclient.PriorityUser, apiclient.PriorityVisible, apiclient.PriorityBackground
		require.Equal(t, []apiclient.Priority{u, u, u, v, v, b, b}, g.order)
	})
}

func TestLimiterStarvesNoOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := apiclient.NewLimiter(apiclient.LimiterOptions{})
		g := grants{start: time.Now()}
		g.ask(t.Context(), limiter, apiclient.PriorityUser, 20)
		g.ask(t.Context(), limiter, apiclient.PriorityBackground, 5)
		g.ask(t.Context(), limiter, apiclient.PriorityVisible, 5)
		g.ask(t.Context(), limiter, apiclient.PriorityUser, 200)
		g.wg.Wait()
		since := map[apiclient.Priority]int{}
		left := map[apiclient.Priority]int{apiclient.PriorityVisible: 5, apiclient.PriorityBackground: 5}
		for _, p := range g.order[5:] { // behind the first burst
			for class, n := range left {
				since[class]++
				if class == p {
					since[class] = 0
					left[class]--
				}
				if n > 0 {
					require.LessOrEqual(t, since[class], 10, "class %d waits too long", class)
				}
			}
		}
		require.Equal(t, map[apiclient.Priority]int{apiclient.PriorityVisible: 0, apiclient.PriorityBackground: 0}, left)
	})
}

func TestLimiterLearnsTheLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := apiclient.NewLimiter(apiclient.LimiterOptions{Share: 0.5})
		require.Equal(t, -1, limiter.Snapshot().Remaining)
		limiter.Observe(40, 39)
		s := limiter.Snapshot()
		require.Equal(t, 40, s.Limit)
		require.Equal(t, 39, s.Remaining)
		require.InDelta(t, 20, s.Rate, 0.01)
		limiter.Observe(-1, -1)
		limiter.Observe(0, -1)
		limiter.Observe(1_000_000_000, -1)
		require.Equal(t, 40, limiter.Snapshot().Limit, "an answer without the headers, or with nonsense, changes nothing")
	})
}

func TestLimiterSlowsDownWhenOthersUseTheLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := apiclient.NewLimiter(apiclient.LimiterOptions{})
		limiter.Observe(20, 10)
		require.InDelta(t, 20, limiter.Snapshot().Rate, 0.01)
		limiter.Observe(20, 2)
		require.InDelta(t, 15, limiter.Snapshot().Rate, 0.01)
		limiter.Observe(20, 1)
		require.InDelta(t, 15, limiter.Snapshot().Rate, 0.01, "many answers of one moment count once")
		for range 20 {
			time.Sleep(300 * time.Millisecond)
			limiter.Observe(20, 0)
		}
		slow := limiter.Snapshot().Rate
		require.Less(t, slow, 5.0)
		require.GreaterOrEqual(t, slow, 2.0, "it never stands still")

		g := grants{start: time.Now()}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		g.ask(ctx, limiter, apiclient.PriorityUser, 20)
		g.wg.Wait()
		require.Less(t, len(g.times), 7)

		time.Sleep(10 * time.Second)
		require.InDelta(t, 20, limiter.Snapshot().Rate, 0.01, "it recovers when the shortage is over")
	})
}

func TestLimiterPausesEveryoneAfterARefusal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := apiclient.NewLimiter(apiclient.LimiterOptions{})
		limiter.RecordRefusal(5 * time.Second)
		limiter.RecordRefusal(2 * time.Second) // a shorter one does not shorten the pause
		require.Equal(t, 2, limiter.Snapshot().Refused)
		g := grants{start: time.Now()}
		g.ask(t.Context(), limiter, apiclient.PriorityUser, 3)
		g.wg.Wait()
		require.Equal(t, 5*time.Second, g.times[0])
		require.Zero(t, limiter.Snapshot().PausedUntil)
	})
}

func TestLimiterKeepsRoomForTheUser(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := apiclient.NewLimiter(apiclient.LimiterOptions{MaxInFlight: 4})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var releases []func()
		for range 3 {
			release, err := limiter.Wait(ctx, apiclient.PriorityBackground)
			require.NoError(t, err)
			releases = append(releases, release)
		}
		var wg sync.WaitGroup
		wg.Go(func() {
			release, err := limiter.Wait(ctx, apiclient.PriorityBackground)
			if err == nil {
				release()
			}
		})
		synctest.Wait()
		release, err := limiter.Wait(ctx, apiclient.PriorityUser)
		require.NoError(t, err)
		s := limiter.Snapshot()
		require.Equal(t, 4, s.InFlight)
		require.Equal(t, [3]int{0, 0, 1}, s.Waiting)
		release()
		release() // twice is once
		require.Equal(t, 3, limiter.Snapshot().InFlight)
		releases[0]()
		wg.Wait()
		require.Equal(t, 2, limiter.Snapshot().InFlight)
	})
}

func TestLimiterForgetsCancelledRequests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := apiclient.NewLimiter(apiclient.LimiterOptions{PerSecond: 1})
		g := grants{start: time.Now()}
		g.ask(t.Context(), limiter, apiclient.PriorityUser, 1)
		ctx, cancel := context.WithCancel(t.Context())
		g.ask(ctx, limiter, apiclient.PriorityUser, 50)
		g.ask(t.Context(), limiter, apiclient.PriorityBackground, 1)
		cancel()
		g.wg.Wait()
		require.Equal(t, []time.Duration{0, time.Second}, []time.Duration{g.times[0], g.times[1].Truncate(time.Millisecond)})
		require.Len(t, g.times, 2)
		_, err := limiter.Wait(ctx, apiclient.PriorityUser)
		require.ErrorIs(t, err, context.Canceled)
		s := limiter.Snapshot()
		require.Zero(t, s.InFlight)
		require.Equal(t, [3]int{}, s.Waiting)
	})
}

// TestLimiterProperties has random callers: the limit always holds, and no state is left after they end.
func TestLimiterProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		limit := rapid.IntRange(1, 30).Draw(rt, "limit")
		callers := rapid.SliceOfN(rapid.IntRange(0, 5999), 1, 60).Draw(rt, "callers")
		synctest.Test(t, func(t *testing.T) {
			limiter := apiclient.NewLimiter(apiclient.LimiterOptions{PerSecond: limit, MaxInFlight: 6})
			g := grants{start: time.Now()}
			for i, caller := range callers {
				g.wg.Go(func() {
					time.Sleep(time.Duration(caller) * time.Millisecond)
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(caller%7+1)*500*time.Millisecond)
					defer cancel()
					release, err := limiter.Wait(ctx, apiclient.Priority(caller%4))
					if err != nil {
						return
					}
					g.mu.Lock()
					g.times = append(g.times, time.Since(g.start))
					g.mu.Unlock()
					time.Sleep(time.Duration(i%5) * 100 * time.Millisecond)
					limiter.Observe(limit, caller%(limit+1))
					release()
				})
			}
			g.wg.Wait()
			if worst := most(g.times); worst > limit {
				rt.Fatalf("%d requests in one second, the limit is %d", worst, limit)
			}
			s := limiter.Snapshot()
			if s.InFlight != 0 || s.Waiting != [3]int{} {
				rt.Fatalf("left behind: %+v", s)
			}
		})
	})
}
