package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestChangesAreNotAcknowledgedWithoutTheirFiles moves or removes the files of an open database. A restart would not
// find changes that are written to them.
func TestChangesAreNotAcknowledgedWithoutTheirFiles(t *testing.T) {
	t.Parallel()
	for name, move := range map[string]func(dir string) error{
		"folder moved":     func(dir string) error { return os.Rename(dir, dir+".moved") },
		"folder removed":   os.RemoveAll,
		"database removed": func(dir string) error { return os.Remove(filepath.Join(dir, FileName)) },
		"log removed":      func(dir string) error { return os.Remove(filepath.Join(dir, FileName+"-wal")) },
		"database replaced": func(dir string) error {
			file := filepath.Join(dir, FileName)
			return os.Rename(file+".copy", file)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "data")
			s := open(t, dir)
			defer s.Close()
			write := func(text string) error {
				return s.Write(t.Context(), func(tx *Tx) error { return insertCode(t.Context(), tx, text) })
			}
			require.NoError(t, write("before"))
			require.NoError(t, s.CheckWritable(t.Context()))
			require.NoError(t, copyFile(filepath.Join(dir, FileName), filepath.Join(dir, FileName+".copy")))
			require.NoError(t, move(dir))
			require.ErrorIs(t, write("after"), ErrMoved)
			require.ErrorIs(t, s.CheckWritable(t.Context()), ErrMoved)
			if name == "folder moved" {
				require.NoError(t, os.Rename(dir+".moved", dir))
				require.NoError(t, write("back"))
				require.Equal(t, 2, count(t, s), "the refused change was not made")
			}
		})
	}
}

// TestFilesMovedDuringAChange moves the folder between the check at the start of a change and its commit.
func TestFilesMovedDuringAChange(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	s := open(t, dir)
	defer s.Close()
	told := false
	require.ErrorIs(t, s.Write(t.Context(), func(tx *Tx) error {
		tx.AfterCommit(func() { told = true })
		require.NoError(t, os.Rename(dir, dir+".moved"))
		return insertCode(t.Context(), tx, "lost")
	}), ErrMoved)
	require.False(t, told)
}

func TestAProbeLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir())
	defer s.Close()
	require.NoError(t, s.CheckWritable(t.Context()))
	var rows int
	require.NoError(t, s.QueryRow(t.Context(), "SELECT count(*) FROM write_probes").Scan(&rows))
	require.Zero(t, rows)
}

func TestAFullDiskIsRecognized(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir())
	defer s.Close()
	fillDisk(t, s)
	require.True(t, IsFull(s.CheckWritable(t.Context())))
}

// fillDisk makes SQLite refuse to grow the database, as on a full disk, and uses up the free pages in it.
func fillDisk(t *testing.T, s *Store) {
	t.Helper()
	_, err := s.Writer().ExecContext(t.Context(), "PRAGMA max_page_count = 1") // it becomes the current size
	require.NoError(t, err)
	for size := 4000; size > 0; size /= 2 {
		for err = nil; err == nil; {
			err = s.Write(t.Context(), func(tx *Tx) error {
				tx.Write(t.Context(), "fill", "INSERT INTO write_probes (content) VALUES (zeroblob($1))", size)
				return nil
			})
		}
		require.True(t, IsFull(err), "%v", err)
	}
}

// TestReadAfterTheFilesWereMoved reads on a new connection, which can no longer open the database.
func TestReadAfterTheFilesWereMoved(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	s := open(t, dir)
	defer s.Close()
	require.NoError(t, os.Rename(dir, dir+".moved"))
	s.reader.SetMaxIdleConns(0) // every read needs a new connection
	var tables int
	err := s.QueryRow(t.Context(), "SELECT count(*) FROM sqlite_master").Scan(&tables)
	require.Error(t, err)
	require.NotErrorIs(t, err, ErrMoved)
	require.ErrorIs(t, s.Explain(err), ErrMoved)
	other := errors.New("something else")
	require.Equal(t, other, s.Explain(other))
}
