package feed

import (
	"context"
	"errors"
	"time"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
)

const (
	firstBackoff = time.Second
	maxBackoff   = time.Minute
	maxSlowdown  = 8
)

// Apply takes the result of a request and returns the change of the board, which may be empty.
func (f *Feed) Apply(r Result) board.Change {
	f.now = r.At
	f.inFlight--
	ln := &f.lanes[r.Request.Lane]
	ln.inFlight--
	change := board.Change{Requested: r.Request.Asked, ReceivedAt: model.MillisOf(r.At)}
	if r.Err != nil {
		f.applyFailure(&r, ln, &change)
		return change
	}
	f.outage = outage{}
	ln.failures, ln.err, ln.fetched = 0, nil, f.now
	change.Tasks, change.Workers, change.Orders = r.Tasks, r.Workers, r.Orders
	change.Teams, change.Hubs = r.Teams, r.Hubs
	sweep := func(list board.SweepList) {
		change.Sweeps = append(change.Sweeps, board.Sweep{List: list, Started: r.Request.Asked})
	}
	switch r.Request.Lane {
	case Workers:
		f.restoreDelays(r.Workers)
		sweep(board.SweepWorkers)
	case Teams:
		sweep(board.SweepTeams)
	case Hubs:
		sweep(board.SweepHubs)
	case Urgent, Open, Fresh, Finished:
		f.applyPage(&r, &change)
		return change
	case Details, Orders:
		ln.due = f.now
		return change
	default:
	}
	ln.due = f.now.Add(f.addJitter(ln.every))
	return change
}

// A service that has just started, such as the sandbox, has computed no delays yet. For a while they are requested more
// often than usual.
const (
	startPeriod       = 2 * time.Minute
	startDelayRefresh = 5 * time.Second
)

// restoreDelays fills in delays that were not requested because they cannot have changed.
func (f *Feed) restoreDelays(workers []model.Worker) {
	late := false
	for i := range workers {
		w := &workers[i]
		late = late || w.DelayTime.Value() > 0
		if w.DelayTime.Present() {
			f.delays[w.ID] = w.DelayTime
		} else {
			w.DelayTime = f.delays[w.ID]
		}
	}
	if len(workers) > 0 && !late && f.now.Sub(f.began) < startPeriod && f.delaysAt.Equal(f.lanes[Workers].asked) {
		f.delaysAt = f.now.Add(startDelayRefresh - delayRefresh)
	}
}

func (f *Feed) applyFailure(r *Result, ln *lane, change *board.Change) {
	if errors.Is(r.Err, context.Canceled) {
		ln.due = f.now.Add(firstBackoff)
		f.outage.next = ln.due
		return
	}
	ln.err = r.Err
	switch {
	case errors.Is(r.Err, apiclient.ErrUnsupportedRoute), errors.Is(r.Err, apiclient.ErrNotFound) && r.Request.target.Kind == NoObject:
		// A service without lists may take the name of the list for an id, and answer that it does not exist.
		f.disableLane(r, ln, change)
	case errors.Is(r.Err, apiclient.ErrRateLimited):
		f.slowdown, f.slowedAt = min(maxSlowdown, f.slowdown*2), f.now
		ln.failures++
		ln.due = f.now.Add(f.backoff(ln.failures))
	case isUnreachable(r.Err):
		f.recordOutage(r.Err)
		ln.due = f.outage.next
	case errors.Is(r.Err, apiclient.ErrNotFound) && r.Request.target.ID != "":
		change.Removed = append(change.Removed, r.Request.target.ID)
		ln.due = f.now.Add(f.addJitter(ln.every))
	default:
		ln.failures++
		ln.due = f.now.Add(f.backoff(ln.failures))
	}
}

// isUnreachable reports that the whole service is away, and not just one object.
func isUnreachable(err error) bool {
	for _, kind := range []error{
		apiclient.ErrOffline, apiclient.ErrConnectionLost, apiclient.ErrTimeout, apiclient.ErrUntrusted,
		apiclient.ErrNotJSON, apiclient.ErrRedirect, apiclient.ErrServer, apiclient.ErrInvalidKey, apiclient.ErrNoKey,
		context.DeadlineExceeded,
	} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

func (f *Feed) recordOutage(err error) {
	if f.outage.since.IsZero() {
		f.outage.since = f.now
	}
	// Requests in flight at the same time fail together and count once.
	if f.outage.next.After(f.now) {
		return
	}
	f.outage.failures++
	f.outage.err = err
	f.outage.next = f.now.Add(f.backoff(f.outage.failures))
}

// backoff doubles with every failure. It is random, so that many consoles do not retry at the same moment.
func (f *Feed) backoff(failures int) time.Duration {
	d := min(maxBackoff, firstBackoff<<min(failures, 6))
	return d/2 + time.Duration(f.random.Int64N(int64(d/2)+1))
}

// disableLane stops a lane that the service does not support. Without task lists only watched tasks are refreshed.
func (f *Feed) disableLane(r *Result, ln *lane, change *board.Change) {
	ln.off = r.Err
	switch r.Request.Lane {
	case Open, Urgent, Fresh:
		f.withoutLists = true
	case Finished:
		if f.sweep != nil {
			f.endSweep(change)
		}
	default:
	}
}
