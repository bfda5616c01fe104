package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"waybill/apiclient"
	"waybill/dispatch"
	"waybill/model"
)

// previewDispatch plans a dispatch on this machine and shows what it would do; the service is only read.
func (s *session) previewDispatch(ctx context.Context, team model.ID, request model.DispatchRequest) error {
	wire, err := s.readTeamState(ctx, team)
	if err != nil {
		return err
	}
	now := s.nowMillis()
	settings := request.WithDefaults(now)
	state := dispatch.FromWire(wire, settings)
	if err := s.addShifts(ctx, state.Workers, settings.ScheduleWindow); err != nil {
		return err
	}
	plan, err := dispatch.Solve(ctx, state, dispatch.Options{Settings: settings, Now: now})
	if err != nil {
		return err
	}
	p := newPreview(wire, now, s.loadTimeZone(ctx))
	if s.flags.json {
		return s.printJSON(p.document(plan))
	}
	return p.print(s.app, plan)
}

// addShifts tells when each worker is there. A service without schedules leaves every hour open.
func (s *session) addShifts(ctx context.Context, workers []dispatch.Worker, window model.TimeWindow) error {
	for i := range workers {
		schedule, err := s.client.WorkerSchedule(ctx, workers[i].ID)
		switch {
		case errors.Is(err, apiclient.ErrUnsupportedRoute):
			return nil
		case errors.Is(err, apiclient.ErrNotFound):
			continue
		case err != nil:
			return err
		}
		workers[i].Shift = dispatch.ShiftWithin(schedule, window)
	}
	return nil
}

// readTeamState asks for everything that a plan depends on.
func (s *session) readTeamState(ctx context.Context, id model.ID) (wire dispatch.Wire, err error) {
	if wire.Team, err = s.client.Team(ctx, id); err != nil {
		return wire, err
	}
	onDuty := []model.DutyState{model.WorkerIdle, model.WorkerActive}
	if wire.Workers, err = s.client.Workers(ctx, apiclient.WorkersQuery{Teams: []model.ID{id}, States: onDuty}); err != nil {
		return wire, err
	}
	if wire.Hubs, err = s.client.Hubs(ctx); err != nil {
		return wire, err
	}
	open := []model.TaskState{model.TaskUnassigned, model.TaskAssigned, model.TaskActive}
	for task, err := range s.client.Tasks(ctx, apiclient.TaskQuery{From: 1, States: open}) {
		if err != nil {
			return wire, err
		}
		wire.Tasks = append(wire.Tasks, task)
	}
	return wire, nil
}

// preview names what a plan only knows by id.
type preview struct {
	tasks   map[model.ID]*model.Task
	workers map[model.ID]*model.Worker
	now     model.Millis
	zone    *time.Location
}

func newPreview(wire dispatch.Wire, now model.Millis, zone *time.Location) preview {
	p := preview{tasks: map[model.ID]*model.Task{}, workers: map[model.ID]*model.Worker{}, now: now, zone: zone}
	for i := range wire.Tasks {
		p.tasks[wire.Tasks[i].ID] = &wire.Tasks[i]
	}
	for i := range wire.Workers {
		p.workers[wire.Workers[i].ID] = &wire.Workers[i]
	}
	return p
}

// document is the plan as the service's own event would carry it.
func (p preview) document(plan dispatch.Plan) model.DispatchPlan {
	doc := model.DispatchPlan{Routes: []model.DispatchRoute{}, Unplanned: []model.Unplanned{}}
	for _, route := range plan.Routes {
		r := model.DispatchRoute{RouteID: route.Worker, Type: string(model.ContainerWorker), Stops: []model.DispatchStop{}}
		for _, stop := range route.Stops {
			r.Stops = append(r.Stops, model.DispatchStop{ID: stop.Task, Type: "TASK", ArrivalTime: stop.Arrival, DepartTime: stop.Depart})
		}
		doc.Routes = append(doc.Routes, r)
	}
	for _, out := range plan.Unplanned {
		doc.Unplanned = append(doc.Unplanned, model.Unplanned{ID: out.Task, Reason: model.Some(dispatch.Explain(out.Reason))})
	}
	return doc
}

func (p preview) print(a *app, plan dispatch.Plan) error {
	added, late := 0, 0
	for _, route := range plan.Routes {
		worker := p.workers[route.Worker]
		fmt.Fprintf(a.stdout, "%s: %d stops now, %d planned, %s on the road\n", model.Clean(worker.Name),
			len(worker.Tasks)+min(1, len(worker.ActiveTask.Value())), len(route.Stops), model.FormatDuration(route.Travel))
		table := &textTable{header: []string{"", "TASK", "ARRIVES", "LEAVES", "LATE", "ADDRESS"}, out: a.stdout, limit: terminalWidth(a.stdout)}
		for _, stop := range route.Stops {
			mark, delay := "", ""
			if stop.New {
				mark = "+"
				added++
			}
			if stop.Late > 0 {
				delay = model.FormatDuration(stop.Late)
				late++
			}
			task := p.tasks[stop.Task]
			if err := table.addRow("  "+mark, string(task.ShortID), model.FormatClock(stop.Arrival, p.now, p.zone),
				model.FormatClock(stop.Depart, p.now, p.zone), delay, placeLine(task)); err != nil {
				return err
			}
		}
		if err := table.flush(); err != nil {
			return err
		}
	}
	for _, out := range plan.Unplanned {
		fmt.Fprintf(a.stdout, "left out  %s  %s\n", p.tasks[out.Task].ShortID, dispatch.Explain(out.Reason))
	}
	_, err := fmt.Fprintf(a.stdout, "%d tasks would be assigned, %d stops would be late, %d tasks stay out. Nothing was sent.\n",
		added, late, len(plan.Unplanned))
	return err
}

func placeLine(t *model.Task) string {
	if t.Destination.Object == nil {
		return ""
	}
	address := t.Destination.Object.Address
	return address.Number + " " + address.Street + ", " + address.City
}

// dispatchInterval is how often a running dispatch is asked for.
const dispatchInterval = 300 * time.Millisecond

// followDispatch waits for a dispatch to end and says what it did.
func (s *session) followDispatch(ctx context.Context, id model.ID) error {
	ticker := time.NewTicker(dispatchInterval)
	defer ticker.Stop()
	for {
		job, err := s.client.Dispatch(ctx, id)
		if err != nil {
			return err
		}
		if job.Status != model.DispatchRunning {
			return s.printResult(job, func() { s.printDispatch(job) })
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *session) printDispatch(job model.DispatchJob) {
	planned := 0
	plan := job.Dispatch.Value().Plan
	for _, route := range plan.Routes {
		planned += len(route.Stops)
	}
	fmt.Fprintf(s.stdout, "The dispatch ended with %s: %d stops on %d routes.\n", model.Clean(job.Status), planned, len(plan.Routes))
	for _, out := range plan.Unplanned {
		fmt.Fprintf(s.stdout, "left out  %s  %s\n", model.Clean(string(out.ID)), model.Clean(out.Reason.Or("no reason given")))
	}
}
