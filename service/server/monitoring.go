package server

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
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
		var one int
		if err := s.store.QueryRow(r.Context(), "SELECT 1").Scan(&one); err != nil {
			http.Error(w, "the database does not answer", http.StatusServiceUnavailable)
			return
		}
		w.WriteHeader(http.StatusOK)
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	return mux
}
