package world

import (
	"context"
	"database/sql"
	"strings"

	"waybill/model"
	"waybill/service/store"
)

// A route plan says which tasks make up a route, when it starts and who should drive it. It does not assign tasks;
// containers do that. A task is in at most one route plan.

// CreateRoutePlan creates a route plan.
func (w *World) CreateRoutePlan(ctx context.Context, actor Actor, in model.RoutePlanInput) (model.RoutePlan, error) {
	if problems := in.Check(); len(problems) > 0 {
		return model.RoutePlan{}, problems
	}
	now := w.Now()
	plan := model.RoutePlan{
		ID: w.ids.ID(), ShortID: w.ids.ShortID(), Organization: actor.Org, TimeCreated: now.WholeSecond(), TimeLastModified: now,
		PlannedDistance: model.Null[float64](), PlannedDuration: model.Null[model.Seconds](),
		Status: model.Null[string](), StatusTimeDifference: model.Null[model.Raw](),
	}
	applyRoutePlanInput(&plan, in)
	return writeTx(ctx, w.store, func(tx *store.Tx) (model.RoutePlan, error) {
		tx.Fail(checkRoutePlanRefs(ctx, tx, actor.Org, in))
		saveRoutePlan(ctx, tx, plan)
		w.addToRoutePlan(ctx, tx, actor, plan.ID, in.Tasks.Value(), now)
		return readRoutePlan(ctx, tx, actor.Org, plan.ID, now)
	})
}

// UpdateRoutePlan changes the members of a route plan that the body contains. A list of tasks replaces the current one.
func (w *World) UpdateRoutePlan(ctx context.Context, actor Actor, id model.ID, in model.RoutePlanInput) (model.RoutePlan, error) {
	return writeTx(ctx, w.store, func(tx *store.Tx) (model.RoutePlan, error) {
		now := w.Now()
		plan, err := readRoutePlan(ctx, tx, actor.Org, id, now)
		if err != nil {
			return plan, err
		}
		if !in.StartTime.Present() && in.EndTime.Present() {
			in.StartTime = plan.StartTime // an end is checked against the start
		}
		tx.Fail(in.CheckUpdate().Err())
		tx.Fail(checkRoutePlanRefs(ctx, tx, actor.Org, in))
		applyRoutePlanInput(&plan, in)
		plan.TimeLastModified = now
		saveRoutePlan(ctx, tx, plan)
		if in.Tasks.Present() {
			w.removeFromRoutePlan(ctx, tx, actor, plan.Tasks, in.Tasks.Value(), now)
			w.addToRoutePlan(ctx, tx, actor, id, in.Tasks.Value(), now)
		}
		return readRoutePlan(ctx, tx, actor.Org, id, now)
	})
}

// AddRoutePlanTasks appends tasks to a route plan. A task that is already in it moves to the end.
func (w *World) AddRoutePlanTasks(ctx context.Context, actor Actor, id model.ID, in model.RoutePlanInput) (model.RoutePlan, error) {
	return writeTx(ctx, w.store, func(tx *store.Tx) (model.RoutePlan, error) {
		now := w.Now()
		plan, err := readRoutePlan(ctx, tx, actor.Org, id, now)
		if err != nil {
			return plan, err
		}
		tx.Fail(in.CheckTasks().Err())
		w.addToRoutePlan(ctx, tx, actor, id, in.Tasks.Value(), now)
		plan.TimeLastModified = now
		saveRoutePlan(ctx, tx, plan)
		return readRoutePlan(ctx, tx, actor.Org, id, now)
	})
}

// DeleteRoutePlan deletes a route plan. Its tasks stay as they are.
func (w *World) DeleteRoutePlan(ctx context.Context, actor Actor, id model.ID) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		now := w.Now()
		plan, err := readRoutePlan(ctx, tx, actor.Org, id, now)
		if err != nil {
			return err
		}
		w.removeFromRoutePlan(ctx, tx, actor, plan.Tasks, nil, now)
		tx.Write(ctx, "delete route plan", "DELETE FROM route_plans WHERE id = $1", id)
		return nil
	})
}

// checkRoutePlanRefs refuses workers, teams and hubs of other organizations.
func checkRoutePlanRefs(ctx context.Context, q store.Querier, org model.ID, in model.RoutePlanInput) error {
	for _, ref := range []struct {
		table string
		id    model.ID
	}{
		{"workers", in.Worker.Value()}, {"teams", in.Team.Value()}, {"hubs", in.StartingHubID.Value()}, {"hubs", in.EndingHubID.Value()},
	} {
		if ref.id != "" {
			if err := checkOwners(ctx, q, ref.table, org, ref.id); err != nil {
				return err
			}
		}
	}
	return nil
}

// applyRoutePlanInput applies the members that the body contains. Null clears what can be empty.
func applyRoutePlanInput(plan *model.RoutePlan, in model.RoutePlanInput) {
	plan.Name = strings.TrimSpace(in.Name.Or(plan.Name))
	setOrNull(&plan.Color, in.Color)
	setOrNull(&plan.VehicleType, in.VehicleType)
	setOrNull(&plan.Worker, in.Worker)
	setOrNull(&plan.Team, in.Team)
	setOrNull(&plan.StartTime, in.StartTime)
	setOrNull(&plan.EndTime, in.EndTime)
	setOrNull(&plan.StartAt, in.StartAt)
	setOrNull(&plan.EndAt, in.EndAt)
	setOrNull(&plan.StartingHubID, in.StartingHubID)
	setOrNull(&plan.EndingHubID, in.EndingHubID)
	setOrNull(&plan.Timezone, in.Timezone)
}

// setOrNull sets a member that was sent; one that was never sent is null on the wire.
func setOrNull[T any](field *model.Opt[T], sent model.Opt[T]) {
	if sent.Present() {
		*field = sent
	} else if !field.Present() {
		*field = model.Null[T]()
	}
}

// routePlanDoc is the plan as it is stored: without what its tasks say and what has a column.
func routePlanDoc(plan model.RoutePlan) model.RoutePlan {
	plan.Tasks, plan.TaskStates, plan.State = nil, model.Opt[[]model.TaskState]{}, ""
	plan.Worker, plan.Team = model.Opt[model.ID]{}, model.Opt[model.ID]{}
	plan.ActualStartTime, plan.ActualEndTime, plan.IsOverdue = model.Opt[model.Millis]{}, model.Opt[model.Millis]{}, model.Opt[bool]{}
	return plan
}

// saveRoutePlan stores a new or changed plan.
func saveRoutePlan(ctx context.Context, tx *store.Tx, plan model.RoutePlan) {
	tx.Write(ctx, "save route plan", `INSERT INTO route_plans (id, org, worker, team, start_time, created, doc)
		VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO UPDATE
		SET worker = excluded.worker, team = excluded.team, start_time = excluded.start_time, doc = excluded.doc`,
		plan.ID, plan.Organization, nullID(plan.Worker.Value()), nullID(plan.Team.Value()), int64(plan.StartTime.Value()),
		int64(plan.TimeLastModified), asDoc(routePlanDoc(plan)))
}

// addToRoutePlan appends tasks to a route plan and removes them from any other.
func (w *World) addToRoutePlan(ctx context.Context, tx *store.Tx, actor Actor, plan model.ID, tasks []model.ID, now model.Millis) {
	var last int64
	tx.Fail(scanRow(tx.QueryRow(ctx, "SELECT coalesce(max(route_position), 0) FROM tasks WHERE route_plan = $1", plan), &last))
	for i, id := range tasks {
		row, err := loadNamedTask(ctx, tx, actor.Org, id)
		if err != nil {
			tx.Fail(err)
			return
		}
		w.setRoutePlan(ctx, tx, actor, row, plan, last+int64(i)+1, now)
	}
}

// removeFromRoutePlan removes tasks from their route plan, except those that stay.
func (w *World) removeFromRoutePlan(ctx context.Context, tx *store.Tx, actor Actor, tasks, staying []model.ID, now model.Millis) {
	stays := idSet(staying)
	for _, id := range tasks {
		if stays[id] {
			continue
		}
		row, err := loadTask(ctx, tx, "", id)
		if err != nil {
			tx.Fail(err)
			return
		}
		w.setRoutePlan(ctx, tx, actor, row, "", 0, now)
	}
}

// setRoutePlan sets the route plan of a task. Only another plan counts as a change of the task, another position does
// not.
func (w *World) setRoutePlan(
	ctx context.Context, tx *store.Tx, actor Actor, row *taskRow, plan model.ID, position int64, now model.Millis,
) {
	changed := row.routePlan != plan
	if changed {
		row.routePlan, row.modified = plan, now
	}
	tx.Write(ctx, "set the task's route plan", "UPDATE tasks SET route_plan = $2, route_position = $3, modified = $4 WHERE id = $1",
		row.id, nullID(plan), sql.NullInt64{Int64: position, Valid: plan != ""}, int64(row.modified))
	if changed {
		w.recordTaskEvents(ctx, tx, actor, row, now, model.TriggerTaskUpdated)
	}
}

// RoutePlan reads a route plan.
func (w *World) RoutePlan(ctx context.Context, org, id model.ID) (model.RoutePlan, error) {
	return readTx(ctx, w.store, func(tx *store.Tx) (model.RoutePlan, error) { return readRoutePlan(ctx, tx, org, id, w.Now()) })
}

// RoutePlanFilter selects route plans. Zero values match everything.
type RoutePlanFilter struct {
	Worker                 model.ID
	StartsFrom, StartsTo   model.Opt[model.Millis]
	CreatedFrom, CreatedTo model.Opt[model.Millis]
	HasTasks               model.Opt[bool]
	Limit                  int64
}

// RoutePlans lists route plans in order of creation, at most model.MaxRoutePlans.
func (w *World) RoutePlans(ctx context.Context, org model.ID, f RoutePlanFilter) ([]model.RoutePlan, error) {
	if f.Limit <= 0 || f.Limit > model.MaxRoutePlans {
		f.Limit = model.MaxRoutePlans
	}
	const ever = 1 << 62
	return readTx(ctx, w.store, func(tx *store.Tx) ([]model.RoutePlan, error) {
		ids := readIDs(ctx, tx, `SELECT p.id FROM route_plans p WHERE p.org = $1 AND ($2 = '' OR p.worker = $2)
			AND p.start_time >= $3 AND p.start_time < $4 AND p.created >= $5 AND p.created < $6
			AND ($7 = 0 OR EXISTS (SELECT 1 FROM tasks t WHERE t.route_plan = p.id))
			AND ($8 = 0 OR NOT EXISTS (SELECT 1 FROM tasks t WHERE t.route_plan = p.id))
			ORDER BY p.created, p.id LIMIT $9`, org, string(f.Worker),
			int64(f.StartsFrom.Value()), int64(f.StartsTo.Or(ever)), int64(f.CreatedFrom.Value()), int64(f.CreatedTo.Or(ever)),
			boolInt(f.HasTasks.Or(false)), boolInt(!f.HasTasks.Or(true)), f.Limit)
		plans := make([]model.RoutePlan, len(ids))
		for i, id := range ids {
			plan, err := readRoutePlan(ctx, tx, org, id, w.Now())
			tx.Fail(err)
			plans[i] = plan
		}
		return plans, nil
	})
}

func readRoutePlan(ctx context.Context, q store.Querier, org, id model.ID, now model.Millis) (model.RoutePlan, error) {
	var plan model.RoutePlan
	if err := scanOwned(q.QueryRow(ctx, "SELECT org, doc, worker, team FROM route_plans WHERE id = $1", id), org,
		fromDoc(&plan), orNull(&plan.Worker), orNull(&plan.Team)); err != nil {
		return plan, err
	}
	err := fillRoutePlan(ctx, q, &plan, now)
	return plan, err
}

// fillRoutePlan adds what the plan's tasks say.
func fillRoutePlan(ctx context.Context, q store.Querier, plan *model.RoutePlan, now model.Millis) error {
	plan.Tasks, plan.State = []model.ID{}, model.RoutePlanPending
	plan.ActualStartTime, plan.ActualEndTime = model.Null[model.Millis](), model.Null[model.Millis]()
	states := []model.TaskState{}
	var first, last model.Millis // 0 when no task was started or completed
	done := 0
	err := eachRow(ctx, q, "read tasks of the route plan",
		"SELECT id, state, started, completed FROM tasks WHERE route_plan = $1 ORDER BY route_position",
		[]any{plan.ID}, func(row *sql.Rows) error {
			var id model.ID
			var state model.TaskState
			var started, completed model.Millis
			err := row.Scan(&id, &state, orZero(&started), orZero(&completed))
			plan.Tasks, states = append(plan.Tasks, id), append(states, state)
			if started > 0 && (first == 0 || started < first) {
				first = started
			}
			if completed > 0 {
				done++
			}
			last = max(last, completed)
			return err
		})
	if first > 0 {
		plan.State, plan.ActualStartTime = model.RoutePlanStarted, model.Some(first)
	}
	if done > 0 && done == len(states) {
		plan.State, plan.ActualEndTime = model.RoutePlanCompleted, model.Some(last)
	}
	plan.TaskStates = model.Some(states)
	end, bounded := plan.EndTime.Get()
	plan.IsOverdue = model.Some(bounded && now > end && plan.State != model.RoutePlanCompleted)
	return err
}
