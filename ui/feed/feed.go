// Package feed decides what to ask the service for next.
//
// It keeps what is on the screen fresh first, stays within a share of the request budget, and backs off when the
// service is away. It sends nothing and waits for nothing: [Feed.Next] says which requests to make now, [Fetch] makes
// one, and [Feed.Done] takes its result and says what the board should learn from it. Time is always handed in.
package feed

import (
	"math/rand/v2"
	"time"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
)

// Intervals say how often each pane is asked for; zero is never.
type Intervals struct{ Tasks, Workers, Delays, Orders time.Duration }

// Options are what a feed depends on.
type Options struct {
	Intervals Intervals
	AtRisk    time.Duration // how soon a window ends that is asked for first
	Shift     time.Time     // when the shift began: completed work is asked for from here on
	Rate      int           // requests a second the service allows; zero for the usual
	Unpaced   bool          // somebody waits for everything at once
	Seed      uint64        // of the jitter, so that a test can repeat it
	Stamp     func() board.Stamp
}

const (
	maxTaskAge     = 365 * 24 * time.Hour // how far back open work is looked for
	clockSkew      = 2 * time.Minute      // clocks of two machines differ; lists are asked for a little further back
	slowInterval   = 5 * time.Minute      // teams, hubs and the account change seldom
	delayRefresh   = time.Minute          // the service works out workers' delays no more often
	readTimeout    = 20 * time.Second
	maxInFlight    = 6
	smallWalk      = 16 // pages; a list as short as this is simply read again every time
	pacedShare     = 0.25
	maxBurst       = 16
	maxQueue       = 512
	urgentPages    = 40
	userTimeout    = 15 * time.Second
	defaultPerSec  = apiclient.DefaultPerSecond
	eagerPages     = 8 // pages of the first walk that the screen waits for
	detailInterval = 15 * time.Second
)

// Feed is the schedule of one account. It belongs to one goroutine.
type Feed struct {
	options Options
	random  *rand.Rand
	lanes   [laneCount]lane
	walks   [laneCount]walk
	now     time.Time

	tokens   float64 // paced requests that may go out
	tokensAt time.Time

	firstWalkDone  bool         // all open tasks have been seen once
	pages          int          // of the last whole walk
	newest         model.Millis // creation time of the newest task seen
	finished       model.Millis // completion time up to which finished work is known
	sweep          *board.Sweep // a walk that has ended and waits for the finished ones
	delaysAt       time.Time
	began          time.Time
	delays         map[model.ID]model.Opt[model.Seconds]
	selected       Target
	visible        []model.ID
	recentlyListed map[model.ID]struct{} // tasks that lists have brought since the visible ones were last asked for

	visibleOrders []model.ShortID
	ordersAt      time.Time // when the visible orders were last asked for
	visibleAt     time.Time // when the visible tasks were
	ordersKnown   bool      // every order that tasks named has been asked for once

	tasks   queue[model.ID]
	orders  queue[model.ShortID]
	watched []model.ID

	paused       bool
	refreshOnce  bool // though paused, until there is nothing more to ask for
	withoutLists bool // the service has no lists
	outage       outage
	slowdown     float64 // by how much everything is slower; 1 is not
	slowedAt     time.Time
	inFlight     int // requests under way
}

// lane is the state of one stream.
type lane struct {
	every    time.Duration
	due      time.Time
	off      error // why it is never asked for again
	inFlight int
	fetched  time.Time
	asked    time.Time
	failures int
	err      error
}

// outage is the time since the service could last be reached.
type outage struct {
	since, next time.Time
	failures    int
	err         error
}

// New is a feed that has asked for nothing yet.
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

// SetIntervals changes how often panes are asked for.
func (f *Feed) SetIntervals(i Intervals) {
	f.options.Intervals = i
	for l, every := range map[Lane]time.Duration{
		Workers: i.Workers, Urgent: i.Delays, Open: i.Tasks, Fresh: i.Tasks, Finished: i.Tasks, Orders: i.Orders,
	} {
		before := f.lanes[l].every
		f.lanes[l].every = every
		if before != 0 && every != 0 && !f.lanes[l].asked.IsZero() {
			f.lanes[l].due = f.lanes[l].asked.Add(f.addJitter(every))
		}
	}
}

// Intervals are the intervals in use.
func (f *Feed) Intervals() Intervals { return f.options.Intervals }

// Pause stops asking, or goes on.
func (f *Feed) Pause(paused bool) { f.paused, f.refreshOnce = paused, false }

// Refresh makes everything due at once, and tries a service that was away or had no lists. While asking is paused it is
// done once.
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

// Select says what the detail shows; the zero Target is nothing. It is asked for at once.
func (f *Feed) Select(t Target, now time.Time) {
	if t == f.selected {
		return
	}
	f.selected = t
	f.lanes[Selected].due = now
	f.lanes[Selected].failures = 0
	f.lanes[Selected].err = nil
}

// RefreshSelected asks once more for what the detail shows: something has happened to it.
func (f *Feed) RefreshSelected(now time.Time) { f.lanes[Selected].due = now }

// SetVisibleTasks says which tasks are on the screen.
func (f *Feed) SetVisibleTasks(tasks []model.ID) { f.visible = tasks }

// QueueTasks names tasks that something happened to: they are asked for one by one, soon. When so many moved that reading
// the list again is cheaper, that is done instead.
func (f *Feed) QueueTasks(ids ...model.ID) {
	for _, id := range ids {
		if !f.tasks.add(id) {
			f.lanes[Open].due = f.now
			return
		}
	}
}

// QueueOrders names orders that tasks belong to; those are asked for one by one.
func (f *Feed) QueueOrders(ids ...model.ShortID) {
	for _, id := range ids {
		f.orders.add(id)
	}
}

// Watch adds a task to those that are asked for one by one where the service has no lists.
func (f *Feed) Watch(id model.ID) {
	for _, known := range f.watched {
		if known == id {
			return
		}
	}
	f.watched = append(f.watched, id)
	f.QueueTasks(id)
}

// Watched are the tasks that were added by hand.
func (f *Feed) Watched() []model.ID { return f.watched }

// Next is what to ask for now, the most important first. Each request it returns counts as under way until its result
// is given to [Feed.Done].
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

// probe asks one small thing when the time has come to see whether the service is back.
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

// What a request takes of the share that background work may use. A page of a long list that is read once more brings
// mostly what is known, and is taken apart for nothing: what is on the screen goes first.
const (
	singlePrice = 1
	pagePrice   = 3
)

// spendTokens takes tokens of the share that background work may use.
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

// isPaused reports that nothing is asked for.
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
		return r, f.selected.Kind != NoDetail && f.isDue(l)
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
	}
	return r, f.isDue(l)
}

// workerFields is everything of a worker that the board keeps, but the delay.
func workerFields() []string {
	return []string{
		"id", "timeLastModified", "organization", "name", "displayName", "phone", "activeTask", "tasks", "onDuty",
		"timeLastSeen", "capacity", "userData", "teams", "location", "vehicle", "accountStatus",
	}
}

// nextWorkers asks for all workers. Their delays are worked out once a minute, and asked for no more often.
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
	r.target.Kind = TaskDetail
	if f.tasks.len() == 0 {
		f.queueVisible()
	}
	if f.tasks.len() == 0 || !f.spendTokens(singlePrice) {
		return r, false
	}
	r.target.ID = f.tasks.removeFirst()
	return r, true
}

// queueVisible asks for what is on the screen where no list brings it soon: the list is too long to be read again
// every time, or there is none.
func (f *Feed) queueVisible() {
	every := f.options.Intervals.Tasks
	if every == 0 || f.now.Sub(f.visibleAt) < every {
		return
	}
	f.visibleAt = f.now
	switch {
	case f.withoutLists:
		for _, id := range f.watched {
			f.tasks.add(id)
		}
	case f.firstWalkDone && f.pages > smallWalk:
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
	if f.isPaused() || ln.off != nil || ln.every == 0 || ln.inFlight >= 2 || f.orders.len() == 0 || f.now.Before(ln.due) || !f.spendTokens(singlePrice) {
		return r, false
	}
	r.target = Target{Kind: OrderDetail, Short: f.orders.removeFirst()}
	return r, true
}

// StartsRound reports that a request starts a round of its lane, and does not go on with one.
func (f *Feed) StartsRound(r Request) bool { return r.page.LastID == "" }

// HasLongList reports that there are too many open tasks to read them all at every interval, so that what moved must be
// found by other signs.
func (f *Feed) HasLongList() bool { return f.firstWalkDone && f.pages > smallWalk }

// SetVisibleOrders says which orders are on the screen.
func (f *Feed) SetVisibleOrders(ids []model.ShortID) { f.visibleOrders = ids }

// MovedTasks are tasks that came onto or left a worker's route between two snapshots.
func MovedTasks(before, after *board.Snapshot, changed []board.RowDelta) []model.ID {
	var moved []model.ID
	for _, d := range changed {
		if d.Kind == board.RowChanged && !d.Fields.Has(board.FieldRoute|board.FieldActiveTask) {
			continue
		}
		was, is := routeOf(before.Workers.Get(d.ID)), routeOf(after.Workers.Get(d.ID))
		for id := range was {
			if _, still := is[id]; !still || was[id] != is[id] {
				moved = append(moved, id)
			}
		}
		for id := range is {
			if _, already := was[id]; !already && len(was) > 0 {
				moved = append(moved, id)
			}
		}
	}
	return moved
}

// routeOf is the tasks of a worker, with true for the active one.
func routeOf(w *board.WorkerRow) map[model.ID]bool {
	if w == nil {
		return nil
	}
	route := make(map[model.ID]bool, len(w.Tasks)+1)
	for _, id := range w.Tasks {
		route[id] = false
	}
	if w.ActiveTask != "" {
		route[w.ActiveTask] = true
	}
	return route
}
