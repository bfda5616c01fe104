package events

import (
	"context"
	"errors"
	"fmt"

	"waybill/model"
	"waybill/service/store"
	"waybill/service/world"
)

// Record implements world.Recorder.
func (b *Broker) Record(ctx context.Context, tx *store.Tx, org model.ID, events ...world.Event) error {
	if len(events) == 1 && events[0].Fill == nil {
		if recorded, err := b.recordWithoutWebhooks(ctx, tx, org, events[0]); recorded || err != nil {
			return err
		}
	}
	var subjects, notified []model.ID
	webhooksOf := map[model.Trigger][]model.ID{}
	unsent := store.NewInserter("INSERT INTO events (org, trigger, task, worker, time, actor_type, actor)", "")
	for _, e := range events {
		subjects = append(subjects, e.TaskID, e.Worker)
		hooks, known := webhooksOf[e.Trigger]
		if !known {
			var err error
			if hooks, err = enabledWebhooks(ctx, tx, org, e.Trigger); err != nil {
				return err
			}
			webhooksOf[e.Trigger] = hooks
		}
		if len(events) > 1 && len(hooks) == 0 && e.Fill == nil {
			unsent.Add(org, int(e.Trigger), e.TaskID, e.Worker, int64(e.Time), e.Actor.Type, e.Actor.ID)
			continue
		}
		unsent.Flush(ctx, tx) // keep the log in order
		if err := b.recordEvent(ctx, tx, org, e, hooks); err != nil {
			return err
		}
		notified = append(notified, hooks...)
	}
	unsent.Flush(ctx, tx)
	tx.AfterCommit(func() { b.notify(subjects, notified) })
	return nil
}

// recordWithoutWebhooks records an event if no webhook wants it, and reports whether it did. Most events are like that,
// and one statement costs half as much as a query for the webhooks and an insert.
func (b *Broker) recordWithoutWebhooks(ctx context.Context, tx *store.Tx, org model.ID, e world.Event) (bool, error) {
	logged, err := tx.Change(ctx, "log event", `INSERT INTO events (org, trigger, task, worker, time, actor_type, actor)
		SELECT $1, $2, $3, $4, $5, $6, $7
		WHERE NOT EXISTS (SELECT 1 FROM webhooks WHERE org = $1 AND trigger = $2 AND enabled = 1)`,
		org, int(e.Trigger), e.TaskID, e.Worker, int64(e.Time), e.Actor.Type, e.Actor.ID)
	if err != nil || logged == 0 {
		return false, err
	}
	tx.AfterCommit(func() { b.notify([]model.ID{e.TaskID, e.Worker}, nil) })
	return true, nil
}

// enabledWebhooks returns the enabled webhooks of a trigger.
func enabledWebhooks(ctx context.Context, q store.Querier, org model.ID, trigger model.Trigger) ([]model.ID, error) {
	ids, err := store.QueryColumn[model.ID](ctx, q,
		"SELECT id FROM webhooks WHERE org = $1 AND trigger = $2 AND enabled = 1 ORDER BY id", org, int(trigger))
	if err != nil {
		return nil, fmt.Errorf("find webhooks: %w", err)
	}
	return ids, nil
}

// recordEvent logs one event and queues its deliveries to hooks.
func (b *Broker) recordEvent(ctx context.Context, tx *store.Tx, org model.ID, e world.Event, hooks []model.ID) error {
	var extra, body any
	if len(hooks) > 0 {
		encoded, err := b.eventBody(ctx, tx, e)
		if err != nil {
			return err
		}
		body = string(encoded)
	} else if e.Fill != nil {
		filled, err := encodeFill(e)
		if err != nil {
			return err
		}
		extra = string(filled)
	}
	const insert = `INSERT INTO events (org, trigger, task, worker, time, actor_type, actor, extra, body)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`
	row := []any{org, int(e.Trigger), e.TaskID, e.Worker, int64(e.Time), e.Actor.Type, e.Actor.ID, extra, body}
	if len(hooks) == 0 { // the number of the event is not needed
		_, err := tx.Change(ctx, "log event", insert, row...)
		return err
	}
	var seq int64
	if err := tx.QueryRow(ctx, insert+" RETURNING seq", row...).Scan(&seq); err != nil {
		return fmt.Errorf("log event: %w", err)
	}
	return b.queueDeliveries(ctx, tx, seq, subjectOf(e), e.Time, hooks)
}

// queueDeliveries queues an event for webhooks.
func (b *Broker) queueDeliveries(
	ctx context.Context, tx *store.Tx, event int64, subject model.ID, now model.Millis, hooks []model.ID,
) error {
	for _, hook := range hooks {
		if _, err := tx.Change(ctx, "queue delivery", `INSERT INTO deliveries (id, event, webhook, subject, next_at)
			VALUES ($1, $2, $3, $4, $5)`, b.ids.ID(), event, hook, subject, int64(now)); err != nil {
			return err
		}
		if err := b.requestDelivery(ctx, tx, hook); err != nil {
			return fmt.Errorf("queue delivery: %w", err)
		}
	}
	return nil
}

// subjectOf returns the task or worker of an event. Events of one subject are delivered in order.
func subjectOf(e world.Event) model.ID {
	if e.TaskID != "" {
		return e.TaskID
	}
	return e.Worker
}

// encodeFill encodes what Fill adds, so that the body can be built later.
func encodeFill(e world.Event) ([]byte, error) {
	var filled model.Event
	e.Fill(&filled)
	encoded, err := model.Marshal(filled)
	if err != nil {
		return nil, fmt.Errorf("encode event: %w", err)
	}
	return encoded, nil
}

// eventBody encodes the event for webhooks, with the current state of its objects.
func (b *Broker) eventBody(ctx context.Context, q store.Querier, e world.Event) ([]byte, error) {
	objects, err := b.encodeObjects(ctx, q, e)
	if err != nil {
		return nil, err
	}
	return encodeBody(e, objects)
}

func encodeBody(e world.Event, objects model.Raw) ([]byte, error) {
	event := model.Event{
		ActionContext: model.Null[model.ActionContext](), AdminID: model.Null[model.ID](),
		TaskID: model.NullIfZero(e.TaskID), WorkerID: model.NullIfZero(e.Worker), Data: model.Null[model.EventData](),
	}
	if e.Fill != nil {
		e.Fill(&event)
	}
	event.Time, event.TriggerID, event.TriggerName = e.Time, e.Trigger, e.Trigger.Name()
	if e.Actor.Type != "" {
		event.ActionContext = model.Some(e.Actor.Context())
	}
	if e.Actor.Type == world.ActorAdmin {
		event.AdminID = model.Some(e.Actor.ID)
	}
	if len(objects) > 0 {
		data := event.Data.Value()
		data.Extra = objects
		event.Data = model.Some(data)
	}
	encoded, err := model.Marshal(event)
	if err != nil {
		return nil, fmt.Errorf("encode event: %w", err)
	}
	return encoded, nil
}

// encodeObjects encodes the task and worker of an event as one JSON object. It returns nil if the trigger has none.
func (b *Broker) encodeObjects(ctx context.Context, q store.Querier, e world.Event) (model.Raw, error) {
	if b.objects == nil {
		return nil, nil
	}
	wantsTask, wantsWorker := triggerObjects(e.Trigger)
	var objects []byte
	add := func(name string, raw model.Raw, err error) error {
		var refusal *world.Error
		if errors.As(err, &refusal) {
			return nil // the object is gone; the event has only its id
		}
		if err != nil {
			return fmt.Errorf("read the event's %s: %w", name, err)
		}
		if len(raw) == 0 {
			return nil
		}
		separator := byte(',')
		if objects == nil {
			separator = '{'
		}
		objects = append(objects, separator)
		objects = append(append(append(objects, '"'), name...), `":`...)
		objects = append(objects, raw...)
		return nil
	}
	if wantsTask && e.TaskID != "" {
		raw, err := b.objects.Task(ctx, q, e.TaskID)
		if err := add("task", raw, err); err != nil {
			return nil, err
		}
	}
	if wantsWorker && e.Worker != "" {
		raw, err := b.objects.Worker(ctx, q, e.Worker)
		if err := add("worker", raw, err); err != nil {
			return nil, err
		}
	}
	if objects == nil {
		return nil, nil
	}
	return append(objects, '}'), nil
}

// triggerObjects reports which objects the events of a trigger contain.
func triggerObjects(t model.Trigger) (task, worker bool) {
	switch t {
	case model.TriggerTaskAssigned:
		return true, true
	case model.TriggerWorkerDuty, model.TriggerWorkerCreated, model.TriggerWorkerDeleted:
		return false, true
	case model.TriggerTaskDeleted, model.TriggerSMSMissed, model.TriggerSMSOptOut,
		model.TriggerAutoDispatchDone, model.TriggerBatchDone, model.TriggerRouteOptimizationDone:
		return false, false
	default:
		return true, false
	}
}
