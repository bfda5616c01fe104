package planner

import "slices"

func (c *compiler) task(v int32) *Task { return &c.p.Tasks[c.in.tasks[v].index] }

// pinnedWorker is the worker (by position in the problem) whose route the task is on, -1 for none.
func (c *compiler) pinnedWorker(v int32) int {
	if w, ok := c.currentWorker[c.task(v).ID]; ok {
		return w
	}
	return -1
}

// pickupsOf returns the pickups a drop-off takes its load from. Tasks already on routes are taken as they are: a link that the
// present routes do not have counts for the order only.
func (c *compiler) pickupsOf(v int32) []int32 {
	t := c.task(v)
	if t.Pickup {
		return nil
	}
	var pickups []int32
	for _, id := range t.DependsOn {
		from, ok := c.byID[id]
		if !ok || from == v || !c.task(from).Pickup || slices.Contains(pickups, from) {
			continue
		}
		if at := c.pinnedWorker(v); at < 0 || c.pinnedWorker(from) == at {
			pickups = append(pickups, from)
		}
	}
	return pickups
}

// countDropoffs counts the drop-offs linked to each pickup.
func (c *compiler) countDropoffs() []int {
	drops := make([]int, c.in.n)
	for v := range int32(c.in.n) {
		for _, from := range c.pickupsOf(v) {
			drops[from]++
		}
	}
	return drops
}

// unloadSingle lets a drop-off with one pickup free its whole quantity, and notes it at the pickup.
func (c *compiler) unloadSingle(v, pickup int32) {
	for d, q := range c.task(v).Quantities {
		c.in.tasks[v].load[d] = -int32(q)
		c.in.tasks[pickup].start[d] += int32(q)
	}
}

// raisePickups makes each pickup load at least what its own drop-offs unload.
func (c *compiler) raisePickups(drops []int) {
	for v := range c.in.tasks {
		if t := &c.in.tasks[v]; drops[v] > 0 {
			for d := range Dimensions {
				t.load[d] = max(t.load[d], t.start[d])
			}
			t.start = [Dimensions]int32{}
		}
	}
}

// unloadShared handles drop-offs without a pickup, whose load is on board from the start, and with several.
func (c *compiler) unloadShared(v int32, pickups []int32, drops []int) {
	t := &c.in.tasks[v]
	for d, q := range c.task(v).Quantities {
		if len(pickups) == 0 {
			t.load[d], t.start[d] = -int32(q), int32(q)
			continue
		}
		alone := int32(0)
		for _, from := range pickups {
			if drops[from] == 1 {
				alone += c.in.tasks[from].load[d]
			}
		}
		t.load[d] = -min(int32(q), alone)
	}
}

// pinRoutes marks the tasks that are on routes already. They are never left out, so nothing but the order of their routes bounds
// when they are done.
func (c *compiler) pinRoutes() {
	for r := range c.in.workers {
		w := &c.p.Workers[c.in.workers[r].index]
		for k, id := range w.Route {
			v := c.byID[id]
			t := &c.in.tasks[v]
			t.pinned, t.requiredRoute = true, int32(r)
			t.fixed = k == 0 && w.Active
			c.in.template[v].due = maxTime
			c.in.workers[r].route = append(c.in.workers[r].route, v)
		}
	}
}

// addEdges turns dependencies into edges and finds the tasks that can never be planned because of theirs.
func (c *compiler) addEdges() {
	done := make(map[string]bool, len(c.p.Done))
	for _, id := range c.p.Done {
		done[id] = true
	}
	var edges []edge
	for v := range int32(c.in.n) {
		linked := c.pickupsOf(v)
		for _, id := range c.task(v).DependsOn {
			from, ok := c.byID[id]
			switch {
			case !ok && done[id]:
			case !ok:
				c.exclude(v)
			case from == v:
				c.exclude(v)
			case c.pinnedWorker(v) >= 0 && c.pinnedWorker(from) >= 0 && c.pinnedWorker(v) != c.pinnedWorker(from):
				// Two routes that exist already are not timed against each other.
			default:
				e := edge{from: from, to: v, sameRoute: slices.Contains(linked, from)}
				e.optional = c.pinnedWorker(v) >= 0 && c.pinnedWorker(from) < 0
				if !slices.Contains(edges, e) {
					edges = append(edges, e)
				}
			}
		}
	}
	c.excludeImpossible(c.dropCircles(edges))
	c.shareRequiredRoutes()
}

// exclude marks a task that can never be planned because of its dependencies. A task on a route stays on it.
func (c *compiler) exclude(v int32) {
	if c.pinnedWorker(v) < 0 {
		c.in.tasks[v].excluded = ReasonDependency
	}
}

// dropCircles gives up the dependencies of pinned tasks that lead back to themselves.
func (c *compiler) dropCircles(edges []edge) []edge {
	out := make([][]int32, c.in.n)
	for _, e := range edges {
		out[e.from] = append(out[e.from], e.to)
	}
	return slices.DeleteFunc(edges, func(e edge) bool {
		return c.pinnedWorker(e.to) >= 0 && reaches(out, e.to, e.from)
	})
}

func reaches(out [][]int32, from, to int32) bool {
	seen := map[int32]bool{from: true}
	for todo := []int32{from}; len(todo) > 0; {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if v == to {
			return true
		}
		for _, w := range out[v] {
			if !seen[w] {
				seen[w] = true
				todo = append(todo, w)
			}
		}
	}
	return false
}

// excludeImpossible refuses tasks in or behind a circle and tasks behind a refused one, and keeps the edges between the rest.
func (c *compiler) excludeImpossible(edges []edge) {
	in := c.in
	waits := make([]int, in.n)
	out := make([][]int32, in.n)
	for _, e := range edges {
		if !e.optional {
			waits[e.to]++
			out[e.from] = append(out[e.from], e.to)
		}
	}
	var free []int32
	for v := range int32(in.n) {
		if waits[v] == 0 {
			free = append(free, v)
		}
	}
	for len(free) > 0 {
		v := free[len(free)-1]
		free = free[:len(free)-1]
		for _, w := range out[v] {
			if in.tasks[v].excluded != "" {
				c.exclude(w)
			}
			if waits[w]--; waits[w] == 0 {
				free = append(free, w)
			}
		}
	}
	for v := range int32(in.n) {
		if waits[v] > 0 {
			c.exclude(v)
		}
	}
	for _, e := range edges {
		if in.tasks[e.from].excluded == "" && in.tasks[e.to].excluded == "" {
			id := int32(len(in.edges))
			in.edges = append(in.edges, e)
			in.crossing = in.crossing || !e.sameRoute
			in.tasks[e.from].outgoing = append(in.tasks[e.from].outgoing, id)
			in.tasks[e.to].incoming = append(in.tasks[e.to].incoming, id)
		}
	}
}

// shareRequiredRoutes sends the other end of a linked pair where one end already is.
func (c *compiler) shareRequiredRoutes() {
	in := c.in
	for changed := true; changed; {
		changed = false
		for _, e := range in.edges {
			if !e.sameRoute {
				continue
			}
			a, b := &in.tasks[e.from], &in.tasks[e.to]
			switch {
			case a.requiredRoute >= 0 && b.requiredRoute < 0:
				b.requiredRoute, changed = a.requiredRoute, true
			case b.requiredRoute >= 0 && a.requiredRoute < 0 && b.pinned:
				a.requiredRoute, changed = b.requiredRoute, true
			}
		}
	}
	for _, e := range in.edges {
		a, b := &in.tasks[e.from], &in.tasks[e.to]
		if e.sameRoute && a.requiredRoute >= 0 && b.requiredRoute >= 0 && a.requiredRoute != b.requiredRoute && !b.pinned {
			b.excluded = ReasonDependency
		}
	}
}
