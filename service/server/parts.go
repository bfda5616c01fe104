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

// createParts makes what the server is made of, around its store. The queue and the broker come before the world that
// hands them jobs and events; the runner that does those jobs comes after it.
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
			s.config.Log.Warn("a found address was not kept", "error", err)
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

// newHandler answers everything that is asked at the public address.
func (s *Server) newHandler() http.Handler {
	s.pages = web.New(web.Options{World: s.world, Live: s.broker, Log: s.config.Log})
	answered := withTrackingPages(s.pages, service.New(service.Options{
		World: s.world, Events: s.broker, Log: s.config.Log, Rate: s.config.Rate,
	}))
	if s.sandbox != nil {
		answered = withDateHeader(s.clock, answered)
	}
	return s.config.Faults.wrap(answered)
}

// startBackground starts the jobs and what happens without being asked for. Stop ends it.
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

// runBackground runs something until the server stops.
func (s *Server) runBackground(ctx context.Context, run func(context.Context) error) {
	s.background.Go(func() {
		if err := run(ctx); err != nil && ctx.Err() == nil {
			s.failed <- err
		}
	})
}

// withTrackingPages serves tracking pages beside the interface. A mux would answer untidy paths with a redirect, which
// clients follow as a GET.
func withTrackingPages(pages, api http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/t/") {
			pages.ServeHTTP(w, r)
			return
		}
		api.ServeHTTP(w, r)
	})
}
