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
	return scanAll(rows, what, func() error { return scan(rows) })
}

func scanAll(rows *sql.Rows, what string, scan func() error) error {
	defer rows.Close()
	for rows.Next() {
		if err := scan(); err != nil {
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

// readDocs decodes rows whose only column is a doc.
func readDocs[T any](rows *sql.Rows, err error) ([]T, error) {
	if err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	list := []T{}
	return list, scanAll(rows, "read", func() error {
		var v T
		err := rows.Scan(fromDoc(&v))
		list = append(list, v)
		return err
	})
}

// readIDs reads rows whose only column is an id.
func readIDs(rows *sql.Rows, err error) ([]model.ID, error) {
	if err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	ids := []model.ID{}
	err = scanAll(rows, "read", func() error {
		var id model.ID
		err := rows.Scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, err
}

func idSet(ids []model.ID) map[model.ID]bool {
	set := make(map[model.ID]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// readIDGroups reads rows of two ids and collects the second by the first, in the order of the rows.
func readIDGroups(rows *sql.Rows, err error) (map[model.ID][]model.ID, error) {
	if err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	groups := map[model.ID][]model.ID{}
	return groups, scanAll(rows, "read", func() error {
		var key, member model.ID
		err := rows.Scan(&key, &member)
		groups[key] = append(groups[key], member)
		return err
	})
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
	var owner model.ID
	if err := scanRow(q.QueryRow(ctx, "SELECT org FROM "+table+" WHERE id = $1", id), &owner); err != nil {
		return err
	}
	if owner != org {
		return OtherOrganization()
	}
	return nil
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
func readOwnedDoc(ctx context.Context, q store.Querier, table string, org, id model.ID) (string, error) {
	var owner model.ID
	var doc string
	if err := scanRow(q.QueryRow(ctx, "SELECT org, doc FROM "+table+" WHERE id = $1", id), &owner, &doc); err != nil {
		return "", err
	}
	if owner != org {
		return "", OtherOrganization()
	}
	return doc, nil
}

// readOwned decodes what readOwnedDoc reads.
func readOwned[T any](ctx context.Context, q store.Querier, table string, org, id model.ID) (T, error) {
	var v T
	doc, err := readOwnedDoc(ctx, q, table, org, id)
	if err != nil {
		return v, err
	}
	return v, decodeDoc([]byte(doc), &v)
}

// deleteResource deletes a row and its entries in the metadata index.
func deleteResource(ctx context.Context, tx *store.Tx, table string, id model.ID) {
	tx.Write(ctx, "delete metadata", "DELETE FROM metadata WHERE resource = $1", id)
	tx.Write(ctx, "delete from "+table, "DELETE FROM "+table+" WHERE id = $1", id)
}

// foldName makes names that differ only in case equal.
func foldName(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// nullID is NULL for an empty id.
func nullID(id model.ID) any {
	if id == "" {
		return nil
	}
	return string(id)
}

// nullMillis is NULL for an absent time.
func nullMillis(t model.Opt[model.Millis]) any {
	if v, ok := t.Get(); ok {
		return int64(v)
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
