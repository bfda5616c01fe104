package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
)

// ErrMoved means that the open database is no longer in the data folder, so that a restart would not find its changes.
var ErrMoved = errors.New("the database in the data folder was moved, replaced or removed while it was open; " +
	"put the folder back or restart the server")

// openFiles are the files of the open database. A change counts only while the data folder still has these files.
type openFiles struct {
	known map[string]os.FileInfo
	// conn keeps a connection open. Without one SQLite would remove the log and create another.
	conn *sql.Conn
}

func recordOpenFiles(ctx context.Context, pool *sql.DB, database string) (files openFiles, err error) {
	if files.conn, err = pool.Conn(ctx); err != nil {
		return files, fmt.Errorf("open %s: %w", database, err)
	}
	var tables int
	if err := files.conn.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master").Scan(&tables); err != nil { // opens the log
		return files, fmt.Errorf("read %s: %w", database, err)
	}
	files.known = map[string]os.FileInfo{}
	for _, name := range []string{database, database + "-wal"} {
		if files.known[name], err = os.Stat(name); err != nil {
			return files, fmt.Errorf("open the database: %w", err)
		}
	}
	return files, nil
}

// check returns ErrMoved unless the data folder has the open files.
func (f openFiles) check() error {
	for name, opened := range f.known {
		info, err := os.Stat(name)
		if err != nil {
			return fmt.Errorf("%w (%w)", ErrMoved, err)
		}
		if !os.SameFile(info, opened) {
			return fmt.Errorf("%w (%s is another file)", ErrMoved, name)
		}
	}
	return nil
}

// Explain returns ErrMoved for an error that says only that the database cannot be opened, if that is the reason: a read on a
// new connection fails in this way after the files were moved. It returns other errors as they are.
func (s *Store) Explain(err error) error {
	if moved := s.files.check(); moved != nil && cannotOpen(err) {
		return moved
	}
	return err
}

func (f openFiles) close() error {
	if f.conn == nil {
		return nil
	}
	return f.conn.Close()
}

// probeBytes is larger than a page, so that a probe needs space like a real change.
const probeBytes = 16 << 10

// CheckWritable reports whether a change could be saved now: it saves one that leaves nothing behind.
func (s *Store) CheckWritable(ctx context.Context) error {
	return s.Write(ctx, func(tx *Tx) error {
		tx.Write(ctx, "write a probe", "INSERT INTO write_probes (content) VALUES (zeroblob($1))", probeBytes)
		tx.Write(ctx, "remove the probe", "DELETE FROM write_probes")
		return nil
	})
}
