// Package events logs the events of every change and delivers them to webhooks: signed, in order, at least once, and
// never for a change that did not commit.
package events

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"waybill/model"
	"waybill/service/store"
	"waybill/service/world"
)

// Objects reads the tasks and workers of events inside a running transaction. It returns a nil Raw for an object that no
// longer exists.
type Objects interface {
	Task(ctx context.Context, q store.Querier, id model.ID) (model.Raw, error)
	Worker(ctx context.Context, q store.Querier, id model.ID) (model.Raw, error)
}

// Broker records events and delivers them.
type Broker struct {
	store   *store.Store
	clock   world.Clock
	ids     world.IDs
	objects Objects
	jobs    world.Jobs
	client  *http.Client
	log     *slog.Logger
	timeout time.Duration

	mu          sync.Mutex
	senders     map[model.ID]chan struct{}
	subscribers map[model.ID]map[chan struct{}]struct{}
}

// Options configures a Broker. Store is required.
type Options struct {
	Store *store.Store
	Clock world.Clock
	IDs   world.IDs
	// Objects reads tasks and workers; without it events contain none.
	Objects Objects
	// Jobs queues deliveries for [Worker]; without it they wait for DeliverAll.
	Jobs world.Jobs
	// Client sends to webhooks. The default one connects to public addresses only.
	Client *http.Client
	// Timeout is how long a webhook's server may take to answer; 10 s when 0.
	Timeout time.Duration
	Log     *slog.Logger
}

var _ world.Recorder = (*Broker)(nil)

// New makes a Broker.
func New(o Options) (*Broker, error) {
	if o.Clock == nil {
		o.Clock = world.SystemClock{}
	}
	if o.IDs == nil {
		o.IDs = world.RandomIDs{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Client == nil {
		client, err := NewClient(ClientOptions{})
		if err != nil {
			return nil, err
		}
		o.Client = client
	}
	return &Broker{
		store: o.Store, clock: o.Clock, ids: o.IDs, objects: o.Objects, jobs: o.Jobs, client: o.Client, log: o.Log, timeout: cmp.Or(o.Timeout, sendTimeout),
		senders: map[model.ID]chan struct{}{}, subscribers: map[model.ID]map[chan struct{}]struct{}{},
	}, nil
}

func (b *Broker) now() model.Millis { return model.MillisOf(b.clock.Now()) }

// Subscribe signals every event of a task or worker after its commit. The channel holds one signal, so a slow reader
// learns that something happened, but not how often.
func (b *Broker) Subscribe(subject model.ID) (signal <-chan struct{}, cancel func()) {
	ch := make(chan struct{}, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.subscribers[subject] == nil {
		b.subscribers[subject] = map[chan struct{}]struct{}{}
	}
	b.subscribers[subject][ch] = struct{}{}
	return ch, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.subscribers[subject], ch)
		if len(b.subscribers[subject]) == 0 {
			delete(b.subscribers, subject)
		}
	}
}

// notify wakes the subscribers and running senders of committed events.
func (b *Broker) notify(subjects, webhooks []model.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, subject := range subjects {
		for ch := range b.subscribers[subject] {
			signal(ch)
		}
	}
	for _, webhook := range webhooks {
		if ch := b.senders[webhook]; ch != nil {
			signal(ch)
		}
	}
}

// signal sends on ch unless a signal is waiting there already.
func signal(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}
