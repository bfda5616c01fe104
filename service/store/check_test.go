package store

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// brokenFolder makes a data folder with some content and then damages it.
func brokenFolder(t *testing.T, damage func(t *testing.T, dir string)) string {
	t.Helper()
	dir := t.TempDir()
	s := open(t, dir)
	require.NoError(t, s.Write(t.Context(), func(tx *Tx) error {
		for i := range 400 {
			tx.Write(t.Context(), "insert", "INSERT INTO geocodes (query, created, result) VALUES ($1, 0, $2)", i, strings.Repeat("r", 500))
		}
		return nil
	}))
	require.NoError(t, s.Close())
	damage(t, dir)
	return dir
}

func execute(statement string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		db, err := openPool(filepath.Join(dir, FileName), 1)
		require.NoError(t, err)
		_, err = db.ExecContext(t.Context(), statement)
		require.NoError(t, err)
		require.NoError(t, db.Close())
	}
}

func overwrite(change func([]byte) []byte) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		file := filepath.Join(dir, FileName)
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, change(content), 0o600))
	}
}

// openChecked opens a folder as the server does.
func openChecked(t *testing.T, dir string) error {
	t.Helper()
	s, err := Open(t.Context(), dir)
	if err != nil {
		return err
	}
	defer s.Close()
	complete, err := s.Check(t.Context())
	require.Equal(t, err == nil, complete)
	return err
}

func TestDamagedDatabasesAreRefused(t *testing.T) {
	t.Parallel()
	garbage := bytes.Repeat([]byte("garbage!"), 512)
	for name, row := range map[string]struct {
		damage func(*testing.T, string)
		refuse error
		text   string
	}{
		"nothing":      {func(*testing.T, string) {}, nil, ""},
		"empty file":   {overwrite(func([]byte) []byte { return nil }), ErrDamaged, "empty file"},
		"not database": {overwrite(func([]byte) []byte { return garbage }), ErrDamaged, "not a database"},
		"half":         {overwrite(func(b []byte) []byte { return b[:len(b)/2] }), ErrDamaged, "malformed"},
		"garbage inside": {overwrite(func(b []byte) []byte {
			for at := len(b) / 2 &^ 4095; at < len(b)-8*4096; at += 16 * 4096 {
				copy(b[at:], garbage)
			}
			return b
		}), ErrDamaged, "damaged"},
		"missing table":  {execute("DROP TABLE driver_sessions"), ErrDamaged, "of table driver_sessions is missing"},
		"missing column": {execute("ALTER TABLE quotes DROP COLUMN places"), ErrDamaged, "column places of table quotes is missing"},
		"missing queue":  {execute("DROP TABLE river_job"), ErrDamaged, "river_job"},
		"newer": {
			execute("INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, 1)"), ErrNewer,
			"a newer version of waybill",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := openChecked(t, brokenFolder(t, row.damage))
			if row.refuse == nil {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, row.refuse)
			require.ErrorContains(t, err, row.text)
			require.NotContains(t, err.Error(), "\n", "one line")
		})
	}
}
