// Package store is the service's SQLite database: migrations, prepared statements, and a writer that commits many small
// changes together without making any of them less durable.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"

	_ "modernc.org/sqlite" // the driver
)

// FileName is the name of the database file in a data folder.
const FileName = "waybill.db"

// Store is the database of one data folder.
type Store struct {
	writer      *sql.DB
	reader      *sql.DB
	reads       statements
	commits     *committer
	keysVersion *versionFile
	files       openFiles
	dir         string
}

// Open opens or creates the database in dir and migrates it. Several processes may open a folder, for example
// administration commands while a server runs.
func Open(ctx context.Context, dir string) (*Store, error) {
	if err := createPrivateDir(dir); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, FileName)
	if err := checkNotEmpty(path); err != nil {
		return nil, err
	}
	writer, err := openPool(path, 1, "_txlock=immediate", "_pragma=synchronous(FULL)",
		"_pragma=secure_delete(fast)", // erased passwords must not stay in the file
		// Checkpoint every 16 MB instead of 4, so that pages that change often are copied less often.
		"_pragma=wal_autocheckpoint(4000)")
	if err != nil {
		return nil, err
	}
	reader, err := openPool(path, 1+max(4, runtime.NumCPU()), "_pragma=query_only(1)", "_pragma=mmap_size(268435456)")
	if err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	s := &Store{writer: writer, reader: reader, dir: dir}
	s.reads.db = reader
	if err := s.prepare(ctx, path); err != nil {
		return nil, errors.Join(err, s.files.close(), reader.Close(), writer.Close())
	}
	s.commits = newCommitter(writer, s.files.check)
	return s, nil
}

// prepare migrates the database and opens the other files of the folder.
func (s *Store) prepare(ctx context.Context, path string) (err error) {
	if err := s.migrate(ctx); isDamage(err) {
		return s.damaged(err.Error())
	} else if err != nil {
		return fmt.Errorf("migrate the database in %s: %w", s.dir, err)
	}
	if err := restrictFiles(s.dir); err != nil {
		return err
	}
	if s.files, err = recordOpenFiles(ctx, s.reader, path); err != nil {
		return err
	}
	s.keysVersion, err = openVersionFile(s.dir, "keys.edition")
	return err
}

func openPool(path string, conns int, params ...string) (*sql.DB, error) {
	dsn := "file:" + (&url.URL{Path: path}).EscapedPath() + "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)" +
		"&_pragma=foreign_keys(1)&_pragma=temp_store(2)&_pragma=cache_size(-16000)"
	for _, p := range params {
		dsn += "&" + p
	}
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db, nil
}

// createPrivateDir creates a folder that only its owner can read, because it has phone numbers, addresses and key hashes.
func createPrivateDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("create the data folder: %w", err)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return fmt.Errorf("make the data folder private: %w", err)
	}
	return nil
}

func restrictFiles(dir string) error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		err := os.Chmod(filepath.Join(dir, FileName+suffix), 0o600)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("make the database private: %w", err)
		}
	}
	return nil
}

// Dir returns the data folder.
func (s *Store) Dir() string { return s.dir }

// Writer returns the pool with the only writing connection, for the job queue.
func (s *Store) Writer() *sql.DB { return s.writer }

// Close waits for running changes and closes the database.
func (s *Store) Close() error {
	s.commits.close()
	s.reads.close()
	return errors.Join(s.files.close(), s.reader.Close(), s.writer.Close(), s.keysVersion.file.Close())
}

// Query reads committed rows, or those of the transaction in ctx; see [Store.RunInTransaction].
func (s *Store) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if tx := s.transactionOf(ctx); tx != nil {
		return tx.Query(ctx, query, args...)
	}
	stmt, err := s.reads.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

// QueryRow reads one row like Query.
func (s *Store) QueryRow(ctx context.Context, query string, args ...any) Row {
	if tx := s.transactionOf(ctx); tx != nil {
		return tx.QueryRow(ctx, query, args...)
	}
	stmt, err := s.reads.prepare(ctx, query)
	if err != nil {
		return Row{err: err}
	}
	return Row{row: stmt.QueryRowContext(withoutCancel(ctx), args...)}
}

// withoutCancel keeps a statement from being interrupted. Watching a context costs more than a statement on a few rows.
func withoutCancel(ctx context.Context) context.Context {
	if ctx.Done() == nil {
		return ctx
	}
	return context.WithoutCancel(ctx)
}

// Read runs fn in a read transaction, which sees one state of the data.
func (s *Store) Read(ctx context.Context, fn func(*Tx) error) error {
	if tx := s.transactionOf(ctx); tx != nil {
		read := &Tx{Tx: tx.Tx, stmts: tx.stmts, bound: tx.bound, err: tx.err} // a failed read is no failure of the change
		return read.failure(fn(read))
	}
	sqlTx, err := s.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return fmt.Errorf("begin to read: %w", err)
	}
	defer sqlTx.Rollback() //nolint:errcheck // nothing was written
	tx := &Tx{Tx: sqlTx, stmts: &s.reads, bound: map[string]*sql.Stmt{}}
	return tx.failure(fn(tx))
}

// Write runs fn in a transaction and returns when its changes are on disk. fn may be committed together with other
// changes, but succeeds or fails alone. It runs on the writing goroutine, so it must not wait for anything but the
// database, and must not call Write except with the context of [Store.RunInTransaction].
func (s *Store) Write(ctx context.Context, fn func(*Tx) error) error {
	if tx := s.transactionOf(ctx); tx != nil {
		return tx.runNested(ctx, fn)
	}
	return s.commits.submit(ctx, fn, false)
}

// WriteRepeatable is Write for an fn that may run more than once, each time as if it had not run before; its effects
// outside the database must be those of its last run. It needs no savepoint, which would cost a fifth of a small change.
func (s *Store) WriteRepeatable(ctx context.Context, fn func(*Tx) error) error {
	if tx := s.transactionOf(ctx); tx != nil {
		return tx.runNested(ctx, fn)
	}
	return s.commits.submit(ctx, fn, true)
}
