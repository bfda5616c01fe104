package world

import (
	"context"

	"waybill/model"
	"waybill/service/store"
)

// Recorder takes the events of a change inside the change's own transaction, so that an event exists exactly when
// the change does.
type Recorder interface {
	Record(ctx context.Context, tx *store.Tx, org model.ID, events ...Event) error
}

// Event is something that happened. Task and Worker load the object as it is after the change, and are called only
// when someone listens.
type Event struct {
	Trigger model.Trigger
	Actor   Actor
	Time    model.Millis
	TaskID  model.ID
	Worker  model.ID
	// Fill adds what the trigger carries beyond the envelope and the objects.
	Fill func(*model.Event)
}

type discard struct{}

func (discard) Record(context.Context, *store.Tx, model.ID, ...Event) error { return nil }
