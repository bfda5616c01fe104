package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"waybill/service/store"
)

// metrics counts the requests to the server.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  prometheus.Histogram
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "waybill_requests_total", Help: "Requests by method and status.",
		}, []string{"method", "status"}),
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "waybill_request_seconds", Help: "Time to answer.", Buckets: prometheus.ExponentialBuckets(0.0005, 4, 8),
		}),
	}
	m.registry.MustRegister(m.requests, m.seconds, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// count counts the requests to a handler.
func (m *metrics) count(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		recorder := &statusRecorder{ResponseWriter: w, status: http.StatusOK}
		status := unanswered
		defer func() { // also when the handler aborts with a panic, which net/http recovers
			m.requests.WithLabelValues(knownMethod(r.Method), status).Inc()
			m.seconds.Observe(time.Since(start).Seconds())
		}()
		next.ServeHTTP(recorder, r)
		status = strconv.Itoa(recorder.status)
	})
}

// unanswered is the status of a request that was aborted because its client had left.
const unanswered = "none"

// knownMethod replaces unknown methods, so that clients cannot add any number of metrics.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete:
		return method
	}
	return "other"
}

type statusRecorder struct {
	http.ResponseWriter
	status int
}

func (r *statusRecorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach the connection.
func (r *statusRecorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// newMonitoringHandler serves health checks and metrics.
func (s *Server) newMonitoringHandler(m *metrics) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if err := s.checkReady(r.Context()); err != nil {
			http.Error(w, "not ready: "+err.Error(), http.StatusServiceUnavailable)
			return
		}
		w.WriteHeader(http.StatusOK)
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	return mux
}

// readyTimeout is how long the database may take to save a change while the server counts as ready.
const readyTimeout = 5 * time.Second

// checkReady reports whether a change could be saved now.
func (s *Server) checkReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	saved := make(chan error, 1)
	go func() { saved <- s.store.CheckWritable(ctx) }() // a hanging disk does not end with the context
	select {
	case err := <-saved:
		if store.IsFull(err) {
			return errors.New("the disk is full; free space on it")
		}
		return err
	case <-ctx.Done():
		return fmt.Errorf("the database did not save a change within %v", readyTimeout)
	}
}
