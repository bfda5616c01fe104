package world

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"waybill/model"
	"waybill/service/store"
)

// readDoc decodes a row whose only column is a doc; no row is NotFound.
func readDoc(row store.Row, v any) error {
	var doc []byte
	if err := row.Scan(&doc); err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			return NotFound()
		}
		return fmt.Errorf("read: %w", err)
	}
	if err := model.Unmarshal(doc, v); err != nil {
		return fmt.Errorf("decode stored %T: %w", v, err)
	}
	return nil
}

// readDocs decodes rows whose only column is a doc.
func readDocs[T any](rows *sql.Rows, err error) ([]T, error) {
	if err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	defer rows.Close()
	list := []T{}
	for rows.Next() {
		var doc []byte
		if err := rows.Scan(&doc); err != nil {
			return nil, fmt.Errorf("read: %w", err)
		}
		var v T
		if err := model.Unmarshal(doc, &v); err != nil {
			return nil, fmt.Errorf("decode stored %T: %w", v, err)
		}
		list = append(list, v)
	}
	return list, rows.Err()
}

// readOwned decodes the doc of a resource that org must own. A stranger's resource is refused differently from one
// that does not exist, as the interface has it.
func readOwned(ctx context.Context, q store.Querier, table string, org, id model.ID, v any) error {
	var owner model.ID
	var doc []byte
	err := q.QueryRow(ctx, "SELECT org, doc FROM "+table+" WHERE id = $1", id).Scan(&owner, &doc)
	if errors.Is(err, sql.ErrNoRows) {
		return NotFound()
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", table, err)
	}
	if owner != org {
		return OtherOrganization()
	}
	if err := model.Unmarshal(doc, v); err != nil {
		return fmt.Errorf("decode stored %T: %w", v, err)
	}
	return nil
}
