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

// Timeouts of connections. The service itself is never slower.
const (
	headerTimeout = 10 * time.Second
	readTimeout   = 30 * time.Second
	idleTimeout   = 2 * time.Minute
)

// Server is an HTTPS server on a local address.
type Server struct {
	listener net.Listener
	server   *http.Server
	done     chan error
}

// Listen starts a Server, which runs until Close.
func Listen(ctx context.Context, address string, certificate tls.Certificate, handler http.Handler) (*Server, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	s := &Server{
		listener: listener, done: make(chan error, 1),
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

// Address returns the address that the server listens on, with its actual port.
func (s *Server) Address() string { return s.listener.Addr().String() }

// Done receives the error that ended the server, or nil after Close.
func (s *Server) Done() <-chan error { return s.done }

// Close stops the server and frees the port. A server that does not serve yet does not know its listener, which is
// therefore closed as well.
func (s *Server) Close() {
	s.server.Close()
	s.listener.Close()
}
