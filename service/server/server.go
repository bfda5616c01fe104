// Package server is the process around the service: the data folder, the listeners, certificates, health, metrics
// and an orderly end.
package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"waybill/service"
	"waybill/service/geo"
	"waybill/service/store"
	"waybill/service/world"
)

// Config is how a server runs.
type Config struct {
	// Dir is the data folder.
	Dir string
	// Listen is the address of the interface, such as 127.0.0.1:8580.
	Listen string
	// MetricsListen is the address of health and metrics; empty for none.
	MetricsListen string
	// CertFile and KeyFile make the server speak TLS.
	CertFile, KeyFile string
	// AllowPlain lets the server speak plain HTTP on addresses that others can reach.
	AllowPlain bool
	// Rate is how many requests a second an organization may make; 0 means no limit.
	Rate float64
	// BootstrapKey is the first API key of a new data folder; empty for a random one.
	BootstrapKey string
	// Organization is what a new data folder starts with.
	Organization world.NewOrganization
	// Geocoder and Travel replace the embedded ones.
	Geocoder geo.Geocoder
	Travel   geo.Travel
	// Clock replaces the system's.
	Clock world.Clock
	// Announce gets the lines that a person must see once: the base URL and the first key.
	Announce io.Writer
	Log      *slog.Logger
}

// drainLimit is how long requests may take to end after the server was told to stop.
const drainLimit = 15 * time.Second

// ErrPlainHTTP says that keys would cross a network unencrypted.
var ErrPlainHTTP = errors.New("plain HTTP on an address that others can reach would show API keys to the network: " +
	"use --tls-cert and --tls-key, listen on 127.0.0.1, or say --insecure-http if something in front does TLS")

// Server is a running service.
type Server struct {
	config  Config
	store   *store.Store
	world   *world.World
	unlock  func() error
	http    []*http.Server
	baseURL string
	failed  chan error
}

// Start opens the data folder and begins to answer. Stop ends it.
func Start(ctx context.Context, c Config) (*Server, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Announce == nil {
		c.Announce = io.Discard
	}
	if err := checkExposure(c); err != nil {
		return nil, err
	}
	unlock, err := store.LockServer(c.Dir)
	if err != nil {
		return nil, err
	}
	s := &Server{config: c, unlock: unlock, failed: make(chan error, 2)}
	if err := s.start(ctx); err != nil {
		return nil, errors.Join(err, s.Stop(ctx))
	}
	return s, nil
}

func checkExposure(c Config) error {
	if c.CertFile != "" || c.AllowPlain {
		return nil
	}
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return fmt.Errorf("bad address %q: %w", c.Listen, err)
	}
	if ip := net.ParseIP(host); host == "localhost" || (ip != nil && ip.IsLoopback()) {
		return nil
	}
	return fmt.Errorf("refusing to listen on %s: %w", c.Listen, ErrPlainHTTP)
}

func (s *Server) start(ctx context.Context) error {
	opened, err := store.Open(ctx, s.config.Dir)
	if err != nil {
		return err
	}
	s.store = opened
	s.world = world.New(world.Options{
		Store: opened, Clock: s.config.Clock, Geocoder: s.config.Geocoder, Travel: s.config.Travel, Log: s.config.Log,
	})
	metrics := newMetrics()
	handler := metrics.count(service.New(service.Options{World: s.world, Log: s.config.Log, Rate: s.config.Rate}))
	if s.baseURL, err = s.listen(ctx, s.config.Listen, handler, true); err != nil {
		return err
	}
	if s.config.MetricsListen != "" {
		if _, err := s.listen(ctx, s.config.MetricsListen, s.operations(metrics), false); err != nil {
			return err
		}
	}
	return s.bootstrap(ctx)
}

// listen answers on an address and returns the URL it has.
func (s *Server) listen(ctx context.Context, address string, handler http.Handler, public bool) (string, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", address)
	if err != nil {
		return "", fmt.Errorf("listen on %s: %w", address, err)
	}
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(s.config.Log.Handler(), slog.LevelDebug),
	}
	scheme := "http"
	serve := server.Serve
	if public && s.config.CertFile != "" {
		scheme = "https"
		certificates := &certificates{certFile: s.config.CertFile, keyFile: s.config.KeyFile, log: s.config.Log}
		if _, err := certificates.current(); err != nil {
			return "", errors.Join(err, listener.Close())
		}
		server.TLSConfig = certificates.config()
		serve = func(l net.Listener) error { return server.ServeTLS(l, "", "") }
	}
	s.http = append(s.http, server)
	go func() {
		if err := serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.failed <- fmt.Errorf("serve %s: %w", address, err)
		}
	}()
	return scheme + "://" + listener.Addr().String() + service.BasePath, nil
}

// BaseURL is the address of the interface.
func (s *Server) BaseURL() string { return s.baseURL }

// World is the world that the server serves.
func (s *Server) World() *world.World { return s.world }

// Wait blocks until ctx is done or the server cannot go on.
func (s *Server) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-s.failed:
		return err
	}
}

// Stop lets running requests end and closes the data folder.
func (s *Server) Stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainLimit)
	defer cancel()
	var errs []error
	for _, server := range s.http {
		if err := server.Shutdown(ctx); err != nil {
			errs = append(errs, fmt.Errorf("end requests: %w", err), server.Close())
		}
	}
	if s.store != nil {
		errs = append(errs, s.store.Close())
	}
	return errors.Join(append(errs, s.unlock())...)
}

// bootstrap makes the first organization of a new data folder and tells its key, once.
func (s *Server) bootstrap(ctx context.Context) error {
	known, err := s.world.Organizations(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.config.Announce, "base URL  %s\n", s.baseURL)
	if len(known) > 0 {
		return nil
	}
	first := s.config.Organization
	first.Key = s.config.BootstrapKey
	org, key, err := s.world.CreateOrganization(ctx, first)
	if err != nil {
		return fmt.Errorf("make the first organization: %w", err)
	}
	fmt.Fprintf(s.config.Announce, "organization  %s (%s)\n", org.Name, org.ID)
	if s.config.BootstrapKey == "" {
		fmt.Fprintf(s.config.Announce, "API key  %s\nThis key is shown once; keep it.\n", key.Secret)
	}
	return nil
}
