package world

import (
	"context"
	"database/sql"
	"fmt"

	"waybill/model"
	"waybill/service/store"
)

// refreshChunk bounds how many rows one transaction of a refresh writes: other changes wait meanwhile.
const refreshChunk = 1000

// refreshWrite writes one row if the task or worker is still as it was when its estimates were made: a driver who has
// started a task since is not put back.
type refreshWrite func(ctx context.Context, tx *store.Tx) error

// write stores what is different and tells of what webhooks may have a threshold for.
func (r *refreshRound) write(ctx context.Context) (int, error) {
	var writes []refreshWrite
	measures := map[model.ID][]Measurement{}
	for i := range r.routes {
		v := &r.routes[i]
		writes = append(writes, v.writes()...)
		v.measure(measures)
	}
	for _, task := range r.open {
		if delay := nullInt(model.TaskDelay(model.TaskUnassigned, task.before, r.now, model.Null[model.Millis]())); delay != task.delay {
			writes = append(writes, writeOpenDelay(task.id, delay))
		}
	}
	for written := 0; written < len(writes); written += refreshChunk {
		chunk := writes[written:min(len(writes), written+refreshChunk)]
		if err := r.world.store.Write(ctx, func(tx *store.Tx) error { return runWrites(ctx, tx, chunk) }); err != nil {
			return written, err
		}
	}
	return len(writes), r.tellThresholds(ctx, measures)
}

func runWrites(ctx context.Context, tx *store.Tx, writes []refreshWrite) error {
	for _, write := range writes {
		if err := write(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}

// writes are the rows of a route that are different now.
func (v *route) writes() []refreshWrite {
	var writes []refreshWrite
	for i := range v.stops {
		if s := &v.stops[i]; s.estimated != s.stored {
			writes = append(writes, v.writeStop(s))
		}
	}
	if v.whole && v.newDelay != v.delay {
		writes = append(writes, v.writeDelay)
	}
	return writes
}

func (v *route) writeStop(s *stop) refreshWrite {
	return func(ctx context.Context, tx *store.Tx) error {
		e := s.estimated
		if _, err := tx.Exec(ctx, `UPDATE tasks SET eta = $4, arrival = $5, completion = $6, delay = $7
			WHERE id = $1 AND state = $2 AND worker = $3`,
			s.task, int64(s.state), v.worker, e.eta, e.arrival, e.completion, e.delay); err != nil {
			return fmt.Errorf("store estimates: %w", err)
		}
		return nil
	}
}

func (v *route) writeDelay(ctx context.Context, tx *store.Tx) error {
	if _, err := tx.Exec(ctx, "UPDATE workers SET delay = $2 WHERE id = $1", v.worker, v.newDelay); err != nil {
		return fmt.Errorf("store a worker's delay: %w", err)
	}
	return nil
}

func writeOpenDelay(task model.ID, delay sql.NullInt64) refreshWrite {
	return func(ctx context.Context, tx *store.Tx) error {
		if _, err := tx.Exec(ctx, "UPDATE tasks SET delay = $2 WHERE id = $1 AND state = 0", task, delay); err != nil {
			return fmt.Errorf("store a delay: %w", err)
		}
		return nil
	}
}

// renewDelay brings the delay of a task that someone has changed in line with its window, from its arrival as it was last
// estimated, and the worker's with it: nobody should have to wait for the next estimate to see what the change has done.
func (t *taskRow) renewDelay(ctx context.Context, tx *store.Tx, before model.Opt[model.Millis], now model.Millis) error {
	delay := nullInt(model.TaskDelay(t.state, before, now, model.SomeIf(model.Millis(t.arrival.Int64), t.arrival.Valid)))
	if delay == t.delay {
		return nil
	}
	t.delay = delay
	if _, err := tx.Exec(ctx, "UPDATE tasks SET delay = $2 WHERE id = $1", t.id, delay); err != nil {
		return fmt.Errorf("store a delay: %w", err)
	}
	if t.worker == "" {
		return nil
	}
	if _, err := tx.Exec(ctx, `UPDATE workers SET delay = (SELECT max(delay) FROM tasks WHERE worker = $1 AND state IN (1, 2))
		WHERE id = $1`, t.worker); err != nil {
		return fmt.Errorf("store a worker's delay: %w", err)
	}
	return nil
}

// measure collects what thresholds are compared with, for the owner of the task and for who fulfils it.
func (v *route) measure(into map[model.ID][]Measurement) {
	if len(v.stops) == 0 || v.stops[0].state != model.TaskActive || !v.from.Known {
		return
	}
	s := &v.stops[0]
	m := Measurement{
		Task: s.task, Worker: v.worker, State: s.state, Distance: model.Some(s.meters),
		ETA:   model.SomeIf(model.Seconds(s.estimated.eta.Int64), s.estimated.eta.Valid),
		Delay: model.SomeIf(model.Seconds(s.estimated.delay.Int64), s.estimated.delay.Valid),
	}
	into[s.org] = append(into[s.org], m)
	if s.executor != s.org {
		into[s.executor] = append(into[s.executor], m)
	}
}

func (r *refreshRound) tellThresholds(ctx context.Context, measures map[model.ID][]Measurement) error {
	if len(measures) == 0 {
		return nil
	}
	return r.world.store.Write(ctx, func(tx *store.Tx) error {
		for org, list := range measures {
			if err := r.world.events.CheckThresholds(ctx, tx, org, list...); err != nil {
				return fmt.Errorf("tell thresholds: %w", err)
			}
		}
		return nil
	})
}
