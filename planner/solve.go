package planner

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Solve plans a problem. It returns the best plan found when its time, its iterations or its context ends; a cancelled context is
// not an error. An error means that the problem is invalid.
func Solve(ctx context.Context, p *Problem, opts Options) (*Plan, error) {
	started := time.Now()
	in, err := compile(p)
	if err != nil {
		return nil, err
	}
	sr := newSearch(in, opts, started)
	release := context.AfterFunc(ctx, func() { sr.stop.Store(true) })
	defer release()
	sr.buildFirstPlan()
	sr.publish()
	sr.run()
	return sr.buildPlan(), nil
}

// search is the state of one call of Solve.
type search struct {
	in      *instance
	opts    Options
	started time.Time
	stop    atomic.Bool
	states  []*state
	rng     *rng

	current      *draftPlan // the current plan of the annealing
	best         *draftPlan
	published    Cost // of the last plan reported to the caller
	hasPublished bool
	iterations   int64
	budget       time.Duration // 0 when only iterations count
	fraction     float64
	meanLeg      float64 // of the first plan, the scale of the annealing temperature
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

// defaultBudget grows with the number of tasks: 0.36 s for 20 tasks, 1 s for 100, 8.2 s for 1,000, at most 10 s.
func defaultBudget(tasks int) time.Duration {
	return min(200*time.Millisecond+time.Duration(tasks)*8*time.Millisecond, 10*time.Second)
}

// buildFirstPlan builds the first plan from the existing routes and inserts the other tasks greedily, latest due first.
func (sr *search) buildFirstPlan() {
	s := sr.states[0]
	start := newDraftPlan(sr.in)
	for e := range start.barriers {
		start.barriers[e] = noBarrier
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
		if t := &sr.in.tasks[c]; t.excluded == "" && !t.pinned {
			rest = append(rest, c)
		}
	}
	s.loadPlan(start, open, nil)
	s.maxUsed = len(sr.in.workers)
	s.tasks = append(s.tasks, rest...)
	if s.owned != nil {
		for _, c := range rest {
			s.owned[c] = true
		}
	}
	s.beginChange()
	s.removed = append(s.removed[:0], rest...)
	s.sortRemovedBy(orderEnd - 1)
	s.reinsertAll()
	if s.invalid {
		s.undo()
		s.absent = append(s.absent[:0], rest...)
	}
	s.saveBest()
	sr.current = newDraftPlan(sr.in)
	s.exportCurrent(sr.current)
	sr.best = sr.current.clone()
	sr.meanLeg = max(float64(s.travel)/float64(max(s.placed+s.used, 1)), 1)
}

// run improves the plan until the budget is used.
func (sr *search) run() {
	if len(sr.in.workers) == 0 || sr.in.n == 0 || len(sr.states[0].tasks) == 0 {
		return
	}
	if sr.in.problem.Objective == FewestWorkers {
		sr.reduceWorkers()
	}
	if sr.opts.TimeLimit > 0 || sr.opts.Iterations > 0 {
		sr.runAnnealing(sr.remainingTime(), sr.opts.Iterations-sr.iterations, 1)
		return
	}
	sr.runDefault()
}

// runDefault spends half of the default budget on one long annealing and the rest on shorter ones while they improve the plan.
func (sr *search) runDefault() {
	sr.runAnnealing(sr.remainingTime()/2, 0, 1)
	for sr.remainingTime() > sr.budget/8 && !sr.stop.Load() {
		before := sr.best.cost
		sr.current = sr.best.clone()
		sr.runAnnealing(min(sr.budget/6, sr.remainingTime()), 0, 0.3)
		if !sr.best.cost.Less(before, sr.in.problem.Objective) {
			return
		}
	}
}

// remainingTime returns the time left, 0 if only iterations are limited.
func (sr *search) remainingTime() time.Duration {
	if sr.budget == 0 {
		return 0
	}
	return max(sr.budget-time.Since(sr.started), time.Millisecond)
}

// runParallel runs f for every state, each in its own goroutine.
func (sr *search) runParallel(f func(i int, s *state)) {
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

// publish reports the best plan to the caller if it is better than the last one reported.
func (sr *search) publish() {
	if sr.opts.OnImprovement == nil {
		return
	}
	if sr.hasPublished && !sr.best.cost.Less(sr.published, sr.in.problem.Objective) {
		return
	}
	sr.published, sr.hasPublished = sr.best.cost, true
	sr.opts.OnImprovement(Progress{Plan: sr.buildPlan(), Fraction: sr.fraction})
}
