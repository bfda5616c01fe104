package feed

import (
	"time"

	"waybill/board"
)

// Status is the state of the feed, for the status line and the banner.
type Status struct {
	Offline bool
	Err     error     // why the service is away
	Since   time.Time // start of the outage
	NextTry time.Time

	Paused   bool
	Watching bool    // the service has no task lists; only watched tasks are known
	Slowed   float64 // factor of all intervals; 1 is normal
	InFlight int
	Loading  bool // the first walk over the open tasks is not complete
}

// Status returns the current state.
func (f *Feed) Status() Status {
	return Status{
		Offline: !f.outage.since.IsZero(), Err: f.outage.err, Since: f.outage.since, NextTry: f.outage.next,
		Paused: f.paused, Watching: f.withoutLists, Slowed: f.slowdown, InFlight: f.inFlight,
		Loading: !f.firstWalkDone && !f.withoutLists && f.lanes[Open].every > 0,
	}
}

// Health is how fresh the data of a pane is.
type Health struct {
	Fetched time.Time // zero before the first answer
	Stale   bool      // two intervals have been missed
	Err     error     // why the last try failed
	Off     bool      // not refreshed: the interval is off, or the service has no such list
}

// Health returns how fresh the data of a pane is.
func (f *Feed) Health(pane board.Pane, now time.Time) Health {
	lanes := [...][]Lane{
		board.PaneDelays: {Open, Urgent, Fresh, Details}, board.PaneWorkers: {Workers},
		board.PaneTasks: {Open, Fresh, Details}, board.PaneOrders: {Orders},
	}[pane]
	first := &f.lanes[lanes[0]]
	h := Health{Off: first.every == 0 || first.off != nil, Err: first.err}
	if h.Off {
		h.Err = nil
	}
	for _, l := range lanes {
		if f.lanes[l].fetched.After(h.Fetched) {
			h.Fetched = f.lanes[l].fetched
		}
	}
	// Orders are read when they change, so they cannot miss an interval.
	if every := f.lanes[lanes[0]].every; every > 0 && !h.Fetched.IsZero() && pane != board.PaneOrders {
		h.Stale = now.Sub(h.Fetched) > 2*time.Duration(float64(every)*f.slowdown)
	}
	return h
}

// IsSettled reports that every list has been read once: rows that appear later are new.
func (f *Feed) IsSettled() bool {
	return (f.firstWalkDone || f.withoutLists) && !f.isUnread(Workers) && !f.isUnread(Teams)
}

// AreOrdersSettled is [Feed.IsSettled] for orders, which come one by one.
func (f *Feed) AreOrdersSettled() bool { return f.IsSettled() && f.ordersKnown }

func (f *Feed) isUnread(l Lane) bool {
	ln := &f.lanes[l]
	return ln.fetched.IsZero() && ln.off == nil && ln.every > 0 && ln.failures == 0
}
