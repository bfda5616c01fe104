package planner

import "slices"

// freeze finds the workers whose own tasks break a rule in every order it can find. Their routes stay as they are.
//
// Tasks that wait for a task on such a route are held until it ends there.
func (c *compiler) freeze() {
	in := c.in
	if !in.rich {
		return
	}
	for r := range int32(len(in.workers)) {
		if len(in.workers[r].route) == 0 {
			continue
		}
		order := c.possibleOrder(r)
		if order == nil {
			in.workers[r].frozen = true
		} else {
			in.workers[r].order = order
		}
	}
	for r := range int32(len(in.workers)) {
		if in.workers[r].frozen {
			c.holdBehind(r)
		}
	}
}

// exactOrders is up to how many tasks every order of a route is tried before it is called impossible.
const exactOrders = 7

// possibleOrder returns an order of the worker's own tasks that keeps every rule, preferably the present one, or nil.
func (c *compiler) possibleOrder(r int32) []int32 {
	in := c.in
	route := in.workers[r].route
	if int(in.workers[r].limit) < len(route) {
		return nil
	}
	s := newState(in, newRNG(1))
	if s.tryOrder(r, route) {
		return route
	}
	order := append([]int32(nil), route...)
	free := order
	if in.tasks[order[0]].fixed {
		free = order[1:]
	}
	if len(free) <= exactOrders {
		if s.tryAllOrders(r, order, len(order)-len(free)) {
			return order
		}
		return nil
	}
	for range 400 {
		s.rng.shuffle(free)
		if s.tryOrder(r, order) {
			return order
		}
	}
	return nil
}

// tryAllOrders permutes order from k on until one works.
func (s *state) tryAllOrders(r int32, order []int32, k int) bool {
	if k == len(order) {
		return s.tryOrder(r, order)
	}
	for i := k; i < len(order); i++ {
		order[k], order[i] = order[i], order[k]
		if s.tryAllOrders(r, order, k+1) {
			return true
		}
		order[k], order[i] = order[i], order[k]
	}
	return false
}

// tryOrder reports whether a route of just these tasks keeps every rule.
func (s *state) tryOrder(r int32, order []int32) bool {
	s.begin()
	after := s.in.start(r)
	for _, v := range order {
		s.link(v, after)
		after = v
	}
	s.refresh(r)
	if !s.broken {
		s.checkPeaks()
	}
	ok := !s.broken && s.inOrder(order)
	s.undo()
	return ok
}

func (s *state) inOrder(order []int32) bool {
	for _, v := range order {
		for _, e := range s.in.tasks[v].in {
			if from := &s.nodes[s.in.edges[e].from]; from.route == s.nodes[v].route && from.place > s.nodes[v].place {
				return false
			}
		}
	}
	return true
}

// holdBehind keeps tasks elsewhere from starting before the frozen tasks they wait for have ended, and refuses those that would
// have to join the frozen route.
func (c *compiler) holdBehind(r int32) {
	in := c.in
	for _, stop := range in.frozenStops(r) {
		for _, e := range in.tasks[stop.task].out {
			to := in.edges[e].to
			if in.edges[e].linked {
				c.refuse(to)
			}
			in.first[to].ready = max(in.first[to].ready, int32(min(stop.leave, maxTime)))
		}
	}
	for v := range int32(in.n) {
		if t := &in.tasks[v]; t.only == r && !t.pinned && t.never == "" {
			c.refuse(v)
		}
	}
	gone := func(e int32) bool {
		return in.isFrozen(in.edges[e].from) || in.isFrozen(in.edges[e].to)
	}
	for v := range in.tasks {
		in.tasks[v].in = slices.DeleteFunc(in.tasks[v].in, gone)
		in.tasks[v].out = slices.DeleteFunc(in.tasks[v].out, gone)
	}
	for changed := true; changed; {
		changed = false
		for _, e := range in.edges {
			if to := &in.tasks[e.to]; in.tasks[e.from].never != "" && to.never == "" && !to.pinned {
				to.never, changed = ReasonDependency, true
			}
		}
	}
}

// isFrozen reports whether the task is on a frozen route.
func (in *instance) isFrozen(v int32) bool {
	t := &in.tasks[v]
	return t.pinned && in.workers[t.only].frozen
}

// frozenStop is a task on a frozen route and when it is over.
type frozenStop struct {
	task                 int32
	arrive, begin, leave int64
}

// frozenStops times a frozen route as it is. Where there is no way, none is counted.
func (in *instance) frozenStops(r int32) []frozenStop {
	w := &in.workers[r]
	a := &in.first[in.start(r)]
	row, clock := a.row, int64(a.ready)
	stops := make([]frozenStop, 0, len(w.route))
	for _, v := range w.route {
		p := &in.first[v]
		if t := in.leg(w.profile, row, p.row); t < noWay {
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
