package planner

import "math/bits"

// node is one stop, or the start or end of a route, in the search's linked lists. One node is one cache line: everything an
// insertion test needs of a neighbour comes with a single fetch.
type node struct {
	prev, next int32
	route      int32 // -1 while the task is on no route
	row        int32 // in the travel matrices
	begin      int32 // earliest start of the service
	leave      int32 // begin + service
	latest       int32 // latest begin that keeps the rest of the route within its windows
	ready, due int32 // bounds of begin: due allows the delay that is allowed
	service    int32
	leg        int32 // travel to next
	load       int32 // quantity in the only dimension of a plain problem
	onTime     int32 // begin after this is lateness
	latestOnTime int32 // like late, for no lateness from here on
	position      int32 // position on the route, kept for rich problems only
	stamp      uint32
}

// route is what the search keeps of a route beside its nodes.
type route struct {
	size     int32
	load     int32 // in the only dimension of a plain problem
	capacity int32
	profile  int32
	lateness int64
	stamp    uint32
	// closed routes take nothing: frozen, outside the part being searched, or given up.
	closed  bool
	firstFixed bool // the first task is active and stays first
}

// state is one thread's solution under change, with the log to take a change back.
type state struct {
	in     *instance
	rng    *rng
	nodes  []node
	routes []route
	loads  []loadData // per node, rich problems only
	barriers []int32    // per edge, rich problems only: the moment between two routes that the edge is held at

	// tasks are those this state may move; absent those on no route.
	tasks  []int32
	absent []int32
	// vacant has a bit for each route that is empty and may be opened.
	vacant []uint64

	travel   int64 // time on the road plus fixed costs
	lateness int64
	used     int // routes with at least one task
	placed   int // tasks on routes

	// invalid is set when taking a task out made a route impossible, which happens where a detour is shorter than the way.
	invalid bool

	stamp      uint32
	nodeLog    []savedNode
	routeLog   []savedRoute
	barrierLog   []savedBarrier
	absentLog  []int32
	totals     totals
	dirty      []int32 // routes to refresh, rich problems only
	pool       []int32 // tasks taken out, to be put back
	blink      int     // positions until the next one is skipped
	missed     []int32 // how often each task was left over, for giving up routes
	scratch    []int32
	pending    []bool   // tasks in the pool, rich problems only
	triedRound     []uint32 // per route, the round in which a pair was tried on it
	tryRound  uint32
	lastRuined []int32

	weights weights
	// maxUsed bounds the routes in use.
	maxUsed int
	open     []int32 // routes of this state
	owned     []bool  // tasks of this state, kept when there are edges
	best     snapshot
	// closing is set while the tasks of a closed route look for another.
	closing       bool
	closingRounds int
}

type totals struct {
	travel, lateness int64
	used, placed     int
}

type savedNode struct {
	at   int32
	node node
}

type savedRoute struct {
	at    int32
	route route
}

type savedBarrier struct{ edge, barrier int32 }

// noBarrier marks an edge that holds no moment between routes.
const noBarrier = int32(-1 << 31)

func newState(in *instance, r *rng) *state {
	s := &state{
		in: in, rng: r,
		nodes:    make([]node, len(in.template)),
		routes:   make([]route, len(in.workers)),
		vacant:   make([]uint64, len(in.workers)/64+1),
		missed:   make([]int32, in.n),
		stamp:    1,
		weights:  in.strict,
		maxUsed: len(in.workers),
	}
	if in.rich {
		s.loads = make([]loadData, len(in.template))
		s.barriers = make([]int32, len(in.edges))
		s.pending = make([]bool, in.n)
		s.owned = make([]bool, in.n)
		s.triedRound = make([]uint32, len(in.workers))
	}
	s.reset()
	s.drawBlink()
	return s
}

// reset makes every route empty and every task absent.
func (s *state) reset() {
	in := s.in
	copy(s.nodes, in.template)
	clear(s.vacant)
	for i := range s.barriers {
		s.barriers[i] = noBarrier
	}
	s.travel, s.lateness, s.used, s.placed = 0, 0, 0, 0
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

// resetEmptyRoute gives the nodes of an empty route their values. A worker with nothing to do stays where they are, so the leg is free
// and no window binds.
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

// firstVacant returns the first vacant route in [from, to), or -1 when there is none or as many routes are used as may be.
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

// beginChange starts a change that undo can take back.
func (s *state) beginChange() {
	s.stamp++
	s.nodeLog = s.nodeLog[:0]
	s.routeLog = s.routeLog[:0]
	s.barrierLog = s.barrierLog[:0]
	s.absentLog = append(s.absentLog[:0], s.absent...)
	s.totals = totals{s.travel, s.lateness, s.used, s.placed}
	s.invalid = false
}

// editNode saves a node before its first change.
func (s *state) editNode(v int32) *node {
	p := &s.nodes[v]
	if p.stamp != s.stamp {
		s.nodeLog = append(s.nodeLog, savedNode{v, *p})
		p.stamp = s.stamp
	}
	return p
}

func (s *state) editRoute(r int32) *route {
	p := &s.routes[r]
	if p.stamp != s.stamp {
		s.routeLog = append(s.routeLog, savedRoute{r, *p})
		p.stamp = s.stamp
	}
	return p
}

// undo takes back everything since begin.
func (s *state) undo() {
	for i := range s.nodeLog {
		s.nodes[s.nodeLog[i].at] = s.nodeLog[i].node
	}
	for i := len(s.barrierLog) - 1; i >= 0; i-- {
		s.barriers[s.barrierLog[i].edge] = s.barrierLog[i].barrier
	}
	for i := range s.routeLog {
		r := s.routeLog[i].at
		s.routes[r] = s.routeLog[i].route
		s.updateVacant(r)
		if s.in.rich {
			s.updateLoads(r)
		}
	}
	s.absent = append(s.absent[:0], s.absentLog...)
	s.travel, s.lateness, s.used, s.placed = s.totals.travel, s.totals.lateness, s.totals.used, s.totals.placed
	s.invalid = false
}

// score is the number the annealing compares. Its weights stay small at first, so that the search can pass through a slightly later
// plan on its way to a better one, and keep the order of the objective in the end.
func (s *state) score() int64 {
	return s.travel + s.lateness*s.weights.late + int64(len(s.absent))*s.weights.drop + int64(s.used)*s.weights.worker
}

// unlink takes a task off its route. Times are not brought up to date: the caller does that once for all it takes out.
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

// link puts a task on a route directly after a node, without bringing times up to date.
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

// updateStarts brings the starts from v on up to date and stops as soon as one does not change.
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
			s.nodeLog = append(s.nodeLog, savedNode{v, *p})
			p.stamp = s.stamp
		}
		p.begin = begin
		p.leave = begin + p.service
		v = p.next
	}
}

// updateLatest brings the latest starts from v back up to date and stops as soon as one does not change.
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
			s.nodeLog = append(s.nodeLog, savedNode{v, *p})
			p.stamp = s.stamp
		}
		p.latest = late
		v = p.prev
	}
}

// updateAround brings a plain route up to date around a gap or a new stop: everything after prev and everything before next.
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
