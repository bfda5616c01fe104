package store_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/service/store"
)

func openTogether(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// note writes one row, as a change of the world does.
func note(ctx context.Context, s *store.Store, text string, failure error) error {
	return s.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Exec(ctx, "INSERT INTO geocodes (query, created, result) VALUES ($1, 0, '')", text); err != nil {
			return err
		}
		return failure
	})
}

func notes(ctx context.Context, t *testing.T, q store.Querier) int {
	t.Helper()
	var n int
	require.NoError(t, q.QueryRow(ctx, "SELECT count(*) FROM geocodes").Scan(&n))
	return n
}

var errRefused = errors.New("refused")

func TestTogetherIsOneChangeOfMany(t *testing.T) {
	t.Parallel()
	s := openTogether(t)
	told := 0
	require.NoError(t, s.RunInTransaction(t.Context(), func(ctx context.Context) error {
		require.NoError(t, note(ctx, s, "a", nil))
		require.ErrorIs(t, note(ctx, s, "b", errRefused), errRefused)
		require.NoError(t, s.RunInTransaction(ctx, func(ctx context.Context) error { return note(ctx, s, "c", nil) }))
		require.Equal(t, 2, notes(ctx, t, s), "it sees what it has written, without what was refused")
		require.NoError(t, s.Read(ctx, func(tx *store.Tx) error {
			require.Equal(t, 2, notes(ctx, t, tx))
			return nil
		}))
		require.Zero(t, notes(t.Context(), t, s), "nobody else sees it yet")
		require.NoError(t, s.Write(ctx, func(tx *store.Tx) error { tx.AfterCommit(func() { told++ }); return nil }))
		require.ErrorIs(t, s.Write(ctx, func(tx *store.Tx) error { tx.AfterCommit(func() { told += 100 }); return errRefused }), errRefused)
		require.Zero(t, told)
		return nil
	}))
	require.Equal(t, 2, notes(t.Context(), t, s))
	require.Equal(t, 1, told, "only what was kept is told of, and only once it is")
}

func TestTogetherFailsAsAWhole(t *testing.T) {
	t.Parallel()
	s := openTogether(t)
	require.ErrorIs(t, s.RunInTransaction(t.Context(), func(ctx context.Context) error {
		require.NoError(t, note(ctx, s, "a", nil))
		return errRefused
	}), errRefused)
	require.Zero(t, notes(t.Context(), t, s))
	other := openTogether(t)
	require.NoError(t, s.RunInTransaction(t.Context(), func(ctx context.Context) error {
		return note(ctx, other, "its own", nil) // another store's changes are its own
	}))
	require.Equal(t, 1, notes(t.Context(), t, other))
	require.Zero(t, notes(t.Context(), t, s))
}

func TestRestoreTakesOnlyWholeSnapshots(t *testing.T) {
	t.Parallel()
	s := openTogether(t)
	require.NoError(t, note(t.Context(), s, "a", nil))
	file := filepath.Join(t.TempDir(), "snapshot ?&%.db") // people choose such names
	require.NoError(t, s.Snapshot(t.Context(), file))
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	dir := t.TempDir()
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	for name, content := range map[string][]byte{"text": []byte("no database at all"), "half": whole[:len(whole)/2], "nothing": {}} {
		bad := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(bad, content, 0o600))
		require.Error(t, store.Restore(t.Context(), bad, dir), name)
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, left, name)
	}
	require.NoError(t, store.Restore(t.Context(), file, dir))
	again, err := store.Open(t.Context(), dir)
	require.NoError(t, err)
	require.Equal(t, 1, notes(t.Context(), t, again))
	require.NoError(t, again.Close())
}
