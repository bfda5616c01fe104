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

// Snapshot writes the whole database, as it is now, into a new file. The database stays in use meanwhile.
func (s *Store) Snapshot(ctx context.Context, file string) error {
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("the file %s exists already; choose another name or remove it", file)
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

// Restore puts a snapshot in place of the database of a folder that no process has open. It looks at the snapshot
// first, and leaves the folder as it is when that is not a whole database of this program.
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

// restoreSteps are what a restore does, in an order in which a crash after any of them leaves the old database or the
// restored one, whole. Nothing of the old one may lie beside the new: SQLite would take its log for the new one's.
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

// mergeLog moves everything that lies beside a database into its one file.
func mergeLog(ctx context.Context, database string) error {
	_, err := os.Stat(database)
	if errors.Is(err, os.ErrNotExist) {
		return removeLog(database) // a log without its database
	}
	if err != nil {
		return err
	}
	db, err := openPool(database, 1)
	if err != nil {
		return err
	}
	// To leave the log's mode takes the database for oneself, writes the log into it and removes it.
	var mode string
	err = db.QueryRowContext(ctx, "PRAGMA journal_mode = DELETE").Scan(&mode)
	if err = errors.Join(err, db.Close()); err != nil {
		return fmt.Errorf("close the old database (if it is broken, remove %s* and restore again): %w", database, err)
	}
	if mode != "delete" {
		return fmt.Errorf("close the old database %s: it is in use", database)
	}
	return removeLog(database)
}

// syncFolder makes renames and removals in a folder last. Windows has no such thing, and needs none.
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
		return fmt.Errorf("there is no snapshot to restore: %w", err)
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
		return fmt.Errorf("%s is a database, but not one of this program: %w", file, err)
	}
	return nil
}

// Erase removes the database of a folder that no process has open. The database goes first: its log alone is nothing,
// and SQLite throws it away, but a database without its log is broken.
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
