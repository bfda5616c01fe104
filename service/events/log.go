package events

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"waybill/model"
	"waybill/service/store"
	"waybill/service/world"
)

// Filter selects events of the log.
type Filter struct {
	// Before and After limit the ids; 0 means no limit.
	Before, After int64
	// Limit is at most MaxLogPage, which is also the default.
	Limit   int64
	Trigger model.Opt[model.Trigger]
	Task    model.ID
	// Body includes the bodies that webhooks received.
	Body bool
}

// MaxLogPage is the largest number of events on a page of the log.
const MaxLogPage = 100

const eventColumns = "seq, org, trigger, task, worker, time, actor_type, actor, extra, body"

// ListEvents returns a page of an organization's events, newest first.
func (b *Broker) ListEvents(ctx context.Context, org model.ID, f Filter) (model.EventLog, error) {
	if f.Limit <= 0 || f.Limit > MaxLogPage {
		f.Limit = MaxLogPage
	}
	if f.Before <= 0 {
		f.Before = 1 << 62
	}
	trigger := -1
	if t, ok := f.Trigger.Get(); ok {
		trigger = int(t)
	}
	page := model.EventLog{Events: []model.LoggedEvent{}}
	// Read one more than fits on the page, to know whether there are more.
	err := b.store.Read(ctx, func(tx *store.Tx) error {
		scan := func(rows *sql.Rows, logged *model.LoggedEvent) error {
			e, err := scanEvent(rows.Scan)
			*logged = e.loggedEvent(f.Body)
			return err
		}
		events, err := store.QueryRows(ctx, tx, "read the event log", scan, `SELECT `+eventColumns+` FROM events
			WHERE org = $1 AND seq < $2 AND seq > $3 AND ($4 < 0 OR trigger = $4) AND ($5 = '' OR task = $5)
			ORDER BY seq DESC LIMIT $6`, org, f.Before, f.After, trigger, f.Task, f.Limit+1)
		if err != nil {
			return err
		}
		page.Events = append(page.Events, events...)
		if int64(len(page.Events)) > f.Limit {
			page.Events = page.Events[:f.Limit]
			page.LastID = model.Some(page.Events[f.Limit-1].ID)
		}
		return loadDeliveries(ctx, tx, page.Events)
	})
	return page, err
}

// GetEvent returns one event with its body.
func (b *Broker) GetEvent(ctx context.Context, org model.ID, id int64) (model.LoggedEvent, error) {
	var one []model.LoggedEvent
	err := b.store.Read(ctx, func(tx *store.Tx) error {
		e, err := readEvent(ctx, tx, org, id)
		if err != nil {
			return err
		}
		one = []model.LoggedEvent{e.loggedEvent(true)}
		return loadDeliveries(ctx, tx, one)
	})
	if err != nil {
		return model.LoggedEvent{}, err
	}
	return one[0], nil
}

// storedEvent is a row of the log.
type storedEvent struct {
	seq   int64
	org   model.ID
	event world.Event
	extra []byte
	body  []byte
}

func scanEvent(scan func(...any) error) (storedEvent, error) {
	var s storedEvent
	e := &s.event
	err := scan(&s.seq, &s.org, &e.Trigger, &e.TaskID, &e.Worker, &e.Time, &e.Actor.Type, &e.Actor.ID, &s.extra, &s.body)
	if errors.Is(err, sql.ErrNoRows) {
		return s, world.NotFound()
	}
	if err != nil {
		return s, fmt.Errorf("read event: %w", err)
	}
	return s, nil
}

func readEvent(ctx context.Context, q store.Querier, org model.ID, id int64) (storedEvent, error) {
	e, err := scanEvent(q.QueryRow(ctx, "SELECT "+eventColumns+" FROM events WHERE seq = $1", id).Scan)
	if err == nil && e.org != org {
		return e, world.OtherOrganization()
	}
	return e, err
}

func (s storedEvent) loggedEvent(body bool) model.LoggedEvent {
	e := s.event
	logged := model.LoggedEvent{
		ID: model.Int(s.seq), Time: e.Time, TriggerID: e.Trigger, TriggerName: e.Trigger.Name(),
		TaskID: model.NullIfZero(e.TaskID), WorkerID: model.NullIfZero(e.Worker),
		ActionContext: model.SomeIf(e.Actor.Context(), e.Actor.Type != ""), Deliveries: []model.Delivery{},
	}
	if body {
		logged.Body = model.SomeIf(model.Raw(s.body), len(s.body) > 0)
	}
	return logged
}

func deliveryStateName(state int) string {
	switch state {
	case deliveryDelivered:
		return model.DeliveryDelivered
	case deliveryGivenUp:
		return model.DeliveryGivenUp
	case deliveryStopped:
		return model.DeliveryStopped
	}
	return model.DeliveryPending
}

func loadDeliveries(ctx context.Context, q store.Querier, events []model.LoggedEvent) error {
	for i := range events {
		deliveries, err := deliveriesOf(ctx, q, int64(events[i].ID))
		if err != nil {
			return err
		}
		events[i].Deliveries = deliveries
	}
	return nil
}

func deliveriesOf(ctx context.Context, q store.Querier, event int64) ([]model.Delivery, error) {
	deliveries, err := store.QueryRows(ctx, q, "read deliveries", func(rows *sql.Rows, d *model.Delivery) error {
		var state int
		var next model.Millis
		err := rows.Scan(&d.ID, &d.Webhook, &state, &d.Attempts, &next, &d.Outcome)
		d.State = deliveryStateName(state)
		d.NextAttempt = model.SomeIf(next, state == deliveryPending)
		return err
	}, "SELECT id, webhook, state, attempts, next_at, outcome FROM deliveries WHERE event = $1 ORDER BY seq", event)
	return append([]model.Delivery{}, deliveries...), err
}

// Replay sends an event again to every enabled webhook of its trigger. If the event was not sent to any webhook before,
// it contains its objects as they are now.
func (b *Broker) Replay(ctx context.Context, org model.ID, id int64) (model.LoggedEvent, error) {
	err := b.store.Write(ctx, func(tx *store.Tx) error {
		e, err := readEvent(ctx, tx, org, id)
		if err != nil {
			return err
		}
		hooks, err := enabledWebhooks(ctx, tx, org, e.event.Trigger)
		if err != nil {
			return err
		}
		if len(hooks) == 0 {
			return world.Conflict("No webhook for trigger %d (%s) is enabled. Create one first.", e.event.Trigger, e.event.Trigger.Name())
		}
		if len(e.body) == 0 {
			if err := b.addBody(ctx, tx, e); err != nil {
				return err
			}
		}
		tx.AfterCommit(func() { b.notify(nil, hooks) })
		return b.queueDeliveries(ctx, tx, id, subjectOf(e.event), b.now(), hooks)
	})
	if err != nil {
		return model.LoggedEvent{}, err
	}
	return b.GetEvent(ctx, org, id)
}

// addBody builds and saves the body of an event that was logged without one.
func (b *Broker) addBody(ctx context.Context, tx *store.Tx, e storedEvent) error {
	if len(e.extra) > 0 {
		var filled model.Event
		if err := model.Unmarshal(e.extra, &filled); err != nil {
			return fmt.Errorf("decode stored event %d: %w", e.seq, err)
		}
		filled.ActionContext, filled.AdminID = model.Null[model.ActionContext](), model.Null[model.ID]()
		filled.TaskID, filled.WorkerID = model.NullIfZero(e.event.TaskID), model.NullIfZero(e.event.Worker)
		if filled.Data.IsZero() {
			filled.Data = model.Null[model.EventData]()
		}
		e.event.Fill = func(event *model.Event) { *event = filled }
	}
	body, err := b.eventBody(ctx, tx, e.event)
	if err != nil {
		return err
	}
	_, err = tx.Change(ctx, "save the body of an event", "UPDATE events SET body = $2 WHERE seq = $1", e.seq, string(body))
	return err
}

// logRetention is how long events are kept, on the world's clock. Their deliveries end long before.
const logRetention = 7 * 24 * time.Hour

// deleteOldEvents deletes expired events in chunks.
func (b *Broker) deleteOldEvents(ctx context.Context) error {
	cutoff := int64(b.now().Add(-logRetention))
	var oldest int64
	err := b.store.QueryRow(ctx, "SELECT time FROM events ORDER BY seq LIMIT 1").Scan(&oldest)
	if errors.Is(err, sql.ErrNoRows) || (err == nil && oldest >= cutoff) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find old events: %w", err)
	}
	for removed := int64(deleteChunkSize); removed == deleteChunkSize && err == nil; {
		err = b.store.Write(ctx, func(tx *store.Tx) (err error) {
			removed, err = deleteOldChunk(ctx, tx, cutoff)
			return err
		})
	}
	return err
}

// deleteChunkSize keeps transactions short, so that other writers need not wait.
const deleteChunkSize = 500

// deleteOldChunk deletes one chunk and returns its size. It never deletes the newest event, because ids continue from it
// and must not start again for those who follow the log.
func deleteOldChunk(ctx context.Context, tx *store.Tx, cutoff int64) (int64, error) {
	removed, err := tx.Change(ctx, "delete old events", `DELETE FROM events WHERE seq IN (SELECT seq FROM
		(SELECT seq, time FROM events ORDER BY seq LIMIT $2) AS oldest WHERE time < $1) AND seq < (SELECT max(seq) FROM events)`,
		cutoff, deleteChunkSize)
	if err != nil || removed == deleteChunkSize {
		return removed, err
	}
	_, err = tx.Change(ctx, "delete old firings",
		"DELETE FROM firings WHERE time < $1 AND task NOT IN (SELECT id FROM tasks WHERE state = 2)", cutoff)
	return removed, err
}
