package planner

import (
	"slices"
	"time"
)

// reduceShare is the share of the budget spent on using fewer workers, before travel time is reduced.
const (
	reduceShare  = 0.5
	reduceEpochs = 20
	reduceHeat   = 0.2 // temperature in mean legs
)

// reduceWorkers removes routes one by one: it takes the tasks of a route out and searches for a plan with room for them on the
// others. Tasks that were often without a route count more.
func (sr *search) reduceWorkers() {
	c := &annealing{sr: sr, begin: time.Now(), epochs: reduceEpochs}
	temperature := reduceHeat * sr.meanLeg
	c.temperature = func(float64) float64 { return temperature }
	c.span = time.Duration(float64(sr.remainingTime()) * reduceShare)
	if sr.opts.Iterations > 0 {
		c.iterations = max(int64(float64(sr.opts.Iterations)*reduceShare), 1)
	}
	sr.current = sr.best.clone()
	sr.startThreads()
	lowest := sr.minWorkers()
	for e := 0; e < reduceEpochs && !sr.stop.Load() && !c.isOver() && sr.best.cost.Workers > lowest; e++ {
		counts := make([]int64, len(sr.states))
		sr.runParallel(func(i int, s *state) {
			counts[i] = s.removeRoutes(c.phaseOf(e, 0, 1, 1/float64(len(sr.states))), lowest)
		})
		leader := 0
		for i, s := range sr.states {
			sr.iterations += counts[i]
			if s.best.cost.Less(sr.states[leader].best.cost, FewestWorkers) {
				leader = i
			}
		}
		sr.adoptFewestWorkers(sr.states[leader])
		sr.publish()
	}
	sr.current = sr.best.clone()
}

// adoptFewestWorkers makes the plan of the leader the best one, and restarts the threads that use more workers from it.
func (sr *search) adoptFewestWorkers(l *state) {
	if !l.best.cost.Less(sr.best.cost, FewestWorkers) {
		return
	}
	fewer := l.best.cost.Workers < sr.best.cost.Workers
	l.exportBest(sr.best)
	if !fewer {
		return
	}
	sr.current = sr.best.clone()
	for _, s := range sr.states {
		if s.best.cost.Workers > l.best.cost.Workers {
			s.loadPlan(sr.current, sr.findOpenRoutes(), sr.current.absent)
		}
	}
}

// minWorkers returns a lower bound for the number of workers.
func (sr *search) minWorkers() int {
	if sr.in.general {
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

// maxClosingRounds and closingRoundsPerTask limit the rounds spent on removing one route before another is tried.
const (
	maxClosingRounds     = 2000
	closingRoundsPerTask = 200
)

// removeRoutes searches for plans with fewer routes until the phase is over. Another call continues the search.
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

// removeRouteStep runs one round and keeps the result if the absent tasks are easier to insert, or not more and travel is similar.
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
	if len(s.absent) <= s.best.cost.LeftOut && s.lateness <= s.best.cost.Lateness {
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

// restoreBest returns to the best plan of the state.
func (s *state) restoreBest() {
	p := newDraftPlan(s.in)
	s.exportBest(p)
	for e := range p.barriers {
		if !s.owned[s.in.edges[e].to] {
			p.barriers[e] = noBarrier
		}
	}
	s.loadPlan(p, slices.Clone(s.open), p.absent)
}

// closeRoute empties the route whose tasks were absent least often and lowers the limit of used routes.
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
	s.removed = s.removed[:0]
	s.maxUsed = s.used - 1
	first := s.nodes[s.in.startNode(closing)].next
	if s.in.general {
		s.removeGeneral(first, int(s.routes[closing].size), 0, 0)
	} else {
		s.removeRun(first, int(s.routes[closing].size))
	}
	for _, c := range s.removed {
		s.missed[c]++
	}
	s.absent = append(s.absent, s.removed...)
	s.closing, s.closingRounds = true, 0
	return true
}
