package planner

import (
	"cmp"
	"fmt"
	"slices"
)

// compile checks a problem and converts it to an instance.
func compile(p *Problem) (*instance, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	c := &compiler{p: p, in: &instance{problem: p, tuning: defaultTuning(), base: p.origin()}}
	c.orderWorkers()
	c.orderTasks()
	if err := c.addLoads(); err != nil {
		return nil, err
	}
	c.addWorkers()
	if len(c.in.workers) == 0 {
		c.excludeAll()
		return c.in, nil
	}
	c.addTravel()
	c.addNodes()
	c.pinRoutes()
	c.addEdges()
	c.chooseDimensions()
	c.in.general = c.isGeneral()
	c.in.skipEvery = min(max(2*float64(c.in.n), minSkipEvery), maxSkipEvery)
	c.freezeInvalidRoutes()
	c.chooseWeights()
	c.in.buildNeighbours()
	return c.in, nil
}

// excludeAll leaves out every task because no worker takes part.
func (c *compiler) excludeAll() {
	for v := range c.in.tasks {
		c.in.tasks[v].excluded = ReasonNoWorker
	}
	c.in.template = make([]node, c.in.n)
}

// compiler holds what is needed only while an instance is built.
type compiler struct {
	p  *Problem
	in *instance

	workerOrder   []int // workers who take part, in the order of the instance
	taskOrder     []int
	byID          map[string]int32 // task id to node
	outside       map[string]bool  // tasks on the routes of workers who do not take part
	currentWorker map[string]int   // task id to the worker whose route it is on
	profiles      []Profile
	depotRow      map[int]int32
}

// orderWorkers sorts the workers so that interchangeable ones are adjacent and the input order does not matter.
func (c *compiler) orderWorkers() {
	c.outside, c.currentWorker = map[string]bool{}, map[string]int{}
	for i := range c.p.Workers {
		w := &c.p.Workers[i]
		if c.p.takesPart(w) {
			c.workerOrder = append(c.workerOrder, i)
			for _, id := range w.Route {
				c.currentWorker[id] = i
			}
			continue
		}
		for _, id := range w.Route {
			c.outside[id] = true
		}
	}
	slices.SortFunc(c.workerOrder, func(i, j int) int {
		a, b := &c.p.Workers[i], &c.p.Workers[j]
		return cmp.Or(compareWorkers(c.p, a, b), cmp.Compare(a.ID, b.ID))
	})
}

// compareWorkers returns 0 for interchangeable workers. Places come last because their indexes depend on the input order.
func compareWorkers(p *Problem, a, b *Worker) int {
	if len(a.Route) > 0 || len(b.Route) > 0 {
		if by := cmp.Compare(len(a.Route), len(b.Route)); by != 0 {
			return by
		}
		return cmp.Compare(a.ID, b.ID)
	}
	return cmp.Or(
		cmp.Compare(a.Vehicle, b.Vehicle),
		cmp.Compare(a.From, b.From),
		cmp.Compare(a.Until, b.Until),
		slices.Compare(a.Capacity[:], b.Capacity[:]),
		cmp.Compare(p.routeLimit(a), p.routeLimit(b)),
		cmp.Compare(a.FixedCost, b.FixedCost),
		p.comparePlaces(a.Start, b.Start),
		p.comparePlaces(a.End, b.End),
	)
}

func (p *Problem) comparePlaces(i, j int) int {
	if i == j {
		return 0
	}
	if i >= 0 && j >= 0 && i < len(p.Places) && j < len(p.Places) {
		a, b := p.Places[i], p.Places[j]
		return cmp.Or(cmp.Compare(a.Lat, b.Lat), cmp.Compare(a.Lng, b.Lng), cmp.Compare(i, j))
	}
	return cmp.Compare(i, j)
}

// orderTasks sorts the tasks along a curve through the plane. It skips tasks of workers who do not take part.
func (c *compiler) orderTasks() {
	curve := newHilbert(c.p.Places)
	keys := make([]uint64, len(c.p.Tasks))
	for i := range c.p.Tasks {
		t := &c.p.Tasks[i]
		if t.Place < len(c.p.Places) {
			keys[i] = curve.index(c.p.Places[t.Place])
		}
		if !c.outside[t.ID] {
			c.taskOrder = append(c.taskOrder, i)
		}
	}
	slices.SortFunc(c.taskOrder, func(i, j int) int {
		return cmp.Or(cmp.Compare(keys[i], keys[j]), cmp.Compare(c.p.Tasks[i].ID, c.p.Tasks[j].ID))
	})
	c.in.n = len(c.taskOrder)
	c.in.tasks = make([]taskData, c.in.n)
	c.byID = make(map[string]int32, c.in.n)
	c.in.taskIndex = make(map[string]int, c.in.n)
	for v, i := range c.taskOrder {
		c.in.taskIndex[c.p.Tasks[i].ID] = i
		c.in.tasks[v] = taskData{index: i, requiredRoute: -1}
		c.byID[c.p.Tasks[i].ID] = int32(v)
	}
}

// addWorkers adds the workers and groups interchangeable ones into classes.
func (c *compiler) addWorkers() {
	profile := map[Profile]int{}
	for r, i := range c.workerOrder {
		w := &c.p.Workers[i]
		if _, ok := profile[w.Vehicle]; !ok {
			profile[w.Vehicle] = len(c.profiles)
			c.profiles = append(c.profiles, w.Vehicle)
		}
		d := workerData{index: i, profile: profile[w.Vehicle], limit: int32(c.in.n) + 1, fixed: w.FixedCost}
		for k, q := range w.Capacity {
			d.capacity[k] = int32(min(q, int64(loadCeiling)))
		}
		if limit := c.p.routeLimit(w); limit > 0 {
			d.limit = min(d.limit, int32(min(limit, maxTime)))
		}
		c.in.workers = append(c.in.workers, d)
		if r > 0 && compareWorkers(c.p, &c.p.Workers[c.workerOrder[r-1]], w) == 0 {
			c.in.classes[len(c.in.classes)-1].to++
		} else {
			c.in.classes = append(c.in.classes, class{int32(r), int32(r) + 1})
		}
	}
}

// addTravel copies the matrices with the rows of the instance: tasks, distinct starts and ends, and one row for Anywhere.
func (c *compiler) addTravel() {
	c.depotRow = map[int]int32{}
	c.in.matrices = make(map[Profile]*Matrix, len(c.profiles))
	places := make([]int, 0, c.in.n+2)
	for _, i := range c.taskOrder {
		places = append(places, c.p.Tasks[i].Place)
	}
	for _, i := range c.workerOrder {
		for _, at := range []int{c.p.Workers[i].Start, c.p.Workers[i].End} {
			if _, ok := c.depotRow[at]; at != Anywhere && !ok {
				c.depotRow[at] = int32(len(places))
				places = append(places, at)
			}
		}
	}
	c.depotRow[Anywhere] = int32(len(places))
	c.in.rows = len(places) + 1
	for _, profile := range c.profiles {
		m := c.p.matrix(profile)
		c.in.matrices[profile] = m
		table, symmetric := c.travelTable(m, places)
		c.in.travel = append(c.in.travel, table)
		if !symmetric {
			table = transpose(table, c.in.rows)
		}
		c.in.reversed = append(c.in.reversed, table)
	}
}

// matrix returns the travel times of a profile: those given, or else a straight-line estimate.
func (p *Problem) matrix(profile Profile) *Matrix {
	if m := p.Travel[profile]; m != nil {
		return m
	}
	return StraightLine(p.Places, profile, 0)
}

func (c *compiler) travelTable(m *Matrix, places []int) (table []int32, symmetric bool) {
	rows := c.in.rows
	table = make([]int32, rows*rows)
	for i, from := range places {
		for j, to := range places {
			table[i*rows+j] = c.p.legTime(m, from, to)
		}
	}
	for i := range rows {
		for j := range i {
			if table[i*rows+j] != table[j*rows+i] {
				return table, false
			}
		}
	}
	return table, true
}

// legTime returns the travel time between two places, unreachable if there is no way or if it is longer than MaxLeg.
func (p *Problem) legTime(m *Matrix, from, to int) int32 {
	t := m.Times[from*m.Size+to]
	if t < 0 || t > unreachable {
		return unreachable
	}
	if p.MaxLeg > 0 && m.Meters != nil && int64(m.Meters[from*m.Size+to]) > p.MaxLeg {
		return unreachable
	}
	return t
}

func transpose(table []int32, rows int) []int32 {
	flipped := make([]int32, len(table))
	for i := range rows {
		for j := range rows {
			flipped[j*rows+i] = table[i*rows+j]
		}
	}
	return flipped
}

// addNodes builds the nodes that every state starts from.
func (c *compiler) addNodes() {
	in := c.in
	in.template = make([]node, in.n+2*len(in.workers))
	for v, i := range c.taskOrder {
		t := &c.p.Tasks[i]
		p := node{prev: -1, next: -1, route: -1, row: int32(v), service: int32(t.Service), load: c.plainLoad(int32(v))}
		p.ready = int32(max(t.After-in.base, 0))
		p.due, p.onTime = int32(maxTime), int32(maxTime)
		if before := t.Before; before != NoLimit && before-in.base < maxTime {
			end := max(before-in.base, -maxTime)
			p.onTime = int32(max(end-t.Service, -maxTime))
			p.due = int32(min(end-t.Service+c.p.MaxDelay, maxTime))
		}
		in.template[v] = p
	}
	for r := range in.workers {
		w := &c.p.Workers[in.workers[r].index]
		a, b := in.startNode(int32(r)), in.endNode(int32(r))
		begin := int32(w.From - in.base)
		until := int32(maxTime)
		if w.Until != NoLimit {
			until = int32(min(w.Until-in.base, maxTime))
		}
		in.template[a] = node{
			prev: -1, next: b, route: int32(r), row: c.depotRow[w.Start], begin: begin, leave: begin,
			ready: begin, due: maxTime, onTime: maxTime,
		}
		in.template[b] = node{prev: a, next: -1, route: int32(r), row: c.depotRow[w.End], ready: begin, due: until, onTime: maxTime}
	}
}

// chooseDimensions drops the trailing dimensions in which no capacity is limited.
func (c *compiler) chooseDimensions() {
	c.in.dims = 0
	for d := range Dimensions {
		for r := range c.in.workers {
			if c.in.workers[r].capacity[d] < loadCeiling {
				c.in.dims = d + 1
			}
		}
	}
}

// isGeneral reports whether the problem needs more than the plain search.
func (c *compiler) isGeneral() bool {
	in := c.in
	if len(c.profiles) > 1 || in.dims > 1 || len(in.edges) > 0 {
		return true
	}
	loads, unloads := false, false
	for v := range in.tasks {
		t := &in.tasks[v]
		if t.pinned || in.template[v].due != in.template[v].onTime || t.requiredRoute >= 0 {
			return true
		}
		loads = loads || t.load[0] > 0
		unloads = unloads || t.load[0] < 0
	}
	for r := range in.workers {
		if in.workers[r].limit < int32(in.n) {
			return true
		}
	}
	return loads && unloads && in.dims > 0
}

// plainLoad returns the load that a plain route counts: the only dimension, whether collected or delivered.
func (c *compiler) plainLoad(v int32) int32 {
	t := &c.in.tasks[v]
	return max(t.load[0], t.start[0])
}

// chooseWeights computes the weights of the score and the sort keys of the tasks.
func (c *compiler) chooseWeights() {
	in := c.in
	longest := int64(1)
	for v := range in.template {
		for w := range in.template {
			if t := in.travelTime(0, in.template[v].row, in.template[w].row); t < unreachable {
				longest = max(longest, int64(t))
			}
		}
	}
	fixed := int64(0)
	for r := range in.workers {
		fixed = max(fixed, in.workers[r].fixed)
	}
	in.gentle.late = 10
	in.gentle.drop = 4*longest + 2*fixed + 10*4*c.p.MaxDelay + 1
	if c.p.Objective == FewestWorkers {
		in.gentle.worker = 2*longest + fixed
		in.strict.worker = 10 * in.gentle.worker
	}
	in.strict.late = 2*longest + fixed + in.strict.worker + 1
	in.strict.drop = in.strict.late * 1_000_000
	for v := range in.tasks {
		in.tasks[v].depot = unreachable
		for at, row := range c.depotRow {
			if at != Anywhere {
				in.tasks[v].depot = min(in.tasks[v].depot, in.travelTime(0, row, int32(v)))
			}
		}
		for d := range in.dims {
			in.tasks[v].size = max(in.tasks[v].size, c.loadShare(int32(v), d))
		}
	}
}

// loadShare returns the load of a task in thousandths of the largest limited capacity.
func (c *compiler) loadShare(v int32, d int) int32 {
	largest := int32(1)
	for r := range c.in.workers {
		if q := c.in.workers[r].capacity[d]; q < loadCeiling {
			largest = max(largest, q)
		}
	}
	t := &c.in.tasks[v]
	return int32(int64(max(t.load[d], -t.load[d], t.start[d])) * 1000 / int64(largest))
}

// addLoads computes what is loaded and unloaded at each task. A pickup loads at least what its drop-offs unload, because pickups
// are often entered without a quantity. A drop-off with several pickups unloads what they loaded for it alone.
func (c *compiler) addLoads() error {
	var total [Dimensions]int64
	for v := range c.in.tasks {
		t := c.task(int32(v))
		for d, q := range t.Quantities {
			total[d] += q
			if total[d] > int64(loadCeiling)/4 {
				return fmt.Errorf("the quantities of all tasks in dimension %d exceed %d: %w; use a larger unit",
					d, loadCeiling/4, ErrBadQuantity)
			}
			if t.Pickup {
				c.in.tasks[v].load[d] = int32(q)
			}
		}
	}
	drops := c.countDropoffs()
	for v := range c.in.tasks {
		if pickups := c.pickupsOf(int32(v)); len(pickups) == 1 {
			c.unloadSingle(int32(v), pickups[0])
		}
	}
	c.raisePickups(drops)
	for v := range c.in.tasks {
		if t := c.task(int32(v)); !t.Pickup {
			if pickups := c.pickupsOf(int32(v)); len(pickups) != 1 {
				c.unloadShared(int32(v), pickups, drops)
			}
		}
	}
	return nil
}
