package planner

// leftOutTasks returns every task without a route, with the reason.
func (sr *search) leftOutTasks() []LeftOut {
	in := sr.in
	if len(in.tasks) == 0 {
		return nil
	}
	absent := make([]bool, in.n)
	for _, c := range sr.best.absent {
		absent[c] = true
	}
	var judge *state
	reasons := make(map[int]Reason, len(sr.best.absent))
	for c := range int32(in.n) {
		t := &in.tasks[c]
		switch {
		case t.excluded != "":
			reasons[t.index] = t.excluded
		case absent[c]:
			if judge == nil {
				judge = newState(in, newRNG(0))
				judge.loadPlan(sr.best, sr.findOpenRoutes(), sr.best.absent)
			}
			reasons[t.index] = judge.reasonFor(c)
		}
	}
	var out []LeftOut
	for i := range in.problem.Tasks {
		if reason, ok := reasons[i]; ok {
			out = append(out, LeftOut{in.problem.Tasks[i].ID, reason})
		}
	}
	return out
}

// reasonFor returns why a task was left out: the reason that excludes it for every worker even on an empty route, or else the most
// frequent reason on the planned routes.
func (s *state) reasonFor(c int32) Reason {
	if len(s.in.workers) == 0 {
		return ReasonNoWorker
	}
	for _, e := range s.in.tasks[c].incoming {
		if edge := &s.in.edges[e]; s.nodes[edge.from].route < 0 && !edge.optional {
			return ReasonDependency
		}
	}
	alone := map[Reason]int{}
	beside := map[Reason]int{}
	workers := 0
	for r := range int32(len(s.in.workers)) {
		if only := s.in.tasks[c].requiredRoute; only >= 0 && only != r {
			continue
		}
		workers++
		why := s.reasonOnEmptyRoute(c, r)
		alone[why]++
		if why == "" {
			beside[s.reasonOnRoute(c, r)]++
		}
	}
	if alone[""] == 0 {
		return mostFrequent(alone)
	}
	if _, ok := beside[ReasonDependency]; ok && len(beside) > 1 {
		delete(beside, ReasonDependency)
	}
	return mostFrequent(beside)
}

// mostFrequent returns the reason with the highest count; on a tie, the first in the list of reasons.
func mostFrequent(counts map[Reason]int) Reason {
	best := ReasonSchedule
	for _, reason := range []Reason{
		ReasonDependency, ReasonNoWorker, ReasonDistance, ReasonCapacity, ReasonRouteLength, ReasonWindow, ReasonSchedule,
	} {
		if counts[reason] > counts[best] {
			best = reason
		}
	}
	return best
}

// reasonOnEmptyRoute returns why a task does not fit on the empty route of a worker, or "" if it does.
func (s *state) reasonOnEmptyRoute(c, r int32) Reason {
	in := s.in
	w := &in.workers[r]
	a, b, p := &in.template[in.startNode(r)], &in.template[in.endNode(r)], &in.template[c]
	leg, out := in.travelTime(w.profile, a.row, p.row), in.travelTime(w.profile, p.row, b.row)
	begin := max(a.ready+leg, p.ready)
	switch {
	case w.frozen:
		return ReasonSchedule
	case leg >= unreachable || out >= unreachable:
		return ReasonDistance
	case !s.loadFitsAlone(c, r):
		return ReasonCapacity
	case w.limit < 1:
		return ReasonRouteLength
	case begin > p.due:
		return ReasonWindow
	case begin+p.service+out > b.due:
		return ReasonSchedule
	default:
		return ""
	}
}

func (s *state) loadFitsAlone(c, r int32) bool {
	t, w := &s.in.tasks[c], &s.in.workers[r]
	for d := range s.in.dims {
		if max(t.load[d], t.start[d]) > w.capacity[d] {
			return false
		}
	}
	return true
}

// reasonOnRoute returns why a task does not fit on a planned route. Capacity or shift at any position wins over a window.
func (s *state) reasonOnRoute(c, r int32) Reason {
	if s.routes[r].size >= s.in.workers[r].limit {
		return ReasonRouteLength
	}
	reason := ReasonDependency
	for v := s.in.startNode(r); s.nodes[v].next >= 0; v = s.nodes[v].next {
		switch why := s.reasonAt(c, v, r); why {
		case ReasonCapacity, ReasonSchedule:
			return why
		case ReasonWindow:
			reason = why
		default:
		}
	}
	return reason
}

// reasonAt returns why a task cannot be inserted directly after v.
func (s *state) reasonAt(c, v, r int32) Reason {
	in := s.in
	p, a := &in.template[c], &s.nodes[v]
	b := &s.nodes[a.next]
	profile := in.workers[r].profile
	begin := max(a.leave+in.travelTime(profile, a.row, p.row), p.ready)
	arrive := begin + p.service + in.travelTime(profile, p.row, b.row)
	switch {
	case begin > p.due:
		return ReasonWindow
	case arrive <= b.latest:
		if in.general && s.loadsFit(c, v, r) {
			return ReasonDependency
		}
		return ReasonCapacity
	case s.exceedsShift(v, arrive, r):
		return ReasonSchedule
	default:
		return ReasonWindow
	}
}

// exceedsShift reports whether a detour after v breaks the end of the shift rather than the window of a later stop.
func (s *state) exceedsShift(v, arrive, r int32) bool {
	v = s.nodes[v].next
	for v < int32(s.in.n) {
		p := &s.nodes[v]
		begin := max(arrive, p.ready)
		if begin > p.due {
			return false
		}
		arrive = begin + p.service + p.leg
		v = p.next
	}
	return arrive > s.nodes[s.in.endNode(r)].due
}
