package world

import (
	"context"
	"fmt"
	"time"

	"waybill/model"
	"waybill/service/store"
)

// Actions of a worker's analytics.
const (
	actionOnDuty  = "onduty"
	actionOffDuty = "offduty"
)

// WorkerWithAnalytics reads a driver with what they did from a time to another; without times, in the last week.
func (w *World) WorkerWithAnalytics(ctx context.Context, org, id model.ID, from, to model.Opt[model.Millis]) (model.Worker, error) {
	var worker model.Worker
	err := w.store.Read(ctx, func(tx *store.Tx) (err error) {
		if err := mustExist(ctx, tx, "workers", org, id); err != nil {
			return err
		}
		span, err := w.analyticsSpan(from, to)
		if err != nil {
			return err
		}
		if worker, err = ReadWorker(ctx, tx, id, w.Now()); err != nil {
			return err
		}
		analytics, err := readAnalytics(ctx, tx, id, span)
		worker.Analytics = model.Some(analytics)
		return err
	})
	return worker, err
}

// span is a stretch of time; to is not in it.
type span struct{ from, to model.Millis }

// overlap is how much of a stretch of time lies in the span.
func (s span) overlap(from, to model.Millis) time.Duration {
	return max(0, min(s.to, to).Sub(max(s.from, from)))
}

func (w *World) analyticsSpan(from, to model.Opt[model.Millis]) (span, error) {
	now := w.Now()
	if !from.Has() && !to.Has() {
		return span{now.Add(-model.TeamTasksSpan), now}, nil
	}
	s := span{to: to.Or(min(now, from.Value().Add(model.MaxAnalyticsSpan)))}
	s.from = from.Or(s.to.Add(-model.MaxAnalyticsSpan))
	return s, model.CheckAnalytics(s.from, s.to).Err()
}

func readAnalytics(ctx context.Context, q store.Querier, worker model.ID, s span) (model.WorkerAnalytics, error) {
	analytics := model.WorkerAnalytics{Events: []model.WorkerEvent{}}
	onDuty, err := readDuty(ctx, q, worker, s, &analytics)
	if err != nil {
		return analytics, err
	}
	enroute, err := readDone(ctx, q, worker, s, &analytics)
	if err != nil {
		return analytics, err
	}
	analytics.Times = model.EnrouteIdle{Enroute: enroute.Seconds(), Idle: max(0, onDuty-enroute).Seconds()}
	return analytics, nil
}

// readDuty lists the changes of duty in the span and adds up the time on duty.
func readDuty(ctx context.Context, q store.Querier, worker model.ID, s span, analytics *model.WorkerAnalytics) (time.Duration, error) {
	rows, err := q.Query(ctx, "SELECT time, on_duty FROM duty_log WHERE worker = $1 AND time < $2 ORDER BY time", worker, s.to)
	if err != nil {
		return 0, fmt.Errorf("read duty: %w", err)
	}
	defer rows.Close()
	var total time.Duration
	var since model.Millis // when the duty that is on began; 0 when none is
	for rows.Next() {
		var at model.Millis
		var on int
		if err := rows.Scan(&at, &on); err != nil {
			return 0, fmt.Errorf("read duty: %w", err)
		}
		if since != 0 {
			total += s.overlap(since, at)
			since = 0
		}
		action := actionOffDuty
		if on != 0 {
			action, since = actionOnDuty, at
		}
		if at >= s.from {
			analytics.Events = append(analytics.Events, model.WorkerEvent{Action: action, Time: at})
		}
	}
	if since != 0 {
		total += s.overlap(since, s.to)
	}
	return total, rows.Err()
}

// readDone counts the tasks that the worker completed in the span, and adds up how long and how far they went for
// them.
func readDone(ctx context.Context, q store.Querier, worker model.ID, s span, analytics *model.WorkerAnalytics) (time.Duration, error) {
	rows, err := q.Query(ctx, `SELECT started, completed, doc FROM tasks
		WHERE worker = $1 AND completed >= $2 AND completed < $3`, worker, s.from, s.to)
	if err != nil {
		return 0, fmt.Errorf("read completed tasks: %w", err)
	}
	defer rows.Close()
	var total time.Duration
	for rows.Next() {
		var started *int64
		var completed model.Millis
		var doc []byte
		if err := rows.Scan(&started, &completed, &doc); err != nil {
			return 0, fmt.Errorf("read completed task: %w", err)
		}
		var task struct {
			CompletionDetails model.CompletionDetails `json:"completionDetails"`
		}
		if err := model.Unmarshal(doc, &task); err != nil {
			return 0, fmt.Errorf("decode stored task: %w", err)
		}
		if task.CompletionDetails.Success.Or(false) {
			analytics.TaskCounts.Succeeded++
		} else {
			analytics.TaskCounts.Failed++
		}
		analytics.Distances.Enroute += task.CompletionDetails.Distance.Value()
		if started != nil {
			total += s.overlap(model.Millis(*started), completed)
		}
	}
	return total, rows.Err()
}
