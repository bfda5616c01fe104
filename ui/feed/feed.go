// Package feed decides which refresh comes next.
//
// It refreshes what is on the screen first, stays within a share of the request budget, and backs off while the service
// is away. It sends nothing and never waits: [Feed.Next] returns the requests to send now, [Fetch] sends one, and
// [Feed.Apply] turns its result into a change of the board. The time is always a parameter.
package feed

import (
	"math/rand/v2"
	"slices"
	"time"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
)

// Intervals are the refresh intervals of the panes; zero is never.
type Intervals [board.PaneCount]time.Duration

// Options are what a feed depends on.
type Options struct {
	Intervals Intervals
	AtRisk    time.Duration // tasks due within this time are refreshed first
	Shift     time.Time     // when the shift began; older completed tasks are not read
	Rate      int           // requests per second the service allows; zero for the default
	Unpaced   bool          // read everything at once, without pacing
	Seed      uint64        // of the jitter, for tests
	Stamp     func() board.Stamp
}

const (
	maxTaskAge     = 365 * 24 * time.Hour // the age of the oldest open tasks that are read
	clockSkew      = 2 * time.Minute      // clocks differ, so lists are read from a little earlier
	slowInterval   = 5 * time.Minute      // for teams, hubs and the account
	delayRefresh   = time.Minute          // the service computes delays no more often
	readTimeout    = 20 * time.Second
	maxInFlight    = 6
	smallWalk      = 16 // pages; a list up to this length is read completely every time
	pacedShare     = 0.25
	maxBurst       = 16
	maxQueue       = 512
	urgentPages    = 40
	userTimeout    = 15 * time.Second
	defaultPerSec  = apiclient.DefaultPerSecond
	eagerPages     = 8 // pages of the first walk with the priority of the screen
	detailInterval = 15 * time.Second
)

// Feed schedules the refreshes of one account. It is used by one goroutine.
type Feed struct {
	options Options
	random  *rand.Rand
	lanes   [laneCount]lane
	walks   [laneCount]walk
	now     time.Time

	tokens   float64 // of the share for background requests
	tokensAt time.Time

	firstWalkDone  bool         // all open tasks have been read once
	pages          int          // of the last complete walk
	newest         model.Millis // creation time of the newest task
	finished       model.Millis // completion time up to which finished tasks are known
	sweep          *board.Sweep // a walk that waits for the finished tasks
	delaysAt       time.Time
	began          time.Time
	delays         map[model.ID]model.Opt[model.Seconds]
	selected       Target
	visible        []model.ID
	recentlyListed map[model.ID]struct{} // tasks read by lists since the visible tasks were last refreshed

	visibleOrders []model.ShortID
	ordersAt      time.Time // when the visible orders were last refreshed
	visibleAt     time.Time // when the visible tasks were
	ordersKnown   bool      // every order of the tasks has been read once

	tasks   queue[model.ID]
	orders  queue[model.ShortID]
	watched []model.ID

	paused       bool
	refreshOnce  bool // refresh once although paused
	withoutLists bool // the service has no task lists
	outage       outage
	slowdown     float64 // factor of all intervals; 1 is normal
	slowedAt     time.Time
	inFlight     int // requests under way
}

// lane is the state of one kind of read.
type lane struct {
	every    time.Duration
	due      time.Time
	off      error // why it is disabled; nil if it is not
	inFlight int
	fetched  time.Time
	asked    time.Time
	failures int
	err      error
}

// outage is the current outage of the service; zero if there is none.
type outage struct {
	since, next time.Time
	failures    int
	err         error
}

// New returns a feed that has sent nothing yet.
func New(o Options, now time.Time) *Feed {
	f := &Feed{
		options: o, now: now, began: now, tokensAt: now, slowdown: 1,
		random: rand.New(rand.NewPCG(o.Seed, 1)), //nolint:gosec // jitter keeps no secret
		delays: map[model.ID]model.Opt[model.Seconds]{}, recentlyListed: map[model.ID]struct{}{},
		tasks: queue[model.ID]{limit: maxQueue},
	}
	for l := range f.lanes {
		f.lanes[l].due = now
	}
	for _, l := range []Lane{Account, Teams, Hubs} {
		f.lanes[l].every = slowInterval
	}
	f.lanes[Selected].every = detailInterval
	f.lanes[Details].every = time.Second
	f.SetIntervals(o.Intervals)
	f.finished = model.MillisOf(o.Shift)
	f.tokens = maxBurst
	return f
}

// SetIntervals changes the refresh intervals.
func (f *Feed) SetIntervals(i Intervals) {
	f.options.Intervals = i
	for l, every := range map[Lane]time.Duration{
		Workers: i[board.PaneWorkers], Urgent: i[board.PaneDelays], Open: i[board.PaneTasks], Fresh: i[board.PaneTasks],
		Finished: i[board.PaneTasks], Orders: i[board.PaneOrders],
	} {
		before := f.lanes[l].every
		f.lanes[l].every = every
		if before != 0 && every != 0 && !f.lanes[l].asked.IsZero() {
			f.lanes[l].due = f.lanes[l].asked.Add(f.addJitter(every))
		}
	}
}

// Intervals returns the current intervals.
func (f *Feed) Intervals() Intervals { return f.options.Intervals }

// Pause pauses or resumes refreshing.
func (f *Feed) Pause(paused bool) { f.paused, f.refreshOnce = paused, false }

// Refresh makes everything due now, and retries a service that was away or had no lists. While paused it refreshes once.
func (f *Feed) Refresh(now time.Time) {
	for l := range f.lanes {
		f.lanes[l].due = now
		f.lanes[l].failures = 0
		f.lanes[l].off = nil
	}
	f.withoutLists = false
	f.delaysAt = time.Time{}
	f.outage.next = now
	f.refreshOnce = f.paused
}

// Select sets the object of the detail, which is refreshed at once; the zero Target is none.
func (f *Feed) Select(t Target, now time.Time) {
	if t == f.selected {
		return
	}
	f.selected = t
	f.lanes[Selected].due = now
	f.lanes[Selected].failures = 0
	f.lanes[Selected].err = nil
}

// RefreshSelected refreshes the object of the detail.
func (f *Feed) RefreshSelected(now time.Time) { f.lanes[Selected].due = now }

// SetVisible sets the tasks and orders on the screen.
func (f *Feed) SetVisible(tasks []model.ID, orders []model.ShortID) {
	f.visible, f.visibleOrders = tasks, orders
}

// QueueTasks refreshes single tasks soon. If there are so many that reading the list is cheaper, that is done instead.
func (f *Feed) QueueTasks(ids ...model.ID) {
	for _, id := range ids {
		if !f.tasks.add(id) {
			f.lanes[Open].due = f.now
			return
		}
	}
}

// QueueOrders refreshes single orders soon.
func (f *Feed) QueueOrders(ids ...model.ShortID) {
	for _, id := range ids {
		f.orders.add(id)
	}
}

// Watch adds a task that is refreshed by its id where the service has no task lists.
func (f *Feed) Watch(id model.ID) {
	if slices.Contains(f.watched, id) {
		return
	}
	f.watched = append(f.watched, id)
	f.QueueTasks(id)
}

// Watched returns the watched tasks.
func (f *Feed) Watched() []model.ID { return f.watched }

// Next returns the requests to send now, the most important first. Each counts as in flight until its result is given to
// [Feed.Apply].
func (f *Feed) Next(now time.Time) []Request {
	f.now = now
	f.refill()
	if !f.outage.since.IsZero() {
		return f.probe()
	}
	var out []Request
	for l := range laneCount {
		for f.inFlight < maxInFlight {
			r, ok := f.nextInLane(l)
			if !ok {
				break
			}
			out = append(out, f.markSent(r))
		}
	}
	if len(out) == 0 && f.inFlight == 0 {
		f.refreshOnce = false
	}
	return out
}

// probe returns one small request when it is time to check whether the service is back.
func (f *Feed) probe() []Request {
	if f.isPaused() || f.inFlight > 0 || f.now.Before(f.outage.next) {
		return nil
	}
	return []Request{f.markSent(Request{Lane: Account, Priority: apiclient.PriorityVisible, Timeout: readTimeout})}
}

func (f *Feed) markSent(r Request) Request {
	if f.options.Stamp != nil {
		r.Asked = f.options.Stamp()
	}
	f.inFlight++
	f.lanes[r.Lane].inFlight++
	f.lanes[r.Lane].asked = f.now
	return r
}

func (f *Feed) refill() {
	rate := float64(f.options.Rate)
	if rate <= 0 {
		rate = defaultPerSec
	}
	f.tokens = min(maxBurst, f.tokens+f.now.Sub(f.tokensAt).Seconds()*rate*pacedShare/f.slowdown)
	f.tokensAt = f.now
	if f.slowdown > 1 && f.now.Sub(f.slowedAt) > time.Minute {
		f.slowdown, f.slowedAt = max(1, f.slowdown/2), f.now
	}
}

// Prices of requests in tokens of the background share. A page of a long list mostly brings known tasks, so it costs more
// than a single task on the screen.
const (
	singlePrice = 1
	pagePrice   = 3
)

// spendTokens spends tokens of the background share, if there are enough.
func (f *Feed) spendTokens(price float64) bool {
	if f.options.Unpaced {
		return true
	}
	if f.tokens < price {
		return false
	}
	f.tokens -= price
	return true
}

// isPaused reports that nothing is refreshed.
func (f *Feed) isPaused() bool { return f.paused && !f.refreshOnce }

func (f *Feed) isDue(l Lane) bool {
	ln := &f.lanes[l]
	return ln.off == nil && ln.every > 0 && !f.isPaused() && ln.inFlight == 0 && !f.now.Before(ln.due)
}

func (f *Feed) nextInLane(l Lane) (Request, bool) {
	r := Request{Lane: l, Priority: apiclient.PriorityVisible, Timeout: readTimeout}
	switch l {
	case Selected:
		r.target, r.Priority, r.Timeout = f.selected, apiclient.PriorityUser, userTimeout
		return r, f.selected.Kind != NoObject && f.isDue(l)
	case Workers:
		return f.nextWorkers(r)
	case Urgent, Open, Fresh, Finished:
		return f.nextPage(r)
	case Details:
		return f.nextTask(r)
	case Orders:
		return f.nextOrder(r)
	case Teams, Hubs:
		r.Priority = apiclient.PriorityBackground
	default:
	}
	return r, f.isDue(l)
}

// workerFields are the fields of a worker that the board uses, without the delay.
func workerFields() []string {
	return []string{
		"id", "timeLastModified", "organization", "name", "displayName", "phone", "activeTask", "tasks", "onDuty",
		"timeLastSeen", "capacity", "userData", "teams", "location", "vehicle", "accountStatus",
	}
}

// nextWorkers reads all workers. Their delays are computed once per minute and read no more often.
func (f *Feed) nextWorkers(r Request) (Request, bool) {
	if !f.isDue(Workers) {
		return r, false
	}
	r.workers.Fields = workerFields()
	if f.now.Sub(f.delaysAt) >= delayRefresh {
		r.workers.Fields = append(r.workers.Fields, "delayTime")
		f.delaysAt = f.now
	}
	return r, true
}

func (f *Feed) nextTask(r Request) (Request, bool) {
	if f.isPaused() || f.lanes[Details].inFlight >= maxInFlight/2 || f.now.Before(f.lanes[Details].due) {
		return r, false
	}
	r.target.Kind = Task
	if f.tasks.len() == 0 {
		f.queueVisible()
	}
	if f.tasks.len() == 0 || !f.spendTokens(singlePrice) {
		return r, false
	}
	r.target.ID = f.tasks.removeFirst()
	return r, true
}

// queueVisible refreshes the tasks on the screen one by one where the list is too long to be read every time, or missing.
func (f *Feed) queueVisible() {
	every := f.options.Intervals[board.PaneTasks]
	if every == 0 || f.now.Sub(f.visibleAt) < every {
		return
	}
	f.visibleAt = f.now
	switch {
	case f.withoutLists:
		for _, id := range f.watched {
			f.tasks.add(id)
		}
	case f.HasLongList():
		for _, id := range f.visible {
			if _, already := f.recentlyListed[id]; !already {
				f.tasks.add(id)
			}
		}
	}
	clear(f.recentlyListed)
}

func (f *Feed) nextOrder(r Request) (Request, bool) {
	ln := &f.lanes[Orders]
	if ln.every > 0 && f.now.Sub(f.ordersAt) >= ln.every {
		f.ordersAt = f.now
		f.QueueOrders(f.visibleOrders...)
	}
	if f.firstWalkDone && f.orders.len() == 0 && ln.inFlight == 0 {
		f.ordersKnown = true
	}
	if f.isPaused() || ln.off != nil || ln.every == 0 || ln.inFlight >= 2 || f.orders.len() == 0 ||
		f.now.Before(ln.due) || !f.spendTokens(singlePrice) {
		return r, false
	}
	r.target = Target{Kind: Order, Short: f.orders.removeFirst()}
	return r, true
}

// StartsRound reports that a request reads the first page of its lane.
func (r Request) StartsRound() bool { return r.page.LastID == "" }

// HasLongList reports that there are too many open tasks to read all of them at every interval.
func (f *Feed) HasLongList() bool { return f.firstWalkDone && f.pages > smallWalk }
