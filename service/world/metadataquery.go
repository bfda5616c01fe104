package world

import (
	"context"
	"fmt"
	"slices"

	"waybill/model"
	"waybill/service/store"
)

// Kinds of resources in the metadata index; they are the names of their tables.
const (
	kindRecipients = "recipients"
	kindWorkers    = "workers"
	kindAdmins     = "admins"
)

// findByMetadata lists the resources of a kind whose metadata has every entry of the query, in order of creation
// where the caller's table has it. The index answers entry by entry, and what all answers share is the result.
func findByMetadata(ctx context.Context, q store.Querier, org model.ID, kind string, query []model.Metadata) ([]model.ID, error) {
	if problems := model.CheckMetadataQuery(query); len(problems) > 0 {
		return nil, problems
	}
	var found []model.ID
	for i, entry := range query {
		value := entry.Value.Clone()
		if err := value.Canonicalize(); err != nil {
			return nil, Invalid("[%d].value: %v", i, err)
		}
		matching, err := readIDs(q.Query(ctx, `SELECT resource FROM metadata
			WHERE org = $1 AND kind = $2 AND name = $3 AND value = $4 AND type = $5 ORDER BY resource`,
			org, kind, entry.Name, string(value), entry.Type))
		if err != nil {
			return nil, fmt.Errorf("search metadata: %w", err)
		}
		if i == 0 {
			found = slices.Compact(matching)
			continue
		}
		found = slices.DeleteFunc(found, func(id model.ID) bool {
			_, ok := slices.BinarySearch(matching, id)
			return !ok
		})
	}
	return found, nil
}

// findDocs reads the resources that findByMetadata names. table is also their kind.
func findDocs[T any](ctx context.Context, s *store.Store, table string, org model.ID, query []model.Metadata) ([]T, error) {
	list := []T{}
	err := s.Read(ctx, func(tx *store.Tx) error {
		ids, err := findByMetadata(ctx, tx, org, table, query)
		if err != nil {
			return err
		}
		for _, id := range ids {
			v, err := ownDoc[T](ctx, tx, table, org, id)
			if err != nil {
				return err
			}
			list = append(list, v)
		}
		return nil
	})
	return list, err
}
