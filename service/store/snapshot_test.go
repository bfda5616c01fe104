package store

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// killedFolder makes a data folder like that of a killed process, with changes that are only in the log.
func killedFolder(t *testing.T, changes ...string) string {
	t.Helper()
	running, left := t.TempDir(), t.TempDir()
	s := open(t, running)
	for _, name := range changes {
		require.NoError(t, s.Write(t.Context(), func(tx *Tx) error { return insertCode(t.Context(), tx, name) }))
	}
	copyFolder(t, running, left)
	require.FileExists(t, filepath.Join(left, FileName+"-wal"))
	require.NoError(t, s.Close())
	return left
}

func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	entries, err := os.ReadDir(from)
	require.NoError(t, err)
	for _, entry := range entries {
		require.NoError(t, copyFile(filepath.Join(from, entry.Name()), filepath.Join(to, entry.Name())))
	}
}

func content(t *testing.T, dir string) (names []string) {
	t.Helper()
	s := open(t, dir)
	defer s.Close()
	var state string
	require.NoError(t, s.QueryRow(t.Context(), "PRAGMA integrity_check").Scan(&state))
	require.Equal(t, "ok", state)
	rows, err := s.Query(t.Context(), "SELECT query FROM geocodes ORDER BY query")
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		names = append(names, name)
	}
	require.NoError(t, rows.Err())
	return names
}

func TestACrashDuringRestoreLeavesAValidDatabase(t *testing.T) {
	t.Parallel()
	before, after := []string{"old 1", "old 2"}, []string{"restored"}
	old, snapshot := killedFolder(t, before...), filepath.Join(t.TempDir(), "day.db")
	source := open(t, killedFolder(t, after...))
	require.NoError(t, source.Snapshot(t.Context(), snapshot))
	require.NoError(t, source.Close())

	steps := len(restoreSteps(t.Context(), snapshot, old))
	for done := range steps + 1 {
		t.Run(fmt.Sprintf("after step %d", done), func(t *testing.T) {
			dir := t.TempDir()
			copyFolder(t, old, dir)
			for _, step := range restoreSteps(t.Context(), snapshot, dir)[:done] {
				require.NoError(t, step())
			}
			expected := before
			if done >= 4 {
				expected = after
			}
			require.Equal(t, expected, content(t, dir))
			require.NoError(t, Restore(t.Context(), snapshot, dir), "it can be repeated")
			require.Equal(t, after, content(t, dir))
		})
	}
}

func TestRestoreNeedsExclusiveAccess(t *testing.T) {
	t.Parallel()
	snapshot, dir := filepath.Join(t.TempDir(), "day.db"), t.TempDir()
	s := open(t, dir)
	require.NoError(t, s.Write(t.Context(), func(tx *Tx) error { return insertCode(t.Context(), tx, "here") }))
	require.NoError(t, s.Snapshot(t.Context(), snapshot))
	require.Error(t, Restore(t.Context(), snapshot, dir))
	require.Equal(t, 1, count(t, s))
	require.NoError(t, s.Close())
	require.Equal(t, []string{"here"}, content(t, dir))
}

// A log without its database must not be applied to the next one.
func TestALeftoverLogIsIgnored(t *testing.T) {
	t.Parallel()
	dir, snapshot := killedFolder(t, "old"), filepath.Join(t.TempDir(), "day.db")
	source := open(t, killedFolder(t, "restored"))
	require.NoError(t, source.Snapshot(t.Context(), snapshot))
	require.NoError(t, source.Close())
	require.NoError(t, os.Remove(filepath.Join(dir, FileName)))
	erased := t.TempDir()
	copyFolder(t, dir, erased)
	require.Empty(t, content(t, erased), "like after a crash during Erase")
	require.NoError(t, Restore(t.Context(), snapshot, dir))
	require.Equal(t, []string{"restored"}, content(t, dir))
}
