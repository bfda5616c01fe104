package planner

import "time"

// buildPlan writes the best plan out with its times, the reasons of what stays out, and the cost.
func (sr *search) buildPlan() *Plan {
	in := sr.in
	w := &planWriter{in: in, plan: sr.best, leave: make([]int64, in.n)}
	w.computeEnds()
	sol := &Plan{Iterations: sr.iterations, Elapsed: time.Since(sr.started)}
	byWorker := make([]int32, len(in.problem.Workers))
	for i := range byWorker {
		byWorker[i] = -1
	}
	for r := range in.workers {
		byWorker[in.workers[r].index] = int32(r)
	}
	for i, r := range byWorker {
		if r < 0 {
			continue
		}
		route := w.writeRoute(r)
		sol.Routes = append(sol.Routes, route)
		sol.Cost.Travel += route.Travel
		sol.Cost.Lateness += route.Lateness
		if len(route.Stops) > 0 {
			sol.Cost.Workers++
			sol.Cost.Fixed += in.problem.Workers[i].FixedCost
		}
	}
	sol.LeftOut = sr.leftOutTasks()
	sol.Cost.LeftOut = len(sol.LeftOut)
	return sol
}

// planWriter turns a plan into routes with times. Dependencies between routes are timed as early as possible here, so nothing waits
// for a moment that the search held two routes at.
type planWriter struct {
	in    *instance
	plan  *draftPlan
	leave []int64 // when each task ends
}

// computeEnds finds the earliest end of every task: routes are walked again until no task waits for a later one.
func (w *planWriter) computeEnds() {
	for r := range w.in.workers {
		if w.in.workers[r].frozen {
			for _, stop := range w.in.frozenStops(int32(r)) {
				w.leave[stop.task] = stop.leave
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for r := range w.plan.routes {
			w.walkRoute(int32(r), func(c int32, _, begin int64) {
				if end := begin + int64(w.in.template[c].service); end != w.leave[c] {
					w.leave[c] = end
					changed = true
				}
			})
		}
		if !w.in.crossing {
			return
		}
	}
}

// walkRoute visits the stops of a searched route with their arrival and start.
func (w *planWriter) walkRoute(r int32, visit func(c int32, arrive, begin int64)) {
	in := w.in
	a := &in.template[in.startNode(r)]
	row, clock := a.row, int64(a.ready)
	for _, c := range w.plan.routes[r] {
		p := &in.template[c]
		clock += int64(in.travelTime(in.workers[r].profile, row, p.row))
		begin := max(clock, int64(p.ready))
		for _, e := range in.tasks[c].incoming {
			begin = max(begin, w.leave[in.edges[e].from])
		}
		visit(c, clock, begin)
		clock = begin + int64(p.service)
		row = p.row
	}
}

func (w *planWriter) writeRoute(r int32) Route {
	in := w.in
	data := &in.workers[r]
	worker := &in.problem.Workers[data.index]
	route := Route{Worker: worker.ID, Depart: worker.From, End: worker.From, Kept: data.frozen}
	add := func(c int32, arrive, begin int64) {
		t := &in.problem.Tasks[in.tasks[c].index]
		stop := Stop{Task: t.ID, Arrival: in.base + arrive, Start: in.base + begin, End: in.base + begin + t.Service}
		if t.Before != NoLimit && stop.End > t.Before {
			stop.Late = stop.End - t.Before
		}
		route.Stops = append(route.Stops, stop)
		route.Lateness += stop.Late
	}
	if data.frozen {
		for _, s := range in.frozenStops(r) {
			add(s.task, s.arrive, s.begin)
		}
	} else {
		w.walkRoute(r, add)
	}
	w.addTravel(&route, worker)
	return route
}

// addTravel adds up the way of a route.
func (w *planWriter) addTravel(route *Route, worker *Worker) {
	if len(route.Stops) == 0 {
		return
	}
	p := w.in.problem
	m := w.in.matrixOf(worker.Vehicle)
	at := worker.Start
	leg := func(to int) int64 {
		if to == Anywhere {
			return 0
		}
		t := p.legTime(m, at, to)
		if m.Meters != nil {
			route.Meters += int64(m.Meters[at*m.Size+to])
		}
		at = to
		if t >= unreachable {
			return 0
		}
		route.Travel += int64(t)
		return int64(t)
	}
	for i := range route.Stops {
		leg(p.Tasks[w.in.taskIndex[route.Stops[i].Task]].Place)
	}
	route.End = route.Stops[len(route.Stops)-1].End + leg(worker.End)
}
