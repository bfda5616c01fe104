package world

import (
	"context"
	"fmt"

	"waybill/model"
	"waybill/service/store"
)

// Recorder stores the events of a change in the transaction of the change, so that an event exists exactly when its
// change does.
type Recorder interface {
	// Record stores events that have happened.
	Record(ctx context.Context, tx *store.Tx, org model.ID, events ...Event) error
	// CheckThresholds compares new ETAs, distances and delays with the thresholds of webhooks and stores the events of
	// those that are met. Without such webhooks it costs one small query.
	CheckThresholds(ctx context.Context, tx *store.Tx, org model.ID, measures ...Measurement) error
}

// Event is something that happened. Task and worker are read as they are after the change, and only when a webhook
// listens.
type Event struct {
	Trigger model.Trigger
	Actor   Actor
	Time    model.Millis
	TaskID  model.ID
	Worker  model.ID
	// Fill adds what the trigger carries beyond the envelope, the task and the worker.
	Fill func(*model.Event)
}

// Measurement is what is known about a task on its way.
type Measurement struct {
	Task   model.ID
	Worker model.ID
	State  model.TaskState
	// ETA is how long the worker still needs, Distance how far away the worker is in meters, Delay how late the task
	// will be. Unknown values are absent or null.
	ETA      model.Opt[model.Seconds]
	Distance model.Opt[float64]
	Delay    model.Opt[model.Seconds]
}

// record stores events in the transaction of their change, unless that has failed.
func (w *World) record(ctx context.Context, tx *store.Tx, org model.ID, events ...Event) {
	if tx.Err() != nil {
		return
	}
	if err := w.events.Record(ctx, tx, org, events...); err != nil {
		tx.Fail(fmt.Errorf("record events: %w", err))
	}
}

type discardEvents struct{}

func (discardEvents) Record(context.Context, *store.Tx, model.ID, ...Event) error { return nil }

func (discardEvents) CheckThresholds(context.Context, *store.Tx, model.ID, ...Measurement) error {
	return nil
}

// EventObjects reads the objects that an event carries, inside the transaction of the change.
type EventObjects struct{ Clock Clock }

// Task returns a task in its wire form.
func (EventObjects) Task(ctx context.Context, q store.Querier, id model.ID) (model.Raw, error) {
	return readTaskWire(ctx, q, id, "", "")
}

// Worker returns a worker in its wire form.
func (o EventObjects) Worker(ctx context.Context, q store.Querier, id model.ID) (model.Raw, error) {
	worker, err := ReadWorker(ctx, q, id, model.MillisOf(o.Clock.Now()))
	if err != nil {
		return nil, err
	}
	return model.Marshal(worker)
}
