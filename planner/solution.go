package planner

import "time"

// Reason says why a task was left out.
type Reason string

// The reasons. Where several hold, the first of this list that holds for every worker is given.
const (
	// ReasonDependency: it depends on itself in a circle, on a task that is neither done nor in the problem, or on a task that was
	// left out.
	ReasonDependency Reason = "dependency"
	// ReasonNoWorker: nobody takes part in the plan.
	ReasonNoWorker Reason = "noWorker"
	// ReasonDistance: it is farther than allowed, or out of reach, from every worker.
	ReasonDistance Reason = "distance"
	// ReasonCapacity: it does not fit beside what the workers carry.
	ReasonCapacity Reason = "capacity"
	// ReasonRouteLength: the routes that could take it have as many tasks as they may.
	ReasonRouteLength Reason = "routeLength"
	// ReasonWindow: nobody can be there within its window and the delay allowed.
	ReasonWindow Reason = "window"
	// ReasonSchedule: the workers' shifts end too early.
	ReasonSchedule Reason = "schedule"
)

// Plan is a plan: a route for each worker taking part, and the tasks that stay out.
type Plan struct {
	// Routes has one entry for each worker that takes part, in the problem's order, also for those with nothing to do.
	Routes  []Route
	LeftOut []LeftOut
	Cost    Cost
	// Iterations and Elapsed say how much searching the plan took.
	Iterations int64
	Elapsed    time.Duration
}

// Route is one worker's day.
type Route struct {
	Worker string
	Stops  []Stop
	// Depart is when the worker leaves the start, End when the route is over.
	Depart, End int64
	// Travel is the time on the road, Lateness the sum over the stops.
	Travel, Lateness int64
	// Meters is the length of the way, 0 when the travel times came without distances.
	Meters int64
	// Kept says that the tasks the worker already had break a rule in every order (too much load, past the end of the shift, a way
	// that does not exist), so the route was left as it was and got nothing new.
	Kept bool
}

// Stop is one task on a route.
type Stop struct {
	Task string
	// Arrival may be before Start, when the task's window is not open yet or a task it depends on has not ended.
	Arrival, Start, End int64
	// Late is how far End is past the task's Before.
	Late int64
}

// LeftOut is a task that is on no route, and why.
type LeftOut struct {
	Task   string
	Reason Reason
}

// Cost is what plans are compared by, the first field first.
type Cost struct {
	LeftOut  int
	Lateness int64
	Workers  int
	// Travel is the time on the road of all routes, Fixed the fixed cost of the workers used.
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

// Progress is what a caller hears while a search runs.
type Progress struct {
	// Plan is a complete plan that passes Verify. The callback may keep it.
	Plan *Plan
	// Fraction is how much of the budget is used, from 0 to 1.
	Fraction float64
}

// Options say how to search. The zero value is a good default.
type Options struct {
	// TimeLimit ends the search. With neither TimeLimit nor Iterations the budget grows with the problem and ends early when
	// nothing improves.
	TimeLimit time.Duration
	// Iterations bounds the search over all threads. The same problem, Seed, Iterations and Threads give the same routes, whatever
	// the machine; a TimeLimit beside it only cuts the search short.
	Iterations int64
	// Threads is the number of cores to use, 0 for all.
	Threads int
	// Seed chooses one of many equally good searches.
	Seed uint64
	// OnImprovement is called, never twice at once, with the first plan and with each better one.
	OnImprovement func(Progress)
}
