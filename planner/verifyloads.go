package planner

import "slices"

// checkLoads carries the goods along a route. A drop-off whose pickups are in the plan frees what they brought for it; any other
// drop-off's goods are on board from the start.
func (v *verifier) checkLoads(w *Worker, ids []string) {
	for d := range Dimensions {
		onBoard := int64(0)
		for _, id := range ids {
			if t := v.tasks[id]; !t.Pickup && len(v.pickupsOf(t)) == 0 {
				onBoard += t.Quantities[d]
			}
		}
		peak := onBoard
		for _, id := range ids {
			t := v.tasks[id]
			if t.Pickup {
				onBoard += v.loadedAt(t, d)
			} else {
				onBoard -= v.unloadedAt(t, d)
			}
			peak = max(peak, onBoard)
		}
		if peak > w.Capacity[d] {
			v.addFault("worker %q carries %d in dimension %d, %d fit", w.ID, peak, d, w.Capacity[d])
		}
	}
}

// pickupsOf are the pickups a drop-off depends on and shares a route with.
func (v *verifier) pickupsOf(t *Task) []string {
	var ids []string
	for _, id := range t.DependsOn {
		from := v.tasks[id]
		if t.Pickup || from == nil || from == t || !from.Pickup || slices.Contains(ids, id) {
			continue
		}
		if outside := v.currentWorker[id] != nil && !v.takesPart(v.currentWorker[id]); outside {
			continue
		}
		if v.currentWorker[t.ID] == nil || v.currentWorker[t.ID] == v.currentWorker[id] {
			ids = append(ids, id)
		}
	}
	return ids
}

// dropoffsOf are the drop-offs that have the pickup as a source.
func (v *verifier) dropoffsOf(id string) []*Task {
	var all []*Task
	for i := range v.p.Tasks {
		if slices.Contains(v.pickupsOf(&v.p.Tasks[i]), id) {
			all = append(all, &v.p.Tasks[i])
		}
	}
	return all
}

// loadedAt is what a pickup loads: its own quantity, or what the drop-offs fed by it alone unload when that is more.
func (v *verifier) loadedAt(t *Task, d int) int64 {
	wanted := int64(0)
	for _, c := range v.dropoffsOf(t.ID) {
		if len(v.pickupsOf(c)) == 1 {
			wanted += c.Quantities[d]
		}
	}
	return max(t.Quantities[d], wanted)
}

// unloadedAt is what leaves at a drop-off.
func (v *verifier) unloadedAt(t *Task, d int) int64 {
	sources := v.pickupsOf(t)
	if len(sources) <= 1 {
		return t.Quantities[d]
	}
	alone := int64(0)
	for _, id := range sources {
		if len(v.dropoffsOf(id)) == 1 {
			alone += v.loadedAt(v.tasks[id], d)
		}
	}
	return min(t.Quantities[d], alone)
}

// checkDependencies checks order, and that a drop-off is with its pickup.
func (v *verifier) checkDependencies() {
	for id, stop := range v.stops {
		t := v.tasks[id]
		if t == nil || v.routeOf[id].Kept {
			continue
		}
		for _, before := range t.DependsOn {
			v.checkDependency(t, stop, before)
		}
	}
}

func (v *verifier) checkDependency(t *Task, stop *Stop, before string) {
	from, pinned := v.stops[before], v.currentWorker[t.ID] != nil
	switch {
	case from == nil:
		if !pinned && (v.tasks[before] != nil || !v.done[before]) {
			v.addFault("task %q is planned without %q, on which it depends", t.ID, before)
		}
		return
	case pinned && v.currentWorker[before] != nil && v.currentWorker[before] != v.currentWorker[t.ID]:
		return // two routes that existed before are not timed against each other
	case pinned && v.dependsOn(t.ID, before, map[string]bool{}):
		return // a circle on a route that exists cannot be kept
	}
	if from.End > stop.Start {
		v.addFault("task %q starts at %d, before %q ends at %d", t.ID, stop.Start, before, from.End)
	}
	same := v.routeOf[before] == v.routeOf[t.ID]
	if slices.Contains(v.pickupsOf(t), before) && !same {
		v.addFault("drop-off %q is not on the route of its pickup %q", t.ID, before)
	}
	if same && v.position(before) > v.position(t.ID) {
		v.addFault("task %q comes before %q, on which it depends", t.ID, before)
	}
}

func (v *verifier) position(id string) int {
	return slices.IndexFunc(v.routeOf[id].Stops, func(s Stop) bool { return s.Task == id })
}

// dependsOn reports whether to depends, through any number of tasks, on from.
func (v *verifier) dependsOn(from, to string, seen map[string]bool) bool {
	if from == to {
		return true
	}
	seen[to] = true
	t := v.tasks[to]
	if t == nil {
		return false
	}
	for _, id := range t.DependsOn {
		if !seen[id] && v.dependsOn(from, id, seen) {
			return true
		}
	}
	return false
}

// checkCost adds everything up again.
func (v *verifier) checkCost() {
	cost := Cost{LeftOut: len(v.sol.LeftOut)}
	for i := range v.sol.Routes {
		r := &v.sol.Routes[i]
		cost.Travel += r.Travel
		cost.Lateness += r.Lateness
		if w := v.workers[r.Worker]; len(r.Stops) > 0 && w != nil {
			cost.Workers++
			cost.Fixed += w.FixedCost
		}
	}
	if cost != v.sol.Cost {
		v.addFault("the cost %+v should be %+v", v.sol.Cost, cost)
	}
}
