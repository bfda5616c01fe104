package planner

// pairInsertion is a position for a pickup and one for its drop-off. dropAfter is -1 if the drop-off directly follows the pickup.
type pairInsertion struct {
	after, dropAfter int32
	cost             int64
}

// bestPairInsertion finds the cheapest insertion of a pickup and its drop-off on one route.
func (s *state) bestPairInsertion(pickup, drop int32) pairInsertion {
	best := pairInsertion{-1, -1, 1 << 62}
	if only := s.requiredPairRoute(pickup, drop); only >= 0 {
		return s.tryPairOnRoute(pickup, drop, only, best)
	} else if only == conflicting {
		return best
	}
	s.tryRound++
	best = s.tryPairNearNeighbours(pickup, drop, pickup, best)
	best = s.tryPairNearNeighbours(pickup, drop, drop, best)
	for _, k := range s.in.classes {
		if r := s.firstVacant(k.from, k.to); r >= 0 {
			best = s.tryPairOnRoute(pickup, drop, r, best)
		}
	}
	if best.after >= 0 {
		return best
	}
	for _, r := range s.open {
		if s.routes[r].size > 0 && s.triedRound[r] != s.tryRound {
			best = s.tryPairOnRoute(pickup, drop, r, best)
		}
	}
	return best
}

// tryPairNearNeighbours tries the routes that have a neighbour of one of the two tasks, each route once per round.
func (s *state) tryPairNearNeighbours(pickup, drop, of int32, best pairInsertion) pairInsertion {
	from, to := int(of)*s.in.degree, (int(of)+1)*s.in.degree
	for _, list := range [2][]neighbour{s.in.before[from:to], s.in.after[from:to]} {
		for _, nb := range list {
			if r := s.nodes[nb.task].route; r >= 0 && s.triedRound[r] != s.tryRound {
				s.triedRound[r] = s.tryRound
				best = s.tryPairOnRoute(pickup, drop, r, best)
			}
		}
	}
	return best
}

// conflicting is returned if two tasks must be on different routes.
const conflicting = int32(-2)

func (s *state) requiredPairRoute(pickup, drop int32) int32 {
	a, b := s.in.tasks[pickup].requiredRoute, s.in.tasks[drop].requiredRoute
	if a >= 0 && b >= 0 && a != b {
		return conflicting
	}
	return max(a, b)
}

// pairWalk is a position of the pickup under test and a walk along the rest of the route to place the drop-off.
type pairWalk struct {
	s            *state
	pickup, drop int32
	travel       []int32
	capacity     *[Dimensions]int32
	// bounds of the drop-off from dependencyBounds
	dropFloor, dropCeiling, dropLow, dropHigh int32

	after int32 // the pickup goes directly after this node
	u, w  int32 // the walk is between these two nodes; u is the pickup at first
	clock int32 // when u is left
	cost  int64 // travel added so far, without the drop-off
	late  int64
}

func (s *state) tryPairOnRoute(pickup, drop, r int32, best pairInsertion) pairInsertion {
	t := &s.routes[r]
	if t.closed || t.size+2 > s.in.workers[r].limit {
		return best
	}
	floor, ceiling, low, high, ok := s.dependencyBounds(pickup, r, -1)
	if !ok {
		return best
	}
	w := pairWalk{s: s, pickup: pickup, drop: drop, travel: s.in.travel[t.profile], capacity: &s.in.workers[r].capacity}
	w.dropFloor, w.dropCeiling, w.dropLow, w.dropHigh, ok = s.dependencyBounds(drop, r, pickup)
	if !ok {
		return best
	}
	v := s.in.startNode(r)
	if t.firstFixed {
		v = s.nodes[v].next
	}
	fixed := int64(0)
	if t.size == 0 {
		fixed = s.in.workers[r].fixed + s.weights.worker
	}
	for ; s.nodes[v].next >= 0; v = s.nodes[v].next {
		if s.positionOf(v) < low {
			continue
		}
		if s.positionOf(v) >= high || s.nodes[v].leave > s.in.template[pickup].due {
			break
		}
		if w.startAt(v, floor, ceiling, fixed, best.cost) {
			best = w.tryDropoffs(best)
		}
	}
	return best
}

// startAt starts a walk with the pickup after v. It fails if that is impossible or not cheaper than limit.
func (w *pairWalk) startAt(v, floor, ceiling int32, fixed, limit int64) bool {
	s := w.s
	in := s.in
	p, a := &s.nodes[w.pickup], &s.nodes[v]
	b := &s.nodes[a.next]
	leg := w.travel[int(a.row)*in.rows+int(p.row)]
	out := w.travel[int(p.row)*in.rows+int(b.row)]
	w.cost = int64(leg) + int64(out) - int64(a.leg) + fixed
	if w.cost >= limit {
		return false
	}
	begin := max(a.leave+leg, in.template[w.pickup].ready, floor)
	if begin > in.template[w.pickup].due || begin+p.service > ceiling || begin+p.service+out > b.latest {
		return false
	}
	if !w.pickupFits(v) {
		return false
	}
	w.after, w.u, w.w = v, w.pickup, a.next
	w.clock = begin + p.service
	w.late = int64(max(0, begin-p.onTime))
	return true
}

// pickupFits reports whether the load of the pickup fits in addition to what is on board after v.
func (w *pairWalk) pickupFits(v int32) bool {
	load, onBoard := &w.s.in.tasks[w.pickup].load, &w.s.loads[v].onBoard
	for d := range w.s.in.dims {
		if load[d] > 0 && onBoard[d]+load[d] > w.capacity[d] {
			return false
		}
	}
	return true
}

// remainderFits reports whether the load that stays on board after the drop-off fits for the rest of the route.
func (w *pairWalk) remainderFits() bool {
	in := w.s.in
	v := w.u
	if v == w.pickup {
		v = w.after
	}
	peak := &w.s.loads[v].peakAfter
	for d := range in.dims {
		stays := in.tasks[w.pickup].load[d] + in.tasks[w.drop].load[d]
		if stays > 0 && peak[d]+stays > w.capacity[d] {
			return false
		}
	}
	return true
}

// tryDropoffs walks along the route and tries the drop-off at each position, as long as times and load allow it.
func (w *pairWalk) tryDropoffs(best pairInsertion) pairInsertion {
	s := w.s
	in := s.in
	q := &s.nodes[w.drop]
	due, ready := in.template[w.drop].due, max(in.template[w.drop].ready, w.dropFloor)
	for {
		u, b := &s.nodes[w.u], &s.nodes[w.w]
		leg := w.travel[int(u.row)*in.rows+int(b.row)]
		toDrop := w.travel[int(u.row)*in.rows+int(q.row)]
		begin := max(w.clock+toDrop, ready)
		if w.clock > due {
			return best
		}
		out := w.travel[int(q.row)*in.rows+int(b.row)]
		cost := w.cost + int64(toDrop) + int64(out) - int64(leg)
		place := s.positionOf(w.u)
		if w.u == w.pickup {
			place = s.positionOf(w.after)
		}
		if cost < best.cost && begin <= due && begin+q.service <= w.dropCeiling && begin+q.service+out <= b.latest &&
			place >= w.dropLow && place < w.dropHigh && w.remainderFits() {
			best = w.betterPair(best, cost, begin, out)
		}
		if w.w >= int32(in.n) || !w.advance(leg, b) {
			return best
		}
	}
}

// betterPair returns the tested pair of positions if it is cheaper than the best so far.
func (w *pairWalk) betterPair(best pairInsertion, cost int64, begin, out int32) pairInsertion {
	s := w.s
	q := &s.nodes[w.drop]
	late := w.late + int64(max(0, begin-q.onTime))
	if arrive := begin + q.service + out; arrive > s.nodes[w.w].latestOnTime {
		late += s.addedLateness(w.w, arrive)
	}
	cost += late * s.weights.late
	if cost >= best.cost {
		return best
	}
	if s.skips() {
		return best
	}
	dropAfter := w.u
	if w.u == w.pickup {
		dropAfter = -1
	}
	return pairInsertion{w.after, dropAfter, cost}
}

// advance moves the walk past the next stop, which is reached later because of the pickup.
func (w *pairWalk) advance(leg int32, b *node) bool {
	begin := max(w.clock+leg, b.ready)
	if begin > b.latest || !w.pickupFits(w.w) {
		return false
	}
	w.late += int64(max(0, begin-b.onTime)) - int64(max(0, b.begin-b.onTime))
	w.clock = begin + b.service
	w.u, w.w = w.w, b.next
	return true
}
