package apiclient

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestServiceClock(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		date  string
		ahead time.Duration
	}{
		"agrees":         {now.Add(2 * time.Second).Format(http.TimeFormat), 0},
		"ahead":          {now.Add(time.Hour).Format(http.TimeFormat), time.Hour},
		"behind":         {now.Add(-6 * time.Minute).Format(http.TimeFormat), -6 * time.Minute},
		"none":           {"", 0},
		"not to be read": {"soon", 0},
	} {
		var clock serviceClock
		clock.observe(http.Header{"Date": {c.date}}, now, now.Add(time.Second))
		require.InDelta(t, c.ahead, clock.offset.Load(), float64(time.Second), name)
	}
	var clock serviceClock
	clock.observe(http.Header{"Date": {now.Add(time.Hour).Format(http.TimeFormat)}}, now, now)
	clock.observe(http.Header{}, now, now)
	require.NotZero(t, clock.offset.Load(), "an answer without a date says nothing new")
	clock.observe(http.Header{"Date": {now.Format(http.TimeFormat)}}, now, now)
	require.Zero(t, clock.offset.Load())
}
