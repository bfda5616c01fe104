package world

import (
	"context"
	"fmt"
	"slices"

	"waybill/model"
	"waybill/service/store"
)

// indexMetadata adds the metadata of a resource to the index.
func indexMetadata(ctx context.Context, tx *store.Tx, org model.ID, kind string, resource model.ID, entries []model.Metadata) {
	for _, m := range entries {
		value, err := canonicalValue(m)
		tx.Fail(err)
		tx.Write(ctx, "index metadata", "INSERT INTO metadata (resource, kind, org, name, type, value) VALUES ($1, $2, $3, $4, $5, $6)",
			resource, kind, org, m.Name, m.Type, value)
	}
}

// canonicalValue returns the value of an entry in a form in which equal values are equal texts.
func canonicalValue(m model.Metadata) (string, error) {
	value := m.Value.Clone()
	if err := value.Canonicalize(); err != nil {
		return "", fmt.Errorf("metadata %q: %w", m.Name, err)
	}
	return string(value), nil
}

// reindexMetadata replaces the metadata of a resource in the index.
func reindexMetadata(ctx context.Context, tx *store.Tx, org model.ID, kind string, resource model.ID, entries []model.Metadata) {
	tx.Write(ctx, "forget metadata", "DELETE FROM metadata WHERE resource = $1", resource)
	indexMetadata(ctx, tx, org, kind, resource, entries)
}

// findByMetadata lists the resources of a kind that have every entry of a query, in the order in which they were
// indexed. Objects match regardless of the order of their members, arrays element by element.
func findByMetadata(ctx context.Context, tx *store.Tx, org model.ID, kind string, query []model.Metadata) ([]model.ID, error) {
	if err := model.CheckMetadataQuery(query).Err(); err != nil {
		return nil, err
	}
	var found []model.ID
	for i, m := range query {
		value, err := canonicalValue(m)
		if err != nil {
			return nil, err
		}
		matching := readIDs(ctx, tx, `SELECT resource FROM metadata
			WHERE org = $1 AND kind = $2 AND name = $3 AND value = $4 AND type = $5`, org, kind, m.Name, value, m.Type)
		if i == 0 {
			found = removeDuplicates(matching)
			continue
		}
		has := idSet(matching)
		found = slices.DeleteFunc(found, func(id model.ID) bool { return !has[id] })
	}
	return found, tx.Err()
}

// removeDuplicates keeps the first of equal ids: a resource may have the same entry twice.
func removeDuplicates(ids []model.ID) []model.ID {
	seen := make(map[model.ID]bool, len(ids))
	return slices.DeleteFunc(ids, func(id model.ID) bool {
		repeated := seen[id]
		seen[id] = true
		return repeated
	})
}

// Kinds of resources in the metadata index. They are also table names.
const (
	kindDestinations = "destinations"
	kindRecipients   = "recipients"
	kindWorkers      = "workers"
	kindAdmins       = "admins"
	kindTeams        = "teams"
	kindTasks        = "tasks"
)

// findAllByMetadata reads, in one transaction, every resource that findByMetadata finds.
func findAllByMetadata[T any](
	ctx context.Context, s *store.Store, kind string, org model.ID, query []model.Metadata, read func(*store.Tx, model.ID) (T, error),
) ([]T, error) {
	return readTx(ctx, s, func(tx *store.Tx) ([]T, error) {
		ids, err := findByMetadata(ctx, tx, org, kind, query)
		if err != nil {
			return nil, err
		}
		list := make([]T, len(ids))
		for i, id := range ids {
			if list[i], err = read(tx, id); err != nil {
				return nil, fmt.Errorf("%s %s: %w", kind, id, err)
			}
		}
		return list, nil
	})
}

// findOwnedByMetadata is findAllByMetadata for resources whose doc is all there is to them.
func findOwnedByMetadata[T any](ctx context.Context, s *store.Store, table string, org model.ID, query []model.Metadata) ([]T, error) {
	return findAllByMetadata(ctx, s, table, org, query, func(tx *store.Tx, id model.ID) (T, error) {
		return readOwned[T](ctx, tx, table, org, id)
	})
}
