package planner

import "slices"

// Limits of the search's numbers: times fit 29 bits, so that a start, a service time and a leg can be added in 32.
const (
	maxTime     = 1 << 29
	unreachable       = int32(1 << 29)
	maxQuantity = 1 << 30
	loadCeiling = int32(1 << 30)
)

// instance is a problem made ready for the search: tasks sorted along a curve through the plane so that neighbours lie near each
// other in memory, times from zero in 32 bits, and places replaced by rows of one matrix a profile. It does not change while
// threads search it.
//
// Nodes are numbered: tasks 0..n-1, then for route r its start n+2r and its end n+2r+1.
type instance struct {
	problem *Problem
	tuning    tuning
	base    int64
	// taskIndex finds a task of the problem by its id; matrices are those in use, by profile.
	taskIndex map[string]int
	matrices  map[Profile]*Matrix

	n       int
	dims    int
	rich    bool
	tasks   []taskData
	workers []workerData
	classes []class
	// template is the node template of every node: its row, window and service time.
	template []node

	// rows is the side of the matrices: tasks, then the distinct starts and ends, then nowhere.
	rows     int
	travel   [][]int32
	reversed [][]int32

	// before and after hold, per task, the tasks that go well directly before and after it; near the closest tasks for ruins.
	before, after []neighbour
	degree        int
	near          []int32
	// nearDepot marks tasks that have a start or an end of a route among their neighbours.
	nearDepot    []bool
	nearDegree int

	// blinkEvery is how many good spots there are, on average, to one that is overlooked. Small problems need more noise.
	blinkEvery float64

	edges []edge
	// crossing is set when a dependency may run between two routes.
	crossing bool
	// gentle and strict are the weights of the two halves of an annealing.
	gentle, strict weights
}

// weights are what a unit of lateness, a task left out and a worker used count for beside a unit of travel.
type weights struct{ late, drop, worker int64 }

// neighbour is a task with the travel time between it and the task in whose list it stands.
type neighbour struct {
	task   int32
	travel int32
}

// taskData is what the search needs of a task beside its node.
type taskData struct {
	index int // in Problem.Tasks
	// load is what comes on board here (negative for what leaves); start is what is on board from the start because of this task.
	load, start [Dimensions]int32
	// requiredRoute is the route that must take the task, -1 for any.
	requiredRoute int32
	// pinned tasks are on a route already and never leave it; fixed is the active one, which stays first.
	pinned, fixed bool
	// incoming and out are the edges to tasks this one waits for and tasks that wait for it.
	incoming, outgoing []int32
	// excluded is set when the task cannot be planned, whatever the routes look like.
	excluded Reason
	// size is the load as a share of the usual capacity and depot the way from the nearest start, both for sorting.
	size, depot int32
}

// edge is a dependency between two tasks of the instance.
type edge struct {
	from, to int32
	// sameRoute edges join a pickup to its drop-off: both belong on one route.
	sameRoute bool
	// optional edges are given up when from is left out, because to is pinned and stays whatever happens.
	optional bool
}

// workerData is what the search needs of a worker.
type workerData struct {
	index    int // in Problem.Workers
	profile  int
	capacity [Dimensions]int32
	limit    int32
	fixed    int64
	// route holds pinned tasks in their present order. A frozen route is outside the search.
	route  []int32
	frozen bool
	// order is an order of route that keeps every rule.
	order []int32
}

// class is a run of workers that differ in nothing, so that one empty route stands for all of theirs.
type class struct{ from, to int32 }

func (in *instance) startNode(r int32) int32 { return int32(in.n) + 2*r }
func (in *instance) endNode(r int32) int32   { return int32(in.n) + 2*r + 1 }

func (in *instance) matrixOf(p Profile) *Matrix { return in.matrices[p] }

func (in *instance) travelTime(profile int, from, to int32) int32 {
	return in.travel[profile][int(from)*in.rows+int(to)]
}

// buildNeighbours fills the candidate lists. A task goes well after another when the way is short and the wait or the squeeze of
// their windows is small.
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

// proximity is the mean way between two tasks, both directions.
func (in *instance) proximity(a, b int32) int64 {
	return (int64(in.travelTime(0, a, b)) + int64(in.travelTime(0, b, a))) / 2
}

// isNearDepot reports whether the nearest start or end is nearer than the task's last neighbour.
func (in *instance) isNearDepot(c int32) bool {
	last := in.near[int(c)*in.nearDegree+min(in.degree, in.nearDegree)-1]
	return int64(in.tasks[c].depot) <= in.proximity(c, last)
}

// followCost says how badly b follows a: travel, a fifth of the wait it forces, and all of the lateness it forces.
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

// ranker finds the k best of n tasks without sorting them all.
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

// selectBest moves the k best to the front, in no order.
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
