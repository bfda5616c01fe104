// Package server is the server process: data folder, listeners, certificates, health, metrics, background work and
// graceful shutdown.
package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"waybill/service"
	"waybill/service/events"
	"waybill/service/geo"
	"waybill/service/jobs"
	"waybill/service/sandbox"
	"waybill/service/store"
	"waybill/service/web"
	"waybill/service/world"
)

// Config configures a Server.
type Config struct {
	// Dir is the data folder.
	Dir string
	// Listen is the address of the interface, such as 127.0.0.1:8580.
	Listen string
	// MetricsListen is the address of health and metrics; empty for none.
	MetricsListen string
	// CertFile and KeyFile enable TLS.
	CertFile, KeyFile string
	// AllowPlain allows plain HTTP on addresses that other machines can reach.
	AllowPlain bool
	// PublicURL is the URL of the server for recipients, used for tracking pages; by default the address it listens on.
	PublicURL string
	// Rate is how many requests per second an organization may make; 0 means no limit.
	Rate float64
	// BootstrapKey is the first API key of a new data folder; empty for a random one.
	BootstrapKey string
	// Organization is the first organization of a new data folder.
	Organization world.NewOrganization
	// Geocoder and Travel replace the embedded ones. Results of the geocoder are cached in the store under GeocoderName.
	Geocoder     geo.Geocoder
	GeocoderName string
	Travel       geo.Travel
	// Addresses is a CSV file of addresses for the embedded geocoder; empty for none.
	Addresses string
	// Clock replaces the system clock. By default a sandbox has its own.
	Clock world.Clock
	// WebhookAllow lists private networks that webhooks may use, WebhookCA is a file with additional certificate
	// authorities for webhooks.
	WebhookAllow []netip.Prefix
	WebhookCA    string
	// Sandbox makes the server run a sandbox.
	Sandbox *Sandbox
	// Faults makes some requests fail, to test clients.
	Faults Faults
	// Output gets the lines for the user: the base URL and the first key.
	Output io.Writer
	Log    *slog.Logger
}

const (
	// requestDrain is how long Stop waits for running requests.
	requestDrain = 15 * time.Second
	// jobDrain is how long Stop then waits for jobs before it cancels them, jobEnd how long it waits after that.
	jobDrain, jobEnd = 10 * time.Second, 5 * time.Second
)

// ErrPlainHTTP means that API keys would be sent unencrypted.
var ErrPlainHTTP = errors.New("plain HTTP on an address that other machines can reach would expose API keys: " +
	"use --tls-cert and --tls-key, listen on 127.0.0.1, or use --insecure-http if a proxy does TLS")

// Server is a running service.
type Server struct {
	pages   *web.Handler
	config  Config
	store   *store.Store
	world   *world.World
	clock   world.Clock
	broker  *events.Broker
	queue   *jobs.Queue
	runner  *jobs.Runner
	sandbox *sandbox.Sandbox
	key     string
	unlock  func() error
	http    []*http.Server
	baseURL string
	failed  chan error

	jobsStarted    bool // jobs are being done
	stopBackground context.CancelFunc
	background     sync.WaitGroup

	addresses io.Closer // the open index of addresses, or nil
}

// Start opens the data folder and starts the server. Stop ends it.
func Start(ctx context.Context, c Config) (*Server, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Output == nil {
		c.Output = io.Discard
	}
	if err := checkExposure(c); err != nil {
		return nil, err
	}
	unlock, err := store.LockServer(c.Dir)
	if err != nil {
		return nil, err
	}
	s := &Server{config: c, unlock: unlock, failed: make(chan error, 8), stopBackground: func() {}}
	if err := s.start(ctx); err != nil {
		return nil, errors.Join(err, s.Stop(ctx))
	}
	return s, nil
}

func checkExposure(c Config) error {
	if c.CertFile != "" || c.AllowPlain {
		return nil
	}
	local, err := isLocal(c.Listen)
	if err != nil || local {
		return err
	}
	return fmt.Errorf("refusing to listen on %s: %w", c.Listen, ErrPlainHTTP)
}

// isLocal reports whether only this machine can reach an address.
func isLocal(address string) (bool, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false, fmt.Errorf("bad address %q: %w", address, err)
	}
	ip := net.ParseIP(host)
	return host == "localhost" || (ip != nil && ip.IsLoopback()), nil
}

func (s *Server) start(ctx context.Context) error {
	if err := s.prepareFolder(ctx); err != nil {
		return err
	}
	opened, err := store.Open(ctx, s.config.Dir)
	if err != nil {
		return err
	}
	s.store = opened
	if err := s.checkDatabase(ctx); err != nil {
		return err
	}
	listener, err := s.listen(ctx, s.config.Listen)
	if err != nil {
		return err
	}
	if err := s.createParts(ctx, s.rootURL(listener)); err != nil {
		return errors.Join(err, listener.Close())
	}
	s.baseURL = s.rootURL(listener) + service.BasePath
	metrics := newMetrics()
	handler := s.newHandler() //nolint:contextcheck // each request has its own context
	if err := s.serve(listener, metrics.count(handler), true); err != nil {
		return err
	}
	if s.config.MetricsListen != "" {
		if err := s.serveMonitoring(ctx, metrics); err != nil {
			return err
		}
	}
	if err := s.bootstrap(ctx); err != nil {
		return err
	}
	return s.startBackground(ctx)
}

// serveMonitoring starts the server of health checks and metrics, which need no key.
func (s *Server) serveMonitoring(ctx context.Context, metrics *metrics) error {
	local, err := isLocal(s.config.MetricsListen)
	if err != nil {
		return err
	}
	if !local {
		s.config.Log.Warn("other machines can read the metrics without a key; to prevent it, listen on 127.0.0.1",
			"address", s.config.MetricsListen)
	}
	listener, err := s.listen(ctx, s.config.MetricsListen)
	if err != nil {
		return err
	}
	return s.serve(listener, s.newMonitoringHandler(metrics), false)
}

// checkDatabase refuses a damaged database, so that no change is acknowledged that it cannot keep.
func (s *Server) checkDatabase(ctx context.Context) error {
	complete, err := s.store.Check(ctx)
	if err == nil && !complete {
		s.config.Log.Warn("the database is large and was only partly checked for damage")
	}
	return err
}

func (s *Server) listen(ctx context.Context, address string) (net.Listener, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	return listener, nil
}

// rootURL returns the URL of the interface's listener.
func (s *Server) rootURL(listener net.Listener) string {
	if s.config.CertFile != "" {
		return "https://" + listener.Addr().String()
	}
	return "http://" + listener.Addr().String()
}

// serve starts a server on a listener.
func (s *Server) serve(listener net.Listener, handler http.Handler, public bool) error {
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(s.config.Log.Handler(), slog.LevelDebug),
	}
	serve := server.Serve
	if public && s.config.CertFile != "" {
		certificates := &certificates{certFile: s.config.CertFile, keyFile: s.config.KeyFile, log: s.config.Log}
		if _, err := certificates.current(); err != nil {
			return errors.Join(err, listener.Close())
		}
		server.TLSConfig = certificates.config()
		serve = func(l net.Listener) error { return server.ServeTLS(l, "", "") }
	}
	s.http = append(s.http, server)
	go func() {
		if err := serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.failed <- fmt.Errorf("serve %s: %w", listener.Addr(), err)
		}
	}()
	return nil
}

// BaseURL returns the URL of the interface.
func (s *Server) BaseURL() string { return s.baseURL }

// Now returns the time of the server's clock, which is not the real time in a sandbox.
func (s *Server) Now() time.Time { return s.clock.Now() }

// Wait blocks until ctx is done or the server fails.
func (s *Server) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-s.failed:
		return err
	}
}

// Stop waits for running requests and jobs and closes the data folder.
func (s *Server) Stop(ctx context.Context) error {
	var errs []error
	if s.pages != nil {
		s.pages.Close() // otherwise open pages would delay the shutdown
	}
	errs = append(errs, s.endRequests(context.WithoutCancel(ctx)))
	s.stopBackground()
	s.background.Wait()
	if s.jobsStarted {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), jobDrain+jobEnd)
		defer cancel()
		errs = append(errs, s.runner.Stop(ctx))
	}
	if s.store != nil {
		errs = append(errs, s.store.Close())
	}
	if s.addresses != nil {
		errs = append(errs, s.addresses.Close())
	}
	return errors.Join(append(errs, s.unlock())...)
}

func (s *Server) endRequests(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, requestDrain)
	defer cancel()
	for _, server := range s.http {
		if shutdownErr := server.Shutdown(ctx); shutdownErr != nil {
			err = errors.Join(err, fmt.Errorf("end requests: %w", shutdownErr), server.Close())
		}
	}
	return err
}

// bootstrap creates the first organization of a new data folder and prints its key once.
func (s *Server) bootstrap(ctx context.Context) error {
	fmt.Fprintf(s.config.Output, "base URL  %s\n", s.baseURL)
	if s.sandbox != nil {
		fmt.Fprintf(s.config.Output, "API key  %s\n", s.key)
		return nil
	}
	existing, err := s.world.Organizations(ctx)
	if err != nil || len(existing) > 0 {
		return err
	}
	first := s.config.Organization
	first.Key = s.config.BootstrapKey
	org, key, err := s.world.CreateOrganization(ctx, first)
	if err != nil {
		return fmt.Errorf("create the first organization: %w", err)
	}
	fmt.Fprintf(s.config.Output, "organization  %s (%s)\n", org.Name, org.ID)
	if s.config.BootstrapKey == "" {
		fmt.Fprintf(s.config.Output, "API key  %s\nThis key is shown only once. Save it.\n", key.Secret)
	}
	return nil
}
