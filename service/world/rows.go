package world

import (
	"bytes"
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"waybill/model"
	"waybill/service/store"
)

// Most resources are stored as a doc: their JSON, in a column of that name. Other columns repeat what queries need.

// asDoc is the argument of a statement that stores v as its JSON.
func asDoc(v any) sqldriver.Valuer { return docArgument{v} }

type docArgument struct{ value any }

// Value implements driver.Valuer.
func (d docArgument) Value() (sqldriver.Value, error) {
	doc, err := model.Marshal(d.value)
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", d.value, err)
	}
	return string(doc), nil
}

// fromDoc is a scan target that decodes a doc into v. NULL leaves v as it is.
func fromDoc(v any) sql.Scanner { return docTarget{v} }

type docTarget struct{ target any }

// Scan implements sql.Scanner.
func (d docTarget) Scan(source any) error {
	switch doc := source.(type) {
	case nil:
		return nil
	case string:
		return decodeDoc([]byte(doc), d.target)
	case []byte:
		return decodeDoc(bytes.Clone(doc), d.target)
	}
	return fmt.Errorf("decode stored %T: unexpected %T", d.target, source)
}

func decodeDoc(doc []byte, v any) error {
	if err := model.Unmarshal(doc, v); err != nil {
		return fmt.Errorf("decode stored %T: %w", v, err)
	}
	return nil
}

// eachRow calls scan for every row of a query. Its errors start with what it does, such as "read routes".
func eachRow(ctx context.Context, q store.Querier, what, query string, args []any, scan func(*sql.Rows) error) error {
	rows, err := q.Query(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// scanRow scans a row; no row is NotFound.
func scanRow(row store.Row, targets ...any) error {
	err := row.Scan(targets...)
	if errors.Is(err, sql.ErrNoRows) {
		return NotFound()
	}
	if err != nil {
		return fmt.Errorf("read: %w", err)
	}
	return nil
}

// readRows reads the rows of a query. targets returns where the columns of a row go.
func readRows[T any](ctx context.Context, q store.Querier, what, query string, args []any, targets func(*T) []any) ([]T, error) {
	list := []T{}
	err := eachRow(ctx, q, what, query, args, func(row *sql.Rows) error {
		var v T
		err := row.Scan(targets(&v)...)
		list = append(list, v)
		return err
	})
	return list, err
}

// readDocs decodes rows whose only column is a doc.
func readDocs[T any](ctx context.Context, q store.Querier, query string, args ...any) ([]T, error) {
	return readRows(ctx, q, "read", query, args, func(v *T) []any { return []any{fromDoc(v)} })
}

// queryIDs reads rows whose only column is an id.
func queryIDs(ctx context.Context, q store.Querier, query string, args ...any) ([]model.ID, error) {
	return readRows(ctx, q, "read", query, args, func(id *model.ID) []any { return []any{id} })
}

// readIDs is queryIDs in a transaction, which fails if the query does.
func readIDs(ctx context.Context, tx *store.Tx, query string, args ...any) []model.ID {
	ids, err := queryIDs(ctx, tx, query, args...)
	tx.Fail(err)
	return ids
}

func idSet(ids []model.ID) map[model.ID]bool {
	set := make(map[model.ID]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// readIDGroups reads rows of two ids and collects the second by the first, in the order of the rows. If that fails, the
// transaction fails.
func readIDGroups(ctx context.Context, tx *store.Tx, query string, args ...any) map[model.ID][]model.ID {
	groups := map[model.ID][]model.ID{}
	tx.Fail(eachRow(ctx, tx, "read", query, args, func(row *sql.Rows) error {
		var key, member model.ID
		err := row.Scan(&key, &member)
		groups[key] = append(groups[key], member)
		return err
	}))
	return groups
}

// readTx returns what fn reads in one transaction.
func readTx[T any](ctx context.Context, s *store.Store, fn func(*store.Tx) (T, error)) (v T, err error) {
	err = s.Read(ctx, func(tx *store.Tx) error {
		v, err = fn(tx)
		return err
	})
	return v, err
}

// writeTx returns the result of the change that fn makes in one transaction.
func writeTx[T any](ctx context.Context, s *store.Store, fn func(*store.Tx) (T, error)) (v T, err error) {
	err = s.Write(ctx, func(tx *store.Tx) error {
		v, err = fn(tx)
		return err
	})
	return v, err
}

// checkOwner refuses a resource unless org owns it. One of another organization is refused differently from one that does
// not exist, as the interface asks for.
func checkOwner(ctx context.Context, q store.Querier, table string, org, id model.ID) error {
	return scanOwned(q.QueryRow(ctx, "SELECT org FROM "+table+" WHERE id = $1", id), org)
}

// scanOwned scans a row whose first column is its organization, which must be org.
func scanOwned(row store.Row, org model.ID, targets ...any) error {
	var owner model.ID
	if err := scanRow(row, append([]any{&owner}, targets...)...); err != nil {
		return err
	}
	if owner != org {
		return OtherOrganization()
	}
	return nil
}

// countRows returns how many rows a query has, which is written without SELECT.
func countRows(ctx context.Context, q store.Querier, query string, args ...any) (n int, err error) {
	err = scanRow(q.QueryRow(ctx, "SELECT count(*) "+query, args...), &n)
	return n, err
}

// checkOwners refuses resources that a body names unless org owns them; the error says which one.
func checkOwners(ctx context.Context, q store.Querier, table string, org model.ID, ids ...model.ID) error {
	for _, id := range ids {
		if err := checkOwner(ctx, q, table, org, id); err != nil {
			return withResource(err, strings.TrimSuffix(table, "s"), id)
		}
	}
	return nil
}

// readOwnedDoc reads the doc of a resource that org must own, as checkOwner does.
func readOwnedDoc(ctx context.Context, q store.Querier, table string, org, id model.ID) (doc string, err error) {
	err = scanOwned(q.QueryRow(ctx, "SELECT org, doc FROM "+table+" WHERE id = $1", id), org, &doc)
	return doc, err
}

// readOwned decodes what readOwnedDoc reads.
func readOwned[T any](ctx context.Context, q store.Querier, table string, org, id model.ID) (v T, err error) {
	err = scanOwned(q.QueryRow(ctx, "SELECT org, doc FROM "+table+" WHERE id = $1", id), org, fromDoc(&v))
	return v, err
}

// deleteResource deletes a row and its entries in the metadata index.
func deleteResource(ctx context.Context, tx *store.Tx, table string, id model.ID) {
	tx.Write(ctx, "delete metadata", "DELETE FROM metadata WHERE resource = $1", id)
	tx.Write(ctx, "delete from "+table, "DELETE FROM "+table+" WHERE id = $1", id)
}

// foldName makes names that differ only in case equal.
func foldName(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// orNull is a scan target that stores a column in an Opt. NULL becomes null.
func orNull[T any](target *model.Opt[T]) sql.Scanner { return optTarget[T]{target} }

type optTarget[T any] struct{ target *model.Opt[T] }

// Scan implements sql.Scanner.
func (o optTarget[T]) Scan(source any) error {
	var column sql.Null[T]
	err := column.Scan(source)
	*o.target = model.SomeIf(column.V, column.Valid)
	return err
}

// orZero is a scan target that stores a column in a variable. NULL becomes the zero value.
func orZero[T any](target *T) sql.Scanner { return zeroTarget[T]{target} }

type zeroTarget[T any] struct{ target *T }

// Scan implements sql.Scanner.
func (z zeroTarget[T]) Scan(source any) error {
	var column sql.Null[T]
	err := column.Scan(source)
	*z.target = column.V
	return err
}

// nullID is NULL for an empty id.
func nullID(id model.ID) any {
	if id == "" {
		return nil
	}
	return string(id)
}

// nullMillis is nullable for times. It returns a plain type, which database/sql passes on without reflection.
func nullMillis(t model.Opt[model.Millis]) any {
	if v, ok := t.Get(); ok {
		return int64(v)
	}
	return nil
}

// nullable is NULL for a value that is absent or null.
func nullable[T any](v model.Opt[T]) any {
	if value, ok := v.Get(); ok {
		return value
	}
	return nil
}

func nullInt[T model.Seconds | model.Millis](v model.Opt[T]) sql.NullInt64 {
	n, ok := v.Get()
	return sql.NullInt64{Int64: int64(n), Valid: ok}
}

// optMillis is null for NULL.
func optMillis(v sql.NullInt64) model.Opt[model.Millis] {
	return model.SomeIf(model.Millis(v.Int64), v.Valid)
}

func boolInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
