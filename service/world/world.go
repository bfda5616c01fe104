// Package world is what happens in the service: every change of a resource is one function here, which writes the
// rows, the assignment history and the events of the change in one transaction. The HTTP handlers, the jobs, the
// drivers and the sandbox all go through it.
package world

import (
	"log/slog"
	"strings"

	"waybill/model"
	"waybill/planner"
	"waybill/service/geo"
	"waybill/service/store"
)

// World changes one store.
type World struct {
	store    *store.Store
	clock    Clock
	ids      IDs
	events   Recorder
	jobs     Jobs
	tracking string
	geocoder geo.Geocoder
	travel   geo.Travel
	log      *slog.Logger
	webhooks WebhookChecker
	search   planner.Options

	messenger Messenger

	rules ruleCache
	keys  keyCache
}

// Options are what a World is made of; Store is required.
type Options struct {
	Store  *store.Store
	Clock  Clock
	IDs    IDs
	Events Recorder
	// Jobs takes work that outlives a request; without it such requests are refused.
	Jobs Jobs
	// TrackingBase is the address under which tracking pages are served, such as "https://track.example.com".
	TrackingBase string
	// Geocoder finds addresses; by default the embedded table of places does.
	Geocoder geo.Geocoder
	// Travel says how long ways take; by default from straight lines.
	Travel geo.Travel
	Log    *slog.Logger
	// Webhooks asks the servers of new webhooks; without it no webhook is taken.
	Webhooks WebhookChecker
	// Messenger sends texts to phones; without one they wait in the outbox.
	Messenger Messenger
	// Search is how long and with what dispatches look for good routes; by default as long as it pays.
	Search planner.Options
}

// New makes a World.
func New(o Options) *World {
	if o.Clock == nil {
		o.Clock = SystemClock{}
	}
	if o.IDs == nil {
		o.IDs = RandomIDs{}
	}
	if o.Events == nil {
		o.Events = discardEvents{}
	}
	if o.Jobs == nil {
		o.Jobs = refuseJobs{}
	}
	if o.TrackingBase == "" {
		o.TrackingBase = "http://localhost:8580"
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Geocoder == nil {
		o.Geocoder = geo.NewOffline()
	}
	if o.Travel == nil {
		o.Travel = geo.StraightLine{}
	}
	if o.Webhooks == nil {
		o.Webhooks = refuseWebhooks{}
	}
	return &World{
		store: o.Store, clock: o.Clock, ids: o.IDs, events: o.Events,
		jobs: o.Jobs, tracking: strings.TrimRight(o.TrackingBase, "/"),
		geocoder: o.Geocoder, travel: o.Travel, log: o.Log,
		webhooks:  o.Webhooks,
		search:    o.Search,
		messenger: o.Messenger,
	}
}

// Store is the store that the world lives in.
func (w *World) Store() *store.Store { return w.store }

// Now is the world's time in milliseconds.
func (w *World) Now() model.Millis { return model.MillisOf(w.clock.Now()) }

// Clock is the world's clock.
func (w *World) Clock() Clock { return w.clock }

// Actor is who causes a change, as assignment history and events name it.
type Actor struct {
	// Type is ADMIN, API or WORKER.
	Type string
	ID   model.ID
	// Org is the organization that the actor acts for.
	Org model.ID
}

// Kinds of actors.
const (
	ActorAdmin  = "ADMIN"
	ActorAPI    = "API"
	ActorWorker = "WORKER"
)

// Context is the actor as it goes over the wire.
func (a Actor) Context() model.ActionContext { return model.ActionContext{Type: a.Type, ID: a.ID} }
