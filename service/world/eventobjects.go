package world

import (
	"context"

	"waybill/model"
	"waybill/service/store"
)

// EventObjects reads what events are about, inside the change that they tell of.
type EventObjects struct{ Clock Clock }

// Task is the task as it goes over the wire.
func (EventObjects) Task(ctx context.Context, q store.Querier, id model.ID) (model.Raw, error) {
	return (&taskRow{id: id}).wire(ctx, q, "")
}

// Worker is the worker as it goes over the wire.
func (o EventObjects) Worker(ctx context.Context, q store.Querier, id model.ID) (model.Raw, error) {
	worker, err := ReadWorker(ctx, q, id, model.MillisOf(o.Clock.Now()))
	if err != nil {
		return nil, err
	}
	return model.Marshal(worker)
}
