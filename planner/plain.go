package planner

// A plain problem has one profile, one quantity that is only delivered or only collected, hard windows, no dependencies and no
// existing routes. The code here is written for speed; general.go does the same with all rules.

// insertion is a position for a task, directly after a node, with its cost.
type insertion struct {
	after int32
	cost  int64
}

// noInsertion returns an insertion that is worse than any other.
func noInsertion() insertion { return insertion{-1, 1 << 62} }

// insertPlain inserts a task and updates the times of its route.
func (s *state) insertPlain(c, after int32) {
	s.link(c, after)
	p, a := &s.nodes[c], &s.nodes[after]
	p.begin = max(a.leave+a.leg, p.ready)
	p.leave = p.begin + p.service
	s.updateStarts(p.next)
	p.latest = min(p.due, s.nodes[p.next].latest-p.leg-p.service)
	s.updateLatest(after)
}

// bestPlainInsertion finds the cheapest insertion next to a neighbour or on an empty route, and tries all routes if there is none.
func (s *state) bestPlainInsertion(c int32) insertion {
	best := s.bestNearNeighbours(c)
	best = s.tryVacantRoutes(c, best)
	if best.after < 0 {
		best = s.tryAllRoutes(c)
	}
	return best
}

// bestNearNeighbours finds the cheapest insertion next to a neighbour.
func (s *state) bestNearNeighbours(c int32) insertion {
	best := s.tryAfterNeighbours(c, nearInsertion{after: -1, cost: 1 << 30})
	best = s.tryBeforeNeighbours(c, best)
	found := noInsertion()
	if best.after >= 0 {
		found = insertion{best.after, int64(best.cost)}
	}
	if s.in.degree > 0 && s.in.nearDepot[c] {
		found = s.tryRouteEnds(c, found)
	}
	return found
}

// nearInsertion is an insertion whose cost fits into 32 bits, for the innermost loops.
type nearInsertion struct{ after, cost int32 }

// tryAfterNeighbours tries the positions directly after the tasks that are best before c.
func (s *state) tryAfterNeighbours(c int32, best nearInsertion) nearInsertion {
	in, nodes, routes := s.in, s.nodes, s.routes
	p := &nodes[c]
	ready, due, service, load := p.ready, p.due, p.service, p.load
	row := in.travel[0][int(c)*in.rows : (int(c)+1)*in.rows]
	for _, nb := range in.before[int(c)*in.degree : (int(c)+1)*in.degree] {
		a := &nodes[nb.task]
		if a.route < 0 {
			continue
		}
		b := &nodes[a.next]
		out := row[b.row]
		cost := nb.travel + out - a.leg
		if cost >= best.cost {
			continue
		}
		begin := max(a.leave+nb.travel, ready)
		if begin > due || begin+service+out > b.latest {
			continue
		}
		if r := &routes[a.route]; r.load+load > r.capacity || s.skips() {
			continue
		}
		best = nearInsertion{nb.task, cost}
	}
	return best
}

// tryBeforeNeighbours tries the positions directly before the tasks that are best after c.
func (s *state) tryBeforeNeighbours(c int32, best nearInsertion) nearInsertion {
	in, nodes, routes := s.in, s.nodes, s.routes
	p := &nodes[c]
	ready, due, service, load := p.ready, p.due, p.service, p.load
	back := in.reversed[0][int(c)*in.rows : (int(c)+1)*in.rows]
	for _, nb := range in.after[int(c)*in.degree : (int(c)+1)*in.degree] {
		b := &nodes[nb.task]
		if b.route < 0 {
			continue
		}
		a := &nodes[b.prev]
		leg := back[a.row]
		cost := leg + nb.travel - a.leg
		if cost >= best.cost {
			continue
		}
		begin := max(a.leave+leg, ready)
		if begin > due || begin+service+nb.travel > b.latest {
			continue
		}
		if r := &routes[b.route]; r.load+load > r.capacity || s.skips() {
			continue
		}
		best = nearInsertion{b.prev, cost}
	}
	return best
}

// tryRouteEnds tries the first and the last position of every route, for tasks close to a start or an end.
func (s *state) tryRouteEnds(c int32, best insertion) insertion {
	for _, r := range s.open {
		if s.routes[r].size == 0 {
			continue
		}
		for _, after := range [2]int32{s.in.startNode(r), s.nodes[s.in.endNode(r)].prev} {
			if cost, ok := s.plainCost(c, after); ok && cost < best.cost {
				best = insertion{after, cost}
			}
		}
	}
	return best
}

// skips reports whether to skip an improving insertion. The skips add noise to the greedy insertion.
func (s *state) skips() bool {
	if s.untilSkip--; s.untilSkip >= 0 {
		return false
	}
	s.drawSkip()
	return true
}

// drawSkip draws how many improving insertions are accepted until one is skipped.
func (s *state) drawSkip() { s.untilSkip = int(s.rng.exponential() * s.in.skipEvery) }

// tryVacantRoutes compares an insertion with using one more route of each class.
func (s *state) tryVacantRoutes(c int32, best insertion) insertion {
	for _, k := range s.in.classes {
		r := s.firstVacant(k.from, k.to)
		if r < 0 {
			continue
		}
		a := s.in.startNode(r)
		extra := s.in.workers[r].fixed + s.weights.worker
		if cost, ok := s.plainCost(c, a); ok && cost+extra < best.cost {
			best = insertion{a, cost + extra}
		}
	}
	return best
}

// plainCost returns the cost of inserting c after a node, if it is possible.
func (s *state) plainCost(c, after int32) (int64, bool) {
	in := s.in
	p, a := &s.nodes[c], &s.nodes[after]
	b := &s.nodes[a.next]
	r := &s.routes[a.route]
	leg := in.reversed[0][int(c)*in.rows+int(a.row)]
	out := in.travel[0][int(c)*in.rows+int(b.row)]
	begin := max(a.leave+leg, p.ready)
	if begin > p.due || begin+p.service+out > b.latest || r.load+p.load > r.capacity {
		return 0, false
	}
	return int64(leg) + int64(out) - int64(a.leg), true
}

// tryAllRoutes tries every position on every used route.
func (s *state) tryAllRoutes(c int32) insertion {
	best := noInsertion()
	p := &s.nodes[c]
	for r := range s.routes {
		t := &s.routes[r]
		if t.size == 0 || t.closed || t.load+p.load > t.capacity {
			continue
		}
		for v := s.in.startNode(int32(r)); s.nodes[v].next >= 0; v = s.nodes[v].next {
			if s.nodes[v].leave > p.due {
				break
			}
			if cost, ok := s.plainCost(c, v); ok && cost < best.cost {
				best = insertion{v, cost}
			}
		}
	}
	return best
}
