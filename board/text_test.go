package board

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/model"
)

func TestClockInANarrowCell(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	clock := func(width int, in time.Duration) string {
		c := &CellContext{CellData: &CellData{Now: now, Zone: time.UTC}, Width: width}
		return string(c.appendClock(nil, model.MillisOf(now.Add(in))))
	}
	for text, in := range map[string]time.Duration{"13:00": time.Hour, "Tue": 30 * time.Hour, "4/1": 30 * 24 * time.Hour} {
		require.Equal(t, text, clock(5, in), "nothing is cut")
	}
	require.Equal(t, "Tue 18:00", clock(9, 30*time.Hour))
}

func TestAge(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	require.Equal(t, "30s", string(AppendAge(nil, model.MillisOf(now.Add(-39*time.Second)), now)))
	require.Equal(t, "never", string(AppendAge(nil, 0, now)))
}
