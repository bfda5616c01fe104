package store

import (
	"context"
	"database/sql"
	"fmt"
)

// QueryColumn runs a query of one column and returns its values.
func QueryColumn[T any](ctx context.Context, q Querier, query string, args ...any) ([]T, error) {
	return queryRows(ctx, q, func(rows *sql.Rows, value *T) error { return rows.Scan(value) }, query, args)
}

// QueryRows runs a query and scans each row into a value. Its errors start with what it does, such as "read drivers".
func QueryRows[T any](
	ctx context.Context, q Querier, what string, scan func(rows *sql.Rows, into *T) error, query string, args ...any,
) ([]T, error) {
	values, err := queryRows(ctx, q, scan, query, args)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return values, nil
}

func queryRows[T any](
	ctx context.Context, q Querier, scan func(rows *sql.Rows, into *T) error, query string, args []any,
) ([]T, error) {
	rows, err := q.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var values []T
	for rows.Next() {
		var value T
		if err := scan(rows, &value); err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, rows.Err()
}

// Change executes a statement and returns how many rows it changed. Its errors start with what it does, such as "save a
// driver".
func (t *Tx) Change(ctx context.Context, what, statement string, args ...any) (rows int64, err error) {
	result, err := t.Exec(ctx, statement, args...)
	if err == nil {
		rows, err = result.RowsAffected()
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", what, err)
	}
	return rows, nil
}
