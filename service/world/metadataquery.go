package world

import (
	"context"

	"waybill/model"
	"waybill/service/store"
)

// Kinds of resources in the metadata index; they are the names of their tables.
const (
	kindDestinations = "destinations"
	kindRecipients   = "recipients"
	kindWorkers      = "workers"
	kindAdmins       = "admins"
	kindTeams        = "teams"
)

// findDocs reads the resources that FindByMetadata names. table is also their kind.
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
