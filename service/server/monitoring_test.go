package server

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnAbortedRequestIsCountedAsUnanswered(t *testing.T) {
	t.Parallel()
	m := newMetrics()
	aborted := m.count(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	require.PanicsWithValue(t, http.ErrAbortHandler, func() {
		aborted.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/v2/tasks", nil))
	}, "net/http must see it, to end the connection")
	families, err := m.registry.Gather()
	require.NoError(t, err)
	counted := map[string]float64{}
	for _, family := range families {
		if family.GetName() != "waybill_requests_total" {
			continue
		}
		for _, metric := range family.GetMetric() {
			for _, label := range metric.GetLabel() {
				if label.GetName() == "status" {
					counted[label.GetValue()] = metric.GetCounter().GetValue()
				}
			}
		}
	}
	require.Equal(t, map[string]float64{"none": 1}, counted)
}
