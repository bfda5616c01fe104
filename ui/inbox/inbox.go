// Package inbox queues the webhook events of one account for the console. It limits their number and drops repeated
// deliveries.
package inbox

import (
	"context"
	"sync"
	"time"

	"waybill/model"
)

// Phase is the phase of a receiver.
type Phase uint8

// The phases. A failing receiver may still receive some events.
const (
	Starting Phase = iota
	Receiving
	Failing
)

// State is the state of a receiver.
type State struct {
	Phase Phase
	// Listen is the local address, URL the one that the service calls.
	Listen, URL string
	// Kinds is how many of the wanted event types the service sends here.
	Kinds, Wanted int
	// Problem is what is wrong, Advice what to do about it; both are empty if all is well.
	Problem, Advice string

	Received   int       // accepted events
	Last       time.Time // when the last one arrived
	Forged     int       // dropped: the signature was wrong
	Unreadable int       // dropped: not a readable event
	Unknown    int       // ignored: of an unknown type
	Repeated   int       // ignored: the same delivery again
	Lost       int       // dropped: too many arrived at once
}

// Event is a received event. Its texts are safe to show.
type Event struct {
	model.Event
	// Delivery is the same when an event is sent to the same webhook again; empty where the service gives none.
	Delivery model.ID
	// Body is the event as JSON, safe to show; nil if it is too large.
	Body model.Raw
	At   time.Time
}

// News is what has happened since the last Wait.
type News struct {
	State  State
	Events []Event // in the order of arrival
	// Lost reports that events were dropped, so that the board must be refreshed.
	Lost bool
}

// Limits of the queue.
const (
	maxWaiting    = 1000
	maxDeliveries = 4096
	MaxBody       = 64 << 10
)

// Inbox is a queue of events. Several goroutines may add events; one waits for them.
type Inbox struct {
	now   func() time.Time
	ready chan struct{} // holds a token while there are news

	mu      sync.Mutex
	state   State
	waiting []Event
	lost    bool
	// deliveries are the latest deliveries, so that one that is sent again is not told twice; ring is their order.
	deliveries map[model.ID]struct{}
	ring       []model.ID
	next       int
}

// New returns an empty inbox with the clock of the console.
func New(now func() time.Time) *Inbox {
	return &Inbox{now: now, ready: make(chan struct{}, 1), deliveries: map[model.ID]struct{}{}}
}

// Add queues an event whose signature is valid.
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
		// The name is shown on the screen, so it is never the one that was sent.
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

// CountUnreadable counts a request that is not an event.
func (b *Inbox) CountUnreadable() { b.update(func(s *State) { s.Unreadable++ }) }

// SetState sets the state of the receiver and keeps the counts.
func (b *Inbox) SetState(state State) {
	b.update(func(s *State) {
		s.Phase, s.Listen, s.URL, s.Kinds, s.Wanted = state.Phase, state.Listen, state.URL, state.Kinds, state.Wanted
		s.Problem, s.Advice = state.Problem, state.Advice
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

// Wait returns the news as soon as there are any, or the error of the context.
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
