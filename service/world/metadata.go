package world

import (
	"context"
	"fmt"

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
