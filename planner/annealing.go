package planner

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Limits of the epochs of an annealing. Threads synchronise between epochs.
const (
	maxEpochs = 40
	minEpoch  = 20 * time.Millisecond
)

// runAnnealing runs one annealing from hot to cold over a time span or a number of iterations. Threads synchronise between epochs.
func (sr *search) runAnnealing(span time.Duration, iterations int64, heat float64) {
	if sr.opts.Iterations > 0 && iterations <= 0 {
		return
	}
	hot := sr.in.tuning.hot * heat * sr.meanLeg
	cold := min(sr.in.tuning.cold*sr.meanLeg, hot)
	epochs := maxEpochs
	if iterations <= 0 {
		epochs = int(min(max(int64(span/minEpoch), 4), maxEpochs))
	}
	c := &annealing{sr: sr, begin: time.Now(), span: span, iterations: max(iterations, 0), epochs: epochs}
	c.temperature = func(f float64) float64 { return hot * math.Pow(cold/hot, f) }
	parts := len(sr.in.tasks) > sr.in.tuning.partAbove && sr.countUsedRoutes() > 2*len(sr.states) && !sr.in.crossing
	if !parts {
		sr.startThreads()
	}
	for e := 0; e < epochs && !sr.stop.Load() && !c.isOver(); e++ {
		if parts {
			c.partsEpoch(e)
		} else {
			c.wholePlanEpoch(e)
		}
		sr.fraction = c.fractionAt(e + 1)
		sr.publish()
	}
}

// annealing is the schedule of one annealing.
type annealing struct {
	sr          *search
	begin       time.Time
	span        time.Duration
	iterations  int64
	epochs      int
	temperature func(fraction float64) float64
}

func (c *annealing) fractionAt(epoch int) float64 { return float64(epoch) / float64(c.epochs) }

func (c *annealing) isOver() bool {
	return c.span > 0 && time.Since(c.begin) >= c.span
}

// phaseOf returns the phase of an epoch from one fraction of it to another, for a share of the iterations.
func (c *annealing) phaseOf(epoch int, from, to float64, share float64) phase {
	e := float64(epoch)
	sl := phase{
		hot: c.temperature(e / float64(c.epochs)), cold: c.temperature((e + 1) / float64(c.epochs)),
		stop: &c.sr.stop, strict: 2*epoch >= c.epochs,
	}
	if c.iterations > 0 {
		before := int64(float64(c.iterations) * share * e / float64(c.epochs))
		after := int64(float64(c.iterations) * share * (e + 1) / float64(c.epochs))
		sl.iterations = max(after-before, 1)
		if c.span > 0 {
			sl.to = c.begin.Add(c.span)
		}
		return sl
	}
	sl.from = c.begin.Add(time.Duration((e + from) / float64(c.epochs) * float64(c.span)))
	sl.to = c.begin.Add(time.Duration((e + to) / float64(c.epochs) * float64(c.span)))
	return sl
}

// startThreads loads the whole plan into every state.
func (sr *search) startThreads() {
	open := sr.findOpenRoutes()
	for _, s := range sr.states {
		s.loadPlan(sr.current, open, sr.current.absent)
	}
}

// findOpenRoutes returns the routes that the search may change.
func (sr *search) findOpenRoutes() []int32 {
	var open []int32
	for r := range sr.in.workers {
		if !sr.in.workers[r].frozen {
			open = append(open, int32(r))
		}
	}
	return open
}

// wholePlanEpoch lets each thread anneal the whole plan. In the second half of the annealing, threads restart from the best of them.
func (c *annealing) wholePlanEpoch(epoch int) {
	sr := c.sr
	counts := make([]int64, len(sr.states))
	sr.runParallel(func(i int, s *state) {
		counts[i] = s.anneal(c.phaseOf(epoch, 0, 1, 1/float64(len(sr.states))))
	})
	leader := 0
	for i, s := range sr.states {
		sr.iterations += counts[i]
		if s.best.cost.Less(sr.best.cost, sr.in.problem.Objective) {
			s.exportBest(sr.best)
		}
		if s.score() < sr.states[leader].score() {
			leader = i
		}
	}
	if len(sr.states) == 1 || epoch*2 < c.epochs {
		return
	}
	l := sr.states[leader]
	l.exportCurrent(sr.current)
	for i, s := range sr.states {
		if i != leader && epoch%4 == 3 {
			s.loadPlan(sr.current, l.open, l.absent)
		}
	}
}

// part is a set of routes and absent tasks that one thread works on during an epoch.
type part struct {
	routes, absent []int32
	tasks          int
}

// partsEpoch splits the plan by the direction of its routes, lets each thread work on its parts, and joins the results. Parts are
// independent, so the best plan consists of the best of each part.
func (c *annealing) partsEpoch(epoch int) {
	sr := c.sr
	parts := sr.splitIntoParts()
	rounds := (len(parts) + len(sr.states) - 1) / len(sr.states)
	current, best := sr.current.clone(), sr.current.clone()
	done := make([][2]draftPlan, len(parts)) // the current and the best plan of each part, without routes
	counts := make([]int64, len(parts))
	sr.runParallel(func(i int, s *state) {
		for round := range rounds {
			k := round*len(sr.states) + i
			if k >= len(parts) {
				return
			}
			p := &parts[k]
			s.loadPlan(sr.current, p.routes, p.absent)
			from, to := float64(round)/float64(rounds), float64(round+1)/float64(rounds)
			counts[k] = s.anneal(c.phaseOf(epoch, from, to, 1/float64(len(parts))))
			s.exportRoutes(current, func(v int32) int32 { return s.nodes[v].next }, s.barriers)
			s.exportRoutes(best, func(v int32) int32 { return s.best.next[v] }, s.best.barriers)
			done[k] = [2]draftPlan{
				{absent: slices.Clone(s.absent), cost: s.cost()}, {absent: slices.Clone(s.best.absent), cost: s.best.cost},
			}
		}
	})
	for i, whole := range []*draftPlan{current, best} {
		whole.absent, whole.cost = whole.absent[:0], Cost{}
		for k := range done {
			whole.absent = append(whole.absent, done[k][i].absent...)
			whole.cost = whole.cost.plus(done[k][i].cost)
		}
	}
	for _, count := range counts {
		sr.iterations += count
	}
	sr.current = current
	if best.cost.Less(sr.best.cost, sr.in.problem.Objective) {
		sr.best = best
	}
}

func (sr *search) countUsedRoutes() int {
	used := 0
	for _, route := range sr.current.routes {
		if len(route) > 0 {
			used++
		}
	}
	return used
}

// splitIntoParts splits the routes into parts of similar size by the direction of their centres, starting at a random angle.
func (sr *search) splitIntoParts() []part {
	angles := sr.routeAngles()
	turn := sr.rng.float() * 2 * math.Pi
	type entry struct {
		route int32
		angle float64
	}
	var used []entry
	var vacant []int32
	total := 0
	for _, r := range sr.findOpenRoutes() {
		if size := len(sr.current.routes[r]); size > 0 {
			used = append(used, entry{r, math.Mod(angles[r]+turn, 2*math.Pi)})
			total += size
		} else {
			vacant = append(vacant, r)
		}
	}
	slices.SortFunc(used, func(a, b entry) int { return cmp.Or(cmp.Compare(a.angle, b.angle), cmp.Compare(a.route, b.route)) })
	threads := len(sr.states)
	count := max(threads, (total+sr.in.tuning.partSize-1)/sr.in.tuning.partSize)
	count = min((count+threads-1)/threads*threads, max(len(used)/2, 1))
	parts := make([]part, count)
	placed := 0
	for _, u := range used {
		k := min(placed*count/total, count-1)
		parts[k].routes = append(parts[k].routes, u.route)
		parts[k].tasks += len(sr.current.routes[u.route])
		placed += len(sr.current.routes[u.route])
	}
	for i, r := range vacant {
		parts[i%count].routes = append(parts[i%count].routes, r)
	}
	sr.assignAbsentToParts(parts)
	return parts
}

// assignAbsentToParts assigns each absent task to the part with its required route, or to a random part.
func (sr *search) assignAbsentToParts(parts []part) {
	if len(sr.current.absent) == 0 {
		return
	}
	partOf := make([]int, len(sr.in.workers))
	routeOf := make([]int32, sr.in.n)
	for c := range routeOf {
		routeOf[c] = -1
	}
	for k := range parts {
		for _, r := range parts[k].routes {
			partOf[r] = k
			for _, c := range sr.current.routes[r] {
				routeOf[c] = r
			}
		}
	}
	for _, a := range sr.current.absent {
		k := sr.rng.below(len(parts))
		r := sr.in.tasks[a].requiredRoute
		for _, e := range sr.in.tasks[a].incoming {
			if edge := &sr.in.edges[e]; edge.sameRoute && r < 0 {
				r = routeOf[edge.from]
			}
		}
		if r >= 0 {
			k = partOf[r]
		}
		parts[k].absent = append(parts[k].absent, a)
	}
}

// routeAngles returns the direction from the centre of all tasks to the centre of each route.
func (sr *search) routeAngles() []float64 {
	p := sr.in.problem
	at := func(c int32) Place {
		if place := p.Tasks[sr.in.tasks[c].index].Place; place < len(p.Places) {
			return p.Places[place]
		}
		return Place{}
	}
	middles := make([]Place, len(sr.current.routes))
	var centre Place
	count := 0.0
	for r, route := range sr.current.routes {
		for _, c := range route {
			middles[r].Lat += at(c).Lat
			middles[r].Lng += at(c).Lng
		}
		centre.Lat += middles[r].Lat
		centre.Lng += middles[r].Lng
		count += float64(len(route))
		middles[r].Lat /= max(float64(len(route)), 1)
		middles[r].Lng /= max(float64(len(route)), 1)
	}
	centre.Lat /= max(count, 1)
	centre.Lng /= max(count, 1)
	angles := make([]float64, len(middles))
	for r, m := range middles {
		angles[r] = math.Atan2(m.Lat-centre.Lat, m.Lng-centre.Lng) + math.Pi
	}
	return angles
}
