package planner

// A general problem has rules that plain.go does not handle. Routes are updated as a whole after each change, so that windows,
// lateness and four loads can be tested in constant time at every position.

// loadData is the load on leaving a node, and the largest load anywhere before and after that.
type loadData struct {
	onBoard, peakBefore, peakAfter [Dimensions]int32
}

// updateRoute recomputes times, lateness, positions and loads of a route.
func (s *state) updateRoute(r int32) {
	t := s.editRoute(r)
	s.lateness -= t.lateness
	t.lateness = 0
	v := s.in.startNode(r)
	s.editNode(v)
	if t.size == 0 {
		s.editNode(s.in.endNode(r))
		s.resetEmptyRoute(r)
		s.updateLoads(r)
		return
	}
	clock := s.nodes[v].leave + s.nodes[v].leg
	place := int32(0)
	for v = s.nodes[v].next; v >= 0; v = s.nodes[v].next {
		p := s.editNode(v)
		if v < int32(s.in.n) && s.hasEdges(v) {
			s.applyBarriers(v, p)
		}
		place++
		p.position = place
		p.begin = max(clock, p.ready)
		if p.begin > p.due {
			s.invalid = true
			return
		}
		p.leave = p.begin + p.service
		if p.begin > p.onTime {
			t.lateness += int64(p.begin) - int64(p.onTime)
		}
		clock = p.leave + p.leg
	}
	s.lateness += t.lateness
	s.updateLatestStarts(r)
	s.updateLoads(r)
}

// updateLatestStarts recomputes the latest starts of a route, with the allowed delay and without any.
func (s *state) updateLatestStarts(r int32) {
	v := s.in.endNode(r)
	b := &s.nodes[v]
	b.latest, b.latestOnTime = b.due, b.due
	for v = b.prev; v >= 0; v = s.nodes[v].prev {
		p := &s.nodes[v]
		q := &s.nodes[p.next]
		p.latest = min(p.due, q.latest-p.leg-p.service)
		p.latestOnTime = min(p.due, p.onTime, q.latestOnTime-p.leg-p.service)
	}
}

func (s *state) updateLoads(r int32) {
	in := s.in
	dims := in.dims
	first, last := in.startNode(r), in.endNode(r)
	var load, peak [Dimensions]int32
	for v := s.nodes[first].next; v != last; v = s.nodes[v].next {
		for d := range dims {
			load[d] += in.tasks[v].start[d]
		}
	}
	for v := first; v != last; v = s.nodes[v].next {
		if v != first {
			for d := range dims {
				load[d] += in.tasks[v].load[d]
			}
		}
		l := &s.loads[v]
		for d := range dims {
			peak[d] = max(peak[d], load[d])
		}
		l.onBoard, l.peakBefore = load, peak
	}
	peak = [Dimensions]int32{}
	s.loads[last] = loadData{}
	for v := s.nodes[last].prev; v >= 0; v = s.nodes[v].prev {
		l := &s.loads[v]
		for d := range dims {
			peak[d] = max(peak[d], l.onBoard[d])
		}
		l.peakAfter = peak
	}
}

// checkCapacities marks the state invalid if a changed route is overloaded, for example after a drop-off was removed without its pickup.
func (s *state) checkCapacities() {
	for i := range s.routeLog {
		r := s.routeLog[i].at
		peak := &s.loads[s.in.startNode(r)].peakAfter
		for d := range s.in.dims {
			if peak[d] > s.in.workers[r].capacity[d] {
				s.invalid = true
			}
		}
	}
}

func (s *state) hasEdges(c int32) bool {
	t := &s.in.tasks[c]
	return len(t.incoming)+len(t.outgoing) > 0
}

// applyBarriers narrows the window of a task to the barriers of its dependencies on other routes.
func (s *state) applyBarriers(c int32, p *node) {
	base := &s.in.template[c]
	p.ready, p.due = base.ready, base.due
	for _, e := range s.in.tasks[c].incoming {
		if at := s.barriers[e]; at != noBarrier {
			p.ready = max(p.ready, at)
		}
	}
	for _, e := range s.in.tasks[c].outgoing {
		if at := s.barriers[e]; at != noBarrier {
			p.due = min(p.due, at-p.service)
		}
	}
}

func (s *state) setBarrier(e, at int32) {
	if s.barriers[e] != at {
		s.barrierLog = append(s.barrierLog, saved[int32]{e, s.barriers[e]})
		s.barriers[e] = at
	}
}

func (s *state) markDirty(r int32) {
	for _, d := range s.dirty {
		if d == r {
			return
		}
	}
	s.dirty = append(s.dirty, r)
}

func (s *state) updateDirty() {
	for _, r := range s.dirty {
		s.updateRoute(r)
	}
	s.dirty = s.dirty[:0]
}

// insertGeneral inserts a task, sets barriers for its dependencies on other routes, and updates the routes.
func (s *state) insertGeneral(c, after int32) {
	s.link(c, after)
	s.updateRoute(s.nodes[c].route)
	s.setBarriers(c)
}

// insertPair inserts a pickup and its drop-off, then updates the route: the loads are only right with both.
func (s *state) insertPair(pickup, drop int32, at pairInsertion) {
	s.link(pickup, at.after)
	if at.dropAfter < 0 {
		s.link(drop, pickup)
	} else {
		s.link(drop, at.dropAfter)
	}
	s.updateRoute(s.nodes[pickup].route)
	s.setBarriers(pickup)
	s.setBarriers(drop)
}

// setBarriers sets a barrier for each dependency of c on another route: a time by which the first task ends and from which on the
// second may start. The two routes can then change independently until one of the tasks is removed.
func (s *state) setBarriers(c int32) {
	if s.invalid || !s.hasEdges(c) {
		return
	}
	p := &s.nodes[c]
	r := p.route
	floor, _, _, _, _ := s.dependencyBounds(c, r, -1)
	begin := max(p.begin, floor)
	for _, e := range s.in.tasks[c].incoming {
		from := &s.nodes[s.in.edges[e].from]
		if from.route >= 0 && from.route != r {
			s.setBarrier(e, begin)
			s.markDirty(from.route)
			s.markDirty(r)
		}
	}
	for _, e := range s.in.tasks[c].outgoing {
		to := &s.nodes[s.in.edges[e].to]
		if to.route >= 0 && to.route != r {
			s.setBarrier(e, max(to.begin, begin+p.service))
			s.markDirty(to.route)
			s.markDirty(r)
		}
	}
	s.updateDirty()
}

// removeGeneral removes head tasks from v on, keeps skip tasks, removes tail more, and everything that depends on them.
func (s *state) removeGeneral(v int32, head, skip, tail int) {
	s.scratch = s.scratch[:0]
	for i := 0; i < head+skip+tail && v < int32(s.in.n); i++ {
		if i < head || i >= head+skip {
			s.scratch = append(s.scratch, v)
		}
		v = s.nodes[v].next
	}
	for _, c := range s.scratch {
		s.removeWithDependents(c)
	}
	s.updateDirty()
}

// removeWithDependents removes a task, the tasks that depend on it, and its pickup.
func (s *state) removeWithDependents(c int32) {
	t := &s.in.tasks[c]
	r := s.nodes[c].route
	if r < 0 || t.fixed {
		return
	}
	s.markDirty(r)
	s.unlink(c)
	s.removed = append(s.removed, c)
	for _, e := range t.outgoing {
		s.clearBarrier(e, s.in.edges[e].to)
		if edge := &s.in.edges[e]; !edge.optional {
			s.removeWithDependents(edge.to)
		}
	}
	for _, e := range t.incoming {
		s.clearBarrier(e, s.in.edges[e].from)
		if edge := &s.in.edges[e]; edge.sameRoute {
			s.removeWithDependents(edge.from)
		}
	}
}

func (s *state) clearBarrier(e, other int32) {
	if s.barriers[e] == noBarrier {
		return
	}
	s.setBarrier(e, noBarrier)
	if r := s.nodes[other].route; r >= 0 {
		s.markDirty(r)
	}
}

// dependencyBounds returns where on route r a task may be inserted because of its dependencies: start at floor or later, end by
// ceiling, after position low and before position high. It fails if a dependency other than except is on no route.
func (s *state) dependencyBounds(c, r, except int32) (floor, ceiling, low, high int32, ok bool) {
	floor, ceiling, low, high = -maxTime, 2*maxTime-1, 0, int32(s.in.n)+1
	for _, e := range s.in.tasks[c].incoming {
		edge := &s.in.edges[e]
		from := &s.nodes[edge.from]
		switch {
		case edge.from == except:
		case from.route < 0:
			if !edge.optional {
				return floor, ceiling, low, high, false
			}
		case from.route == r:
			low = max(low, from.position)
		case edge.sameRoute:
			return floor, ceiling, low, high, false
		default:
			floor = max(floor, from.leave)
		}
	}
	for _, e := range s.in.tasks[c].outgoing {
		edge := &s.in.edges[e]
		to := &s.nodes[edge.to]
		switch {
		case to.route < 0:
		case to.route == r:
			high = min(high, to.position)
		case edge.sameRoute:
			return floor, ceiling, low, high, false
		default:
			ceiling = min(ceiling, to.latest)
		}
	}
	return floor, ceiling, low, high, true
}
