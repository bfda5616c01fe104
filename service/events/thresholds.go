package events

import (
	"context"
	"database/sql"

	"waybill/model"
	"waybill/service/store"
	"waybill/service/world"
)

// thresholdWebhook is a webhook that fires when a measure reaches a threshold.
type thresholdWebhook struct {
	id        model.ID
	trigger   model.Trigger
	threshold float64
}

// CheckThresholds implements world.Recorder.
func (b *Broker) CheckThresholds(ctx context.Context, tx *store.Tx, org model.ID, measures ...world.Measurement) error {
	hooks, err := thresholdWebhooks(ctx, tx, org)
	if err != nil || len(hooks) == 0 {
		return err
	}
	now := b.now()
	var subjects, notified []model.ID
	for _, m := range measures {
		for i := range hooks {
			fired, err := b.fireThreshold(ctx, tx, org, hooks[i], m, now)
			if err != nil {
				return err
			}
			if fired {
				subjects = append(subjects, m.Task)
				notified = append(notified, hooks[i].id)
			}
		}
	}
	if len(notified) > 0 {
		tx.AfterCommit(func() { b.notify(subjects, notified) })
	}
	return nil
}

func thresholdWebhooks(ctx context.Context, q store.Querier, org model.ID) ([]thresholdWebhook, error) {
	scan := func(rows *sql.Rows, h *thresholdWebhook) error { return rows.Scan(&h.id, &h.trigger, &h.threshold) }
	return store.QueryRows(ctx, q, "find webhooks with thresholds", scan, `SELECT id, trigger, coalesce(threshold, 0)
		FROM webhooks WHERE org = $1 AND trigger IN (1, 2, 12) AND enabled = 1 ORDER BY id`, org)
}

// measureOf returns the value that a trigger compares with its threshold, and the function that sets it in the event.
func measureOf(trigger model.Trigger, m world.Measurement) (value float64, known bool, fill func(*model.Event)) {
	switch trigger {
	case model.TriggerTaskETA:
		eta, ok := m.ETA.Get()
		return float64(eta), ok, func(e *model.Event) { e.ETASeconds = model.Some(eta) }
	case model.TriggerTaskArrival:
		distance, ok := m.Distance.Get()
		return distance, ok, func(e *model.Event) { e.Distance = model.Some(distance) }
	case model.TriggerTaskDelayed:
		delay, ok := m.Delay.Get()
		return float64(delay), ok, func(e *model.Event) { e.Delay = model.Some(delay) }
	default:
		return 0, false, nil
	}
}

// fireThreshold records the event of one webhook for one task if its threshold is reached. The firing is recorded in the
// same transaction, so that it never fires twice.
func (b *Broker) fireThreshold(
	ctx context.Context, tx *store.Tx, org model.ID, h thresholdWebhook, m world.Measurement, now model.Millis,
) (bool, error) {
	value, known, fill := measureOf(h.trigger, m)
	firing := model.ThresholdFiring{Trigger: h.trigger, Threshold: h.threshold, Measure: value, State: m.State}
	if !known || !firing.ShouldFire() {
		return false, nil
	}
	recorded, err := tx.Change(ctx, "record a firing",
		"INSERT INTO firings (webhook, task, time) VALUES ($1, $2, $3) ON CONFLICT (webhook, task) DO NOTHING",
		h.id, m.Task, int64(now))
	if err != nil || recorded == 0 {
		return false, err
	}
	event := world.Event{Trigger: h.trigger, Time: now, TaskID: m.Task, Worker: m.Worker, Fill: fill}
	if m.Worker != "" {
		event.Actor = world.Actor{Type: world.ActorWorker, ID: m.Worker, Org: org}
	}
	return true, b.recordEvent(ctx, tx, org, event, []model.ID{h.id})
}
