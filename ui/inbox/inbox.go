// Package inbox is where the events that a service sends by itself wait for the console: those of one account, not more
// than can be dealt with, each delivery once. It knows neither the network nor the screen.
package inbox

import (
	"context"
	"sync"
	"time"

	"waybill/model"
)

// Phase is how far a receiver is.
type Phase uint8

// The phases. A receiver that is troubled may still receive: some events, or those of webhooks that stand already.
const (
	Starting Phase = iota
	Receiving
	Failing
)

// State is how a receiver fares.
type State struct {
	Phase Phase
	// Listen is the address on this machine, URL the one that the service was given.
	Listen, URL string
	// Kinds is how many of the wanted kinds of events the service sends here.
	Kinds, Wanted int
	// Problem is what is wrong, Advice what to do about it; both are empty while all is well.
	Problem, Advice string

	Received   int       // events that were taken
	Last       time.Time // when the latest came
	Forged     int       // dropped: the signature was wrong
	Unreadable int       // dropped: no event could be read from it
	Unknown    int       // ignored: of a kind that this version does not know
	Repeated   int       // ignored: the same delivery again
	Lost       int       // dropped: more came at once than could be kept
}

// Event is one that came in. Its texts are safe to show.
type Event struct {
	model.Event
	// Delivery is the same when the same event is sent to the same webhook again; empty where the service gives none.
	Delivery model.ID
	// Body is the event as JSON, safe to show; nil when it is too large to be kept.
	Body model.Raw
	At   time.Time
}

// News is what happened since the last look.
type News struct {
	State  State
	Events []Event // in the order they came
	// Lost says that there were more: what they would have told must be asked for.
	Lost bool
}

// Limits of what waits. A body is kept for those who want to read it; what the board needs is parsed already.
const (
	maxWaiting    = 1000
	maxDeliveries = 4096
	MaxBody       = 64 << 10
)

// Inbox takes events from whoever receives them. Many may put at once; one waits.
type Inbox struct {
	now   func() time.Time
	ready chan struct{} // holds a token while there is news

	mu      sync.Mutex
	state   State
	waiting []Event
	lost    bool
	// deliveries are the latest deliveries, so that one that is sent again is not told twice; ring is their order.
	deliveries map[model.ID]struct{}
	ring       []model.ID
	next       int
}

// New is an empty inbox. Moments are those of the clock that the console shows.
func New(now func() time.Time) *Inbox {
	return &Inbox{now: now, ready: make(chan struct{}, 1), deliveries: map[model.ID]struct{}{}}
}

// Add takes an event whose signature was right.
func (b *Inbox) Add(e Event) {
	b.update(func(s *State) {
		switch {
		case e.TriggerID.Name() == "" || e.TriggerName == "":
			s.Unknown++
			return
		case b.isRepeated(e.Delivery):
			s.Repeated++
			return
		}
		// The name is shown: ours, not whatever was sent.
		e.TriggerName = e.TriggerID.Name()
		e.At = b.now()
		s.Received++
		s.Last = e.At
		if len(e.Body) > MaxBody {
			e.Body = nil
		}
		if len(b.waiting) == maxWaiting {
			b.waiting = b.waiting[1:]
			b.lost = true
			s.Lost++
		}
		b.waiting = append(b.waiting, e)
	})
}

func (b *Inbox) isRepeated(delivery model.ID) bool {
	if delivery == "" {
		return false
	}
	if _, again := b.deliveries[delivery]; again {
		return true
	}
	b.deliveries[delivery] = struct{}{}
	if len(b.ring) < maxDeliveries {
		b.ring = append(b.ring, delivery)
		return false
	}
	delete(b.deliveries, b.ring[b.next])
	b.ring[b.next] = delivery
	b.next = (b.next + 1) % maxDeliveries
	return false
}

// CountForged counts a request with a wrong signature.
func (b *Inbox) CountForged() { b.update(func(s *State) { s.Forged++ }) }

// CountUnreadable counts a request that was no event.
func (b *Inbox) CountUnreadable() { b.update(func(s *State) { s.Unreadable++ }) }

// SetState takes how the receiver stands; the counts stay.
func (b *Inbox) SetState(how State) {
	b.update(func(s *State) {
		s.Phase, s.Listen, s.URL, s.Kinds, s.Wanted = how.Phase, how.Listen, how.URL, how.Kinds, how.Wanted
		s.Problem, s.Advice = how.Problem, how.Advice
	})
}

func (b *Inbox) update(do func(s *State)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	do(&b.state)
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

// Wait returns as soon as there is news, or the context's error.
func (b *Inbox) Wait(ctx context.Context) (News, error) {
	select {
	case <-ctx.Done():
		return News{}, ctx.Err()
	case <-b.ready:
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	news := News{State: b.state, Events: b.waiting, Lost: b.lost}
	b.waiting, b.lost = nil, false
	return news, nil
}
