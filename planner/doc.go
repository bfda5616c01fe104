// Package planner plans routes: which worker does which task, in which order, and when.
//
// A [Problem] goes in, a [Solution] comes out, and [Verify] checks the one against the other without sharing a line of code with
// the search. The package knows nothing of HTTP, storage or the screen and depends on the standard library alone.
//
//	Problem            workers, tasks, travel times and the rules of the day
//	  Worker           position, shift, vehicle, capacities, route as it is now, where it must end
//	  Task             place, service time, window, quantities, dependencies
//	  Matrix           travel times between places, one for each vehicle; StraightLine makes one from coordinates
//	Solve              searches until its budget, its iterations or its context ends; tells of each better plan on the way
//	  Options          time, iterations, threads, seed, callback
//	Solution           routes with times, tasks left out with a Reason each, and the Cost
//	Verify             recomputes everything and lists what is wrong, as a VerifyError
//	TooFar             the farthest pair of places above a limit, for refusing a problem before it is planned
//
// Plans are compared in this order: fewest tasks left out, least lateness, (with [FewestWorkers]) fewest workers, and least time on
// the road plus the fixed cost of the workers used.
//
// Times are whole numbers of one unit from one origin, chosen by the caller: Unix seconds for a dispatch, tenths of a unit of
// distance for the benchmark sets. Travel times and service times use the same unit.
//
// The search ruins and recreates: strings of neighbouring stops are taken out and put back greedily with a little noise, under
// simulated annealing. See docs/planner.md for how it works and what it reaches.
package planner
