package server

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"waybill/service"
	"waybill/service/events"
	"waybill/service/geo"
	"waybill/service/jobs"
	"waybill/service/web"
	"waybill/service/world"
)

// createParts creates the parts of the server around its store. The world needs the queue and the broker; the runner
// needs the world.
func (s *Server) createParts(ctx context.Context, root string) (err error) {
	if err := s.setClock(ctx); err != nil {
		return err
	}
	if s.queue, err = jobs.NewQueue(s.store); err != nil {
		return err
	}
	client, err := events.NewClient(events.ClientOptions{Allow: s.config.WebhookAllow, CAFile: s.config.WebhookCA})
	if err != nil {
		return fmt.Errorf("set up webhooks: %w", err)
	}
	s.broker, err = events.New(events.Options{
		Store: s.store, Clock: s.clock, Objects: world.EventObjects{Clock: s.clock}, Jobs: s.queue, Client: client, Log: s.config.Log,
	})
	if err != nil {
		return fmt.Errorf("set up events: %w", err)
	}
	options := s.worldOptions(root)
	if err := s.openAddresses(ctx, &options); err != nil {
		return err
	}
	s.world = world.New(options)
	if s.runner, err = s.newRunner(); err != nil {
		return err
	}
	return s.openSandbox(ctx, options)
}

func (s *Server) setClock(ctx context.Context) error {
	s.clock = s.config.Clock
	if s.config.Sandbox != nil {
		return s.setSandboxClock(ctx)
	}
	if s.clock == nil {
		s.clock = world.SystemClock{}
	}
	return nil
}

func (s *Server) worldOptions(root string) world.Options {
	public := s.config.PublicURL
	if public == "" {
		public = root
	}
	geocoder := s.config.Geocoder
	if geocoder != nil {
		geocoder = geo.NewCached(s.config.GeocoderName, geocoder, newGeocodeCache(s.store, s.clock), func(err error) {
			s.config.Log.Warn("cannot cache an address", "error", err)
		})
	}
	return world.Options{
		Store: s.store, Clock: s.clock, Geocoder: geocoder, Travel: s.config.Travel, Log: s.config.Log,
		Events: s.broker, Webhooks: s.broker, Jobs: s.queue, TrackingBase: public,
	}
}

func (s *Server) newRunner() (*jobs.Runner, error) {
	return jobs.New(jobs.Options{
		Store: s.store, World: s.world, Log: s.config.Log, Drain: jobDrain,
		Workers: []jobs.Registration{jobs.Register(&events.Worker{Broker: s.broker})},
		Queues:  map[string]int{events.QueueName: events.QueueWorkers},
	})
}

// newHandler makes the handler of the public address.
func (s *Server) newHandler() http.Handler {
	s.pages = web.New(web.Options{World: s.world, Live: s.broker, Log: s.config.Log})
	handler := withTrackingPages(s.pages, service.New(service.Options{
		World: s.world, Events: s.broker, Log: s.config.Log, Rate: s.config.Rate,
	}))
	if s.sandbox != nil {
		handler = withDateHeader(s.clock, handler)
	}
	return s.config.Faults.wrap(handler)
}

// startBackground starts the jobs and other background work. Stop ends it.
func (s *Server) startBackground(ctx context.Context) error {
	if err := s.runner.Start(ctx); err != nil {
		return err
	}
	s.jobsStarted = true
	ctx, s.stopBackground = context.WithCancel(context.WithoutCancel(ctx))
	s.runBackground(ctx, s.broker.Run)
	s.runBackground(ctx, world.NewEstimateUpdater(s.world).Run)
	if s.sandbox != nil {
		s.runBackground(ctx, func(ctx context.Context) error { return s.sandbox.Run(ctx, s.clock) })
	}
	return nil
}

// runBackground runs a function until the server stops.
func (s *Server) runBackground(ctx context.Context, run func(context.Context) error) {
	s.background.Go(func() {
		if err := run(ctx); err != nil && ctx.Err() == nil {
			s.failed <- err
		}
	})
}

// withTrackingPages serves tracking pages and the interface. It is not an http.ServeMux, which would redirect paths such
// as /a//b; clients follow redirects as a GET.
func withTrackingPages(pages, api http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/t/") {
			pages.ServeHTTP(w, r)
			return
		}
		api.ServeHTTP(w, r)
	})
}
