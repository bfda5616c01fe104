package world

import (
	"context"

	"waybill/model"
	"waybill/service/store"
)

// Recorder takes the events of a change inside the change's own transaction, so that an event exists exactly when
// the change does.
type Recorder interface {
	// Record takes events that have happened.
	Record(ctx context.Context, tx *store.Tx, org model.ID, events ...Event) error
	// CheckThresholds is told the ETA, distance and delay of tasks whenever they are known anew, and records the events of
	// webhooks whose threshold they meet. It costs one small query when no webhook has a threshold.
	CheckThresholds(ctx context.Context, tx *store.Tx, org model.ID, measures ...Measurement) error
}

// Event is something that happened. The task and the worker are read as they are after the change, and only when
// someone listens.
type Event struct {
	Trigger model.Trigger
	Actor   Actor
	Time    model.Millis
	TaskID  model.ID
	Worker  model.ID
	// Fill adds what the trigger carries beyond the envelope and the objects.
	Fill func(*model.Event)
}

// Measurement is what is known of a task on its way.
type Measurement struct {
	Task   model.ID
	Worker model.ID
	State  model.TaskState
	// ETA is how long the worker still needs, Distance how far the worker is in meters, Delay how late the task will
	// be. What is not known is absent or null.
	ETA      model.Opt[model.Seconds]
	Distance model.Opt[float64]
	Delay    model.Opt[model.Seconds]
}

type discard struct{}

func (discard) Record(context.Context, *store.Tx, model.ID, ...Event) error { return nil }

func (discard) CheckThresholds(context.Context, *store.Tx, model.ID, ...Measurement) error { return nil }
