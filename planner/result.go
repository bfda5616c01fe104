package planner

import "time"

// Reason is why a task was left out.
type Reason string

// The reasons.
const (
	// ReasonDependency: the task depends on itself in a circle, on an unknown task, or on a task that was left out.
	ReasonDependency Reason = "dependency"
	// ReasonNoWorker: no worker takes part in the plan.
	ReasonNoWorker Reason = "noWorker"
	// ReasonDistance: the task is too far from every worker, or unreachable.
	ReasonDistance Reason = "distance"
	// ReasonCapacity: no worker has enough capacity left.
	ReasonCapacity Reason = "capacity"
	// ReasonRouteLength: the routes have the maximum number of tasks.
	ReasonRouteLength Reason = "routeLength"
	// ReasonWindow: no worker can arrive within the window and the allowed delay.
	ReasonWindow Reason = "window"
	// ReasonSchedule: the shifts end too early.
	ReasonSchedule Reason = "schedule"
)

// Plan is the result of the planner: a route for each worker who takes part, and the tasks left out.
type Plan struct {
	// Routes has one entry per worker who takes part, in the order of the problem, including workers without tasks.
	Routes  []Route
	LeftOut []LeftOut
	Cost    Cost
	// Iterations and Elapsed say how long the search was.
	Iterations int64
	Elapsed    time.Duration
}

// Route is the stops of one worker in order.
type Route struct {
	Worker string
	Stops  []Stop
	// Depart is when the worker leaves the start, End when the route ends.
	Depart, End int64
	// Travel is the travel time, Lateness the sum over the stops.
	Travel, Lateness int64
	// Meters is the distance, 0 if the matrix has no distances.
	Meters int64
	// Kept says that the existing tasks of the worker break a rule in every order that was tried (load, shift, unreachable leg), so
	// the route is unchanged and got no new tasks.
	Kept bool
}

// Stop is one task on a route.
type Stop struct {
	Task string
	// Arrival is before Start if the worker waits for the window or for a dependency.
	Arrival, Start, End int64
	// Late is how much later than Task.Before the task ends.
	Late int64
}

// LeftOut is a task without a route, with the reason.
type LeftOut struct {
	Task   string
	Reason Reason
}

// Cost is what plans are compared by, in the order of the fields.
type Cost struct {
	LeftOut  int
	Lateness int64
	Workers  int
	// Travel is the travel time of all routes, Fixed the fixed cost of the workers used.
	Travel, Fixed int64
}

// Less reports whether c is better than other under the objective.
func (c Cost) Less(other Cost, objective Objective) bool {
	if c.LeftOut != other.LeftOut {
		return c.LeftOut < other.LeftOut
	}
	if c.Lateness != other.Lateness {
		return c.Lateness < other.Lateness
	}
	if objective == FewestWorkers && c.Workers != other.Workers {
		return c.Workers < other.Workers
	}
	return c.Travel+c.Fixed < other.Travel+other.Fixed
}

// Progress is what Options.OnImprovement receives.
type Progress struct {
	// Plan is complete and passes Verify. The callback may keep it.
	Plan *Plan
	// Fraction is the used part of the budget, from 0 to 1.
	Fraction float64
}

// Options say how to search. The zero value is a good default.
type Options struct {
	// TimeLimit ends the search. Without TimeLimit and Iterations, the time grows with the problem, and the search ends early if
	// nothing improves.
	TimeLimit time.Duration
	// Iterations limits the search over all threads. The same problem, Seed, Iterations and Threads give the same routes on every
	// machine, unless a TimeLimit ends the search earlier.
	Iterations int64
	// Threads is the number of cores to use, 0 for all.
	Threads int
	// Seed selects the random numbers of the search.
	Seed uint64
	// OnImprovement is called with the first plan and with each better one, never concurrently.
	OnImprovement func(Progress)
}
