package planner

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Solve plans the problem. It returns a plan as soon as its budget, its iterations or its context ends; a context that ends early
// is no error, because the best plan so far is a plan. The error says what is wrong with the problem.
func Solve(ctx context.Context, p *Problem, opts Options) (*Solution, error) {
	started := time.Now()
	in, err := compile(p)
	if err != nil {
		return nil, err
	}
	sr := newSearch(in, opts, started)
	release := context.AfterFunc(ctx, func() { sr.stop.Store(true) })
	defer release()
	sr.construct()
	sr.publish()
	sr.run()
	return sr.solution(), nil
}

// search is one call of Solve.
type search struct {
	in      *instance
	opts    Options
	started time.Time
	stop    atomic.Bool
	states  []*state
	rng     *rng

	current    *plan // where the annealing is
	best       *plan
	told       value // the last plan the caller heard of
	hasTold    bool
	iterations int64
	budget     time.Duration // 0 when only iterations count
	fraction   float64
	meanLeg    float64 // of the first plan, the scale of the annealing temperature
}

func newSearch(in *instance, opts Options, started time.Time) *search {
	threads := opts.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	sr := &search{in: in, opts: opts, started: started, rng: newRNG(opts.Seed)}
	for range threads {
		sr.states = append(sr.states, newState(in, newRNG(sr.rng.next())))
	}
	sr.budget = opts.TimeLimit
	if opts.TimeLimit <= 0 && opts.Iterations <= 0 {
		sr.budget = defaultBudget(in.n)
	}
	return sr
}

// defaultBudget grows with the problem: a third of a second for 20 tasks, a second for 100, ten for 1,000 and more.
func defaultBudget(tasks int) time.Duration {
	return min(200*time.Millisecond+time.Duration(tasks)*8*time.Millisecond, 10*time.Second)
}

// construct makes the first plan: routes as they are, and everything else put in greedily, the tightest windows first.
func (sr *search) construct() {
	s := sr.states[0]
	start := newPlan(sr.in)
	for e := range start.splits {
		start.splits[e] = noSplit
	}
	open := make([]int32, 0, len(sr.in.workers))
	var rest []int32
	for r := range sr.in.workers {
		if w := &sr.in.workers[r]; !w.frozen {
			open = append(open, int32(r))
			start.routes[r] = append(start.routes[r], w.order...)
		}
	}
	for c := range int32(sr.in.n) {
		if t := &sr.in.tasks[c]; t.never == "" && !t.pinned {
			rest = append(rest, c)
		}
	}
	s.adopt(start, open, nil)
	s.mostUsed = len(sr.in.workers)
	s.tasks = append(s.tasks, rest...)
	if s.mine != nil {
		for _, c := range rest {
			s.mine[c] = true
		}
	}
	s.begin()
	s.pool = append(s.pool[:0], rest...)
	s.sortBy(orderEnd - 1)
	s.insertPool()
	if s.broken {
		s.undo()
		s.absent = append(s.absent[:0], rest...)
	}
	s.saveBest()
	sr.current = newPlan(sr.in)
	s.export(sr.current)
	sr.current.absent = append(sr.current.absent, s.absent...)
	sr.current.value = s.value()
	sr.best = sr.current.clone()
	sr.meanLeg = max(float64(s.travel)/float64(max(s.placed+s.used, 1)), 1)
}

// run anneals until the budget is used.
func (sr *search) run() {
	if len(sr.in.workers) == 0 || sr.in.n == 0 || len(sr.states[0].tasks) == 0 {
		return
	}
	if sr.in.problem.Objective == FewestWorkers {
		sr.reduceFleet()
	}
	if sr.opts.TimeLimit > 0 || sr.opts.Iterations > 0 {
		sr.cycle(sr.left(), sr.opts.Iterations-sr.iterations, 1)
		return
	}
	sr.runDefault()
}

// runDefault spends half of the default budget on one long annealing and the rest on shorter ones, as long as they help.
func (sr *search) runDefault() {
	sr.cycle(sr.left()/2, 0, 1)
	for sr.left() > sr.budget/8 && !sr.stop.Load() {
		before := sr.best.value
		sr.current = sr.best.clone()
		sr.cycle(min(sr.budget/6, sr.left()), 0, 0.3)
		if !sr.best.value.less(before, sr.in.problem.Objective) {
			return
		}
	}
}

// left is how much time there still is; 0 when time does not count.
func (sr *search) left() time.Duration {
	if sr.budget == 0 {
		return 0
	}
	return max(sr.budget-time.Since(sr.started), time.Millisecond)
}

// parallel runs f for each state, one a thread.
func (sr *search) parallel(f func(i int, s *state)) {
	if len(sr.states) == 1 {
		f(0, sr.states[0])
		return
	}
	var all sync.WaitGroup
	for i, s := range sr.states {
		all.Go(func() { f(i, s) })
	}
	all.Wait()
}

// publish tells the caller of the best plan when it is better than the last one told.
func (sr *search) publish() {
	if sr.opts.OnImprovement == nil {
		return
	}
	if sr.hasTold && !sr.best.value.less(sr.told, sr.in.problem.Objective) {
		return
	}
	sr.told, sr.hasTold = sr.best.value, true
	sr.opts.OnImprovement(Progress{Solution: sr.solution(), Fraction: sr.fraction})
}
