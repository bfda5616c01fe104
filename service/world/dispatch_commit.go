package world

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"waybill/dispatch"
	"waybill/model"
	"waybill/planner"
	"waybill/service/store"
)

// reasonTaskChanged is why a planned task was left out in the end.
const reasonTaskChanged = "The task was changed, moved or deleted while the dispatch was planned."

// progressInterval limits how often the progress of a search is stored.
const progressInterval = 500 * time.Millisecond

// dispatchSearch returns search options that store the progress of the search.
func (w *World) dispatchSearch(ctx context.Context, id model.ID) planner.Options {
	var last time.Time
	search := w.search
	search.OnImprovement = func(p planner.Progress) {
		if time.Since(last) < progressInterval {
			return
		}
		last = time.Now()
		progress := model.DispatchProgress{
			Fraction: p.Fraction, Unplanned: model.Int(p.Plan.Cost.LeftOut), Lateness: model.Seconds(p.Plan.Cost.Lateness),
		}
		for _, route := range p.Plan.Routes {
			progress.Planned += model.Int(len(route.Stops))
		}
		err := w.store.Write(ctx, func(tx *store.Tx) error {
			tx.Write(ctx, "store progress", "UPDATE dispatches SET progress = $2 WHERE id = $1 AND finished IS NULL", id, asDoc(progress))
			return nil
		})
		if err != nil {
			w.log.Warn("progress of a dispatch was not kept", "dispatch", id, "error", err)
		}
	}
	return search
}

// commitDispatch puts the planned routes into place. What changed meanwhile is left out and reported; the rest
// stands.
func (w *World) commitDispatch(ctx context.Context, tx *store.Tx, run *dispatchRun) error {
	now := w.Now()
	plan := model.DispatchPlan{Routes: []model.DispatchRoute{}, Unplanned: []model.Unplanned{}}
	for _, out := range run.plan.Unplanned {
		plan.Unplanned = append(plan.Unplanned, model.Unplanned{ID: out.Task, Reason: model.Some(dispatch.Explain(out.Reason))})
	}
	for _, route := range run.plan.Routes {
		committed, dropped, err := w.commitRoute(ctx, tx, run, route)
		if err != nil {
			return err
		}
		if len(committed.Stops) > 0 {
			plan.Routes = append(plan.Routes, committed)
		}
		for _, id := range dropped {
			plan.Unplanned = append(plan.Unplanned, model.Unplanned{ID: id, Reason: model.Some(reasonTaskChanged)})
		}
	}
	result := model.Dispatch{
		ID: run.id, Organization: run.actor.Org, Team: run.team, Options: dispatchOptions(run), Tasks: run.tasks(), Plan: plan,
		ProcessingDetails: model.DispatchProcessing{
			StartTime: run.created, EndTime: model.Some(now), Status: model.DispatchSucceeded,
		},
	}
	return w.finishDispatch(ctx, tx, run, result, now)
}

// commitRoute gives a worker the planned order. The active task stays as it is because it is in no container; tasks
// assigned to the worker in the meantime follow at the end.
func (w *World) commitRoute(
	ctx context.Context, tx *store.Tx, run *dispatchRun, route dispatch.Route,
) (committed model.DispatchRoute, dropped []model.ID, err error) {
	committed = model.DispatchRoute{RouteID: route.Worker, Type: string(model.ContainerWorker)}
	var onDuty bool
	err = tx.QueryRow(ctx, "SELECT on_duty FROM workers WHERE id = $1", route.Worker).Scan(&onDuty)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return committed, nil, fmt.Errorf("read the worker of a route: %w", err)
	}
	unavailable := !onDuty // or deleted
	var order []model.ID
	for _, stop := range route.Stops {
		unchanged, active, err := run.isUnchanged(ctx, tx, stop.Task, route.Worker, stop.New)
		if err != nil {
			return committed, nil, err
		}
		if !unchanged || (unavailable && stop.New) {
			if stop.New {
				dropped = append(dropped, stop.Task)
			}
			continue
		}
		if !active {
			order = append(order, stop.Task)
		}
		committed.Stops = append(committed.Stops, model.DispatchStop{
			ID: stop.Task, Type: "TASK", ArrivalTime: stop.Arrival, DepartTime: stop.Depart,
		})
	}
	if unavailable || route.Kept || len(order) == 0 {
		return committed, dropped, nil
	}
	order = appendNewTasks(ctx, tx, route.Worker, order)
	tx.Fail(w.replaceContainer(ctx, tx, run.actor, model.WorkerContainer(route.Worker), order))
	run.storeServiceTimes(ctx, tx, order)
	return committed, dropped, nil
}

// isUnchanged reports whether a task is still where the plan found it, and whether it has been started since.
func (r *dispatchRun) isUnchanged(ctx context.Context, tx *store.Tx, id, worker model.ID, isNew bool) (unchanged, active bool, err error) {
	row, err := loadTask(ctx, tx, "", id)
	if asRefusal(err) != nil {
		return false, false, nil // deleted
	}
	if err != nil {
		return false, false, err
	}
	switch {
	case isNew:
		return row.state == model.TaskUnassigned && row.owner == r.team, false, nil
	case row.state == model.TaskActive:
		return row.worker == worker, true, nil
	default:
		return row.state == model.TaskAssigned && row.worker == worker, false, nil
	}
}

// appendNewTasks adds the tasks of a worker that the plan does not contain.
func appendNewTasks(ctx context.Context, tx *store.Tx, worker model.ID, order []model.ID) []model.ID {
	planned := idSet(order)
	for _, id := range readContainerTasks(ctx, tx, worker) {
		if !planned[id] {
			order = append(order, id)
		}
	}
	return order
}

// storeServiceTimes stores the planned service times. Estimates use them for tasks without their own.
func (r *dispatchRun) storeServiceTimes(ctx context.Context, tx *store.Tx, ids []model.ID) {
	for _, id := range ids {
		minutes, known := r.state.service[id]
		if !known {
			continue
		}
		tx.Write(ctx, "keep planned service time",
			"UPDATE tasks SET planned_minutes = $2 WHERE id = $1", id, float64(minutes))
	}
}

func (w *World) finishDispatch(ctx context.Context, tx *store.Tx, run *dispatchRun, result model.Dispatch, now model.Millis) error {
	if tx.Write(ctx, "finish dispatch", "UPDATE dispatches SET status = $2, finished = $3, result = $4 WHERE id = $1 AND finished IS NULL",
		run.id, model.DispatchSucceeded, int64(now), asDoc(result)) == 0 {
		return errDispatchFinished
	}
	w.record(ctx, tx, run.actor.Org, Event{
		Trigger: model.TriggerAutoDispatchDone, Actor: run.actor, Time: now,
		Fill: func(e *model.Event) {
			e.DispatchID = model.Some(run.id)
			e.Data = model.Some(model.EventData{Dispatch: model.Some(result)})
		},
	})
	return nil
}

// tasks returns the tasks of the dispatch as events show them.
func (r *dispatchRun) tasks() []model.DispatchTask {
	list := make([]model.DispatchTask, 0, len(r.state.team.Tasks))
	for _, task := range r.state.team.Tasks {
		list = append(list, r.state.tasks[task.ID])
	}
	return list
}

// dispatchOptions returns the request's options as events show them: with defaults, and with windows in milliseconds.
func dispatchOptions(run *dispatchRun) model.Raw {
	s := run.request.WithDefaults(run.created)
	doc, err := model.Marshal(struct {
		MaxTasksPerRoute   int                              `json:"maxTasksPerRoute"`
		TaskTimeWindow     [2]model.Millis                  `json:"taskTimeWindow"`
		ScheduleTimeWindow [2]model.Millis                  `json:"scheduleTimeWindow"`
		ServiceTime        model.Minutes                    `json:"serviceTime"`
		RouteEnd           model.Opt[string]                `json:"routeEnd,omitzero"`
		MaxAllowedDelay    model.Minutes                    `json:"maxAllowedDelay"`
		Filters            model.Opt[model.DispatchFilters] `json:"filters,omitzero"`
	}{
		s.MaxTasksPerRoute, millisWindow(s.TaskWindow), millisWindow(s.ScheduleWindow), model.MinutesOf(s.ServiceTime),
		run.request.RouteEnd, model.MinutesOf(s.MaxAllowedDelay), run.request.Filters,
	})
	if err != nil {
		return model.Raw("{}")
	}
	return doc
}

func millisWindow(w model.TimeWindow) [2]model.Millis {
	return [2]model.Millis{model.MillisOf(w.Start), model.MillisOf(w.End)}
}
