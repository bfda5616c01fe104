package planner

// The plain problem: one profile, one quantity that is only delivered or only collected, hard windows, no dependencies, nobody's
// route fixed. Everything here is written for speed; rich.go does the same with all the rules.

// insertion is a place for a task on a route: directly after a node, at a cost.
type insertion struct {
	after int32
	cost  int64
}

// noInsertion is the spot that loses against any other.
func noInsertion() insertion { return insertion{-1, 1 << 62} }

// insertPlain links a task and brings its route up to date.
func (s *state) insertPlain(c, after int32) {
	s.link(c, after)
	p, a := &s.nodes[c], &s.nodes[after]
	p.begin = max(a.leave+a.leg, p.ready)
	p.leave = p.begin + p.service
	s.updateStarts(p.next)
	p.latest = min(p.due, s.nodes[p.next].latest-p.leg-p.service)
	s.updateLatest(after)
}

// bestPlainInsertion finds the cheapest spot for a task beside its neighbours or on an empty route, and looks everywhere when there is none.
func (s *state) bestPlainInsertion(c int32) insertion {
	best := s.bestNearNeighbours(c)
	best = s.tryVacantRoutes(c, best)
	if best.after < 0 {
		best = s.tryAllRoutes(c)
	}
	return best
}

func (s *state) bestNearNeighbours(c int32) insertion {
	in, nodes, routes := s.in, s.nodes, s.routes
	p := &nodes[c]
	ready, due, service, load := p.ready, p.due, p.service, p.load
	row := in.travel[0][int(c)*in.rows : (int(c)+1)*in.rows]
	back := in.reversed[0][int(c)*in.rows : (int(c)+1)*in.rows]
	cheapest, after := int32(1<<30), int32(-1)
	blink := s.blink
	from, to := int(c)*in.degree, (int(c)+1)*in.degree
	for _, nb := range in.before[from:to] {
		a := &nodes[nb.task]
		if a.route < 0 {
			continue
		}
		b := &nodes[a.next]
		out := row[b.row]
		cost := nb.travel + out - a.leg
		if cost >= cheapest {
			continue
		}
		begin := max(a.leave+nb.travel, ready)
		if begin > due || begin+service+out > b.latest {
			continue
		}
		if r := &routes[a.route]; r.load+load > r.capacity {
			continue
		}
		if blink--; blink < 0 {
			blink = s.drawBlink()
			continue
		}
		cheapest, after = cost, nb.task
	}
	for _, nb := range in.after[from:to] {
		b := &nodes[nb.task]
		if b.route < 0 {
			continue
		}
		a := &nodes[b.prev]
		leg := back[a.row]
		cost := leg + nb.travel - a.leg
		if cost >= cheapest {
			continue
		}
		begin := max(a.leave+leg, ready)
		if begin > due || begin+service+nb.travel > b.latest {
			continue
		}
		if r := &routes[b.route]; r.load+load > r.capacity {
			continue
		}
		if blink--; blink < 0 {
			blink = s.drawBlink()
			continue
		}
		cheapest, after = cost, b.prev
	}
	s.blink = blink
	best := noInsertion()
	if after >= 0 {
		best = insertion{after, int64(cheapest)}
	}
	if in.degree > 0 && in.nearDepot[c] {
		best = s.tryRouteEnds(c, best)
	}
	return best
}

// tryRouteEnds tries the first and the last spot of every route, for tasks that lie so near a start or an end that it is one of their
// neighbours.
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

// drawBlink says how many spots that would be the best are taken before one is overlooked.
func (s *state) drawBlink() int {
	s.blink = int(s.rng.exponential() * s.in.blinkEvery)
	return s.blink
}

// tryVacantRoutes compares the spot with opening a route, one of each class.
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

// plainCost is the insertion test without any candidate list.
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

// tryAllRoutes tries every spot on every open route.
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
