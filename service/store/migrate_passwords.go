package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/pressly/goose/v3"
	"golang.org/x/crypto/bcrypt"
)

// hashPasswordsMigration replaces temporary passwords with their hashes and erases texts that are no longer needed.
func hashPasswordsMigration() *goose.Migration {
	const version = 101
	return goose.NewGoMigration(version, &goose.GoFunc{RunTx: hashPasswords}, nil)
}

func hashPasswords(ctx context.Context, tx *sql.Tx) error {
	for _, statement := range []string{
		"ALTER TABLE outbox ADD COLUMN worker TEXT",
		"CREATE INDEX outbox_worker ON outbox (worker)",
		`UPDATE outbox SET worker = (SELECT w.id FROM workers w WHERE w.org = outbox.org AND w.phone = outbox.phone)
			WHERE kind = 'invitation'`,
		`UPDATE outbox SET body = '' WHERE sent IS NOT NULL OR kind = 'invitation' AND NOT EXISTS
			(SELECT 1 FROM worker_passwords p WHERE p.worker = outbox.worker AND p.temporary IS NOT NULL)`,
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("change the outbox: %w", err)
		}
	}
	passwords, err := readTemporaryPasswords(ctx, tx)
	if err != nil {
		return fmt.Errorf("read temporary passwords: %w", err)
	}
	for worker, password := range passwords {
		hash, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.MinCost)
		if err != nil {
			return fmt.Errorf("hash a temporary password: %w", err)
		}
		if _, err := tx.ExecContext(ctx, "UPDATE worker_passwords SET temporary = $1 WHERE worker = $2", string(hash), worker); err != nil {
			return fmt.Errorf("hash a temporary password: %w", err)
		}
	}
	return nil
}

func readTemporaryPasswords(ctx context.Context, tx *sql.Tx) (map[string]string, error) {
	rows, err := tx.QueryContext(ctx, "SELECT worker, temporary FROM worker_passwords WHERE temporary IS NOT NULL")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	passwords := map[string]string{}
	for rows.Next() {
		var worker, password string
		if err := rows.Scan(&worker, &password); err != nil {
			return nil, err
		}
		passwords[worker] = password
	}
	return passwords, rows.Err()
}
