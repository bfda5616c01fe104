package planner

// reinsertGeneral inserts the removed tasks: pairs together, and tasks after those they depend on.
func (s *state) reinsertGeneral() {
	for _, c := range s.removed {
		s.pending[c] = true
	}
	for _, c := range s.removed {
		s.reinsert(c)
	}
	s.checkCapacities()
}

// reinsert inserts a pending task after it has reinserted the tasks it depends on.
func (s *state) reinsert(c int32) {
	if !s.pending[c] {
		return
	}
	s.pending[c] = false
	if s.invalid {
		s.leaveOut(c)
		return
	}
	partner := int32(-1)
	for _, e := range s.in.tasks[c].incoming {
		switch from := s.in.edges[e].from; {
		case !s.pending[from]:
		case s.in.edges[e].sameRoute && partner < 0:
			partner = from
		default:
			s.reinsert(from)
		}
	}
	if partner >= 0 && s.pending[partner] {
		s.reinsertPickup(partner, c)
		return
	}
	if drop := s.insertableDropoff(c); drop >= 0 {
		s.pending[drop] = false
		s.reinsertPair(c, drop)
		return
	}
	s.reinsertSingle(c)
}

// reinsertPickup inserts a pickup together with its drop-off.
func (s *state) reinsertPickup(pickup, drop int32) {
	s.pending[pickup] = false
	for _, e := range s.in.tasks[pickup].incoming {
		s.reinsert(s.in.edges[e].from)
	}
	s.reinsertPair(pickup, drop)
}

// insertableDropoff returns a pending drop-off of the pickup c that has no other open dependency, or -1.
func (s *state) insertableDropoff(c int32) int32 {
	for _, e := range s.in.tasks[c].outgoing {
		edge := &s.in.edges[e]
		if !edge.sameRoute || !s.pending[edge.to] {
			continue
		}
		if _, _, _, _, ok := s.dependencyBounds(edge.to, -2, c); ok {
			return edge.to
		}
	}
	return -1
}

func (s *state) reinsertSingle(c int32) {
	if best := s.bestGeneralInsertion(c); best.after >= 0 {
		s.insertGeneral(c, best.after)
	} else {
		s.leaveOut(c)
	}
}

func (s *state) leaveOut(c int32) {
	s.absent = append(s.absent, c)
	if s.in.tasks[c].pinned {
		s.invalid = true
	}
}

// reinsertPair inserts a pickup and its drop-off on one route. If they do not fit together it tries them one after the
// other, except while a route is being removed.
func (s *state) reinsertPair(pickup, drop int32) {
	best := s.bestPairInsertion(pickup, drop)
	if best.after < 0 && s.closing {
		// A pickup without its drop-off would only make it harder to remove a route.
		s.leaveOut(pickup)
		s.leaveOut(drop)
		return
	}
	if best.after < 0 {
		s.reinsertSingle(pickup)
		if s.nodes[pickup].route >= 0 {
			s.reinsertSingle(drop)
		} else {
			s.leaveOut(drop)
		}
		return
	}
	s.insertPair(pickup, drop, best)
}

// bestGeneralInsertion finds the cheapest insertion of a task.
func (s *state) bestGeneralInsertion(c int32) insertion {
	t := &s.in.tasks[c]
	if t.requiredRoute >= 0 {
		return s.scanRoute(c, t.requiredRoute, noInsertion())
	}
	if s.hasEdges(c) {
		return s.scanAllRoutes(c)
	}
	best := noInsertion()
	from, to := int(c)*s.in.degree, (int(c)+1)*s.in.degree
	for _, nb := range s.in.before[from:to] {
		if s.nodes[nb.task].route >= 0 {
			best = s.betterInsertion(c, nb.task, best)
		}
	}
	for _, nb := range s.in.after[from:to] {
		if s.nodes[nb.task].route >= 0 {
			best = s.betterInsertion(c, s.nodes[nb.task].prev, best)
		}
	}
	if s.in.degree > 0 && s.in.nearDepot[c] {
		for _, r := range s.open {
			if s.routes[r].size > 0 {
				best = s.betterInsertion(c, s.in.startNode(r), best)
				best = s.betterInsertion(c, s.nodes[s.in.endNode(r)].prev, best)
			}
		}
	}
	for _, k := range s.in.classes {
		if r := s.firstVacant(k.from, k.to); r >= 0 {
			best = s.betterInsertion(c, s.in.startNode(r), best)
		}
	}
	if best.after < 0 {
		best = s.scanAllRoutes(c)
	}
	return best
}

// betterInsertion returns the insertion after a node if it is cheaper than the best so far. It skips one now and then.
func (s *state) betterInsertion(c, after int32, best insertion) insertion {
	r := s.nodes[after].route
	if t := &s.routes[r]; t.size >= s.in.workers[r].limit || (t.firstFixed && after >= int32(s.in.n)) {
		return best
	}
	cost, ok := s.insertionCost(c, after, -maxTime, 2*maxTime-1, best.cost)
	if !ok || cost >= best.cost {
		return best
	}
	if s.skips() {
		return best
	}
	return insertion{after, cost}
}

// insertionCost returns the cost of inserting c after a node, if every rule allows it and its travel cost is below limit.
func (s *state) insertionCost(c, after, floor, ceiling int32, limit int64) (int64, bool) {
	in := s.in
	p, a := &s.nodes[c], &s.nodes[after]
	b := &s.nodes[a.next]
	t := &s.routes[a.route]
	travel := in.travel[t.profile]
	leg := travel[int(a.row)*in.rows+int(p.row)]
	out := travel[int(p.row)*in.rows+int(b.row)]
	cost := int64(leg) + int64(out) - int64(a.leg)
	if t.size == 0 {
		cost += in.workers[a.route].fixed + s.weights.worker
	}
	if cost >= limit {
		return 0, false
	}
	begin := max(a.leave+leg, in.template[c].ready, floor)
	if begin > in.template[c].due || begin+p.service > ceiling || begin+p.service+out > b.latest {
		return 0, false
	}
	if !s.loadsFit(c, after, a.route) {
		return 0, false
	}
	late := int64(max(0, begin-p.onTime))
	if arrive := begin + p.service + out; arrive > b.latestOnTime {
		late += s.addedLateness(a.next, arrive)
	}
	return cost + late*s.weights.late, true
}

// loadsFit reports whether the capacity allows inserting c after a node.
func (s *state) loadsFit(c, after, r int32) bool {
	t, l := &s.in.tasks[c], &s.loads[after]
	capacity := &s.in.workers[r].capacity
	for d := range s.in.dims {
		if t.start[d] > 0 && l.peakBefore[d]+t.start[d] > capacity[d] {
			return false
		}
		if t.load[d] > 0 && l.peakAfter[d]+t.load[d] > capacity[d] {
			return false
		}
	}
	return true
}

// addedLateness returns how much the lateness of the route grows if v is reached at arrive.
func (s *state) addedLateness(v, arrive int32) int64 {
	late := int64(0)
	for v < int32(s.in.n) {
		p := &s.nodes[v]
		begin := max(arrive, p.ready)
		if begin == p.begin {
			break
		}
		late += int64(max(0, begin-p.onTime)) - int64(max(0, p.begin-p.onTime))
		arrive = begin + p.service + p.leg
		v = p.next
	}
	return late
}

// scanAllRoutes tries every position of every used route and one empty route per class.
func (s *state) scanAllRoutes(c int32) insertion {
	best := noInsertion()
	for _, k := range s.in.classes {
		for r := k.from; r < k.to; r++ {
			if s.routes[r].size > 0 {
				best = s.scanRoute(c, r, best)
			}
		}
		if r := s.firstVacant(k.from, k.to); r >= 0 {
			best = s.scanRoute(c, r, best)
		}
	}
	return best
}

// scanRoute tries every position of one route.
func (s *state) scanRoute(c, r int32, best insertion) insertion {
	t := &s.routes[r]
	if t.closed || t.size >= s.in.workers[r].limit {
		return best
	}
	floor, ceiling, low, high, ok := s.dependencyBounds(c, r, -1)
	if !ok {
		return best
	}
	v := s.in.startNode(r)
	if t.firstFixed && !s.in.tasks[c].fixed {
		v = s.nodes[v].next
	}
	for ; s.nodes[v].next >= 0; v = s.nodes[v].next {
		if s.positionOf(v) < low {
			continue
		}
		if s.positionOf(v) >= high || s.nodes[v].leave > s.in.template[c].due {
			break
		}
		if cost, ok := s.insertionCost(c, v, floor, ceiling, best.cost); ok && cost < best.cost {
			if s.skips() {
				continue
			}
			best = insertion{v, cost}
		}
	}
	return best
}

// positionOf returns the position of a node on its route, 0 for the start.
func (s *state) positionOf(v int32) int32 {
	if v >= int32(s.in.n) && s.nodes[v].prev < 0 {
		return 0
	}
	return s.nodes[v].position
}
