package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Row is the result of QueryRow.
type Row struct {
	row *sql.Row
	err error
}

// Scan reads the columns of the row. It returns sql.ErrNoRows if there is none.
func (r Row) Scan(dest ...any) error {
	if r.err != nil {
		return r.err
	}
	return r.row.Scan(dest...)
}

// Tx is a transaction that uses the store's prepared statements where possible.
//
// It remembers its first failure, as bufio.Writer does: after it every statement and every read does nothing and returns
// the failure, and the transaction is rolled back. A change therefore need not check each [Tx.Write]. It must check the
// error of a read before it decides anything by the result.
type Tx struct {
	*sql.Tx
	stmts *statements
	// bound caches the statements of the transaction. Changes that are committed together share it, because binding a
	// prepared statement to a transaction costs as much as running it.
	bound map[string]*sql.Stmt
	after []func()
	err   error
}

// Fail makes the transaction fail with err, unless that is nil or the transaction has failed before.
func (t *Tx) Fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

// Err returns the first failure of the transaction.
func (t *Tx) Err() error { return t.err }

// failure returns why a change failed that ended with err: what failed first, because err may only be a consequence.
func (t *Tx) failure(err error) error { return cmp.Or(t.err, err) }

// Write runs a statement and returns how many rows it changed. If it fails, it returns 0, and the transaction fails with
// an error that starts with what the statement does, such as "insert hub".
func (t *Tx) Write(ctx context.Context, what, statement string, args ...any) int64 {
	return t.WriteUnique(ctx, nil, what, statement, args...)
}

// WriteUnique is Write for a statement that may violate a unique constraint. Then the transaction fails with duplicate.
func (t *Tx) WriteUnique(ctx context.Context, duplicate error, what, statement string, args ...any) int64 {
	result, err := t.Exec(ctx, statement, args...)
	if err == nil {
		var changed int64
		if changed, err = result.RowsAffected(); err == nil {
			return changed
		}
	}
	if duplicate == nil || !IsUnique(err) {
		duplicate = fmt.Errorf("%s: %w", what, err)
	}
	t.Fail(duplicate)
	return 0
}

// AfterCommit registers fn to run after the commit. It does not run if the change is rolled back.
func (t *Tx) AfterCommit(fn func()) { t.after = append(t.after, fn) }

// Try runs fn in a savepoint. If fn fails, only what it wrote is rolled back and the transaction continues.
func (t *Tx) Try(ctx context.Context, fn func() error) error {
	if t.Write(ctx, "savepoint", "SAVEPOINT attempt"); t.err != nil {
		return t.err
	}
	registered := len(t.after)
	failure := t.failure(fn())
	if failure != nil {
		t.after, t.err = t.after[:registered], nil
		t.Write(ctx, "roll back", "ROLLBACK TO attempt")
	}
	if t.Write(ctx, "release", "RELEASE attempt"); t.err != nil {
		return errors.Join(failure, t.err)
	}
	return failure
}

// statement returns the prepared query, or the failure of the transaction. The transaction closes it at its end.
func (t *Tx) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	if t.err != nil {
		return nil, t.err
	}
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

// Exec runs a statement whose result or error the caller needs.
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

// Querier reads from the database. Store and Tx implement it.
type Querier interface {
	Query(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRow(ctx context.Context, query string, args ...any) Row
}
