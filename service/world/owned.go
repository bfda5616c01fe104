package world

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"waybill/model"
	"waybill/service/store"
)

// checkContext is what rules need to know of an organization.
func (w *World) checkContext(ctx context.Context, org model.ID) (model.CheckContext, error) {
	c := model.CheckContext{Now: w.Now()}
	if err := w.store.QueryRow(ctx, "SELECT country FROM organizations WHERE id = $1", org).Scan(&c.Country); err != nil {
		return c, fmt.Errorf("read the organization's country: %w", err)
	}
	return c, nil
}

// mustOwn refuses a resource that a request names in its body unless org owns it. Unlike the path's resource, one
// that does not exist is a wrong value of the body, so the refusal says which one.
func mustOwn(ctx context.Context, q store.Querier, table string, org model.ID, ids ...model.ID) error {
	for _, id := range ids {
		var owner model.ID
		err := q.QueryRow(ctx, "SELECT org FROM "+table+" WHERE id = $1", id).Scan(&owner)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return Invalid("There is no %s %s.", strings.TrimSuffix(table, "s"), id)
		case err != nil:
			return fmt.Errorf("read %s: %w", table, err)
		case owner != org:
			refusal := OtherOrganization()
			refusal.Cause = model.Some(model.CauseText(fmt.Sprintf("%s %s", strings.TrimSuffix(table, "s"), id)))
			return refusal
		}
	}
	return nil
}

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

// ownDoc is readOwned for a change: the doc of the path's resource, or the reason why org may not touch it.
func ownDoc[T any](ctx context.Context, q store.Querier, table string, org, id model.ID) (T, error) {
	var v T
	err := readOwned(ctx, q, table, org, id, &v)
	return v, err
}

// readIDs reads rows whose only column is an id.
func readIDs(rows *sql.Rows, err error) ([]model.ID, error) {
	if err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	defer rows.Close()
	ids := []model.ID{}
	for rows.Next() {
		var id model.ID
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("read: %w", err)
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
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

// distinct keeps the first of each id.
func distinct(ids []model.ID) []model.ID {
	kept := make([]model.ID, 0, len(ids))
	for _, id := range ids {
		if !slices.Contains(kept, id) {
			kept = append(kept, id)
		}
	}
	return kept
}

// foldName makes names that differ only in case equal. Upper case first: some letters have two lower cases.
func foldName(name string) string {
	return strings.ToLower(strings.ToUpper(strings.TrimSpace(name)))
}

// shownMetadata is metadata as it is stored and shown: entries that do not say who sees them are for the API only.
func shownMetadata(entries []model.Metadata) []model.Metadata {
	shown := slices.Clone(entries)
	for i := range shown {
		if !shown[i].Visibility.Has() {
			shown[i].Visibility = model.Some([]string{model.VisibleToAPI})
		}
	}
	return shown
}

// notUnique says that a name is taken, in the way that names of teams are refused.
func notUnique(cause string) *Error {
	e := Refuse(model.Problems{{Subcode: model.ErrorNotUnique, Text: cause}})
	e.Message = "One or more parameters that must be unique are not."
	return e
}
