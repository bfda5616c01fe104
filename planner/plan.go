package planner

// draftPlan is a solution at rest: what threads hand to each other and what the best so far is kept as.
type draftPlan struct {
	routes [][]int32
	absent []int32
	barriers []int32
	value  value
}

// value is what plans are compared by inside the search, in the order of the objective.
type value struct {
	absent   int
	lateness int64
	used     int
	travel   int64
}

func (v value) less(o value, objective Objective) bool {
	if v.absent != o.absent {
		return v.absent < o.absent
	}
	if v.lateness != o.lateness {
		return v.lateness < o.lateness
	}
	if objective == FewestWorkers && v.used != o.used {
		return v.used < o.used
	}
	return v.travel < o.travel
}

func (v value) plus(o value) value {
	return value{v.absent + o.absent, v.lateness + o.lateness, v.used + o.used, v.travel + o.travel}
}

func (s *state) value() value {
	return value{len(s.absent), s.lateness, s.used, s.travel}
}

// snapshot is the best solution one state has seen, kept as links because it is taken often.
type snapshot struct {
	next   []int32
	absent []int32
	barriers []int32
	value  value
}

func (s *state) saveBest() {
	b := &s.best
	if b.next == nil {
		b.next = make([]int32, len(s.nodes))
	}
	for _, c := range s.tasks {
		b.next[c] = s.nodes[c].next
	}
	for _, r := range s.open {
		a := s.in.startNode(r)
		b.next[a] = s.nodes[a].next
	}
	b.absent = append(b.absent[:0], s.absent...)
	b.barriers = append(b.barriers[:0], s.barriers...)
	b.value = s.value()
}

// exportRoutes copies the present solution of the state's routes into a plan.
func (s *state) exportRoutes(p *draftPlan) {
	for _, r := range s.open {
		p.routes[r] = p.routes[r][:0]
		for v := s.nodes[s.in.startNode(r)].next; v < int32(s.in.n); v = s.nodes[v].next {
			p.routes[r] = append(p.routes[r], v)
		}
	}
	p.exportBarriers(s, s.barriers)
}

// exportBest copies the best solution the state has seen into a plan.
func (s *state) exportBest(p *draftPlan) {
	for _, r := range s.open {
		p.routes[r] = p.routes[r][:0]
		for v := s.best.next[s.in.startNode(r)]; v < int32(s.in.n); v = s.best.next[v] {
			p.routes[r] = append(p.routes[r], v)
		}
	}
	p.exportBarriers(s, s.best.barriers)
}

// exportBarriers copies the splits between tasks of this state; those of other states are theirs to copy.
func (p *draftPlan) exportBarriers(s *state, splits []int32) {
	for e, at := range splits {
		if s.owned[s.in.edges[e].to] {
			p.barriers[e] = at
		}
	}
}

func newDraftPlan(in *instance) *draftPlan {
	return &draftPlan{routes: make([][]int32, len(in.workers)), barriers: make([]int32, len(in.edges))}
}

func (p *draftPlan) clone() *draftPlan {
	q := &draftPlan{routes: make([][]int32, len(p.routes)), value: p.value}
	for r := range p.routes {
		q.routes[r] = append([]int32(nil), p.routes[r]...)
	}
	q.absent = append([]int32(nil), p.absent...)
	q.barriers = append([]int32(nil), p.barriers...)
	return q
}

// loadPlan makes the given routes of a plan, and the given absent tasks, the state's whole world: other routes are shut and other
// tasks do not exist for it.
func (s *state) loadPlan(p *draftPlan, open, absent []int32) {
	s.reset()
	s.beginChange()
	s.open = append(s.open[:0], open...)
	s.tasks = s.tasks[:0]
	s.absent = append(s.absent[:0], absent...)
	copy(s.barriers, p.barriers)
	for r := range s.routes {
		s.routes[r].closed = true
	}
	for _, r := range open {
		s.routes[r].closed = s.in.workers[r].frozen
		after := s.in.startNode(r)
		for _, c := range p.routes[r] {
			s.link(c, after)
			after = c
			s.tasks = append(s.tasks, c)
		}
		s.recomputeTimes(r)
		if len(p.routes[r]) > 0 {
			s.routes[r].firstFixed = s.in.tasks[p.routes[r][0]].fixed
		}
	}
	s.tasks = append(s.tasks, absent...)
	for r := range s.routes {
		s.updateVacant(int32(r))
	}
	if s.in.rich && len(s.barriers) > 0 {
		clear(s.owned)
		for _, c := range s.tasks {
			s.owned[c] = true
		}
	}
	s.maxUsed = len(s.routes)
	if s.in.problem.Objective == FewestWorkers && len(absent) == 0 && s.lateness == 0 {
		s.maxUsed = s.used
	}
	s.closing = false
	s.saveBest()
}

// recomputeTimes computes a route's times from nothing.
func (s *state) recomputeTimes(r int32) {
	if s.in.rich {
		s.updateRoute(r)
		return
	}
	if s.routes[r].size == 0 {
		s.resetEmptyRoute(r)
		return
	}
	first, last := s.in.startNode(r), s.in.endNode(r)
	for v := s.nodes[first].next; v >= 0; v = s.nodes[v].next {
		p := &s.nodes[v]
		a := &s.nodes[p.prev]
		p.begin = max(a.leave+a.leg, p.ready)
		p.leave = p.begin + p.service
	}
	s.nodes[last].latest = s.nodes[last].due
	for v := s.nodes[last].prev; v >= 0; v = s.nodes[v].prev {
		p := &s.nodes[v]
		p.latest = min(p.due, s.nodes[p.next].latest-p.leg-p.service)
	}
}
