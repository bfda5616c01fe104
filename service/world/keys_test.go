package world

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/internal/storetest"
	"waybill/service/store"
)

// openBeside opens the folder of a store as another process does.
func openBeside(t *testing.T, s *store.Store) *store.Store {
	t.Helper()
	other, err := store.Open(t.Context(), s.Dir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, other.Close()) })
	return other
}

// A key that anyone has removed is refused from the next request on, however often it was found before.
func TestRemovedKeyIsNotFoundAnyMore(t *testing.T) {
	ctx := t.Context()
	server := New(Options{Store: storetest.Open(t)})
	administration := New(Options{Store: openBeside(t, server.Store())})
	org, first, err := server.CreateOrganization(ctx, NewOrganization{Name: "Bay Couriers", Country: "US", Timezone: "UTC"})
	require.NoError(t, err)
	for _, remover := range []*World{administration, server} {
		key, err := remover.AddKey(ctx, org.ID, "another", "")
		require.NoError(t, err)
		for range 3 {
			found, err := server.FindKey(ctx, key.Secret)
			require.NoError(t, err)
			require.Equal(t, KeyInfo{ID: key.ID, Org: org.ID}, found)
		}
		require.NoError(t, remover.RemoveKey(ctx, key.ID))
		found, err := server.FindKey(ctx, key.Secret)
		require.NoError(t, err)
		require.Empty(t, found)
		require.ErrorIs(t, remover.RemoveKey(ctx, key.ID), NotFound())
	}
	found, err := server.FindKey(ctx, first.Secret)
	require.NoError(t, err)
	require.Equal(t, first.ID, found.ID, "the other keys stay")
}

func TestKeysAreRememberedForOneEditionAndNotForLong(t *testing.T) {
	var book keyCache
	now := time.Now()
	book.put("hash", KeyInfo{ID: "key"}, 3, now)
	_, ok := book.get("hash", 3, now.Add(keyCacheTTL-1))
	require.True(t, ok)
	_, ok = book.get("hash", 3, now.Add(keyCacheTTL))
	require.False(t, ok, "too long ago")
	_, ok = book.get("hash", 4, now)
	require.False(t, ok, "a removal was announced")

	book.put("new", KeyInfo{ID: "other"}, 4, now)
	_, ok = book.get("hash", 4, now)
	require.False(t, ok, "another edition starts from nothing")
	book.put("hash", KeyInfo{ID: "key"}, 3, now)
	_, ok = book.get("hash", 4, now)
	require.False(t, ok, "it was read before the removal was announced")
	_, ok = book.get("new", 4, now)
	require.True(t, ok)
}
