package planner

import "time"

// reduceShare is the share of the budget spent on using fewer workers before their way is made shorter.
const (
	reduceShare  = 0.5
	reduceEpochs = 20
	reduceHeat   = 0.2 // temperature over the mean leg
)

// reduceWorkers closes routes one after another: the tasks of a route are taken out and the search looks for a plan that has room for
// them on the others, caring more for tasks the more often they were left over.
func (sr *search) reduceWorkers() {
	c := &annealing{sr: sr, begin: time.Now(), epochs: reduceEpochs}
	temperature := reduceHeat * sr.meanLeg
	c.temperature = func(float64) float64 { return temperature }
	c.span = time.Duration(float64(sr.remainingTime()) * reduceShare)
	if sr.opts.Iterations > 0 {
		c.iterations = max(int64(float64(sr.opts.Iterations)*reduceShare), 1)
	}
	c.restartFromBest()
	lowest := sr.minWorkers()
	for e := 0; e < reduceEpochs && !sr.stop.Load() && !c.isOver() && sr.best.value.used > lowest; e++ {
		counts := make([]int64, len(sr.states))
		sr.runParallel(func(i int, s *state) {
			counts[i] = s.removeRoutes(c.phaseOf(e, 0, 1, 1/float64(len(sr.states))), lowest)
		})
		leader := 0
		for i, s := range sr.states {
			sr.iterations += counts[i]
			if s.best.value.less(sr.states[leader].best.value, FewestWorkers) {
				leader = i
			}
		}
		c.adoptFewestWorkers(leader)
		sr.publish()
	}
	sr.current = sr.best.clone()
}

func (c *annealing) restartFromBest() {
	c.sr.current = c.sr.best.clone()
	open := c.sr.findOpenRoutes()
	for _, s := range c.sr.states {
		s.loadPlan(c.sr.current, open, c.sr.current.absent)
	}
}

// adoptFewestWorkers takes the plan with the fewest workers as the best, and lets threads that need more start again from it.
func (c *annealing) adoptFewestWorkers(leader int) {
	sr := c.sr
	l := sr.states[leader]
	if !l.best.value.less(sr.best.value, FewestWorkers) {
		return
	}
	fewer := l.best.value.used < sr.best.value.used
	l.exportBest(sr.best)
	sr.best.absent = append(sr.best.absent[:0], l.best.absent...)
	sr.best.value = l.best.value
	if !fewer {
		return
	}
	sr.current = sr.best.clone()
	for _, s := range sr.states {
		if s.best.value.used > l.best.value.used {
			s.loadPlan(sr.current, sr.findOpenRoutes(), sr.current.absent)
		}
	}
}

// minWorkers is a number of workers that no plan can go below.
func (sr *search) minWorkers() int {
	if sr.in.rich {
		return 1
	}
	load, capacity := int64(0), int64(1)
	for _, c := range sr.states[0].tasks {
		load += int64(sr.in.template[c].load)
	}
	for r := range sr.in.workers {
		capacity = max(capacity, int64(sr.in.workers[r].capacity[0]))
	}
	return int((load + capacity - 1) / capacity)
}

// maxClosingRounds is how many rounds, and how many more a task, a closed route is given before another is closed instead.
const (
	maxClosingRounds     = 2000
	closingRoundsPerTask = 200
)

// removeRoutes searches for plans with one route fewer until the slice is over. It can be called again to go on.
func (s *state) removeRoutes(sl phase, lowest int) int64 {
	s.weights = s.in.strict
	for done := int64(0); ; done++ {
		if _, over := sl.progress(done); over {
			return done
		}
		if s.closing && s.closingRounds > maxClosingRounds+closingRoundsPerTask*len(s.tasks) {
			s.restoreBest()
		}
		if !s.closing {
			if s.used <= lowest || !s.closeRoute() {
				return done
			}
		}
		s.closingRounds++
		s.removeRouteStep(sl.hot)
	}
}

// removeRouteStep is one round: it is kept when the tasks left over are easier ones, or as many and the way about as short.
func (s *state) removeRouteStep(temperature float64) {
	left, missed, travel := len(s.absent), s.missedSum(), s.travel
	s.beginChange()
	s.ruin()
	if !s.invalid {
		s.recreate()
	}
	if s.invalid {
		s.undo()
		return
	}
	sum := s.missedSum()
	for _, c := range s.absent {
		s.missed[c]++
	}
	near := float64(s.travel-travel) < temperature*s.rng.exponential()
	if sum >= missed && (len(s.absent) > left || !near) {
		s.undo()
		return
	}
	if len(s.absent) <= s.best.value.absent && s.lateness <= s.best.value.lateness {
		s.closing = false
		s.saveBest()
	}
}

func (s *state) missedSum() int64 {
	sum := int64(0)
	for _, c := range s.absent {
		sum += int64(s.missed[c]) + 1
	}
	return sum
}

// restoreBest goes back to the best solution the state has seen.
func (s *state) restoreBest() {
	p := newDraftPlan(s.in)
	s.exportBest(p)
	for e := range p.barriers {
		if !s.owned[s.in.edges[e].to] {
			p.barriers[e] = noBarrier
		}
	}
	s.loadPlan(p, append([]int32(nil), s.open...), append([]int32(nil), s.best.absent...))
}

// closeRoute empties the route whose tasks were left over least often, and allows one route fewer from now on.
func (s *state) closeRoute() bool {
	closing, least := int32(-1), int64(1<<62)
	for _, r := range s.open {
		if s.routes[r].size == 0 || len(s.in.workers[r].route) > 0 {
			continue
		}
		sum := int64(0)
		for v := s.nodes[s.in.startNode(r)].next; v < int32(s.in.n); v = s.nodes[v].next {
			sum += int64(s.missed[v]) + 1
		}
		if sum < least {
			closing, least = r, sum
		}
	}
	if closing < 0 {
		return false
	}
	s.beginChange()
	s.pool = s.pool[:0]
	s.maxUsed = s.used - 1
	first := s.nodes[s.in.startNode(closing)].next
	if s.in.rich {
		s.removeRich(first, int(s.routes[closing].size), 0, 0)
	} else {
		s.removeRun(first, int(s.routes[closing].size))
	}
	for _, c := range s.pool {
		s.missed[c]++
	}
	s.absent = append(s.absent, s.pool...)
	s.closing, s.closingRounds = true, 0
	return true
}
