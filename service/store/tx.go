package store

import (
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
type Tx struct {
	*sql.Tx
	stmts *statements
	// bound caches the statements of the transaction. Changes that are committed together share it, because binding a
	// prepared statement to a transaction costs as much as running it.
	bound map[string]*sql.Stmt
	after []func()
}

// AfterCommit registers fn to run after the commit. It does not run if the change is rolled back.
func (t *Tx) AfterCommit(fn func()) { t.after = append(t.after, fn) }

// Try runs fn in a savepoint. If fn fails, only what it wrote is rolled back and the transaction continues.
func (t *Tx) Try(ctx context.Context, fn func() error) error {
	if _, err := t.Exec(ctx, "SAVEPOINT attempt"); err != nil {
		return fmt.Errorf("savepoint: %w", err)
	}
	registered := len(t.after)
	failure := fn()
	if failure != nil {
		t.after = t.after[:registered]
		if _, err := t.Exec(ctx, "ROLLBACK TO attempt"); err != nil {
			return errors.Join(failure, fmt.Errorf("roll back: %w", err))
		}
	}
	if _, err := t.Exec(ctx, "RELEASE attempt"); err != nil {
		return errors.Join(failure, fmt.Errorf("release: %w", err))
	}
	return failure
}

// statement returns the prepared query. The transaction closes it at its end.
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

// Querier reads from the database. Store and Tx implement it.
type Querier interface {
	Query(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRow(ctx context.Context, query string, args ...any) Row
}
