package planner

import "slices"

// draftPlan is a plan inside the search without times. Threads exchange it, and the best one so far is kept as one.
type draftPlan struct {
	routes   [][]int32
	absent   []int32
	barriers []int32
	cost     Cost
}

// cost returns the cost of the current routes. Travel includes the fixed costs.
func (s *state) cost() Cost {
	return Cost{LeftOut: len(s.absent), Lateness: s.lateness, Workers: s.used, Travel: s.travel}
}

func (c Cost) plus(o Cost) Cost {
	return Cost{c.LeftOut + o.LeftOut, c.Lateness + o.Lateness, c.Workers + o.Workers, c.Travel + o.Travel, c.Fixed + o.Fixed}
}

// snapshot is the best plan of one state. It holds only links because it is saved often.
type snapshot struct {
	next     []int32
	absent   []int32
	barriers []int32
	cost     Cost
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
	b.cost = s.cost()
}

// exportCurrent copies the current routes of the state into a plan, with their cost.
func (s *state) exportCurrent(p *draftPlan) {
	s.exportRoutes(p, func(v int32) int32 { return s.nodes[v].next }, s.barriers)
	p.absent = append(p.absent[:0], s.absent...)
	p.cost = s.cost()
}

// exportBest copies the best routes of the state into a plan, with their cost.
func (s *state) exportBest(p *draftPlan) {
	s.exportRoutes(p, func(v int32) int32 { return s.best.next[v] }, s.best.barriers)
	p.absent = append(p.absent[:0], s.best.absent...)
	p.cost = s.best.cost
}

// exportRoutes copies the open routes, and the barriers of the tasks that belong to this state.
func (s *state) exportRoutes(p *draftPlan, next func(v int32) int32, barriers []int32) {
	for _, r := range s.open {
		p.routes[r] = p.routes[r][:0]
		for v := next(s.in.startNode(r)); v < int32(s.in.n); v = next(v) {
			p.routes[r] = append(p.routes[r], v)
		}
	}
	for e, at := range barriers {
		if s.owned[s.in.edges[e].to] {
			p.barriers[e] = at
		}
	}
}

func newDraftPlan(in *instance) *draftPlan {
	return &draftPlan{routes: make([][]int32, len(in.workers)), barriers: make([]int32, len(in.edges))}
}

func (p *draftPlan) clone() *draftPlan {
	q := &draftPlan{routes: make([][]int32, len(p.routes)), cost: p.cost}
	for r := range p.routes {
		q.routes[r] = slices.Clone(p.routes[r])
	}
	q.absent, q.barriers = slices.Clone(p.absent), slices.Clone(p.barriers)
	return q
}

// loadPlan loads some routes of a plan and some absent tasks into the state. The other routes are closed, and the state does not
// touch other tasks.
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
	if s.in.general && len(s.barriers) > 0 {
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

// recomputeTimes computes all times of a route.
func (s *state) recomputeTimes(r int32) {
	if s.in.general {
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
