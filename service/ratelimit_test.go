package service_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/clocktest"
	"waybill/internal/servicetest"
	"waybill/service"
)

// TestRateLimit checks that each organization has its own bucket.
func TestRateLimit(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	_, other := s.AddOrganization("Other Couriers", "")
	clock := clocktest.New(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	limited := httptest.NewServer(service.New(service.Options{World: s.World, Rate: 20, Now: clock.Now}))
	t.Cleanup(limited.Close)
	ask := func(key string) (status int, limit, remaining, wait string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, limited.URL+service.BasePath+"/auth/test", nil)
		require.NoError(t, err)
		r.SetBasicAuth(key, "")
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		h := answer.Header
		return answer.StatusCode, h.Get("X-RateLimit-Limit"), h.Get("X-RateLimit-Remaining"), h.Get("Retry-After")
	}
	expect := func(key string, status int, remaining, wait string) {
		t.Helper()
		gotStatus, limit, gotRemaining, gotWait := ask(key)
		require.Equal(t, []any{status, "20", remaining, wait}, []any{gotStatus, limit, gotRemaining, gotWait})
	}
	expect(s.Key, http.StatusOK, "19", "")
	for range 18 {
		status, _, _, _ := ask(s.Key)
		require.Equal(t, http.StatusOK, status)
	}
	expect(s.Key, http.StatusOK, "0", "")
	expect(s.Key, http.StatusTooManyRequests, "0", "1")
	expect(other, http.StatusOK, "19", "") // another organization's
	clock.Advance(100 * time.Millisecond)
	expect(s.Key, http.StatusOK, "1", "")
	expect(s.Key, http.StatusOK, "0", "")
	expect(s.Key, http.StatusTooManyRequests, "0", "1")
	clock.Advance(time.Hour)
	expect(s.Key, http.StatusOK, "19", "")
	expect("not a key", http.StatusUnauthorized, "20", "") // a stranger sees the numbers too
}

// A limit may be less than one request per second.
func TestLimitBelowOnePerSecond(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	limited := service.New(service.Options{World: s.World, Rate: 0.4, Now: s.Clock.Now})
	ask := func() *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, service.BasePath+"/auth/test", nil)
		r.SetBasicAuth(s.Key, "")
		answer := httptest.NewRecorder()
		limited.ServeHTTP(answer, r)
		return answer
	}
	require.Equal(t, http.StatusOK, ask().Code)
	refused := ask()
	require.Equal(t, http.StatusTooManyRequests, refused.Code)
	require.Contains(t, refused.Body.String(), "0.4 per second")
	require.Equal(t, "3", refused.Header().Get("Retry-After"))
	s.Clock.Advance(3 * time.Second)
	require.Equal(t, http.StatusOK, ask().Code)
}
