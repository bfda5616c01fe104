package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
)

// Snapshot writes the current database to a new file. The database can be used meanwhile.
func (s *Store) Snapshot(ctx context.Context, file string) error {
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("the file %s already exists; choose another name or remove it", file)
	}
	conn, err := s.writer.Conn(ctx)
	if err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "VACUUM INTO $1", file); err != nil {
		return errors.Join(fmt.Errorf("write the snapshot %s: %w", file, err), removeIfExists(file))
	}
	return os.Chmod(file, 0o600)
}

// Restore replaces the database of a data folder with a snapshot. No process may have the folder open. If the snapshot is
// damaged or not one of this program, the folder is not changed.
func Restore(ctx context.Context, file, dir string) error {
	if err := checkSnapshot(ctx, file); err != nil {
		return err
	}
	if err := createPrivateDir(dir); err != nil {
		return err
	}
	for _, step := range restoreSteps(ctx, file, dir) {
		if err := step(); err != nil {
			return fmt.Errorf("restore %s: %w", file, err)
		}
	}
	return nil
}

// restoreSteps returns the steps of a restore. A crash after any of them leaves either the old database or the restored
// one. The old write-ahead log must be gone before the rename, because SQLite would apply it to the new database.
func restoreSteps(ctx context.Context, file, dir string) []func() error {
	database := filepath.Join(dir, FileName)
	fresh := database + ".restored"
	return []func() error{
		func() error {
			if err := copyFile(file, fresh); err != nil {
				return errors.Join(err, removeIfExists(fresh))
			}
			return nil
		},
		func() error { return mergeLog(ctx, database) },
		func() error { return syncFolder(dir) },
		func() error { return os.Rename(fresh, database) },
		func() error { return syncFolder(dir) },
	}
}

// mergeLog writes the write-ahead log of a database into its file and removes the log.
func mergeLog(ctx context.Context, database string) error {
	_, err := os.Stat(database)
	if errors.Is(err, os.ErrNotExist) {
		return removeLog(database) // a log without a database
	}
	if err != nil {
		return err
	}
	db, err := openPool(database, 1)
	if err != nil {
		return err
	}
	// Leaving the WAL mode needs exclusive access, writes the log into the database and removes it.
	var mode string
	err = db.QueryRowContext(ctx, "PRAGMA journal_mode = DELETE").Scan(&mode)
	if err = errors.Join(err, db.Close()); err != nil {
		return fmt.Errorf("close the old database (if it is damaged, remove %s* and restore again): %w", database, err)
	}
	if mode != "delete" {
		return fmt.Errorf("close the old database %s: it is in use", database)
	}
	return removeLog(database)
}

// syncFolder makes renames and removals in a folder durable. Windows does not need it.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

func checkSnapshot(ctx context.Context, file string) error {
	if _, err := os.Stat(file); err != nil {
		return fmt.Errorf("cannot read the snapshot: %w", err)
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?mode=ro&immutable=1")
	if err != nil {
		return fmt.Errorf("open the snapshot %s: %w", file, err)
	}
	defer db.Close()
	var state string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&state); err != nil {
		return fmt.Errorf("%s is not a snapshot: %w", file, err)
	}
	if state != "ok" {
		return fmt.Errorf("the snapshot %s is damaged: %s", file, state)
	}
	var organizations int
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM organizations").Scan(&organizations); err != nil {
		return fmt.Errorf("%s is not a database of waybill: %w", file, err)
	}
	return nil
}

// Erase removes the database of a data folder, which no process may have open. It removes the database before its log,
// because SQLite ignores a log without a database, but a database without its log is damaged.
func Erase(dir string) error {
	database := filepath.Join(dir, FileName)
	if err := errors.Join(removeIfExists(database), removeLog(database)); err != nil {
		return fmt.Errorf("remove the old database: %w", err)
	}
	return nil
}

func removeLog(database string) error {
	return errors.Join(removeIfExists(database+"-wal"), removeIfExists(database+"-shm"))
}

func removeIfExists(file string) error {
	if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Sync(), target.Close())
}
