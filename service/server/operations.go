package server

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics counts what the server does.
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

// count wraps the interface's handler.
func (m *metrics) count(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		recorder := &statusRecorder{ResponseWriter: w, status: http.StatusOK}
		status := unanswered
		defer func() { // also when the handler gives the connection up, with a panic that net/http takes
			m.requests.WithLabelValues(knownMethod(r.Method), status).Inc()
			m.seconds.Observe(time.Since(start).Seconds())
		}()
		next.ServeHTTP(recorder, r)
		status = strconv.Itoa(recorder.status)
	})
}

// unanswered is the status of a request that ended without an answer, because its sender had left.
const unanswered = "none"

// knownMethod keeps strangers from filling the metrics with methods of their own.
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

// newMonitoringHandler answers those who watch the server.
func (s *Server) newMonitoringHandler(m *metrics) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		var one int
		if err := s.store.QueryRow(r.Context(), "SELECT 1").Scan(&one); err != nil {
			http.Error(w, "the store does not answer", http.StatusServiceUnavailable)
			return
		}
		w.WriteHeader(http.StatusOK)
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	return mux
}
