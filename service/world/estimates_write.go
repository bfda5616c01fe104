package world

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"waybill/model"
	"waybill/service/store"
)

// maxWritesPerTransaction limits how many rows one transaction of an update writes, because other changes have to wait
// for it.
const maxWritesPerTransaction = 1000

// estimateWrite writes one row if the task or worker has not changed since it was estimated: a task that has been
// started in the meantime is not overwritten.
type estimateWrite func(ctx context.Context, tx *store.Tx)

// write stores what has changed and checks thresholds of webhooks.
func (r *estimateRun) write(ctx context.Context) (int, error) {
	var writes []estimateWrite
	measures := map[model.ID][]Measurement{}
	for i := range r.routes {
		v := &r.routes[i]
		writes = append(writes, v.writes()...)
		v.addMeasurement(measures)
	}
	for _, task := range r.unassigned {
		if delay := nullInt(model.TaskDelay(model.TaskUnassigned, task.before, r.now, model.Null[model.Millis]())); delay != task.delay {
			writes = append(writes, writeUnassignedDelay(task.id, delay))
		}
	}
	written := 0
	for chunk := range slices.Chunk(writes, maxWritesPerTransaction) {
		err := r.world.store.Write(ctx, func(tx *store.Tx) error {
			for _, write := range chunk {
				write(ctx, tx)
			}
			return nil
		})
		if err != nil {
			return written, err
		}
		written += len(chunk)
	}
	return written, r.checkThresholds(ctx, measures)
}

// writes returns the rows of a route that have changed.
func (v *workerRoute) writes() []estimateWrite {
	var writes []estimateWrite
	for i := range v.stops {
		if s := &v.stops[i]; s.estimated != s.stored {
			writes = append(writes, v.writeStop(s))
		}
	}
	if v.isFull && v.newDelay != v.delay {
		writes = append(writes, v.writeDelay)
	}
	return writes
}

func (v *workerRoute) writeStop(s *stop) estimateWrite {
	return func(ctx context.Context, tx *store.Tx) {
		e := s.estimated
		tx.Write(ctx, "store estimates", `UPDATE tasks SET eta = $4, arrival = $5, completion = $6, delay = $7
			WHERE id = $1 AND state = $2 AND worker = $3`,
			s.task, int64(s.state), v.worker, e.eta, e.arrival, e.completion, e.delay)
	}
}

func (v *workerRoute) writeDelay(ctx context.Context, tx *store.Tx) {
	tx.Write(ctx, "store the delay of a worker", "UPDATE workers SET delay = $2 WHERE id = $1", v.worker, v.newDelay)
}

func writeUnassignedDelay(task model.ID, delay sql.NullInt64) estimateWrite {
	return func(ctx context.Context, tx *store.Tx) {
		tx.Write(ctx, "store a delay", "UPDATE tasks SET delay = $2 WHERE id = $1 AND state = 0", task, delay)
	}
}

// updateDelay computes the delay of a changed task from its window and its last estimated arrival, and the delay of its
// worker, so that the change shows at once.
func (t *taskRow) updateDelay(ctx context.Context, tx *store.Tx, before model.Opt[model.Millis], now model.Millis) {
	delay := nullInt(model.TaskDelay(t.state, before, now, optMillis(t.arrival)))
	if delay == t.delay {
		return
	}
	t.delay = delay
	tx.Write(ctx, "store a delay", "UPDATE tasks SET delay = $2 WHERE id = $1", t.id, delay)
	if t.worker != "" {
		tx.Write(ctx, "store the delay of a worker",
			`UPDATE workers SET delay = (SELECT max(delay) FROM tasks WHERE worker = $1 AND state IN (1, 2))
			WHERE id = $1`, t.worker)
	}
}

// addMeasurement adds what thresholds are compared with, for the owner of the task and for the organization that fulfils
// it.
func (v *workerRoute) addMeasurement(into map[model.ID][]Measurement) {
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

func (r *estimateRun) checkThresholds(ctx context.Context, measures map[model.ID][]Measurement) error {
	if len(measures) == 0 {
		return nil
	}
	return r.world.store.Write(ctx, func(tx *store.Tx) error {
		for org, list := range measures {
			if err := r.world.events.CheckThresholds(ctx, tx, org, list...); err != nil {
				return fmt.Errorf("check thresholds: %w", err)
			}
		}
		return nil
	})
}
