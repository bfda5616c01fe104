package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func open(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(t.Context(), dir)
	require.NoError(t, err)
	return s
}

func insertCode(ctx context.Context, tx *Tx, query string) error {
	_, err := tx.Exec(ctx, "INSERT INTO geocodes (query, created, result) VALUES ($1, 0, '{}')", query)
	return err
}

func count(t *testing.T, s *Store) (n int) {
	t.Helper()
	require.NoError(t, s.QueryRow(t.Context(), "SELECT count(*) FROM geocodes").Scan(&n))
	return n
}

func TestChangesOfAGroupFailAlone(t *testing.T) {
	t.Run("once", func(t *testing.T) {
		require.Zero(t, requireChangesFailAlone(t, func(int) bool { return false }))
	})
	t.Run("repeatable", func(t *testing.T) {
		require.Equal(t, 1, requireChangesFailAlone(t, func(int) bool { return true }), "after one failure savepoints are used")
	})
	t.Run("mixed", func(t *testing.T) { requireChangesFailAlone(t, func(i int) bool { return i%4 != 3 }) })
}

// requireChangesFailAlone runs changes in one group, some of which fail, and returns how often the group was repeated.
func requireChangesFailAlone(t *testing.T, repeatable func(i int) bool) (again int) {
	t.Helper()
	s := open(t, t.TempDir())
	defer s.Close()
	boom := errors.New("boom")

	// A group goes on for as long as it has waiting changes, and holding the writer lets all changes below wait together.
	require.NoError(t, s.Write(t.Context(), func(*Tx) error { s.commits.commitTime = time.Hour; return nil }))
	release, held := make(chan struct{}), make(chan struct{})
	hold := sync.OnceFunc(func() { close(held); <-release })
	var wg sync.WaitGroup
	write := func(i int, fn func(*Tx) error) error {
		if repeatable(i) {
			return s.WriteRepeatable(t.Context(), fn)
		}
		return s.Write(t.Context(), fn)
	}
	wg.Go(func() { write(0, func(*Tx) error { again++; hold(); return nil }) }) //nolint:errcheck // only holds the writer
	<-held
	errs := make([]error, 20)
	runs, told := make([]int, len(errs)), make([]int, len(errs))
	for i := range errs {
		wg.Go(func() {
			errs[i] = write(i, func(tx *Tx) error {
				runs[i]++
				tx.AfterCommit(func() { told[i]++ })
				if err := insertCode(t.Context(), tx, string(rune('a'+i))); err != nil {
					return err
				}
				switch i % 3 {
				case 1:
					return boom
				case 2:
					panic("boom")
				}
				return nil
			})
		})
	}
	for len(s.commits.queue) < len(errs) {
		runtime.Gosched() // all are queued soon, and nothing consumes them yet
	}
	close(release)
	wg.Wait()

	kept := 0
	for i, err := range errs {
		switch i % 3 {
		case 0:
			require.NoError(t, err)
			require.Equal(t, 1, told[i])
			kept++
		case 1:
			require.ErrorIs(t, err, boom)
			require.Zero(t, told[i])
		case 2:
			require.ErrorContains(t, err, "panic while writing: boom")
			require.Zero(t, told[i])
		}
		if !repeatable(i) {
			require.Equal(t, 1, runs[i])
		}
	}
	require.Equal(t, kept, count(t, s))
	return again - 1
}

func TestAfterCommitRunsOnlyForCommittedChanges(t *testing.T) {
	s := open(t, t.TempDir())
	defer s.Close()
	ran := 0
	require.NoError(t, s.Write(t.Context(), func(tx *Tx) error { tx.AfterCommit(func() { ran++ }); return nil }))
	require.Error(t, s.Write(t.Context(), func(tx *Tx) error { tx.AfterCommit(func() { ran++ }); return errors.New("no") }))
	require.Equal(t, 1, ran)
}

// A panic after a commit must not stop the writer.
func TestAPanicAfterTheCommitIsReturned(t *testing.T) {
	s := open(t, t.TempDir())
	defer s.Close()
	done := false
	err := s.Write(t.Context(), func(tx *Tx) error {
		tx.AfterCommit(func() { panic("boom") })
		tx.AfterCommit(func() { done = true })
		return insertCode(t.Context(), tx, "kept")
	})
	require.ErrorContains(t, err, "on disk")
	require.ErrorContains(t, err, "boom")
	require.True(t, done)
	require.NoError(t, s.Write(t.Context(), func(tx *Tx) error { return insertCode(t.Context(), tx, "next") }))
	require.Equal(t, 2, count(t, s))
}

func TestACancelledChangeIsSkipped(t *testing.T) {
	s := open(t, t.TempDir())
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := s.Write(ctx, func(tx *Tx) error { return insertCode(t.Context(), tx, "x") })
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, count(t, s))
}

func TestDataSurvivesReopeningAndIsPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := open(t, dir)
	require.NoError(t, s.Write(t.Context(), func(tx *Tx) error { return insertCode(t.Context(), tx, "x") }))
	for _, name := range []string{"", FileName, FileName + "-wal"} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077, name)
	}
	require.NoError(t, s.Close())
	require.ErrorIs(t, s.Write(t.Context(), func(*Tx) error { return nil }), ErrClosed)
	s = open(t, dir)
	defer s.Close()
	require.Equal(t, 1, count(t, s))
}

func TestOneServerPerFolder(t *testing.T) {
	dir := t.TempDir()
	unlock, err := LockServer(dir)
	require.NoError(t, err)
	_, err = LockServer(dir)
	require.ErrorIs(t, err, ErrServerRunning)
	require.NoError(t, unlock())
	unlock, err = LockServer(dir)
	require.NoError(t, err)
	require.NoError(t, unlock())
}

func TestTryRollsBackAlone(t *testing.T) {
	s := open(t, t.TempDir())
	defer s.Close()
	boom := errors.New("boom")
	require.NoError(t, s.Write(t.Context(), func(tx *Tx) error {
		require.NoError(t, insertCode(t.Context(), tx, "before"))
		require.ErrorIs(t, tx.Try(t.Context(), func() error {
			require.NoError(t, insertCode(t.Context(), tx, "undone"))
			return boom
		}), boom)
		require.NoError(t, tx.Try(t.Context(), func() error { return insertCode(t.Context(), tx, "kept") }))
		return nil
	}))
	require.Equal(t, 2, count(t, s))
}
