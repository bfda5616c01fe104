package planner

import (
	"fmt"
	"slices"
	"strings"
)

// VerifyError lists everything that is wrong with a solution.
type VerifyError struct{ Faults []string }

// Error names the first faults.
func (e *VerifyError) Error() string {
	shown := e.Faults[:min(len(e.Faults), 5)]
	text := "the plan breaks its problem's rules: " + strings.Join(shown, "; ")
	if more := len(e.Faults) - len(shown); more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}

// Verify checks a solution against its problem from the problem's own words: every place in the matrix, every window, every load.
// It shares nothing with the search. It returns nil or a *VerifyError.
func Verify(p *Problem, sol *Plan) error {
	v := newVerifier(p, sol)
	v.checkTasks()
	for i := range sol.Routes {
		v.checkRoute(&sol.Routes[i])
	}
	v.checkDependencies()
	v.checkCost()
	if len(v.faults) > 0 {
		return &VerifyError{v.faults}
	}
	return nil
}

type verifier struct {
	p       *Problem
	sol     *Plan
	faults  []string
	workers map[string]*Worker
	tasks   map[string]*Task
	currentWorker  map[string]*Worker // whose present route a task is on
	stops   map[string]*Stop
	routeOf map[string]*Route
	done    map[string]bool
	travel  map[Profile]*Matrix
}

func newVerifier(p *Problem, sol *Plan) *verifier {
	v := &verifier{
		p: p, sol: sol,
		workers: map[string]*Worker{}, tasks: map[string]*Task{}, currentWorker: map[string]*Worker{},
		stops: map[string]*Stop{}, routeOf: map[string]*Route{}, done: map[string]bool{}, travel: map[Profile]*Matrix{},
	}
	for i := range p.Tasks {
		v.tasks[p.Tasks[i].ID] = &p.Tasks[i]
	}
	for i := range p.Workers {
		w := &p.Workers[i]
		v.workers[w.ID] = w
		for _, id := range w.Route {
			v.currentWorker[id] = w
		}
		if v.travel[w.Vehicle] == nil {
			if v.travel[w.Vehicle] = p.Travel[w.Vehicle]; v.travel[w.Vehicle] == nil {
				v.travel[w.Vehicle] = StraightLine(p.Places, w.Vehicle, 0)
			}
		}
	}
	for _, id := range p.Done {
		v.done[id] = true
	}
	return v
}

func (v *verifier) addFault(format string, args ...any) {
	v.faults = append(v.faults, fmt.Sprintf(format, args...))
}

// takesPart reports whether the filters let a worker take part.
func (v *verifier) takesPart(w *Worker) bool {
	if v.p.Vehicle != "" && v.p.Vehicle != w.Vehicle {
		return false
	}
	return v.p.MaxContainerSize <= 0 || len(w.Route) <= v.p.MaxContainerSize
}

// checkTasks checks that each task is on one route or left out, that kept tasks are with their worker, and that the tasks of
// workers who do not take part are left alone.
func (v *verifier) checkTasks() {
	seen := map[string]bool{}
	for i := range v.sol.Routes {
		r := &v.sol.Routes[i]
		w := v.workers[r.Worker]
		if w == nil || seen["worker "+r.Worker] || !v.takesPart(w) {
			v.addFault("worker %q is unknown, planned twice or filtered out", r.Worker)
			continue
		}
		seen["worker "+r.Worker] = true
		for k := range r.Stops {
			id := r.Stops[k].Task
			if v.tasks[id] == nil || v.stops[id] != nil {
				v.addFault("task %q is unknown or planned twice", id)
			}
			if keeper := v.currentWorker[id]; keeper != nil && keeper != w {
				v.addFault("task %q moved from %q to %q", id, keeper.ID, w.ID)
			}
			v.stops[id], v.routeOf[id] = &r.Stops[k], r
		}
	}
	out := map[string]bool{}
	for _, l := range v.sol.LeftOut {
		if v.tasks[l.Task] == nil || out[l.Task] || v.stops[l.Task] != nil {
			v.addFault("task %q is left out but unknown, planned or left out twice", l.Task)
		}
		if l.Reason == "" {
			v.addFault("task %q is left out without a reason", l.Task)
		}
		out[l.Task] = true
	}
	for id := range v.tasks {
		keeper := v.currentWorker[id]
		outside := keeper != nil && !v.takesPart(keeper)
		switch {
		case outside && (v.stops[id] != nil || out[id]):
			v.addFault("task %q belongs to %q, who does not take part", id, keeper.ID)
		case !outside && v.stops[id] == nil && !out[id]:
			v.addFault("task %q is neither planned nor left out", id)
		case !outside && keeper != nil && v.stops[id] == nil:
			v.addFault("task %q was taken from %q and left out", id, keeper.ID)
		}
	}
}

// travelTime is the way between two places, and whether there is one.
func (v *verifier) travelTime(w *Worker, from, to int) (int64, int64, bool) {
	if to == Anywhere {
		return 0, 0, true
	}
	m := v.travel[w.Vehicle]
	at := from*m.Size + to
	meters := int64(0)
	if m.Meters != nil {
		meters = int64(m.Meters[at])
	}
	if m.Times[at] < 0 || m.Times[at] >= 1<<29 || (v.p.MaxLeg > 0 && meters > v.p.MaxLeg) {
		return 0, meters, false
	}
	return int64(m.Times[at]), meters, true
}

// checkRoute checks one route's times, length and loads.
func (v *verifier) checkRoute(r *Route) {
	w := v.workers[r.Worker]
	if w == nil {
		return
	}
	clock, at := w.From, w.Start
	var travel, late, meters int64
	for k := range r.Stops {
		s := &r.Stops[k]
		t := v.tasks[s.Task]
		if t == nil {
			return
		}
		way, length, ok := v.travelTime(w, at, t.Place)
		if !ok && !r.Kept {
			v.addFault("worker %q cannot go to task %q", w.ID, t.ID)
		}
		travel, meters = travel+way, meters+length
		v.checkStop(r, s, t, clock+way)
		late += s.Late
		clock, at = s.End, t.Place
	}
	if len(r.Stops) > 0 {
		way, length, ok := v.travelTime(w, at, w.End)
		if !ok && !r.Kept {
			v.addFault("worker %q cannot go to the end of the route", w.ID)
		}
		travel, meters, clock = travel+way, meters+length, clock+way
	}
	if r.Travel != travel || r.Lateness != late || r.Meters != meters || r.End != clock || r.Depart != w.From {
		v.addFault("worker %q: travel %d, lateness %d, metres %d and end %d should be %d, %d, %d and %d",
			w.ID, r.Travel, r.Lateness, r.Meters, r.End, travel, late, meters, clock)
	}
	v.checkLimits(r, w, clock)
}

func (v *verifier) checkStop(r *Route, s *Stop, t *Task, arrival int64) {
	if s.Arrival != arrival {
		v.addFault("task %q: arrival %d should be %d", t.ID, s.Arrival, arrival)
	}
	if s.Start < arrival || s.Start < t.After || s.End != s.Start+t.Service {
		v.addFault("task %q starts at %d and ends at %d, but is reached at %d, opens at %d and takes %d",
			t.ID, s.Start, s.End, arrival, t.After, t.Service)
	}
	late := int64(0)
	if t.Before != NoLimit {
		late = max(0, s.End-t.Before)
	}
	if s.Late != late {
		v.addFault("task %q: lateness %d should be %d", t.ID, s.Late, late)
	}
	if late > v.p.MaxDelay && v.currentWorker[t.ID] == nil {
		v.addFault("task %q is %d late, %d allowed, on the route of %q", t.ID, late, v.p.MaxDelay, r.Worker)
	}
}

// checkLimits checks what holds for a route as a whole. A route that was kept as it was may break these, and must be as it was.
func (v *verifier) checkLimits(r *Route, w *Worker, end int64) {
	ids := make([]string, len(r.Stops))
	for k := range r.Stops {
		ids[k] = r.Stops[k].Task
	}
	if r.Kept {
		if !slices.Equal(ids, w.Route) {
			v.addFault("the route of %q should have been left as it was", w.ID)
		}
		return
	}
	if w.Active && len(w.Route) > 0 && (len(ids) == 0 || ids[0] != w.Route[0]) {
		v.addFault("the active task of %q is not first", w.ID)
	}
	if len(ids) == 0 {
		return
	}
	if w.Until != NoLimit && end > w.Until {
		v.addFault("worker %q ends at %d, after the shift's end %d", w.ID, end, w.Until)
	}
	for _, limit := range []int{v.p.MaxTasksPerRoute, w.MaxTasks} {
		if limit > 0 && len(ids) > limit {
			v.addFault("worker %q has %d tasks, %d allowed", w.ID, len(ids), limit)
		}
	}
	v.checkLoads(w, ids)
}
