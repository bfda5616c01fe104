// Package service is the interface over HTTP: one file a resource, and one route table from which the mux, the
// documentation and the tests of every route are made.
package service

import (
	"log/slog"
	"net/http"
	"time"

	"waybill/service/events"
	"waybill/service/world"
)

// BasePath is the version segment that every route of the interface lies under.
const BasePath = "/v2"

// Options are what a Service is made of; World is required.
type Options struct {
	World *world.World
	// Events is the log of events; without it the routes that read and replay it are refused.
	Events *events.Broker
	Log    *slog.Logger
	// Rate is how many requests a second an organization may make; 0 means no limit.
	Rate float64
	// Now is the time that limits are counted in. It is the real one, however fast the world's passes.
	Now func() time.Time
}

// Service answers the interface.
type Service struct {
	world   *world.World
	events  *events.Broker
	log     *slog.Logger
	limiter *limiter
	logins  *loginLimiter
	handler http.Handler
}

// New makes a Service.
func New(o Options) *Service {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Service{world: o.World, events: o.Events, log: o.Log, limiter: newLimiter(o.Rate, o.Now), logins: newLoginLimiter(o.Now)}
	s.handler = s.mux()
	return s
}

// ServeHTTP implements http.Handler.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }
