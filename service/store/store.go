// Package store keeps the service's data in SQLite: migrations, prepared statements, and a writer that commits many
// small changes together without weakening any of them.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	_ "modernc.org/sqlite" // the driver
)

// FileName is the database inside a data folder.
const FileName = "waybill.db"

// Store is the database of one data folder.
type Store struct {
	writer  *sql.DB
	reader  *sql.DB
	reads   statements
	commits *committer
	keysVersion    *versionFile
	dir     string
}

// Open opens or makes the database in dir and brings its schema up to date. Several processes may open one folder:
// the administration commands do while a server runs.
func Open(ctx context.Context, dir string) (*Store, error) {
	if err := createPrivateDir(dir); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, FileName)
	writer, err := openPool(path, 1, "_txlock=immediate", "_pragma=synchronous(FULL)",
		// A page that changes often is copied from the log to the database once in 16 MB, not once in 4.
		"_pragma=wal_autocheckpoint(4000)")
	if err != nil {
		return nil, err
	}
	reader, err := openPool(path, max(4, runtime.NumCPU()), "_pragma=query_only(1)", "_pragma=mmap_size(268435456)")
	if err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	s := &Store{writer: writer, reader: reader, dir: dir}
	s.reads.db = reader
	if err := s.migrate(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("bring the database in %s up to date: %w", dir, err), writer.Close(), reader.Close())
	}
	if err := restrictFiles(dir); err != nil {
		return nil, errors.Join(err, writer.Close(), reader.Close())
	}
	if s.keysVersion, err = openVersionFile(dir, "keys.edition"); err != nil {
		return nil, errors.Join(err, writer.Close(), reader.Close())
	}
	s.commits = newCommitter(writer)
	return s, nil
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

// createPrivateDir makes the folder for its owner only: it holds phone numbers, addresses and key hashes.
func createPrivateDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the data folder: %w", err)
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

// Dir is the data folder.
func (s *Store) Dir() string { return s.dir }

// Writer is the pool with the one writing connection, for the job queue.
func (s *Store) Writer() *sql.DB { return s.writer }

// Close waits for running changes and closes the database.
func (s *Store) Close() error {
	s.commits.close()
	s.reads.close()
	return errors.Join(s.reader.Close(), s.writer.Close(), s.keysVersion.file.Close())
}

// Query reads rows outside any transaction, from what was last committed.
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

// QueryRow reads one row outside any transaction.
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

// withoutCancel keeps a statement from being interrupted. To watch a context costs more than a statement that touches a
// few rows, and half a change is of use to nobody: who has gone away by then has made the change.
func withoutCancel(ctx context.Context) context.Context {
	if ctx.Done() == nil {
		return ctx
	}
	return context.WithoutCancel(ctx)
}

// Read runs fn on one unchanging view of the data.
func (s *Store) Read(ctx context.Context, fn func(*Tx) error) error {
	if tx := s.transactionOf(ctx); tx != nil {
		return fn(tx)
	}
	sqlTx, err := s.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return fmt.Errorf("begin to read: %w", err)
	}
	defer sqlTx.Rollback() //nolint:errcheck // nothing was written
	return fn(&Tx{Tx: sqlTx, stmts: &s.reads, bound: map[string]*sql.Stmt{}})
}

// Write runs fn in a transaction and returns when what it changed is on disk. fn may be committed together with
// other changes, but succeeds or fails alone. It runs on the writing goroutine: it must not wait for anything but
// the database, and must not call Write itself, but with the context that Together gives.
func (s *Store) Write(ctx context.Context, fn func(*Tx) error) error {
	if tx := s.transactionOf(ctx); tx != nil {
		return tx.runNested(ctx, fn)
	}
	return s.commits.submit(ctx, fn, false)
}

// WriteRepeatable is Write for a change that may be made anew before it is kept: fn may run more than once, each time as
// if it had not run before, and what it leaves behind beside the database must be of its last run. In return nothing has
// to be noted down with which it could be undone alone, which costs a fifth of a small change.
func (s *Store) WriteRepeatable(ctx context.Context, fn func(*Tx) error) error {
	if tx := s.transactionOf(ctx); tx != nil {
		return tx.runNested(ctx, fn)
	}
	return s.commits.submit(ctx, fn, true)
}

// Row is the outcome of QueryRow.
type Row struct {
	row *sql.Row
	err error
}

// Scan reads the row's columns; sql.ErrNoRows says that there is none.
func (r Row) Scan(dest ...any) error {
	if r.err != nil {
		return r.err
	}
	return r.row.Scan(dest...)
}

// Tx is a running transaction that uses the store's prepared statements where it can.
type Tx struct {
	*sql.Tx
	stmts *statements
	// bound are the statements that the transaction has run. Changes that are committed together share them: to take
	// a prepared statement into a transaction costs as much as to run it.
	bound map[string]*sql.Stmt
	after []func()
}

// AfterCommit runs fn once the transaction is on disk; never if it is not.
func (t *Tx) AfterCommit(fn func()) { t.after = append(t.after, fn) }

// Try runs fn so that what it wrote is undone when it fails, and the rest of the transaction goes on.
func (t *Tx) Try(ctx context.Context, fn func() error) error {
	if _, err := t.Exec(ctx, "SAVEPOINT attempt"); err != nil {
		return fmt.Errorf("savepoint: %w", err)
	}
	failure := fn()
	if failure != nil {
		if _, err := t.Exec(ctx, "ROLLBACK TO attempt"); err != nil {
			return errors.Join(failure, fmt.Errorf("roll back: %w", err))
		}
	}
	if _, err := t.Exec(ctx, "RELEASE attempt"); err != nil {
		return errors.Join(failure, fmt.Errorf("release: %w", err))
	}
	return failure
}

// statement is the query, prepared. The transaction closes it when it ends.
func (t *Tx) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	if stmt := t.bound[query]; stmt != nil {
		return stmt, nil
	}
	if stmt := t.stmts.lookup(query); stmt != nil {
		t.bound[query] = t.Tx.StmtContext(ctx, stmt)
		return t.bound[query], nil
	}
	stmt, err := t.Tx.PrepareContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("prepare %.60q: %w", query, err)
	}
	t.bound[query] = stmt
	return stmt, nil
}

// Exec runs a statement.
func (t *Tx) Exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	ctx = withoutCancel(ctx)
	stmt, err := t.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.ExecContext(ctx, args...)
}

// Query reads rows.
func (t *Tx) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	ctx = withoutCancel(ctx)
	stmt, err := t.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

// QueryRow reads one row.
func (t *Tx) QueryRow(ctx context.Context, query string, args ...any) Row {
	ctx = withoutCancel(ctx)
	stmt, err := t.statement(ctx, query)
	if err != nil {
		return Row{err: err}
	}
	return Row{row: stmt.QueryRowContext(ctx, args...)}
}

// Querier is what reads need: a Store or a Tx.
type Querier interface {
	Query(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRow(ctx context.Context, query string, args ...any) Row
}

// statements keeps prepared statements: preparing costs more than running most of ours. Inside a transaction a
// statement is not prepared, because the one writing connection is taken; it is noted and prepared afterwards.
type statements struct {
	db     *sql.DB
	mu     sync.RWMutex
	byText map[string]*sql.Stmt
	missing map[string]struct{}
}

func (s *statements) lookup(query string) *sql.Stmt {
	s.mu.RLock()
	stmt := s.byText[query]
	s.mu.RUnlock()
	if stmt != nil {
		return stmt
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.missing == nil {
		s.missing = map[string]struct{}{}
	}
	s.missing[query] = struct{}{}
	return nil
}

// prepareMissing prepares what transactions asked for; no transaction may be open.
func (s *statements) prepareMissing(ctx context.Context) {
	s.mu.RLock()
	queries := slices.Collect(maps.Keys(s.missing))
	s.mu.RUnlock()
	for _, query := range queries {
		// A statement that cannot be prepared has failed in its transaction already, where the error was seen.
		s.prepare(ctx, query) //nolint:errcheck // see above
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.missing)
}

func (s *statements) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	s.mu.RLock()
	stmt := s.byText[query]
	s.mu.RUnlock()
	if stmt != nil {
		return stmt, nil
	}
	// Prepared without the caller's context: the statement outlives the request that needed it first.
	stmt, err := s.db.PrepareContext(context.WithoutCancel(ctx), query)
	if err != nil {
		return nil, fmt.Errorf("prepare %.60q: %w", query, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.byText[query]; known != nil {
		return known, stmt.Close()
	}
	if s.byText == nil {
		s.byText = map[string]*sql.Stmt{}
	}
	s.byText[query] = stmt
	return stmt, nil
}

func (s *statements) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, stmt := range s.byText {
		stmt.Close() //nolint:errcheck // the pool is closed next
	}
	s.byText = nil
}
