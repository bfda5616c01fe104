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

// mustExist refuses the path's resource unless org owns it.
func mustExist(ctx context.Context, q store.Querier, table string, org, id model.ID) error {
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

// mustOwn refuses resources that a body names unless org owns them; the refusal says which one.
func mustOwn(ctx context.Context, q store.Querier, table string, org model.ID, ids ...model.ID) error {
	for _, id := range ids {
		if err := mustExist(ctx, q, table, org, id); err != nil {
			return naming(err, strings.TrimSuffix(table, "s"), id)
		}
	}
	return nil
}

// ownDoc is readOwned for a change: the doc of the path's resource, or the reason why org may not touch it.
func ownDoc[T any](ctx context.Context, q store.Querier, table string, org, id model.ID) (T, error) {
	var v T
	err := readOwned(ctx, q, table, org, id, &v)
	return v, err
}

// readGroups reads rows of two ids and collects the second by the first, in the rows' order.
func readGroups(rows *sql.Rows, err error) (map[model.ID][]model.ID, error) {
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
