package apiclient

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// Priority says how urgent a request is.
type Priority uint8

// Priorities, the most urgent first. A context without one is a user's action.
const (
	// PriorityUser is something that a person waits for.
	PriorityUser Priority = iota
	// PriorityVisible is what keeps the screen up to date.
	PriorityVisible
	// PriorityBackground is everything that no one looks at yet.
	PriorityBackground

	priorities = 3
)

type priorityKey struct{}

// WithPriority marks the requests made with a context.
func WithPriority(ctx context.Context, p Priority) context.Context {
	return context.WithValue(ctx, priorityKey{}, min(p, PriorityBackground))
}

func priorityOf(ctx context.Context) Priority {
	p, _ := ctx.Value(priorityKey{}).(Priority)
	return p
}

// DefaultPerSecond is the request limit of an organization until the service names one.
const DefaultPerSecond = 20

// LimiterOptions set a request budget.
type LimiterOptions struct {
	// PerSecond is the organization's limit until the service names one; 0 means [DefaultPerSecond].
	PerSecond int
	// Share is the part of the limit to use, the rest being left to the organization's other programs; 0 means all.
	Share float64
	// MaxInFlight is how many requests may be under way at once; 0 means 32. A quarter is kept for user actions, so
	// that a service that hangs does not lock the person out.
	MaxInFlight int
}

const (
	// burstDivisor of a second's allowance may go out at once.
	burstDivisor = 4
	// maxPassedOver is how often a class may see a more urgent one served before it has a turn itself.
	maxPassedOver = 8
	// minPace and recovery bound the pace: it is cut when the service says that little is left, and comes back
	// at this part of the full pace a second.
	minPace  = 0.1
	recovery = 0.1
	// minCutInterval keeps one shortage, seen in many answers at once, from being counted many times.
	minCutInterval = 250 * time.Millisecond
	// window is the rolling time that the limit counts over.
	window = time.Second
)

// Limiter is the request budget of an organization. All clients of the organization in this process share it. It
// gives out at most the limit in any second, in small bursts, slows down when other programs use the limit up, and
// serves urgent requests first without ever forgetting the others.
type Limiter struct {
	mu          sync.Mutex
	limit       float64
	share       float64
	maxInFlight int

	pace       float64 // part of the full rate in use, slowest…1
	lastCut    time.Time
	tokens     float64
	counted    time.Time   // when tokens and pace were last brought up to date
	recent     []time.Time // grants within the window, oldest first
	paused     time.Time   // nothing goes out before this
	remaining  int         // what the service last said is left; -1 before it has
	refused  int
	inFlight   int
	queues     [priorities][]*waiter
	passed     [priorities]int
	timer      *time.Timer
	timerArmed bool
}

type waiter struct {
	ready   chan struct{}
	granted bool
}

// NewLimiter makes a request budget.
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

// Wait blocks until a request may go out, and returns what to call when it has ended.
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

// withdraw takes a waiter that gave up out of its queue, or gives back what it was granted in that very moment.
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

// Observe takes what an answer says about the limit; negative values mean that it does not.
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

// lowRemaining is how little is left when it is time to slow down.
func (l *Limiter) lowRemaining() float64 { return max(1, l.limit/10) }

func (l *Limiter) reducePace(now time.Time, factor float64) {
	if now.Sub(l.lastCut) < minCutInterval {
		return
	}
	l.lastCut = now
	l.pace = max(minPace, l.pace*factor)
}

// RecordRefusal says that the service refused a request for its rate: no request goes out for a while, because going on
// can get the organization banned.
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

// LimiterSnapshot is the state of a request budget at one moment.
type LimiterSnapshot struct {
	// Limit is what the organization may send in a second, Remaining what the service last said is left; -1 before
	// it has said so.
	Limit, Remaining int
	// Rate is how many a second this process sends at most at the moment.
	Rate float64
	// InFlight is how many are under way, Waiting how many of each priority are not yet.
	InFlight int
	Waiting  [priorities]int
	// PausedUntil is when requests go out again after a refusal; zero when they do now.
	PausedUntil time.Time
	// Refused is how often the service refused a request for its rate.
	Refused int
}

// Snapshot tells the state of the budget.
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

// allowance is how many requests a second may hold.
func (l *Limiter) allowance() float64 { return max(1, l.limit*l.share) }

func (l *Limiter) rate() float64 { return max(minPace, l.allowance()*l.pace) }

func (l *Limiter) burst() float64 { return max(1, l.allowance()*l.pace/burstDivisor) }

// refill brings tokens, pace and the window up to now.
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

// grantReady grants what can be granted now and arms the timer for what cannot.
func (l *Limiter) grantReady() {
	now := time.Now()
	l.refill(now)
	for {
		p, ok := l.nextPriority()
		if !ok {
			l.stopTimer()
			return
		}
		if wait := l.waitTime(now); wait > 0 {
			l.startTimer(wait)
			return
		}
		l.grant(p, now)
	}
}

// nextPriority is the class to serve: the most urgent one that waits, unless a lesser one was passed over too often.
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

// waitTime is how long the next grant has to wait for the pause, the bucket and the window.
func (l *Limiter) waitTime(now time.Time) time.Duration {
	wait := l.paused.Sub(now)
	if l.tokens < 1 {
		missing := (1 - l.tokens) / l.rate()
		wait = max(wait, time.Duration(missing*float64(time.Second))+time.Nanosecond)
	}
	if excess := len(l.recent) - int(l.allowance()); excess >= 0 {
		full := l.recent[excess].Add(window).Sub(now)
		wait = max(wait, full)
		// What the bucket gathers behind a full window would only go out as the next burst, and stall again: it
		// shall hold one token when the window opens.
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
	l.timerArmed = true
}

func (l *Limiter) stopTimer() {
	if l.timerArmed {
		l.timer.Stop()
		l.timerArmed = false
	}
}

func (l *Limiter) onTimer() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.timerArmed = false
	l.grantReady()
}
