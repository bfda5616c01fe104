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
	maxSlow      = 8
)

// Done takes a result. The change is what the board should learn from it, which may be nothing.
func (f *Feed) Done(r Result) board.Change {
	f.now = r.At
	f.demands--
	ln := &f.lanes[r.Request.Lane]
	ln.inFlight--
	change := board.Change{Requested: r.Request.Asked, ReceivedAt: model.MillisOf(r.At)}
	if r.Err != nil {
		f.failed(&r, ln, &change)
		return change
	}
	f.outage = outage{}
	ln.failures, ln.err, ln.fetched = 0, nil, f.now
	change.Tasks, change.Workers, change.Orders = r.Tasks, r.Workers, r.Orders
	change.Teams, change.Hubs = r.Teams, r.Hubs
	switch r.Request.Lane {
	case Workers:
		f.keepDelays(r.Workers)
		change.Sweeps = append(change.Sweeps, board.Sweep{List: board.SweepWorkers, Started: r.Request.Asked})
	case Teams:
		change.Sweeps = append(change.Sweeps, board.Sweep{List: board.SweepTeams, Started: r.Request.Asked})
	case Hubs:
		change.Sweeps = append(change.Sweeps, board.Sweep{List: board.SweepHubs, Started: r.Request.Asked})
	case Urgent, Open, Fresh, Finished:
		f.turnPage(&r, &change)
		return change
	case Details, Orders:
		ln.due = f.now
		return change
	}
	ln.due = f.now.Add(f.jittered(ln.every))
	return change
}

// A service that has only just started, as the sandbox does, has worked out no delays yet: for a while they are asked
// for again sooner than they could change.
const (
	settling     = 2 * time.Minute
	delaysSooner = 5 * time.Second
)

// keepDelays fills in the delays that were left out of an answer because they could not have changed.
func (f *Feed) keepDelays(workers []model.Worker) {
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
	if len(workers) > 0 && !late && f.now.Sub(f.began) < settling && f.delaysAt.Equal(f.lanes[Workers].asked) {
		f.delaysAt = f.now.Add(delaysSooner - delayRefresh)
	}
}

func (f *Feed) failed(r *Result, ln *lane, change *board.Change) {
	if errors.Is(r.Err, context.Canceled) {
		ln.due = f.now.Add(firstBackoff)
		f.outage.next = ln.due
		return
	}
	ln.err = r.Err
	switch {
	case errors.Is(r.Err, apiclient.ErrUnsupportedRoute), errors.Is(r.Err, apiclient.ErrNotFound) && r.Request.target.Kind == NoDetail:
		// A service without lists may take the list's name for an id, and not find it.
		f.unsupported(r, ln, change)
	case errors.Is(r.Err, apiclient.ErrRateLimited):
		f.slow, f.slowAt = min(maxSlow, f.slow*2), f.now
		ln.failures++
		ln.due = f.now.Add(f.backoff(ln.failures))
	case unreachable(r.Err):
		f.unreachable(r.Err)
		ln.due = f.outage.next
	case errors.Is(r.Err, apiclient.ErrNotFound) && r.Request.target.ID != "":
		change.Removed = append(change.Removed, r.Request.target.ID)
		ln.due = f.now.Add(f.jittered(ln.every))
	default:
		ln.failures++
		ln.due = f.now.Add(f.backoff(ln.failures))
	}
}

// unreachable reports that the service as a whole cannot be had, and not one thing of it.
func unreachable(err error) bool {
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

func (f *Feed) unreachable(err error) {
	if f.outage.since.IsZero() {
		f.outage.since = f.now
	}
	// Requests that were under way together fail together; they count once.
	if f.outage.next.After(f.now) {
		return
	}
	f.outage.failures++
	f.outage.err = err
	f.outage.next = f.now.Add(f.backoff(f.outage.failures))
}

// backoff doubles with every failure and is spread, so that many consoles do not come back at the same moment.
func (f *Feed) backoff(failures int) time.Duration {
	d := min(maxBackoff, firstBackoff<<min(failures, 6))
	return d/2 + time.Duration(f.random.Int64N(int64(d/2)+1))
}

// unsupported takes a lane out for good. Without the list of tasks the console falls back to what it was told of.
func (f *Feed) unsupported(r *Result, ln *lane, change *board.Change) {
	ln.off = r.Err
	switch r.Request.Lane {
	case Open, Urgent, Fresh:
		f.watch = true
	case Finished:
		if f.sweep != nil {
			f.endSweep(change)
		}
	}
}
