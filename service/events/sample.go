package events

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"waybill/model"
	"waybill/service/store"
	"waybill/service/world"
)

// SendSample records an event that did not happen, for testing a receiver. It uses the given task, or else the
// organization's newest task and worker, and changes nothing else.
func (b *Broker) SendSample(ctx context.Context, actor world.Actor, trigger model.Trigger, task model.ID) (model.LoggedEvent, error) {
	var seq int64
	err := b.store.Write(ctx, func(tx *store.Tx) error {
		event := world.Event{Trigger: trigger, Actor: actor, Time: b.now(), Fill: sampleFill(trigger, b.ids, b.now())}
		if err := setSampleSubjects(ctx, tx, actor.Org, &event, task); err != nil {
			return err
		}
		hooks, err := enabledWebhooks(ctx, tx, actor.Org, trigger)
		if err != nil {
			return err
		}
		if err := b.recordEvent(ctx, tx, actor.Org, event, hooks); err != nil {
			return err
		}
		tx.AfterCommit(func() { b.notify(nil, hooks) })
		return tx.QueryRow(ctx, "SELECT max(seq) FROM events WHERE org = $1", actor.Org).Scan(&seq)
	})
	if err != nil {
		return model.LoggedEvent{}, err
	}
	return b.GetEvent(ctx, actor.Org, seq)
}

// setSampleSubjects sets the task and worker of a sample.
func setSampleSubjects(ctx context.Context, tx *store.Tx, org model.ID, event *world.Event, task model.ID) error {
	wantsTask, wantsWorker := triggerObjects(event.Trigger)
	wantsTask = wantsTask || event.Trigger == model.TriggerTaskDeleted
	if wantsTask {
		var worker sql.NullString
		err := tx.QueryRow(ctx, `SELECT id, worker FROM tasks WHERE (org = $1 OR executor = $1) AND ($2 = '' OR id = $2)
			ORDER BY seq DESC LIMIT 1`, org, task).Scan(&event.TaskID, &worker)
		if task != "" && errors.Is(err, sql.ErrNoRows) {
			return world.Conflict("There is no task %s.", task)
		}
		if err := sampleError(err, "task"); err != nil {
			return err
		}
		event.Worker = model.ID(worker.String)
	}
	if wantsWorker && event.Worker == "" {
		err := tx.QueryRow(ctx, "SELECT id FROM workers WHERE org = $1 ORDER BY created DESC, id LIMIT 1", org).Scan(&event.Worker)
		if err := sampleError(err, "worker"); err != nil {
			return err
		}
	}
	return nil
}

func sampleError(err error, what string) error {
	if errors.Is(err, sql.ErrNoRows) {
		return world.Conflict("The sample needs a %s. Create one first.", what)
	}
	if err != nil {
		return fmt.Errorf("find a %s: %w", what, err)
	}
	return nil
}

// sampleFill returns the made-up values of a trigger's event.
func sampleFill(trigger model.Trigger, ids world.IDs, now model.Millis) func(*model.Event) {
	switch trigger {
	case model.TriggerTaskETA:
		return func(e *model.Event) { e.ETASeconds = model.Some(model.Seconds(300)) }
	case model.TriggerTaskArrival:
		return func(e *model.Event) { e.Distance = model.Some(150.0) }
	case model.TriggerTaskDelayed:
		return func(e *model.Event) { e.Delay = model.Some(model.Seconds(600)) }
	case model.TriggerWorkerDuty:
		return func(e *model.Event) { e.Status = model.Some(model.Raw("1")) }
	case model.TriggerSMSMissed:
		return func(e *model.Event) {
			e.From, e.To, e.Body = model.Some("+14155550101"), model.Some("+14155550199"), model.Some("Can you leave it with the neighbour?")
		}
	case model.TriggerSMSOptOut:
		recipient := model.EventRecipient{ID: ids.ID(), Name: "Sample Recipient", Phone: "+14155550101"}
		return func(e *model.Event) {
			e.Recipient, e.Timestamp = model.Some(recipient), model.Some(now)
			e.Body, e.Data = model.Some("STOP"), model.Some(model.EventData{})
		}
	case model.TriggerAutoDispatchDone, model.TriggerRouteOptimizationDone:
		id := ids.ID()
		return func(e *model.Event) { e.DispatchID = model.Some(id) }
	case model.TriggerBatchDone:
		id := ids.ID()
		return func(e *model.Event) {
			e.JobID, e.Status = model.Some(id), model.Some(model.Raw(`"succeeded"`))
			e.TasksReceived, e.TasksCreated, e.TasksErrored = model.Some(model.Int(0)), model.Some(model.Int(0)), model.Some(model.Int(0))
			e.Errors, e.FailedTasks = model.Some([]model.BatchError{}), model.Some([]model.TaskInput{})
			e.NewTasks, e.NewTasksWithWarnings = model.Some([]model.Task{}), model.Some([]model.Task{})
			e.Data = model.Some(model.EventData{})
		}
	default:
		return nil
	}
}
