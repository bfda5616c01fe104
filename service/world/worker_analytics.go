package world

import (
	"context"
	"database/sql"
	"time"

	"waybill/model"
	"waybill/service/store"
)

// Actions of a worker's analytics.
const (
	actionOnDuty  = "onduty"
	actionOffDuty = "offduty"
)

// WorkerWithAnalytics reads a worker with what they did between two times. Without times it covers the last week.
func (w *World) WorkerWithAnalytics(ctx context.Context, org, id model.ID, from, to model.Opt[model.Millis]) (model.Worker, error) {
	return readTx(ctx, w.store, func(tx *store.Tx) (model.Worker, error) {
		tx.Fail(checkOwner(ctx, tx, "workers", org, id))
		span, err := w.analyticsSpan(from, to)
		if err != nil {
			return model.Worker{}, err
		}
		worker, err := ReadWorker(ctx, tx, id, w.Now())
		if err != nil {
			return worker, err
		}
		analytics, err := readAnalytics(ctx, tx, id, span)
		worker.Analytics = model.Some(analytics)
		return worker, err
	})
}

// timeSpan is a span of time that excludes its end.
type timeSpan struct{ from, to model.Millis }

// overlap returns how much of the time between from and to lies in the span.
func (s timeSpan) overlap(from, to model.Millis) time.Duration {
	return max(0, min(s.to, to).Sub(max(s.from, from)))
}

func (w *World) analyticsSpan(from, to model.Opt[model.Millis]) (timeSpan, error) {
	now := w.Now()
	if !from.Has() && !to.Has() {
		return timeSpan{now.Add(-model.TeamTasksSpan), now}, nil
	}
	s := timeSpan{to: to.Or(min(now, from.Value().Add(model.MaxAnalyticsSpan)))}
	s.from = from.Or(s.to.Add(-model.MaxAnalyticsSpan))
	return s, model.CheckAnalytics(s.from, s.to).Err()
}

func readAnalytics(ctx context.Context, q store.Querier, worker model.ID, s timeSpan) (model.WorkerAnalytics, error) {
	analytics := model.WorkerAnalytics{Events: []model.WorkerEvent{}}
	onDuty, err := addDutyEvents(ctx, q, worker, s, &analytics)
	if err != nil {
		return analytics, err
	}
	enroute, err := addCompletedTasks(ctx, q, worker, s, &analytics)
	if err != nil {
		return analytics, err
	}
	analytics.Times = model.EnrouteIdle{Enroute: enroute.Seconds(), Idle: max(0, onDuty-enroute).Seconds()}
	return analytics, nil
}

// addDutyEvents adds the duty changes in the span to the analytics and returns the time on duty.
func addDutyEvents(
	ctx context.Context, q store.Querier, worker model.ID, s timeSpan, analytics *model.WorkerAnalytics,
) (time.Duration, error) {
	var total time.Duration
	var since model.Millis // when the worker went on duty; 0 while off duty
	err := eachRow(ctx, q, "read duty", "SELECT time, on_duty FROM duty_log WHERE worker = $1 AND time < $2 ORDER BY time",
		[]any{worker, s.to}, func(row *sql.Rows) error {
			var at model.Millis
			var onDuty bool
			if err := row.Scan(&at, &onDuty); err != nil {
				return err
			}
			if since != 0 {
				total += s.overlap(since, at)
				since = 0
			}
			action := actionOffDuty
			if onDuty {
				action, since = actionOnDuty, at
			}
			if at >= s.from {
				analytics.Events = append(analytics.Events, model.WorkerEvent{Action: action, Time: at})
			}
			return nil
		})
	if since != 0 {
		total += s.overlap(since, s.to)
	}
	return total, err
}

// addCompletedTasks adds counts and distances of the tasks completed in the span to the analytics and returns the time
// spent on the way to them.
func addCompletedTasks(
	ctx context.Context, q store.Querier, worker model.ID, s timeSpan, analytics *model.WorkerAnalytics,
) (time.Duration, error) {
	var total time.Duration
	err := eachRow(ctx, q, "read completed tasks",
		"SELECT started, completed, doc FROM tasks WHERE worker = $1 AND completed >= $2 AND completed < $3",
		[]any{worker, s.from, s.to}, func(row *sql.Rows) error {
			var started model.Opt[model.Millis]
			var completed model.Millis
			var task struct {
				CompletionDetails model.CompletionDetails `json:"completionDetails"`
			}
			if err := row.Scan(orNull(&started), &completed, fromDoc(&task)); err != nil {
				return err
			}
			if task.CompletionDetails.Success.Or(false) {
				analytics.TaskCounts.Succeeded++
			} else {
				analytics.TaskCounts.Failed++
			}
			analytics.Distances.Enroute += task.CompletionDetails.Distance.Value()
			total += s.overlap(started.Or(completed), completed)
			return nil
		})
	return total, err
}
