// Package dispatch converts the state of a team to a planning problem and the plan to routes. The service dispatches with it
// and the console previews with it, so both compute the same plan from the same state.
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
	// EndHub is the location of the hub that the request names, if any.
	EndHub  model.Opt[model.Location]
	Workers []Worker
	Tasks   []Task
	// Done lists completed tasks that other tasks depend on.
	Done []model.ID
}

// Worker is a worker of the team who is on duty.
type Worker struct {
	ID      model.ID
	At      model.Opt[model.Location]
	Home    model.Opt[model.Location]
	Vehicle model.VehicleType // empty means on foot
	// Capacity is the main capacity and A, B, C; 0 means unlimited.
	Capacity [planner.Dimensions]float64
	// Route lists the tasks of the worker in order, the active one first.
	Route  []model.ID
	Active bool
	// Shift is when the worker works; null means the whole schedule window.
	Shift model.Opt[model.TimeWindow]
}

// Task is an unassigned task of the team or a task on a route.
type Task struct {
	ID         model.ID
	At         model.Location
	Pickup     bool
	Service    model.Minutes // 0 means the default of the request
	After      model.Opt[model.Millis]
	Before     model.Opt[model.Millis]
	Quantities [planner.Dimensions]float64
	DependsOn  []model.ID
}

// Travel returns the travel times of a vehicle between places; nil means straight-line estimates.
type Travel func(ctx context.Context, profile planner.Profile, places []model.Location) (*planner.Matrix, error)

// Plan is the routes of a team and the tasks that could not be planned.
type Plan struct {
	Routes    []Route
	Unplanned []Unplanned
	Cost      planner.Cost
}

// Route is the tasks of one worker in order.
type Route struct {
	Worker model.ID
	Stops  []Stop
	// Travel is the travel time.
	Travel time.Duration
	Meters int64
	// Kept says that the route is unchanged because it already breaks a rule.
	Kept bool
}

// Stop is one task of a route.
type Stop struct {
	Task    model.ID
	Arrival model.Millis
	Start   model.Millis
	Depart  model.Millis
	Late    time.Duration
	// New says that the task was not on this route before.
	New bool
}

// Unplanned is a task that was left out, with the reason.
type Unplanned struct {
	Task   model.ID
	Reason planner.Reason
}

// Explain returns a sentence for a reason.
func Explain(r planner.Reason) string {
	switch r {
	case planner.ReasonDependency:
		return "The task depends on a task that is neither completed nor planned."
	case planner.ReasonNoWorker:
		return "No driver takes part: none is on duty, or the filters exclude all of them."
	case planner.ReasonDistance:
		return "The task is too far from every driver."
	case planner.ReasonCapacity:
		return "No driver has enough capacity."
	case planner.ReasonRouteLength:
		return "Every suitable route already has the maximum number of tasks."
	case planner.ReasonWindow:
		return "No driver can arrive within the window and the allowed delay."
	case planner.ReasonSchedule:
		return "The shifts end before the task could be completed."
	}
	return string(r)
}

// Options configure a dispatch.
type Options struct {
	Settings model.DispatchSettings
	Now      model.Millis
	Travel   Travel
	Search   planner.Options
}

// ErrUnplannable means that the state of the team is not a valid planning problem. A retry does not help.
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
	// Check the plan with code that shares nothing with the search.
	if err := planner.Verify(problem.Problem, solution); err != nil {
		return Plan{}, err
	}
	return problem.newPlan(solution), nil
}
