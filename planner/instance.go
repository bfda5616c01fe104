package planner

import "slices"

// Limits of the numbers in the search. Times fit into 29 bits so that a start, a service time and a leg add up within 32 bits.
const (
	maxTime     = 1 << 29
	unreachable = int32(1 << 29)
	maxQuantity = 1 << 30
	loadCeiling = int32(1 << 30)
)

// instance is a problem prepared for the search: tasks sorted along a curve through the plane so that neighbours are close in
// memory, 32-bit times counted from zero, and places replaced by rows of one matrix per profile. It does not change during the
// search, so threads share it.
//
// Nodes are numbered: tasks 0..n-1, then for route r its start n+2r and its end n+2r+1.
type instance struct {
	problem *Problem
	tuning  tuning
	base    int64
	// taskIndex maps task ids to indexes in the problem; matrices holds the matrices in use.
	taskIndex map[string]int
	matrices  map[Profile]*Matrix

	n       int
	dims    int
	general bool // the problem needs more than the plain search
	tasks   []taskData
	workers []workerData
	classes []class
	// template holds the initial values of every node: row, window and service time.
	template []node

	// rows is the number of rows of the matrices: tasks, distinct starts and ends, and one row for Anywhere.
	rows     int
	travel   [][]int32
	reversed [][]int32

	// before and after list, per task, the best tasks directly before and after it; near lists the closest tasks for ruins.
	before, after []neighbour
	degree        int
	near          []int32
	// nearDepot marks tasks that are so close to a start or an end of a route that it is one of their neighbours.
	nearDepot  []bool
	nearDegree int

	// skipEvery is the mean number of improving insertions between two that are skipped. Small problems need more noise.
	skipEvery float64

	edges []edge
	// crossing is set if a dependency may be between two routes.
	crossing bool
	// gentle and strict are the weights for the first and the second half of an annealing.
	gentle, strict weights
}

// weights are the costs of a unit of lateness, a left-out task and a used worker in units of travel time.
type weights struct{ late, drop, worker int64 }

// neighbour is a task with the travel time to or from the task whose list it is in.
type neighbour struct {
	task   int32
	travel int32
}

// taskData is what the search needs to know about a task in addition to its node.
type taskData struct {
	index int // in Problem.Tasks
	// load is what is loaded here, negative if unloaded; start is what is on board from the start of the route for this task.
	load, start [Dimensions]int32
	// requiredRoute is the only route that may have the task, -1 for any.
	requiredRoute int32
	// pinned tasks are already on a route and stay there; the fixed one is active and stays first.
	pinned, fixed bool
	// incoming and outgoing are the edges from tasks this one depends on and to tasks that depend on it.
	incoming, outgoing []int32
	// excluded is set if the task can never be planned.
	excluded Reason
	// size is the load as a share of the capacity, depot the travel time from the nearest start; both are sort keys.
	size, depot int32
}

// edge is a dependency between two tasks of the instance.
type edge struct {
	from, to int32
	// sameRoute marks an edge from a pickup to its drop-off: both must be on one route.
	sameRoute bool
	// optional edges are ignored if from is left out, because to is pinned and stays planned.
	optional bool
}

// workerData is what the search needs to know about a worker.
type workerData struct {
	index    int // in Problem.Workers
	profile  int
	capacity [Dimensions]int32
	limit    int32
	fixed    int64
	// route lists the pinned tasks in their current order. The search does not change a frozen route.
	route  []int32
	frozen bool
	// order is an order of route that breaks no rule.
	order []int32
}

// class is a range of interchangeable workers. Trying one of their empty routes is enough.
type class struct{ from, to int32 }

func (in *instance) startNode(r int32) int32 { return int32(in.n) + 2*r }
func (in *instance) endNode(r int32) int32   { return int32(in.n) + 2*r + 1 }

func (in *instance) travelTime(profile int, from, to int32) int32 {
	return in.travel[profile][int(from)*in.rows+int(to)]
}

// buildNeighbours fills the neighbour lists. A task follows another well if the travel time is short and their windows cause little
// waiting and no lateness.
func (in *instance) buildNeighbours() {
	in.degree = min(in.n-1, in.tuning.neighbours)
	in.nearDegree = min(in.n-1, in.tuning.near)
	if in.n < 2 {
		in.degree, in.nearDegree = 0, 0
		return
	}
	in.before = make([]neighbour, in.n*in.degree)
	in.after = make([]neighbour, in.n*in.degree)
	in.near = make([]int32, in.n*in.nearDegree)
	in.nearDepot = make([]bool, in.n)
	lists := newRanker(in.n)
	for c := range int32(in.n) {
		for k, v := range lists.bestTasks(c, in.nearDegree, func(v int32) float32 { return float32(in.proximity(c, v)) }) {
			in.near[int(c)*in.nearDegree+k] = v.task
		}
		in.nearDepot[c] = in.isNearDepot(c)
		for k, v := range lists.bestTasks(c, in.degree, func(v int32) float32 { return in.followCost(v, c) }) {
			in.before[int(c)*in.degree+k] = neighbour{v.task, in.travelTime(0, v.task, c)}
		}
		for k, v := range lists.bestTasks(c, in.degree, func(v int32) float32 { return in.followCost(c, v) }) {
			in.after[int(c)*in.degree+k] = neighbour{v.task, in.travelTime(0, c, v.task)}
		}
	}
}

// proximity returns the mean travel time between two tasks in both directions.
func (in *instance) proximity(a, b int32) int64 {
	return (int64(in.travelTime(0, a, b)) + int64(in.travelTime(0, b, a))) / 2
}

// isNearDepot reports whether the nearest start or end is closer than the last neighbour of the task.
func (in *instance) isNearDepot(c int32) bool {
	last := in.near[int(c)*in.nearDegree+min(in.degree, in.nearDegree)-1]
	return int64(in.tasks[c].depot) <= in.proximity(c, last)
}

// followCost returns how badly b follows a: travel time, a fifth of the waiting it forces, and the lateness it forces.
func (in *instance) followCost(a, b int32) float32 {
	x, y := &in.template[a], &in.template[b]
	leg := in.travelTime(0, a, b)
	wait := y.ready - leg - x.service - x.due
	warp := x.ready + x.service + leg - y.due
	score := float32(leg)
	if wait > 0 {
		score += 0.2 * float32(wait)
	}
	if warp > 0 {
		score += float32(warp) + float32(unreachable)
	}
	return score
}

// ranker finds the k best of n tasks without sorting all of them.
type ranker struct {
	all  []scored
	kept []scored
}

type scored struct {
	score float32
	task  int32
}

func newRanker(n int) *ranker { return &ranker{all: make([]scored, 0, n)} }

func (r *ranker) bestTasks(self int32, k int, score func(int32) float32) []scored {
	r.all = r.all[:0]
	for v := range int32(cap(r.all)) {
		if v != self {
			r.all = append(r.all, scored{score(v), v})
		}
	}
	selectBest(r.all, k)
	r.kept = r.all[:k]
	slices.SortFunc(r.kept, func(a, b scored) int {
		switch {
		case a.less(b):
			return -1
		case b.less(a):
			return 1
		default:
			return 0
		}
	})
	return r.kept
}

func (a scored) less(b scored) bool {
	return a.score < b.score || (a.score == b.score && a.task < b.task)
}

// selectBest moves the k best to the front, unsorted.
func selectBest(all []scored, k int) {
	lo, hi := 0, len(all)
	for hi-lo > 1 && k > lo && k < hi {
		pivot := all[lo+(hi-lo)/2]
		i, j := lo, hi-1
		for i <= j {
			for all[i].less(pivot) {
				i++
			}
			for pivot.less(all[j]) {
				j--
			}
			if i <= j {
				all[i], all[j] = all[j], all[i]
				i++
				j--
			}
		}
		switch {
		case k <= j+1:
			hi = j + 1
		case k >= i:
			lo = i
		default:
			return
		}
	}
}
