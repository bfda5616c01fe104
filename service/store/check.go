package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ErrDamaged means that the database of a data folder cannot be used.
var ErrDamaged = errors.New("restore it from a backup, or move it away to start with an empty database")

// ErrNewer means that a newer version of waybill has changed the database.
var ErrNewer = errors.New("install that version or a later one")

// checkNotEmpty refuses an empty file, which SQLite would take for a new database. It runs before the database is opened,
// because SQLite removes the log of an empty database.
func checkNotEmpty(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	if info.Size() == 0 {
		return fmt.Errorf("the database %s is an empty file: %w", path, ErrDamaged)
	}
	return nil
}

// checkVersion refuses a database with migrations that this program does not have.
func (s *Store) checkVersion(ctx context.Context, newest int64) error {
	var migrated int
	if err := s.writer.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master WHERE name = 'goose_db_version'").Scan(&migrated); err != nil {
		return err
	}
	if migrated == 0 {
		return nil
	}
	var version int64
	if err := s.writer.QueryRowContext(ctx, "SELECT coalesce(max(version_id), 0) FROM goose_db_version").Scan(&version); err != nil {
		return err
	}
	if version > newest {
		return fmt.Errorf("a newer version of waybill has changed the database (version %d, this program knows %d): %w", version, newest, ErrNewer)
	}
	return nil
}

// checkTime is how long the check of a large database may take. The server then starts without the rest of the check.
const checkTime = 20 * time.Second

// Check refuses a database that is damaged or lacks tables. complete is false if there was not enough time for everything.
func (s *Store) Check(ctx context.Context) (complete bool, err error) {
	if err := s.checkTables(ctx); err != nil {
		return false, err
	}
	limited, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	var state string
	err = s.reader.QueryRowContext(limited, "PRAGMA quick_check(1)").Scan(&state)
	switch {
	case err != nil && limited.Err() != nil:
		return false, ctx.Err()
	case err != nil:
		return false, s.damaged(err.Error())
	case state != "ok":
		return false, s.damaged(state)
	}
	return true, nil
}

// damaged returns the refusal of a damaged database in one line.
func (s *Store) damaged(detail string) error {
	return fmt.Errorf("the database %s is damaged (%s): %w",
		filepath.Join(s.dir, FileName), strings.Join(strings.Fields(detail), " "), ErrDamaged)
}

// checkTables compares the tables and their columns with those of a new database.
func (s *Store) checkTables(ctx context.Context) error {
	memory, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return fmt.Errorf("open a database in memory: %w", err)
	}
	defer memory.Close()
	memory.SetMaxOpenConns(1)
	fresh := &Store{writer: memory}
	if err := fresh.migrate(ctx); err != nil {
		return err
	}
	wanted, err := readColumns(ctx, memory)
	if err != nil {
		return err
	}
	found, err := readColumns(ctx, s.reader)
	if err != nil {
		return s.damaged(err.Error())
	}
	for _, column := range wanted {
		if _, has := slices.BinarySearch(found, column); !has {
			return s.damaged(column + " is missing")
		}
	}
	return nil
}

// readColumns returns the columns of all tables as "column C of table T", sorted.
func readColumns(ctx context.Context, db *sql.DB) (columns []string, err error) {
	rows, err := db.QueryContext(ctx, `SELECT 'column ' || c.name || ' of table ' || t.name AS text FROM sqlite_master t
		JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY text`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var column string
		if err := rows.Scan(&column); err != nil {
			return nil, err
		}
		columns = append(columns, column)
	}
	return columns, rows.Err()
}
