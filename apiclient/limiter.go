package apiclient

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// Priority is the urgency of a request.
type Priority uint8

// The priorities, most urgent first. PriorityUser is the default.
const (
	// PriorityUser is for requests that the user waits for.
	PriorityUser Priority = iota
	// PriorityVisible is for data on the screen.
	PriorityVisible
	// PriorityBackground is for data that is not visible yet.
	PriorityBackground

	priorities = 3
)

type priorityKey struct{}

// WithPriority sets the priority of the requests made with a context.
func WithPriority(ctx context.Context, p Priority) context.Context {
	return context.WithValue(ctx, priorityKey{}, min(p, PriorityBackground))
}

func priorityOf(ctx context.Context) Priority {
	p, _ := ctx.Value(priorityKey{}).(Priority)
	return p
}

// DefaultPerSecond is the request limit of an organization until a response contains it.
const DefaultPerSecond = 20

// LimiterOptions configure a request budget.
type LimiterOptions struct {
	// PerSecond is the limit of the organization until a response contains it; 0 means [DefaultPerSecond].
	PerSecond int
	// Share is the part of the limit to use; the rest is for other programs of the organization. 0 means all.
	Share float64
	// MaxInFlight is how many requests may run at once; 0 means 32. A quarter is reserved for PriorityUser, so that the
	// user can still act when the service hangs.
	MaxInFlight int
}

const (
	// burstDivisor sets how much of a second's requests may be sent at once: one part in four.
	burstDivisor = 4
	// maxPassedOver is how often more urgent requests may overtake a priority before it has a turn.
	maxPassedOver = 8
	// minPace is the lowest pace; recovery is how much of the full pace returns per second after a reduction.
	minPace  = 0.1
	recovery = 0.1
	// minCutInterval keeps one shortage that many responses report from reducing the pace many times.
	minCutInterval = 250 * time.Millisecond
	// window is the rolling time span that the limit applies to.
	window = time.Second
)

// Limiter is the request budget of an organization. All its clients in this process share it. It allows at most the
// limit in any second, in small bursts, slows down when other programs use up the limit, and serves urgent requests
// first without starving the others.
type Limiter struct {
	mu          sync.Mutex
	limit       float64
	share       float64
	maxInFlight int

	pace      float64 // part of the full rate in use, slowest…1
	lastCut   time.Time
	tokens    float64
	counted   time.Time   // when tokens and pace were last updated
	recent    []time.Time // grants within the window, oldest first
	paused    time.Time   // no request is sent before this
	remaining int         // remaining requests in the last response; -1 if unknown
	refused   int
	inFlight  int
	queues    [priorities][]*waiter
	passed    [priorities]int
	timer     *time.Timer
}

type waiter struct {
	ready   chan struct{}
	granted bool
}

// NewLimiter returns a request budget.
func NewLimiter(o LimiterOptions) *Limiter {
	share := o.Share
	if share <= 0 || share > 1 {
		share = 1
	}
	l := &Limiter{
		limit:       float64(cmp.Or(o.PerSecond, DefaultPerSecond)),
		share:       share,
		maxInFlight: cmp.Or(o.MaxInFlight, 32),
		pace:        1,
		remaining:   -1,
		counted:     time.Now(),
	}
	l.tokens = l.burst()
	return l
}

// Wait blocks until a request may be sent. Call release when the request has ended.
func (l *Limiter) Wait(ctx context.Context, p Priority) (release func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w := &waiter{ready: make(chan struct{})}
	l.mu.Lock()
	p = min(p, PriorityBackground)
	l.queues[p] = append(l.queues[p], w)
	l.grantReady()
	l.mu.Unlock()
	select {
	case <-w.ready:
		return sync.OnceFunc(l.release), nil
	case <-ctx.Done():
		l.withdraw(w, p)
		return nil, ctx.Err()
	}
}

func (l *Limiter) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inFlight--
	l.grantReady()
}

// withdraw removes a cancelled waiter from its queue, or returns its grant if it was granted at the same moment.
func (l *Limiter) withdraw(w *waiter, p Priority) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !w.granted {
		l.queues[p] = slices.DeleteFunc(l.queues[p], func(other *waiter) bool { return other == w })
	} else {
		l.inFlight--
		l.tokens = min(l.burst(), l.tokens+1)
	}
	l.grantReady()
}

// Observe records the limit and the remaining requests of a response; negative values are unknown.
func (l *Limiter) Observe(limit, remaining int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	l.refill(now)
	const mostPlausible = 10_000
	if limit > 0 && limit <= mostPlausible {
		l.limit = float64(limit)
	}
	if remaining >= 0 {
		l.remaining = remaining
		if float64(remaining) <= l.lowRemaining() {
			l.reducePace(now, 0.75)
		}
	}
	l.grantReady()
}

// lowRemaining is the number of remaining requests at which to slow down.
func (l *Limiter) lowRemaining() float64 { return max(1, l.limit/10) }

func (l *Limiter) reducePace(now time.Time, factor float64) {
	if now.Sub(l.lastCut) < minCutInterval {
		return
	}
	l.lastCut = now
	l.pace = max(minPace, l.pace*factor)
}

// RecordRefusal records that the service refused a request because of its rate. It stops all requests for a while,
// because the service may ban organizations that continue.
func (l *Limiter) RecordRefusal(wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	l.refill(now)
	l.refused++
	l.reducePace(now, 0.5)
	l.tokens = min(l.tokens, 1)
	if until := now.Add(wait); until.After(l.paused) {
		l.paused = until
	}
	l.grantReady()
}

// LimiterSnapshot is the state of a request budget.
type LimiterSnapshot struct {
	// Limit is the requests per second of the organization; Remaining is what the last response said is left, -1 if
	// unknown.
	Limit, Remaining int
	// Rate is how many requests per second this process may send now.
	Rate float64
	// InFlight is how many requests are running, Waiting how many of each priority wait.
	InFlight int
	Waiting  [priorities]int
	// PausedUntil is when the pause after a refusal ends; zero without a pause.
	PausedUntil time.Time
	// Refused is how often the service refused a request because of its rate.
	Refused int
}

// Snapshot returns the state of the budget.
func (l *Limiter) Snapshot() LimiterSnapshot {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	l.refill(now)
	s := LimiterSnapshot{
		Limit: int(l.limit), Remaining: l.remaining, Rate: l.rate(), InFlight: l.inFlight, Refused: l.refused,
	}
	for p, queue := range l.queues {
		s.Waiting[p] = len(queue)
	}
	if l.paused.After(now) {
		s.PausedUntil = l.paused
	}
	return s
}

// allowance returns how many requests per second this process may send at full pace.
func (l *Limiter) allowance() float64 { return max(1, l.limit*l.share) }

func (l *Limiter) rate() float64 { return max(minPace, l.allowance()*l.pace) }

func (l *Limiter) burst() float64 { return max(1, l.allowance()*l.pace/burstDivisor) }

// refill updates tokens, pace and the window to now.
func (l *Limiter) refill(now time.Time) {
	elapsed := now.Sub(l.counted).Seconds()
	l.counted = now
	l.tokens = min(l.burst(), l.tokens+elapsed*l.rate())
	l.pace = min(1, l.pace+elapsed*recovery)
	old := 0
	for old < len(l.recent) && now.Sub(l.recent[old]) >= window {
		old++
	}
	l.recent = slices.Delete(l.recent, 0, old)
}

// grantReady grants all requests that may be sent now and starts the timer for the next one.
func (l *Limiter) grantReady() {
	now := time.Now()
	l.refill(now)
	for {
		p, ok := l.nextPriority()
		if !ok {
			if l.timer != nil {
				l.timer.Stop()
			}
			return
		}
		if wait := l.waitTime(now); wait > 0 {
			l.startTimer(wait)
			return
		}
		l.grant(p, now)
	}
}

// nextPriority returns the priority to serve: the most urgent one with a waiter, unless a lower one was passed over too often.
func (l *Limiter) nextPriority() (Priority, bool) {
	chosen, found := PriorityUser, false
	for p := range Priority(priorities) {
		if len(l.queues[p]) == 0 || l.inFlight >= l.maxInFlightFor(p) {
			continue
		}
		if l.passed[p] >= maxPassedOver {
			return p, true
		}
		if !found {
			chosen, found = p, true
		}
	}
	return chosen, found
}

func (l *Limiter) maxInFlightFor(p Priority) int {
	if p == PriorityUser {
		return l.maxInFlight
	}
	return max(1, l.maxInFlight-l.maxInFlight/4)
}

// waitTime returns how long the next grant must wait for the pause, the tokens and the window.
func (l *Limiter) waitTime(now time.Time) time.Duration {
	wait := l.paused.Sub(now)
	if l.tokens < 1 {
		missing := (1 - l.tokens) / l.rate()
		wait = max(wait, time.Duration(missing*float64(time.Second))+time.Nanosecond)
	}
	if excess := len(l.recent) - int(l.allowance()); excess >= 0 {
		full := l.recent[excess].Add(window).Sub(now)
		wait = max(wait, full)
		// Tokens collected while the window is full would be sent as one burst and fill it again, so only one
		// token is left when the window opens.
		l.tokens = min(l.tokens, 1-full.Seconds()*l.rate())
	}
	return wait
}

func (l *Limiter) grant(p Priority, now time.Time) {
	w := l.queues[p][0]
	l.queues[p] = slices.Delete(l.queues[p], 0, 1)
	l.passed[p] = 0
	for lesser := p + 1; lesser < priorities; lesser++ {
		if len(l.queues[lesser]) > 0 {
			l.passed[lesser]++
		}
	}
	l.tokens--
	l.recent = append(l.recent, now)
	l.inFlight++
	w.granted = true
	close(w.ready)
}

func (l *Limiter) startTimer(wait time.Duration) {
	if l.timer == nil {
		l.timer = time.AfterFunc(wait, l.onTimer)
	} else {
		l.timer.Reset(wait)
	}
}

func (l *Limiter) onTimer() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.grantReady()
}
