package world_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/service/world"
)

func TestAScaledClockRunsAheadOfTheSystems(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 2, 17, 0, 0, 0, time.UTC)
	const speed = 36_000.0
	before := time.Now()
	clock := world.NewScaledClock(start, speed)
	require.NoError(t, clock.Sleep(t.Context(), time.Hour))
	passed := clock.Now().Sub(start)
	require.GreaterOrEqual(t, passed, time.Hour)
	require.LessOrEqual(t, passed, time.Duration(float64(time.Since(before))*speed))

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, clock.Sleep(ended, 1000*time.Hour), context.Canceled)
	require.False(t, world.NewScaledClock(start, 0).Now().After(start.Add(time.Minute)), "a speed of none is the usual one")
}
