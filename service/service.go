// Package service serves the interface over HTTP. Each resource has a file with its routes; the mux, the documentation
// and the tests use the same route table.
package service

import (
	"log/slog"
	"net/http"
	"time"

	"waybill/service/events"
	"waybill/service/world"
)

// BasePath is the version prefix of every route of the interface.
const BasePath = "/v2"

// Options configures a Service. World is required.
type Options struct {
	World *world.World
	// Events is the event log. Without it the routes that read and replay events are refused.
	Events *events.Broker
	Log    *slog.Logger
	// Rate is how many requests per second an organization may make; 0 means no limit.
	Rate float64
	// Now is the clock of the rate limits, by default time.Now. It does not follow the world's clock, which may run faster.
	Now func() time.Time
}

// Service is the HTTP handler of the interface.
type Service struct {
	world   *world.World
	events  *events.Broker
	log     *slog.Logger
	limiter *limiter
	logins  *loginLimiter
	bodies  *bodyLimits
	batches *bodyLimits
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
	s := &Service{
		world: o.World, events: o.Events, log: o.Log, limiter: newLimiter(o.Rate, o.Now), logins: newLoginLimiter(o.Now),
		bodies:  newBodyLimits(maxBody, maxValues, bodiesInFlight),
		batches: newBodyLimits(maxBatchBody, maxBatchValues, batchesInFlight),
	}
	s.handler = s.newMux()
	return s
}

// ServeHTTP implements http.Handler.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }
