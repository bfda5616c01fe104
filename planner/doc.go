// Package planner plans routes: which worker does which task, in which order, and when.
//
// A [Problem] goes in, a [Plan] comes out, and [Verify] checks the plan against the problem without sharing code with the search.
// The package knows nothing of HTTP, storage or the screen and imports only model, for the speeds of vehicles.
//
//	Problem            workers, tasks, travel times and the rules of the day
//	  Worker           position, shift, vehicle, capacities, route as it is now, where it must end
//	  Task             place, service time, window, quantities, dependencies
//	  Matrix           travel times between places, one for each vehicle; StraightLine makes one from coordinates
//	Solve              searches until its time, its iterations or its context ends, and reports every better plan
//	  Options          time, iterations, threads, seed, callback
//	Plan               routes with times, tasks left out with a Reason each, and the Cost
//	Verify             recomputes everything and lists what is wrong, as a VerifyError
//
// Plans are compared in this order: fewest tasks left out, least lateness, fewest workers (with [FewestWorkers] only), least travel
// time plus the fixed cost of the workers used.
//
// Times are whole numbers of one unit from one origin, chosen by the caller: Unix seconds for a dispatch, tenths of a unit of
// distance for the benchmark sets. Travel times and service times use the same unit.
//
// The search is ruin and recreate under simulated annealing: it removes strings of neighbouring stops and reinserts them greedily
// with a little noise. docs/planner.md explains it and lists measurements.
package planner
