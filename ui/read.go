package ui

import (
	"context"
	"errors"
	"io"
	"time"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/ui/feed"
)

// ReadOptions say how a board is read for printing.
type ReadOptions struct {
	Limits board.Settings
	Now    func() time.Time
	Zone   *time.Location
	// Intervals are the refresh intervals of [Follow].
	Intervals feed.Intervals
}

// Read reads everything the board shows, once.
func Read(ctx context.Context, client *apiclient.Client, o ReadOptions) (*board.Snapshot, model.Organization, error) {
	o.Intervals = feed.Intervals{time.Hour, time.Hour, time.Hour, time.Hour}
	r := newReader(client, o, true)
	for {
		asked, err := r.step(ctx)
		if err != nil {
			return nil, r.organization, err
		}
		if !asked {
			if status := r.feed.Status(); status.Err != nil {
				return nil, r.organization, status.Err
			}
			return r.board.Snapshot(), r.organization, ctx.Err()
		}
	}
}

// boardReader is a board without a screen.
type boardReader struct {
	client       *apiclient.Client
	now          func() time.Time
	board        *board.Board
	feed         *feed.Feed
	organization model.Organization
	knownOrders  map[model.ShortID]bool
}

func newReader(client *apiclient.Client, o ReadOptions, unpaced bool) *boardReader {
	r := &boardReader{client: client, now: o.Now, knownOrders: map[model.ShortID]bool{}}
	now := o.Now()
	r.board = board.NewBoard(o.Limits, model.MillisOf(now))
	r.feed = feed.New(feed.Options{
		Intervals: o.Intervals, AtRisk: o.Limits.AtRisk, Shift: shiftStart(now, o.Zone), Unpaced: unpaced, Stamp: r.board.Stamp,
	}, now)
	return r
}

// step sends the requests that are due and reports whether there were any. An error ends the first reading; later the
// feed retries.
func (r *boardReader) step(ctx context.Context) (asked bool, err error) {
	first := r.feed.Status().Loading
	for _, request := range r.feed.Next(r.now()) {
		asked = true
		result := feed.Fetch(ctx, r.client, request, r.now)
		change := r.feed.Apply(result)
		if first && result.Err != nil && !errors.Is(result.Err, context.Canceled) && request.Lane <= feed.Finished {
			return asked, result.Err
		}
		if request.Lane == feed.Account && result.Err == nil {
			r.organization = result.Organization
		}
		r.board.Apply(change)
		for _, t := range result.Tasks {
			if short := t.OrderShortID.Value(); short != "" && !r.knownOrders[short] {
				r.knownOrders[short] = true
				r.feed.QueueOrders(short)
			}
		}
	}
	return asked, nil
}

const (
	stepInterval = time.Second
	// minPrintInterval is the shortest time between two reports of changes, since a screen reader needs time.
	minPrintInterval = 10 * time.Second
)

// Follow prints a board and then, until the context ends, its changes: counters, and tasks that become late. It is the
// console for screen readers.
func Follow(ctx context.Context, w io.Writer, client *apiclient.Client, o ReadOptions, p PrintOptions) error {
	r := newReader(client, o, false)
	var printed *board.Snapshot
	var printedAt time.Time
	offline := false
	for ctx.Err() == nil {
		if _, err := r.step(ctx); err != nil {
			return err
		}
		snapshot, _ := r.board.Tick(model.MillisOf(r.now()))
		status := r.feed.Status()
		var err error
		switch p.Organization = r.organization.Name; {
		case printed == nil && !status.Loading && r.feed.IsSettled():
			printed, printedAt = snapshot, r.now()
			err = PrintBoard(w, snapshot, p)
		case printed != nil && status.Offline != offline:
			offline = status.Offline
			err = printOutage(w, status, r.now(), p.Zone)
		case printed != nil && r.now().Sub(printedAt) >= minPrintInterval:
			err = PrintChanges(w, printed, snapshot, p)
			printed, printedAt = snapshot, r.now()
		}
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(stepInterval):
		}
	}
	return nil
}
