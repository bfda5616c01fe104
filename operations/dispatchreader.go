package operations

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"

	"waybill/apiclient"
	"waybill/dispatch"
	"waybill/model"
)

// dispatchReader reads what a plan needs. The board has only what the panes show.
type dispatchReader struct {
	client   *apiclient.Client
	input    Input
	progress func(words string)
	wire     dispatch.TeamData
	shifts   map[model.ID]model.Schedule
}

func (r *dispatchReader) read(ctx context.Context, team model.ID) error {
	r.progress("reading the team")
	var err error
	if r.wire.Team, err = r.client.Team(ctx, team); err != nil {
		return err
	}
	onDuty := []model.DutyState{model.WorkerIdle, model.WorkerActive}
	if r.wire.Workers, err = r.client.Workers(ctx, apiclient.WorkersQuery{Teams: []model.ID{team}, States: onDuty}); err != nil {
		return err
	}
	if r.wire.Hubs = r.input.Hubs; len(r.wire.Hubs) == 0 {
		if r.wire.Hubs, err = r.client.Hubs(ctx); err != nil && !errors.Is(err, apiclient.ErrUnsupportedRoute) {
			return err
		}
	}
	r.progress("reading tasks")
	if err := r.readTasks(ctx); err != nil {
		return err
	}
	r.progress("reading shifts")
	return r.readSchedules(ctx)
}

// readTasks reads all open tasks, or the team's list and each route, whichever takes fewer requests.
func (r *dispatchReader) readTasks(ctx context.Context) error {
	var busy []model.ID
	for i := range r.wire.Workers {
		if w := &r.wire.Workers[i]; len(w.Tasks) > 0 || w.ActiveTask.Value() != "" {
			busy = append(busy, w.ID)
		}
	}
	var err error
	if pages := r.input.Board.Counters.Open()/model.MaxPageTasks + 1; pages <= len(busy)+1 {
		open := []model.TaskState{model.TaskUnassigned, model.TaskAssigned, model.TaskActive}
		r.wire.Tasks, err = collect(r.client.Tasks(ctx, apiclient.TaskQuery{From: 1, States: open}))
		return err
	}
	if r.wire.Tasks, err = collect(r.client.TeamTasks(ctx, r.wire.Team.ID, apiclient.OwnTasksQuery{From: 1})); err != nil {
		return err
	}
	onRoute := []model.TaskState{model.TaskAssigned, model.TaskActive}
	routes, err := readEach(ctx, busy, func(ctx context.Context, worker model.ID) ([]model.Task, error) {
		return collect(r.client.Tasks(ctx, apiclient.TaskQuery{From: 1, Worker: worker, States: onRoute}))
	})
	if err != nil {
		return err
	}
	r.wire.Tasks = append(r.wire.Tasks, slices.Concat(routes...)...)
	return r.readDependencies(ctx)
}

// collect reads a list to its end.
func collect[T any](list iter.Seq2[T, error]) ([]T, error) {
	var all []T
	for one, err := range list {
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// readDependencies adds dependencies outside the team: the planner takes missing tasks for completed.
func (r *dispatchReader) readDependencies(ctx context.Context) error {
	known := map[model.ID]bool{}
	for i := range r.wire.Tasks {
		known[r.wire.Tasks[i].ID] = true
	}
	for i := 0; i < len(r.wire.Tasks); i++ {
		for _, need := range r.wire.Tasks[i].Dependencies {
			row := r.input.Board.Tasks.Get(need)
			if known[need] || row != nil && row.Status.Closed() {
				continue
			}
			known[need] = true
			task, err := r.client.Task(ctx, need)
			switch {
			case errors.Is(err, apiclient.ErrNotFound):
			case err != nil:
				return err
			case task.State != model.TaskCompleted:
				r.wire.Tasks = append(r.wire.Tasks, task)
			}
		}
	}
	return nil
}

// readSchedules reads the drivers' shifts. Services without schedules have none.
func (r *dispatchReader) readSchedules(ctx context.Context) error {
	r.shifts = map[model.ID]model.Schedule{}
	var ids []model.ID
	for i := range r.wire.Workers {
		ids = append(ids, r.wire.Workers[i].ID)
	}
	schedules, err := readEach(ctx, ids, r.client.WorkerSchedule)
	for i, schedule := range schedules {
		r.shifts[ids[i]] = schedule
	}
	if isUnreadable(err) {
		return nil
	}
	return err
}

// readEach reads something for each id, a few at a time, until one read fails.
func readEach[T any](ctx context.Context, ids []model.ID, read func(context.Context, model.ID) (T, error)) ([]T, error) {
	const atOnce = 4
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results := make([]T, len(ids))
	free := make(chan struct{}, atOnce)
	var wg sync.WaitGroup
	for i, id := range ids {
		free <- struct{}{}
		wg.Go(func() {
			defer func() { <-free }()
			if ctx.Err() != nil {
				return
			}
			var err error
			if results[i], err = read(ctx, id); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return results, context.Cause(ctx)
}

// state is the team for the planner.
func (r *dispatchReader) state(settings model.DispatchSettings) dispatch.Team {
	team := dispatch.NewTeam(r.wire, settings)
	for i := range team.Workers {
		team.Workers[i].Shift = dispatch.ShiftWithin(r.shifts[team.Workers[i].ID], settings.ScheduleWindow)
	}
	return team
}
