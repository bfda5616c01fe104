// Package dispatch turns a team's state into a planning problem and the plan back into routes of tasks. The service
// dispatches with it and the console previews with it, so both see the same plan for the same state.
package dispatch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"waybill/model"
	"waybill/planner"
)

// Team is the state that a dispatch starts from.
type Team struct {
	// Hub is where the team's routes end by default.
	Hub model.Opt[model.Location]
	// EndHub is the place of the hub that the request names, if it names one.
	EndHub  model.Opt[model.Location]
	Workers []Worker
	Tasks   []Task
	// Done are completed tasks that others depend on.
	Done []model.ID
}

// Worker is someone of the team who is on duty.
type Worker struct {
	ID      model.ID
	At      model.Opt[model.Location]
	Home    model.Opt[model.Location]
	Vehicle model.VehicleType // empty is on foot
	// Capacity is the main one and A, B, C; 0 is not measured.
	Capacity [planner.Dimensions]float64
	// Route holds the worker's tasks in order, the active one first.
	Route  []model.ID
	Active bool
	// Shift narrows when the worker is there; null for the whole schedule window.
	Shift model.Opt[model.TimeWindow]
}

// Task is a task that waits for a worker or is on one's route.
type Task struct {
	ID         model.ID
	At         model.Location
	Pickup     bool
	Service    model.Minutes // 0 takes the request's default
	After      model.Opt[model.Millis]
	Before     model.Opt[model.Millis]
	Quantities [planner.Dimensions]float64
	DependsOn  []model.ID
}

// Travel makes the travel times of a vehicle between places; nil is the planner's straight line.
type Travel func(ctx context.Context, profile planner.Profile, places []model.Location) (*planner.Matrix, error)

// Plan is who goes where, and what no one could take.
type Plan struct {
	Routes    []Route
	Unplanned []Unplanned
	Cost      planner.Cost
}

// Route is the tasks of one worker in order.
type Route struct {
	Worker model.ID
	Stops  []Stop
	// Travel is the time on the road.
	Travel time.Duration
	Meters int64
	// Kept says that the route was left as it was because it breaks a rule already.
	Kept bool
}

// Stop is one task of a route.
type Stop struct {
	Task    model.ID
	Arrival model.Millis
	Start   model.Millis
	Depart  model.Millis
	Late    time.Duration
	// New says that the worker did not have the task before.
	New bool
}

// Unplanned is a task that stays out.
type Unplanned struct {
	Task   model.ID
	Reason planner.Reason
}

// Explain says in words why a task was left out.
func Explain(r planner.Reason) string {
	switch r {
	case planner.ReasonDependency:
		return "It depends on a task that is neither done nor planned."
	case planner.ReasonNoWorker:
		return "No worker takes part: none is on duty, or the filters exclude them all."
	case planner.ReasonDistance:
		return "It is too far from every worker."
	case planner.ReasonCapacity:
		return "It does not fit beside what the workers carry."
	case planner.ReasonRouteLength:
		return "Every route that could take it has as many tasks as allowed."
	case planner.ReasonWindow:
		return "Nobody can be there within its window and the allowed delay."
	case planner.ReasonSchedule:
		return "The workers' time ends before it could be done."
	}
	return string(r)
}

// Options say how long to plan and who listens.
type Options struct {
	Settings model.DispatchSettings
	Now      model.Millis
	Travel   Travel
	Search   planner.Options
}

// ErrUnplannable says that the planner cannot read the team's state. It will not be able to the next time either.
var ErrUnplannable = errors.New("the team's state cannot be planned")

// Solve plans the team's tasks.
func Solve(ctx context.Context, team Team, o Options) (Plan, error) {
	problem, err := newProblem(ctx, team, o)
	if err != nil {
		return Plan{}, err
	}
	solution, err := planner.Solve(ctx, problem.Problem, o.Search)
	if err != nil {
		return Plan{}, fmt.Errorf("%w: %w", ErrUnplannable, err)
	}
	// What is about to be committed is checked by code that shares nothing with the search.
	if err := planner.Verify(problem.Problem, solution); err != nil {
		return Plan{}, err
	}
	return problem.newPlan(solution), nil
}
