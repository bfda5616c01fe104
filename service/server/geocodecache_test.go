package server

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/clocktest"
	"waybill/internal/storetest"
	"waybill/service/geo"
)

func TestCachedAddressesExpireAndAreLimited(t *testing.T) {
	t.Parallel()
	clock := clocktest.New(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	c := newGeocodeCache(storetest.Open(t), clock)
	c.capacity = 10
	kept := func(key string) bool {
		t.Helper()
		_, ok, err := c.Get(t.Context(), key)
		require.NoError(t, err)
		return ok
	}
	put := func(key string) {
		t.Helper()
		require.NoError(t, c.Put(t.Context(), key, geo.Result{}))
	}
	put("here")
	require.True(t, kept("here"))
	clock.Advance(geocodeLife - time.Millisecond)
	require.True(t, kept("here"))
	clock.Advance(time.Millisecond)
	require.False(t, kept("here"))

	for i := range evictInterval {
		put(strconv.Itoa(i))
		clock.Advance(time.Second)
	}
	var n int
	require.NoError(t, c.store.QueryRow(t.Context(), "SELECT count(*) FROM geocodes").Scan(&n))
	require.Equal(t, c.capacity, n)
	require.False(t, kept(strconv.Itoa(evictInterval-c.capacity-1)))
	require.True(t, kept(strconv.Itoa(evictInterval-c.capacity)))
}
