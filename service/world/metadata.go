package world

import (
	"context"
	"fmt"
	"slices"

	"waybill/model"
	"waybill/service/store"
)

// indexMetadata makes a resource findable by its metadata, replacing what was indexed before.
func indexMetadata(ctx context.Context, tx *store.Tx, org model.ID, kind string, resource model.ID, entries []model.Metadata) error {
	for _, m := range entries {
		value := m.Value.Clone()
		if err := value.Canonicalize(); err != nil {
			return fmt.Errorf("metadata %q: %w", m.Name, err)
		}
		if _, err := tx.Exec(ctx, "INSERT INTO metadata (resource, kind, org, name, type, value) VALUES ($1, $2, $3, $4, $5, $6)",
			resource, kind, org, m.Name, m.Type, string(value)); err != nil {
			return fmt.Errorf("index metadata: %w", err)
		}
	}
	return nil
}

// reindexMetadata replaces what is indexed of a resource.
func reindexMetadata(ctx context.Context, tx *store.Tx, org model.ID, kind string, resource model.ID, entries []model.Metadata) error {
	if _, err := tx.Exec(ctx, "DELETE FROM metadata WHERE resource = $1", resource); err != nil {
		return fmt.Errorf("forget metadata: %w", err)
	}
	return indexMetadata(ctx, tx, org, kind, resource, entries)
}

// Kinds of resources in the metadata index.
const metadataTasks = "tasks"

// findByMetadata lists the resources of a kind that have every entry of a query, in the order in which they were
// indexed. Objects match whatever the order of their members, arrays element by element.
func findByMetadata(ctx context.Context, q store.Querier, org model.ID, kind string, query []model.Metadata) ([]model.ID, error) {
	if err := model.CheckMetadataQuery(query).Err(); err != nil {
		return nil, err
	}
	var found []model.ID
	for i, m := range query {
		value := m.Value.Clone()
		if err := value.Canonicalize(); err != nil {
			return nil, fmt.Errorf("metadata %q: %w", m.Name, err)
		}
		matching, err := readIDs(q.Query(ctx, `SELECT resource FROM metadata
			WHERE org = $1 AND kind = $2 AND name = $3 AND value = $4 AND type = $5`, org, kind, m.Name, string(value), m.Type))
		if err != nil {
			return nil, err
		}
		if i == 0 {
			found = unique(matching)
			continue
		}
		has := make(map[model.ID]bool, len(matching))
		for _, id := range matching {
			has[id] = true
		}
		found = slices.DeleteFunc(found, func(id model.ID) bool { return !has[id] })
	}
	return found, nil
}

// unique drops repetitions and keeps the order: a resource may carry an entry twice.
func unique(ids []model.ID) []model.ID {
	seen := make(map[model.ID]bool, len(ids))
	return slices.DeleteFunc(ids, func(id model.ID) bool {
		repeated := seen[id]
		seen[id] = true
		return repeated
	})
}
