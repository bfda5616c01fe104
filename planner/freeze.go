package planner

import "slices"

// freezeInvalidRoutes freezes the routes of workers whose existing tasks break a rule in every order it tries. Tasks that depend on
// a task of a frozen route start after its end there.
func (c *compiler) freezeInvalidRoutes() {
	in := c.in
	if !in.general {
		return
	}
	for r := range int32(len(in.workers)) {
		if len(in.workers[r].route) == 0 {
			continue
		}
		order := c.findValidOrder(r)
		if order == nil {
			in.workers[r].frozen = true
		} else {
			in.workers[r].order = order
		}
	}
	for r := range int32(len(in.workers)) {
		if in.workers[r].frozen {
			c.delayDependents(r)
		}
	}
}

// maxTasksAllOrders is the number of tasks up to which every order of a route is tried.
const maxTasksAllOrders = 7

// findValidOrder returns an order of the existing tasks of a worker that breaks no rule, preferably the current one, or nil.
func (c *compiler) findValidOrder(r int32) []int32 {
	in := c.in
	route := in.workers[r].route
	if int(in.workers[r].limit) < len(route) {
		return nil
	}
	s := newState(in, newRNG(1))
	if s.isValidOrder(r, route) {
		return route
	}
	order := append([]int32(nil), route...)
	free := order
	if in.tasks[order[0]].fixed {
		free = order[1:]
	}
	if len(free) <= maxTasksAllOrders {
		if s.findOrder(r, order, len(order)-len(free)) {
			return order
		}
		return nil
	}
	for range 400 {
		s.rng.shuffle(free)
		if s.isValidOrder(r, order) {
			return order
		}
	}
	return nil
}

// findOrder permutes order from k on until it breaks no rule.
func (s *state) findOrder(r int32, order []int32, k int) bool {
	if k == len(order) {
		return s.isValidOrder(r, order)
	}
	for i := k; i < len(order); i++ {
		order[k], order[i] = order[i], order[k]
		if s.findOrder(r, order, k+1) {
			return true
		}
		order[k], order[i] = order[i], order[k]
	}
	return false
}

// isValidOrder reports whether a route of these tasks alone breaks no rule.
func (s *state) isValidOrder(r int32, order []int32) bool {
	s.beginChange()
	after := s.in.startNode(r)
	for _, v := range order {
		s.link(v, after)
		after = v
	}
	s.updateRoute(r)
	if !s.invalid {
		s.checkCapacities()
	}
	ok := !s.invalid && s.respectsDependencies(order)
	s.undo()
	return ok
}

func (s *state) respectsDependencies(order []int32) bool {
	for _, v := range order {
		for _, e := range s.in.tasks[v].incoming {
			if from := &s.nodes[s.in.edges[e].from]; from.route == s.nodes[v].route && from.position > s.nodes[v].position {
				return false
			}
		}
	}
	return true
}

// delayDependents makes tasks on other routes start after the frozen tasks they depend on, and excludes those that would have to be
// on the frozen route.
func (c *compiler) delayDependents(r int32) {
	in := c.in
	for _, stop := range in.frozenStops(r) {
		for _, e := range in.tasks[stop.task].outgoing {
			to := in.edges[e].to
			if in.edges[e].sameRoute {
				c.exclude(to)
			}
			in.template[to].ready = max(in.template[to].ready, int32(min(stop.leave, maxTime)))
		}
	}
	for v := range int32(in.n) {
		if t := &in.tasks[v]; t.requiredRoute == r && !t.pinned && t.excluded == "" {
			c.exclude(v)
		}
	}
	gone := func(e int32) bool {
		return in.isFrozen(in.edges[e].from) || in.isFrozen(in.edges[e].to)
	}
	for v := range in.tasks {
		in.tasks[v].incoming = slices.DeleteFunc(in.tasks[v].incoming, gone)
		in.tasks[v].outgoing = slices.DeleteFunc(in.tasks[v].outgoing, gone)
	}
	for changed := true; changed; {
		changed = false
		for _, e := range in.edges {
			if to := &in.tasks[e.to]; in.tasks[e.from].excluded != "" && to.excluded == "" && !to.pinned {
				to.excluded, changed = ReasonDependency, true
			}
		}
	}
}

// isFrozen reports whether the task is on a frozen route.
func (in *instance) isFrozen(v int32) bool {
	t := &in.tasks[v]
	return t.pinned && in.workers[t.requiredRoute].frozen
}

// frozenStop is a task on a frozen route with its times.
type frozenStop struct {
	task                 int32
	arrive, begin, leave int64
}

// frozenStops returns the stops of a frozen route with their times. An unreachable leg counts as zero.
func (in *instance) frozenStops(r int32) []frozenStop {
	w := &in.workers[r]
	a := &in.template[in.startNode(r)]
	row, clock := a.row, int64(a.ready)
	stops := make([]frozenStop, 0, len(w.route))
	for _, v := range w.route {
		p := &in.template[v]
		if t := in.travelTime(w.profile, row, p.row); t < unreachable {
			clock += int64(t)
		}
		stop := frozenStop{task: v, arrive: clock, begin: max(clock, int64(p.ready))}
		clock = stop.begin + int64(p.service)
		stop.leave = clock
		stops = append(stops, stop)
		row = p.row
	}
	return stops
}
