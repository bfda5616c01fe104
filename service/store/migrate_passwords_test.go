package store

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"
)

func TestStoredPasswordsAreHashed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, open(t, dir).Close())
	db, err := sql.Open("sqlite", filepath.Join(dir, FileName)) // without foreign keys
	require.NoError(t, err)
	for _, statement := range []string{
		"DELETE FROM goose_db_version WHERE version_id = 101", "DROP INDEX outbox_worker", "ALTER TABLE outbox DROP COLUMN worker",
		"INSERT INTO worker_passwords (worker, temporary) VALUES ('w', 'kd7mxw3pqa')",
		"INSERT INTO outbox (org, phone, kind, body, created, sent) VALUES ('o', '1', 'invitation', 'kd7mxw3pqa', 1, 2)",
	} {
		_, err := db.ExecContext(t.Context(), statement)
		require.NoError(t, err, statement)
	}
	require.NoError(t, db.Close())
	s := open(t, dir)
	defer s.Close()
	var hash, body string
	require.NoError(t, s.QueryRow(t.Context(), "SELECT temporary FROM worker_passwords").Scan(&hash))
	require.NoError(t, bcrypt.CompareHashAndPassword([]byte(hash), []byte("kd7mxw3pqa")))
	require.NoError(t, s.QueryRow(t.Context(), "SELECT body FROM outbox").Scan(&body))
	require.Empty(t, body)
}
