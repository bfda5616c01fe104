package operations

import (
	"context"
	"errors"
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
	if pages := r.input.Board.Counters.Open()/model.MaxPageTasks + 1; pages <= len(busy)+1 {
		open := []model.TaskState{model.TaskUnassigned, model.TaskAssigned, model.TaskActive}
		return r.appendTasks(func(yield func(model.Task, error) bool) {
			r.client.Tasks(ctx, apiclient.TaskQuery{From: 1, States: open})(yield)
		})
	}
	err := r.appendTasks(func(yield func(model.Task, error) bool) {
		r.client.TeamTasks(ctx, r.wire.Team.ID, apiclient.OwnTasksQuery{From: 1})(yield)
	})
	if err != nil {
		return err
	}
	var mu sync.Mutex
	onRoute := []model.TaskState{model.TaskAssigned, model.TaskActive}
	err = forEachID(ctx, busy, func(ctx context.Context, worker model.ID) error {
		for task, err := range r.client.Tasks(ctx, apiclient.TaskQuery{From: 1, Worker: worker, States: onRoute}) {
			if err != nil {
				return err
			}
			mu.Lock()
			r.wire.Tasks = append(r.wire.Tasks, task)
			mu.Unlock()
		}
		return nil
	})
	if err != nil {
		return err
	}
	return r.readDependencies(ctx)
}

func (r *dispatchReader) appendTasks(tasks func(func(model.Task, error) bool)) error {
	for task, err := range tasks {
		if err != nil {
			return err
		}
		r.wire.Tasks = append(r.wire.Tasks, task)
	}
	return nil
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
	var mu sync.Mutex
	err := forEachID(ctx, ids, func(ctx context.Context, worker model.ID) error {
		schedule, err := r.client.WorkerSchedule(ctx, worker)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		r.shifts[worker] = schedule
		return nil
	})
	if err != nil && isUnreadable(err) {
		return nil
	}
	return err
}

// forEachID calls do for each id, a few at a time, until one fails.
func forEachID(ctx context.Context, ids []model.ID, do func(context.Context, model.ID) error) error {
	const atOnce = 4
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	work := make(chan model.ID)
	var wg sync.WaitGroup
	for range min(atOnce, len(ids)) {
		wg.Go(func() {
			for id := range work {
				if err := do(ctx, id); err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, id := range ids {
		select {
		case work <- id:
		case <-ctx.Done():
		}
	}
	close(work)
	wg.Wait()
	return context.Cause(ctx)
}

// state is the team for the planner.
func (r *dispatchReader) state(settings model.DispatchSettings) dispatch.Team {
	team := dispatch.NewTeam(r.wire, settings)
	for i := range team.Workers {
		team.Workers[i].Shift = dispatch.ShiftWithin(r.shifts[team.Workers[i].ID], settings.ScheduleWindow)
	}
	return team
}
