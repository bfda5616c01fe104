// Package world holds the state of the service. Every change of a resource is one function that writes the rows, the
// assignment history and the events of the change in one transaction. HTTP handlers, jobs, drivers and the sandbox all
// use these functions.
package world

import (
	"cmp"
	"log/slog"
	"strings"

	"waybill/model"
	"waybill/planner"
	"waybill/service/geo"
	"waybill/service/geo/city"
	"waybill/service/store"
)

// World reads and changes the resources in one store.
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

// Options configure a World. Only Store is required.
type Options struct {
	Store  *store.Store
	Clock  Clock
	IDs    IDs
	Events Recorder
	// Jobs queues work that outlives a request. Without it such requests are refused.
	Jobs Jobs
	// TrackingBase is the URL under which tracking pages are served, such as "https://track.example.com".
	TrackingBase string
	// Geocoder finds the coordinates of addresses. The default uses the embedded places.
	Geocoder geo.Geocoder
	// Travel computes travel times. The default uses straight lines.
	Travel geo.Travel
	Log    *slog.Logger
	// Webhooks validates the servers of new webhooks. Without it webhooks are refused.
	Webhooks WebhookChecker
	// Messenger sends SMS. Without it messages stay in the outbox.
	Messenger Messenger
	// Search limits the planner's search in a dispatch. The zero value searches as long as it improves the plan.
	Search planner.Options
}

// New returns a World; options that are not set get their defaults.
func New(o Options) *World {
	if o.Geocoder == nil {
		o.Geocoder = city.NewGeocoder()
	}
	return &World{
		store:     o.Store,
		clock:     cmp.Or[Clock](o.Clock, SystemClock{}),
		ids:       cmp.Or[IDs](o.IDs, RandomIDs{}),
		events:    cmp.Or[Recorder](o.Events, discardEvents{}),
		jobs:      cmp.Or[Jobs](o.Jobs, refuseJobs{}),
		tracking:  strings.TrimRight(cmp.Or(o.TrackingBase, "http://localhost:8580"), "/"),
		geocoder:  o.Geocoder,
		travel:    cmp.Or[geo.Travel](o.Travel, geo.StraightLine{}),
		log:       cmp.Or(o.Log, slog.New(slog.DiscardHandler)),
		webhooks:  cmp.Or[WebhookChecker](o.Webhooks, refuseWebhooks{}),
		search:    o.Search,
		messenger: o.Messenger,
	}
}

// Store returns the store that the World works on.
func (w *World) Store() *store.Store { return w.store }

// Now returns the time of the World's clock in milliseconds.
func (w *World) Now() model.Millis { return model.MillisOf(w.clock.Now()) }

// Clock returns the World's clock.
func (w *World) Clock() Clock { return w.clock }

// Actor is who makes a change. Assignment history and events show it.
type Actor struct {
	// Type is ADMIN, API or WORKER.
	Type string
	ID   model.ID
	// Org is the organization on whose behalf the actor acts.
	Org model.ID
}

// Kinds of actors.
const (
	ActorAdmin  = "ADMIN"
	ActorAPI    = "API"
	ActorWorker = "WORKER"
)

// Context returns the actor in its wire form.
func (a Actor) Context() model.ActionContext { return model.ActionContext{Type: a.Type, ID: a.ID} }
