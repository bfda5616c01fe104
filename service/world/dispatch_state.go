package world

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"waybill/dispatch"
	"waybill/model"
	"waybill/planner"
	"waybill/service/geo"
	"waybill/service/store"
)

// dispatchState is what a dispatch plans with: the team, and its tasks as events show them.
type dispatchState struct {
	team  dispatch.Team
	tasks map[model.ID]model.DispatchTask
	// service is the planned service time of each task.
	service map[model.ID]model.Minutes
}

// locations returns all locations of a dispatch.
func (s *dispatchState) locations() []model.Location {
	var list []model.Location
	for _, hub := range []model.Opt[model.Location]{s.team.Hub, s.team.EndHub} {
		if at, ok := hub.Get(); ok {
			list = append(list, at)
		}
	}
	for _, worker := range s.team.Workers {
		if at, ok := worker.At.Get(); ok {
			list = append(list, at)
		}
	}
	for _, task := range s.team.Tasks {
		list = append(list, task.At)
	}
	return list
}

// readDispatchState reads, in one transaction, the unassigned tasks of a team, its workers on duty and their routes.
func (w *World) readDispatchState(ctx context.Context, org, team model.ID, settings model.DispatchSettings) (dispatchState, error) {
	state := dispatchState{tasks: map[model.ID]model.DispatchTask{}, service: map[model.ID]model.Minutes{}}
	err := w.store.Read(ctx, func(tx *store.Tx) error {
		tx.Fail(state.readHubs(ctx, tx, org, team, settings))
		tx.Fail(state.readTasks(ctx, tx, settings, "WHERE t.container_owner = $1 AND t.state = 0 ORDER BY t.position", team))
		tx.Fail(w.readDispatchWorkers(ctx, tx, &state, team, settings))
		return state.readDependencies(ctx, tx)
	})
	return state, err
}

func (s *dispatchState) readHubs(ctx context.Context, tx *store.Tx, org, id model.ID, settings model.DispatchSettings) error {
	team, err := readTeam(ctx, tx, org, id)
	if err != nil {
		return err
	}
	if hub, ok := team.Hub.Get(); ok {
		found, err := readHub(ctx, tx, org, hub)
		if err != nil {
			return err
		}
		s.team.Hub = model.Some(found.Location)
	}
	if settings.RouteEnd.Kind != model.RouteEndsAtHub {
		return nil
	}
	found, err := readHub(ctx, tx, org, settings.RouteEnd.Hub)
	if errors.Is(err, NotFound()) {
		return model.Problems{{Field: "routeEnd", Subcode: model.ErrorInvalid, Text: "There is no such hub."}}
	}
	s.team.EndHub = model.Some(found.Location)
	return err
}

// readTasks adds the tasks that a condition selects to the state.
func (s *dispatchState) readTasks(ctx context.Context, q store.Querier, settings model.DispatchSettings, condition string, args ...any) error {
	return eachRow(ctx, q, "read tasks of the dispatch", `SELECT t.id, t.short_id, t.pickup, t.service_minutes, t.complete_after,
		t.complete_before, t.doc, d.lon, d.lat FROM tasks t JOIN destinations d ON d.id = t.destination `+condition, args, func(row *sql.Rows) error {
		var task dispatch.Task
		var wire model.DispatchTask
		var load struct {
			Quantity   float64          `json:"quantity"`
			Quantities model.Quantities `json:"additionalQuantities"`
		}
		if err := row.Scan(&task.ID, &wire.ShortID, &task.Pickup, &task.Service, orNull(&task.After), orNull(&task.Before), fromDoc(&load),
			&task.At.Lon, &task.At.Lat); err != nil {
			return err
		}
		task.Quantities = [planner.Dimensions]float64{load.Quantity, load.Quantities.A, load.Quantities.B, load.Quantities.C}
		wire.ID, wire.PickupTask, wire.CompleteAfter, wire.CompleteBefore = task.ID, task.Pickup, task.After, task.Before
		wire.Quantity, wire.AdditionalQuantities = load.Quantity, load.Quantities
		s.team.Tasks = append(s.team.Tasks, task)
		s.tasks[task.ID] = wire
		s.service[task.ID] = task.Service
		if task.Service == 0 {
			s.service[task.ID] = model.MinutesOf(settings.ServiceTime)
		}
		return nil
	})
}

// readDispatchWorkers adds the workers of the team who are on duty and the tasks on their routes.
func (w *World) readDispatchWorkers(
	ctx context.Context, q store.Querier, s *dispatchState, team model.ID, settings model.DispatchSettings,
) error {
	workers, err := w.readTeamOnDuty(ctx, q, team)
	if err != nil {
		return err
	}
	for i := range workers {
		worker, err := dispatchWorker(ctx, q, &workers[i], s.team.Hub, settings.ScheduleWindow)
		if err != nil {
			return err
		}
		known := len(s.team.Tasks)
		if err := s.readTasks(ctx, q, settings, "WHERE t.worker = $1 AND t.state IN (1, 2) ORDER BY t.state DESC, t.position", worker.ID); err != nil {
			return err
		}
		for _, task := range s.team.Tasks[known:] {
			worker.Route = append(worker.Route, task.ID)
		}
		s.team.Workers = append(s.team.Workers, worker)
	}
	return nil
}

// dispatchWorker converts a worker for the planner. A worker without a position starts at the hub.
func dispatchWorker(
	ctx context.Context, q store.Querier, w *model.Worker, hub model.Opt[model.Location], window model.TimeWindow,
) (dispatch.Worker, error) {
	worker := dispatch.Worker{ID: w.ID, At: w.Location, Vehicle: w.Vehicle.Value().Type, Active: w.ActiveTask.Value() != ""}
	if !worker.At.Has() {
		worker.At = hub
	}
	more := w.AdditionalCapacities.Value()
	worker.Capacity = [planner.Dimensions]float64{w.Capacity, more.A, more.B, more.C}
	if routing, ok := w.Addresses.Value().Routing.Get(); ok && routing.Object != nil {
		worker.Home = model.Some(routing.Object.Location)
	}
	schedule, err := readSchedule(ctx, q, w.ID)
	if err != nil {
		return worker, err
	}
	worker.Shift = dispatch.ShiftWithin(schedule, window)
	return worker, nil
}

// readDependencies adds the dependencies of the tasks, and which of them are done.
func (s *dispatchState) readDependencies(ctx context.Context, q store.Querier) error {
	done := map[model.ID]bool{}
	for i := range s.team.Tasks {
		if err := s.readDependenciesOf(ctx, q, &s.team.Tasks[i], done); err != nil {
			return err
		}
	}
	return nil
}

func (s *dispatchState) readDependenciesOf(ctx context.Context, q store.Querier, task *dispatch.Task, done map[model.ID]bool) error {
	return eachRow(ctx, q, "read dependencies",
		"SELECT p.needs, t.state FROM dependencies p LEFT JOIN tasks t ON t.id = p.needs WHERE p.task = $1",
		[]any{task.ID}, func(row *sql.Rows) error {
			var id model.ID
			var state model.TaskState
			err := row.Scan(&id, orZero(&state))
			task.DependsOn = append(task.DependsOn, id)
			if state == model.TaskCompleted && !done[id] {
				done[id] = true
				s.team.Done = append(s.team.Done, id)
			}
			return err
		})
}

var errTravelTimes = errors.New("read travel times")

// travelMatrix returns travel times and distances between all locations for one kind of vehicle.
func (w *World) travelMatrix(ctx context.Context, profile planner.Profile, places []model.Location) (*planner.Matrix, error) {
	points := make([]geo.Location, len(places))
	for i, l := range places {
		points[i] = geo.Location{Lon: l.Lon, Lat: l.Lat}
	}
	found, err := w.travel.Matrix(ctx, points, points, profile.Vehicle())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errTravelTimes, err)
	}
	return &planner.Matrix{Size: len(points), Times: found.Seconds, Meters: found.Meters}, nil
}
