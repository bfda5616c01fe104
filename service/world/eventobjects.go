package world

import (
	"context"

	"waybill/model"
	"waybill/service/store"
)

// EventObjects reads what events are about, inside the change that they tell of.
type EventObjects struct{}

// Task is the task as it goes over the wire.
func (EventObjects) Task(ctx context.Context, q store.Querier, id model.ID) (model.Raw, error) {
	return (&taskRow{id: id}).wire(ctx, q, "")
}
