package world

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

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

// decodeOwned decodes the doc of a resource that org must own. A stranger's resource is refused differently from one
// that does not exist, as the interface has it.
func decodeOwned(ctx context.Context, q store.Querier, table string, org, id model.ID, v any) error {
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

// checkOwner refuses the path's resource unless org owns it.
func checkOwner(ctx context.Context, q store.Querier, table string, org, id model.ID) error {
	var owner model.ID
	err := q.QueryRow(ctx, "SELECT org FROM "+table+" WHERE id = $1", id).Scan(&owner)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return NotFound()
	case err != nil:
		return fmt.Errorf("read %s: %w", table, err)
	case owner != org:
		return OtherOrganization()
	}
	return nil
}

// checkOwners refuses resources that a body names unless org owns them; the refusal says which one.
func checkOwners(ctx context.Context, q store.Querier, table string, org model.ID, ids ...model.ID) error {
	for _, id := range ids {
		if err := checkOwner(ctx, q, table, org, id); err != nil {
			return withResource(err, strings.TrimSuffix(table, "s"), id)
		}
	}
	return nil
}

// readOwned is readOwned for a change: the doc of the path's resource, or the reason why org may not touch it.
func readOwned[T any](ctx context.Context, q store.Querier, table string, org, id model.ID) (T, error) {
	var v T
	err := decodeOwned(ctx, q, table, org, id, &v)
	return v, err
}

// readIDGroups reads rows of two ids and collects the second by the first, in the rows' order.
func readIDGroups(rows *sql.Rows, err error) (map[model.ID][]model.ID, error) {
	if err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	defer rows.Close()
	groups := map[model.ID][]model.ID{}
	for rows.Next() {
		var key, member model.ID
		if err := rows.Scan(&key, &member); err != nil {
			return nil, fmt.Errorf("read: %w", err)
		}
		groups[key] = append(groups[key], member)
	}
	return groups, rows.Err()
}

// foldName makes names that differ only in case equal.
func foldName(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// notUnique says that a name is taken, in the way that names of teams are refused.
func notUnique(cause string) *Error {
	e := ProblemsError(model.Problems{{Subcode: model.ErrorNotUnique, Text: cause}})
	e.Message = "One or more parameters that must be unique are not."
	return e
}
