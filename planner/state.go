package planner

import "math/bits"

// node is a stop, or the start or end of a route, in a linked list. It fills one cache line, so that an insertion test loads
// everything about a neighbour at once.
type node struct {
	prev, next   int32
	route        int32 // -1 while the task is on no route
	row          int32 // in the travel matrices
	begin        int32 // earliest start of the service
	leave        int32 // begin + service
	latest       int32 // latest begin for which the rest of the route is within its windows
	ready, due   int32 // bounds of begin; due includes the allowed delay
	service      int32
	leg          int32 // travel to next
	load         int32 // quantity in the only dimension of a plain problem
	onTime       int32 // begin after this is lateness
	latestOnTime int32 // latest begin without lateness from here on
	position     int32 // position on the route, for general problems only
	stamp        uint32
}

// route is what the search knows about a route in addition to its nodes.
type route struct {
	size     int32
	load     int32 // in the only dimension of a plain problem
	capacity int32
	profile  int32
	lateness int64
	stamp    uint32
	// closed routes take no tasks: they are frozen or outside the part being searched.
	closed     bool
	firstFixed bool // the first task is active and stays first
}

// state is the working plan of one thread, with a log to undo a change.
type state struct {
	in       *instance
	rng      *rng
	nodes    []node
	routes   []route
	loads    []loadData // per node, general problems only
	barriers []int32    // per edge, general problems only: see setBarriers

	// tasks are those this state may move; absent those of them on no route.
	tasks  []int32
	absent []int32
	// vacant has a bit for each empty route that may be used.
	vacant []uint64

	totals

	// invalid is set if removing a task broke a route, which can happen if a detour is shorter than the direct way.
	invalid bool

	stamp      uint32
	nodeLog    []saved[node]
	routeLog   []saved[route]
	barrierLog []saved[int32]
	absentLog  []int32
	totalsLog  totals
	dirty      []int32 // routes to update, general problems only
	removed    []int32 // tasks to be reinserted
	untilSkip  int     // improving insertions until the next one is skipped
	missed     []int32 // how often each task found no route, for removing routes
	scratch    []int32
	pending    []bool   // tasks in removed, general problems only
	triedRound []uint32 // per route, the last round in which a pair was tried on it
	tryRound   uint32
	lastRuined []int32

	weights weights
	// maxUsed limits the number of routes in use.
	maxUsed int
	open    []int32 // routes of this state
	owned   []bool  // whether a task belongs to this state, if there are edges
	best    snapshot
	// closing is set while the tasks of a removed route are being moved to others.
	closing       bool
	closingRounds int
}

type totals struct {
	travel   int64 // travel time plus fixed costs
	lateness int64
	used     int // routes with at least one task
	placed   int // tasks on routes
}

// saved is an element of a slice before a change.
type saved[T any] struct {
	at  int32
	old T
}

// noBarrier marks an edge without a barrier.
const noBarrier = int32(-1 << 31)

func newState(in *instance, r *rng) *state {
	s := &state{
		in: in, rng: r,
		nodes:   make([]node, len(in.template)),
		routes:  make([]route, len(in.workers)),
		vacant:  make([]uint64, len(in.workers)/64+1),
		missed:  make([]int32, in.n),
		stamp:   1,
		weights: in.strict,
		maxUsed: len(in.workers),
	}
	if in.general {
		s.loads = make([]loadData, len(in.template))
		s.barriers = make([]int32, len(in.edges))
		s.pending = make([]bool, in.n)
		s.owned = make([]bool, in.n)
		s.triedRound = make([]uint32, len(in.workers))
	}
	s.reset()
	s.drawSkip()
	return s
}

// reset empties every route and makes every task absent.
func (s *state) reset() {
	in := s.in
	copy(s.nodes, in.template)
	clear(s.vacant)
	for i := range s.barriers {
		s.barriers[i] = noBarrier
	}
	s.totals = totals{}
	for r := range s.routes {
		w := &in.workers[r]
		s.routes[r] = route{capacity: w.capacity[0], profile: int32(w.profile), closed: w.frozen}
		a, b := in.startNode(int32(r)), in.endNode(int32(r))
		s.nodes[a].next, s.nodes[b].prev = b, a
		s.nodes[a].leg = 0
		s.resetEmptyRoute(int32(r))
		s.updateVacant(int32(r))
	}
	s.absent = s.absent[:0]
	s.tasks = s.tasks[:0]
	for c := range int32(in.n) {
		if in.tasks[c].excluded == "" && !in.isFrozen(c) {
			s.tasks = append(s.tasks, c)
			s.absent = append(s.absent, c)
		}
	}
}

// resetEmptyRoute resets the nodes of an empty route. A worker without tasks does not travel, so the leg costs nothing.
func (s *state) resetEmptyRoute(r int32) {
	a, b := &s.nodes[s.in.startNode(r)], &s.nodes[s.in.endNode(r)]
	a.begin, a.leave = a.ready, a.ready
	a.latest, a.latestOnTime = b.due, b.due
	b.begin, b.leave = a.ready, a.ready
	b.latest, b.latestOnTime = b.due, b.due
}

func (s *state) updateVacant(r int32) {
	bit := uint64(1) << (r & 63)
	if s.routes[r].size == 0 && !s.routes[r].closed {
		s.vacant[r>>6] |= bit
	} else {
		s.vacant[r>>6] &^= bit
	}
}

// firstVacant returns the first vacant route in [from, to), or -1 if there is none or maxUsed is reached.
func (s *state) firstVacant(from, to int32) int32 {
	if s.used >= s.maxUsed {
		return -1
	}
	for w := from >> 6; w <= (to-1)>>6; w++ {
		word := s.vacant[w]
		if w == from>>6 {
			word &= ^uint64(0) << (from & 63)
		}
		if word != 0 {
			if r := w<<6 + int32(bits.TrailingZeros64(word)); r < to {
				return r
			}
			return -1
		}
	}
	return -1
}

// beginChange starts a change that undo can revert.
func (s *state) beginChange() {
	s.stamp++
	s.nodeLog = s.nodeLog[:0]
	s.routeLog = s.routeLog[:0]
	s.barrierLog = s.barrierLog[:0]
	s.absentLog = append(s.absentLog[:0], s.absent...)
	s.totalsLog = s.totals
	s.invalid = false
}

// editNode returns a node for editing and logs its old value once per change.
func (s *state) editNode(v int32) *node {
	p := &s.nodes[v]
	if p.stamp != s.stamp {
		s.nodeLog = append(s.nodeLog, saved[node]{v, *p})
		p.stamp = s.stamp
	}
	return p
}

func (s *state) editRoute(r int32) *route {
	p := &s.routes[r]
	if p.stamp != s.stamp {
		s.routeLog = append(s.routeLog, saved[route]{r, *p})
		p.stamp = s.stamp
	}
	return p
}

// undo reverts everything since beginChange.
func (s *state) undo() {
	for i := range s.nodeLog {
		s.nodes[s.nodeLog[i].at] = s.nodeLog[i].old
	}
	for i := len(s.barrierLog) - 1; i >= 0; i-- {
		s.barriers[s.barrierLog[i].at] = s.barrierLog[i].old
	}
	for i := range s.routeLog {
		r := s.routeLog[i].at
		s.routes[r] = s.routeLog[i].old
		s.updateVacant(r)
		if s.in.general {
			s.updateLoads(r)
		}
	}
	s.absent = append(s.absent[:0], s.absentLog...)
	s.totals = s.totalsLog
	s.invalid = false
}

// score is the number that the annealing compares. Its weights are small at first, so that the search can pass through slightly
// later plans on its way to better ones, and follow the order of the objective in the end.
func (s *state) score() int64 {
	return s.travel + s.lateness*s.weights.late + int64(len(s.absent))*s.weights.drop + int64(s.used)*s.weights.worker
}

// unlink removes a task from its route without updating times; the caller does that once for all removed tasks.
func (s *state) unlink(c int32) {
	p := s.editNode(c)
	a, b := s.editNode(p.prev), s.editNode(p.next)
	r := s.editRoute(p.route)
	leg := s.in.travelTime(int(r.profile), a.row, b.row)
	r.size--
	r.load -= p.load
	s.placed--
	if r.size == 0 {
		leg = 0
		s.used--
		s.travel -= s.in.workers[p.route].fixed
		s.updateVacant(p.route)
	}
	s.travel += int64(leg) - int64(a.leg) - int64(p.leg)
	a.next, b.prev, a.leg = p.next, p.prev, leg
	p.route = -1
}

// link inserts a task directly after a node without updating times.
func (s *state) link(c, after int32) {
	a := s.editNode(after)
	b := s.editNode(a.next)
	p := s.editNode(c)
	r := s.editRoute(a.route)
	travel := s.in.travel[r.profile]
	in := travel[int(a.row)*s.in.rows+int(p.row)]
	out := travel[int(p.row)*s.in.rows+int(b.row)]
	s.travel += int64(in) + int64(out) - int64(a.leg)
	p.prev, p.next, p.route, p.leg = after, a.next, a.route, out
	b.prev = c
	a.next, a.leg = c, in
	r.size++
	r.load += p.load
	s.placed++
	if r.size == 1 {
		s.used++
		s.travel += s.in.workers[a.route].fixed
		s.updateVacant(a.route)
	}
}

// updateStarts recomputes the starts from v on and stops at the first that does not change.
func (s *state) updateStarts(v int32) {
	nodes := s.nodes
	for v >= 0 {
		p := &nodes[v]
		a := &nodes[p.prev]
		begin := a.leave + a.leg
		if begin < p.ready {
			begin = p.ready
		}
		if begin == p.begin {
			return
		}
		if begin > p.due {
			s.invalid = true
			return
		}
		if p.stamp != s.stamp {
			s.nodeLog = append(s.nodeLog, saved[node]{v, *p})
			p.stamp = s.stamp
		}
		p.begin = begin
		p.leave = begin + p.service
		v = p.next
	}
}

// updateLatest recomputes the latest starts from v backwards and stops at the first that does not change.
func (s *state) updateLatest(v int32) {
	nodes := s.nodes
	for v >= 0 {
		p := &nodes[v]
		late := nodes[p.next].latest - p.leg - p.service
		if late > p.due {
			late = p.due
		}
		if late == p.latest {
			return
		}
		if p.stamp != s.stamp {
			s.nodeLog = append(s.nodeLog, saved[node]{v, *p})
			p.stamp = s.stamp
		}
		p.latest = late
		v = p.prev
	}
}

// updateAround updates the times of a plain route after stops between prev and next were removed.
func (s *state) updateAround(prev, next int32) {
	r := s.nodes[prev].route
	if s.routes[r].size == 0 {
		s.editNode(prev)
		s.editNode(next)
		s.resetEmptyRoute(r)
		return
	}
	s.updateStarts(next)
	s.updateLatest(prev)
}
