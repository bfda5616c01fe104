package planner

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// randomProblem draws a small problem with every rule mixed in.
func randomProblem(r *rand.Rand, tasks int) *Problem {
	workers := 1 + r.IntN(3)
	places := tasks + workers + 1
	p := &Problem{Places: make([]Place, places), Travel: map[Profile]*Matrix{}}
	for i := range p.Places {
		p.Places[i] = Place{Lat: float64(r.IntN(40)), Lng: float64(r.IntN(40))}
	}
	profiles := []Profile{Car, Bicycle}[:1+r.IntN(2)]
	for k, profile := range profiles {
		p.Travel[profile] = planeMatrix(p.Places, 1+k)
	}
	chance := func(of int) bool { return r.IntN(of) == 0 }
	if chance(2) {
		p.MaxDelay = int64(r.IntN(30))
	}
	if chance(4) {
		p.MaxTasksPerRoute = 1 + r.IntN(tasks)
	}
	if chance(4) {
		p.Objective = FewestWorkers
	}
	p.Done = []string{"done"}
	for k := range workers {
		w := Worker{
			ID: fmt.Sprintf("w%d", k), Vehicle: profiles[r.IntN(len(profiles))], Start: tasks + k, End: tasks + r.IntN(workers+1),
			From: int64(100 + r.IntN(20)), Until: NoLimit, Capacity: Quantities{Unlimited, Unlimited, Unlimited, Unlimited},
		}
		if chance(3) {
			w.End = Anywhere
		}
		if chance(2) {
			w.Until = w.From + int64(60+r.IntN(150))
		}
		for d := range 2 {
			if chance(2) {
				w.Capacity[d] = int64(3 + r.IntN(8))
			}
		}
		if chance(4) {
			w.FixedCost = int64(r.IntN(50))
		}
		if chance(6) {
			w.MaxTasks = 1 + r.IntN(4)
		}
		p.Workers = append(p.Workers, w)
	}
	for i := range tasks {
		p.Tasks = append(p.Tasks, randomTask(r, i, tasks))
		if chance(5) {
			w := &p.Workers[r.IntN(workers)]
			w.Route = append(w.Route, p.Tasks[i].ID)
			w.Active = chance(2)
		}
	}
	return p
}

func randomTask(r *rand.Rand, i, tasks int) Task {
	t := Task{
		ID: fmt.Sprintf("t%d", i), Place: i, Service: int64(r.IntN(8)), Before: NoLimit, Pickup: r.IntN(3) == 0,
		Quantities: Quantities{int64(r.IntN(5)), int64(r.IntN(4))},
	}
	if r.IntN(2) == 0 {
		t.After = 100 + int64(r.IntN(60))
	}
	if r.IntN(2) == 0 {
		t.Before = max(t.After, 110) + int64(r.IntN(80))
	}
	switch r.IntN(8) {
	case 0, 1, 2:
		if i > 0 {
			t.DependsOn = append(t.DependsOn, fmt.Sprintf("t%d", r.IntN(i)))
		}
		if i > 1 && r.IntN(3) == 0 {
			t.DependsOn = append(t.DependsOn, fmt.Sprintf("t%d", r.IntN(i)))
		}
	case 3:
		if r.IntN(3) == 0 {
			t.DependsOn = []string{[]string{"done", "gone", fmt.Sprintf("t%d", r.IntN(tasks))}[r.IntN(3)]}
		}
	}
	return t
}

// planeMatrix keeps the triangle inequality, which the search's short cuts rely on.
func planeMatrix(places []Place, slowness int) *Matrix {
	n := len(places)
	m := &Matrix{Size: n, Times: make([]int32, n*n), Meters: make([]int32, n*n)}
	for i := range n {
		for j := range n {
			d := math.Abs(places[i].Lat-places[j].Lat) + math.Abs(places[i].Lng-places[j].Lng)
			m.Times[i*n+j], m.Meters[i*n+j] = int32(d)*int32(slowness), int32(d)
		}
	}
	return m
}

// oracle tries every plan.
type oracle struct {
	p      *Problem
	v      *verifier
	order  []int
	routes [][]int
	kept   []bool
	best   Cost
	found  bool
}

// bruteForce returns the best cost of any plan. Workers in kept have their routes as they are.
func bruteForce(p *Problem, kept map[string]bool) Cost {
	o := &oracle{p: p, v: newVerifier(p, &Plan{}), routes: make([][]int, len(p.Workers)), kept: make([]bool, len(p.Workers))}
	onKept := map[string]bool{}
	for k := range p.Workers {
		if o.kept[k] = kept[p.Workers[k].ID]; o.kept[k] {
			for _, id := range p.Workers[k].Route {
				onKept[id] = true
				o.routes[k] = append(o.routes[k], o.index(id))
			}
		}
	}
	for i := range p.Tasks {
		if !onKept[p.Tasks[i].ID] {
			o.order = append(o.order, i)
		}
	}
	o.place(0, 0)
	return o.best
}

func (o *oracle) index(id string) int {
	return slices.IndexFunc(o.p.Tasks, func(t Task) bool { return t.ID == id })
}

func (o *oracle) place(k, left int) {
	if o.found && left > o.best.LeftOut {
		return
	}
	if k == len(o.order) {
		if cost, ok := o.evaluate(left); ok && (!o.found || cost.Less(o.best, o.p.Objective)) {
			o.best, o.found = cost, true
		}
		return
	}
	i := o.order[k]
	keeper := o.v.currentWorker[o.p.Tasks[i].ID]
	for w := range o.routes {
		if o.kept[w] || (keeper != nil && keeper != &o.p.Workers[w]) {
			continue
		}
		for at := 0; at <= len(o.routes[w]); at++ {
			o.routes[w] = slices.Insert(o.routes[w], at, i)
			o.place(k+1, left)
			o.routes[w] = slices.Delete(o.routes[w], at, at+1)
		}
	}
	if keeper == nil {
		o.place(k+1, left+1)
	}
}

// evaluate times the routes as early as possible and lets Verify judge them.
func (o *oracle) evaluate(left int) (Cost, bool) {
	cost := Cost{LeftOut: left}
	end := map[int]int64{}
	where := map[int]int{}
	for w, route := range o.routes {
		for _, i := range route {
			where[i] = w
		}
	}
	for round := 0; ; round++ {
		changed := false
		cost.Travel, cost.Lateness, cost.Fixed, cost.Workers = 0, 0, 0, 0
		for w, route := range o.routes {
			worker := &o.p.Workers[w]
			if len(route) == 0 {
				continue
			}
			if worker.Active && len(worker.Route) > 0 && o.p.Tasks[route[0]].ID != worker.Route[0] {
				return cost, false
			}
			cost.Workers++
			cost.Fixed += worker.FixedCost
			clock, at := worker.From, worker.Start
			for _, i := range route {
				t := &o.p.Tasks[i]
				way, _, ok := o.v.travelTime(worker, at, t.Place)
				if !ok && !o.kept[w] {
					return cost, false
				}
				cost.Travel += way
				begin := max(clock+way, t.After)
				if !o.kept[w] {
					for _, id := range t.DependsOn {
						if from := o.index(id); from >= 0 && from != i && !o.ignored(t, id) {
							begin = max(begin, end[from])
						}
					}
				}
				clock, at = begin+t.Service, t.Place
				if end[i] != clock {
					end[i] = clock
					changed = true
				}
				if t.Before != NoLimit && clock > t.Before {
					late := clock - t.Before
					if late > o.p.MaxDelay && o.v.currentWorker[t.ID] == nil {
						return cost, false
					}
					cost.Lateness += late
				}
			}
			way, _, ok := o.v.travelTime(worker, at, worker.End)
			cost.Travel += way
			if o.kept[w] {
				continue
			}
			if !ok || (worker.Until != NoLimit && clock+way > worker.Until) {
				return cost, false
			}
			for _, limit := range []int{o.p.MaxTasksPerRoute, worker.MaxTasks} {
				if limit > 0 && len(route) > limit {
					return cost, false
				}
			}
		}
		if !changed {
			break
		}
		if round > len(o.p.Tasks)+1 {
			return cost, false // a deadlock between routes
		}
	}
	return cost, o.lawful(where)
}

// ignored reports whether a dependency of a task on a route is not kept: see Verify.
func (o *oracle) ignored(t *Task, id string) bool {
	keeper := o.v.currentWorker[t.ID]
	if keeper == nil {
		return false
	}
	other := o.v.currentWorker[id]
	return (other != nil && other != keeper) || o.v.dependsOn(t.ID, id, map[string]bool{})
}

// lawful checks dependencies and loads.
func (o *oracle) lawful(where map[int]int) bool {
	for w, route := range o.routes {
		if o.kept[w] {
			continue
		}
		ids := make([]string, len(route))
		for k, i := range route {
			t := &o.p.Tasks[i]
			ids[k] = t.ID
			for _, id := range t.DependsOn {
				from := o.index(id)
				if from < 0 {
					if !o.v.done[id] && o.v.currentWorker[t.ID] == nil {
						return false
					}
					continue
				}
				if o.ignored(t, id) {
					continue
				}
				at, placed := where[from]
				if from == i || !placed {
					if o.v.currentWorker[t.ID] == nil {
						return false
					}
					continue
				}
				if at == w && slices.Index(route, from) > k {
					return false
				}
				if at != w && slices.Contains(o.v.pickupsOf(t), id) {
					return false
				}
			}
		}
		o.v.faults = nil
		o.v.checkLoads(&o.p.Workers[w], ids)
		if len(o.v.faults) > 0 {
			return false
		}
	}
	return true
}

func TestSolveReachesTheOptimumOfSmallProblems(t *testing.T) {
	t.Parallel()
	counts := map[int]int{2: 500, 3: 800, 4: 600, 5: 150, 6: 20, 7: 2}
	worse, total := 0, 0
	for tasks, count := range counts {
		for k := range max(count/slowdown, 1) {
			seed := uint64(tasks*10_000 + k)
			p := randomProblem(rand.New(rand.NewPCG(seed, 1)), tasks)
			sol, err := Solve(context.Background(), p, Options{Iterations: 1500, Threads: 1, Seed: 1})
			require.NoError(t, err, "seed %d", seed)
			require.NoError(t, Verify(p, sol), "seed %d", seed)
			kept := map[string]bool{}
			for i := range sol.Routes {
				if sol.Routes[i].Kept {
					kept[sol.Routes[i].Worker] = true
				}
			}
			best := bruteForce(p, kept)
			require.False(t, sol.Cost.Less(best, p.Objective), "seed %d: plan %+v beats the optimum %+v", seed, sol.Cost, best)
			total++
			if best.Less(sol.Cost, p.Objective) {
				worse++
				t.Logf("seed %d: plan %+v, optimum %+v", seed, sol.Cost, best)
			}
		}
	}
	require.LessOrEqual(t, worse, total/500, "of %d problems", total)
}
