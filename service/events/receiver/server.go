package receiver

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Times after which a sender loses its connection: whoever is slower than the service's own patience is not the
// service.
const (
	headerTimeout = 10 * time.Second
	readTimeout   = 30 * time.Second
	idleTimeout   = 2 * time.Minute
)

// Server answers at an address of this machine.
type Server struct {
	address string
	server  *http.Server
	done   chan error
}

// Listen answers with a handler over TLS until the server is closed.
func Listen(ctx context.Context, address string, certificate tls.Certificate, handler http.Handler) (*Server, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	s := &Server{
		address: listener.Addr().String(), done: make(chan error, 1),
		server: &http.Server{
			Handler:           handler,
			TLSConfig:         &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12},
			ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, IdleTimeout: idleTimeout,
			ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
		},
	}
	go func() {
		err := s.server.ServeTLS(listener, "", "")
		if errors.Is(err, http.ErrServerClosed) {
			err = nil
		}
		s.done <- err
	}()
	return s, nil
}

// Address is where it listens, with the port that was chosen.
func (s *Server) Address() string { return s.address }

// Done tells once why it answers no more; nil after Close.
func (s *Server) Done() <-chan error { return s.done }

// Close frees the port at once.
func (s *Server) Close() { s.server.Close() }
