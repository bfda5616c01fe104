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
		return errors.Join(fmt.Errorf("write the snapshot %s: %w", file, err), removeIfThere(file))
	}
	return os.Chmod(file, 0o600)
}

// Restore puts a snapshot in place of the database of a folder that no process has open. It looks at the snapshot
// first, and leaves the folder as it is when that is not a whole database of this program.
func Restore(ctx context.Context, file, dir string) error {
	if err := checkSnapshot(ctx, file); err != nil {
		return err
	}
	if err := makePrivate(dir); err != nil {
		return err
	}
	// Copied beside the database and renamed over it: a crash leaves one of the two, whole.
	fresh := filepath.Join(dir, FileName+".restored")
	if err := copyFile(file, fresh); err != nil {
		return errors.Join(fmt.Errorf("restore %s: %w", file, err), removeIfThere(fresh))
	}
	if err := Erase(dir); err != nil {
		return err
	}
	return os.Rename(fresh, filepath.Join(dir, FileName))
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

// Erase removes the database of a folder that no process has open.
func Erase(dir string) error {
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if err := removeIfThere(filepath.Join(dir, FileName+suffix)); err != nil {
			return fmt.Errorf("remove the old database: %w", err)
		}
	}
	return nil
}

func removeIfThere(file string) error {
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
