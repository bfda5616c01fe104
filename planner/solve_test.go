package planner

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// townProblem draws a day in a town: workers with shifts and capacities, tasks with windows, some pairs, some tasks on routes.
func townProblem(seed uint64, tasks, workers int) *Problem {
	r := rand.New(rand.NewPCG(seed, 7))
	point := func() Place {
		return Place{Lat: 52.5 + r.NormFloat64()*0.05, Lng: 13.4 + r.NormFloat64()*0.08}
	}
	p := &Problem{Places: []Place{point()}, MaxDelay: 600, MaxTasksPerRoute: 100, MaxLeg: MaxLegMeters}
	const morning = 1_750_000_000
	for k := range workers {
		p.Places = append(p.Places, point())
		p.Workers = append(p.Workers, Worker{
			ID: fmt.Sprintf("worker-%03d", k), Vehicle: []Profile{Car, Bicycle, Car}[k%3], Start: len(p.Places) - 1, End: 0,
			From: morning, Until: morning + 8*3600, Capacity: Quantities{40, Unlimited, Unlimited, Unlimited},
		})
	}
	for i := range tasks {
		p.Places = append(p.Places, point())
		t := Task{
			ID: fmt.Sprintf("task-%04d", i), Place: len(p.Places) - 1, Service: 180, Before: NoLimit,
			Quantities: Quantities{int64(1 + r.IntN(3))},
		}
		if r.IntN(2) == 0 {
			t.After = morning + int64(r.IntN(5*3600))
			t.Before = t.After + 3600 + int64(r.IntN(7200))
		}
		if i%5 == 4 {
			p.Tasks[i-1].Pickup = true
			p.Tasks[i-1].Before = NoLimit
			t.DependsOn = []string{p.Tasks[i-1].ID}
			t.Before = NoLimit
		}
		if i%11 == 0 && i/11 < workers {
			w := &p.Workers[i/11]
			w.Route = append(w.Route, t.ID)
		}
		p.Tasks = append(p.Tasks, t)
	}
	return p
}

// plainProblem draws a problem of the fast path: equal workers at one depot, hard windows, one quantity.
func plainProblem(seed uint64, tasks int) *Problem {
	r := rand.New(rand.NewPCG(seed, 3))
	p := &Problem{Places: []Place{{50, 50}}, Travel: map[Profile]*Matrix{}}
	for i := range tasks {
		p.Places = append(p.Places, Place{Lat: r.Float64() * 100, Lng: r.Float64() * 100})
		after := int64(r.IntN(600))
		p.Tasks = append(p.Tasks, Task{
			ID: fmt.Sprint(i + 1), Place: i + 1, Service: 10, After: after, Before: after + 100 + int64(r.IntN(200)),
			Quantities: Quantities{int64(1 + r.IntN(30))},
		})
	}
	p.Travel[Car] = planeMatrix(p.Places, 1)
	for k := range tasks/4 + 1 {
		p.Workers = append(p.Workers, Worker{
			ID: fmt.Sprint(k), Vehicle: Car, Until: 1200, Capacity: Quantities{200, Unlimited, Unlimited, Unlimited},
		})
	}
	return p
}

func solve(t *testing.T, p *Problem, o Options) *Plan {
	t.Helper()
	sol, err := Solve(context.Background(), p, o)
	require.NoError(t, err)
	require.NoError(t, Verify(p, sol))
	return sol
}

func TestSolvePlansAreVerified(t *testing.T) {
	t.Parallel()
	problems := map[string]*Problem{
		"town 40": townProblem(1, 40, 6), "town 200": townProblem(2, 200, 20), "town 400": townProblem(3, 400, 30),
		"plain 50": plainProblem(4, 50), "plain 350": plainProblem(5, 350),
		"too much": townProblem(6, 120, 1),
	}
	for name, p := range problems {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, objective := range []Objective{LeastTravel, FewestWorkers} {
				q := *p
				q.Objective = objective
				var told []Cost
				sol := solve(t, &q, Options{Iterations: 4000 / slowdown, Threads: 2, Seed: 9, OnImprovement: func(pr Progress) {
					require.NoError(t, Verify(&q, pr.Plan))
					told = append(told, pr.Plan.Cost)
				}})
				require.NotEmpty(t, told, "the first plan is told")
				for i := 1; i < len(told); i++ {
					require.False(t, told[i-1].Less(told[i], objective), "a later plan is not worse")
				}
				require.False(t, told[len(told)-1].Less(sol.Cost, objective), "the last plan is the best")
			}
		})
	}
}

func TestSameSeedAndIterationsGiveTheSameRoutes(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]*Problem{
		"chains": townProblem(1, 60, 8), "parts": plainProblem(2, 330), "one class": plainProblem(3, 40),
	} {
		for _, threads := range []int{1, 2, 3} {
			a := solve(t, p, Options{Iterations: 3000 / slowdown, Threads: threads, Seed: 5})
			b := solve(t, p, Options{Iterations: 3000 / slowdown, Threads: threads, Seed: 5})
			require.Equal(t, a.Routes, b.Routes, "%s with %d threads", name, threads)
			require.Equal(t, a.LeftOut, b.LeftOut, "%s with %d threads", name, threads)
		}
	}
}

func TestOrderOfInputDoesNotMatter(t *testing.T) {
	t.Parallel()
	for k := range max(25/slowdown, 2) {
		seed := uint64(k)
		r := rand.New(rand.NewPCG(seed, 11))
		p := randomProblem(r, 8)
		if seed%3 == 0 {
			p = townProblem(seed, 30, 5)
		}
		q := shuffled(p, r)
		o := Options{Iterations: 1000, Threads: 1, Seed: 2}
		a, b := solve(t, p, o), solve(t, q, o)
		require.Equal(t, a.Cost, b.Cost, "seed %d", seed)
		byWorker := func(x, y Route) int { return slices.Compare([]byte(x.Worker), []byte(y.Worker)) }
		slices.SortFunc(a.Routes, byWorker)
		slices.SortFunc(b.Routes, byWorker)
		require.Equal(t, a.Routes, b.Routes, "seed %d", seed)
	}
}

// shuffled is the same problem with its tasks, workers and places in another order.
func shuffled(p *Problem, r *rand.Rand) *Problem {
	q := *p
	q.Tasks, q.Workers = slices.Clone(p.Tasks), slices.Clone(p.Workers)
	q.Places = make([]Place, len(p.Places))
	moved := r.Perm(len(p.Places))
	for from, to := range moved {
		q.Places[to] = p.Places[from]
	}
	for i := range q.Tasks {
		q.Tasks[i].Place = moved[q.Tasks[i].Place]
	}
	for i := range q.Workers {
		q.Workers[i].Start = moved[q.Workers[i].Start]
		if q.Workers[i].End != Anywhere {
			q.Workers[i].End = moved[q.Workers[i].End]
		}
	}
	if p.Travel != nil {
		q.Travel = map[Profile]*Matrix{}
		for profile, m := range p.Travel {
			q.Travel[profile] = permuted(m, moved)
		}
	}
	r.Shuffle(len(q.Tasks), func(i, j int) { q.Tasks[i], q.Tasks[j] = q.Tasks[j], q.Tasks[i] })
	r.Shuffle(len(q.Workers), func(i, j int) { q.Workers[i], q.Workers[j] = q.Workers[j], q.Workers[i] })
	return &q
}

func permuted(m *Matrix, moved []int) *Matrix {
	c := &Matrix{Size: m.Size, Times: make([]int32, len(m.Times)), Meters: make([]int32, len(m.Meters))}
	for i := range m.Size {
		for j := range m.Size {
			c.Times[moved[i]*m.Size+moved[j]] = m.Times[i*m.Size+j]
			c.Meters[moved[i]*m.Size+moved[j]] = m.Meters[i*m.Size+j]
		}
	}
	return c
}

func TestAnotherWorkerNeverLeavesOutMore(t *testing.T) {
	t.Parallel()
	for seed := range uint64(150 / slowdown) {
		r := rand.New(rand.NewPCG(seed, 21))
		p := randomProblem(r, 3+r.IntN(5))
		before := solve(t, p, Options{Iterations: 1500, Threads: 1, Seed: 1})
		q := *p
		extra := p.Workers[0]
		extra.ID, extra.Route, extra.Active = "extra", nil, false
		q.Workers = append(slices.Clone(p.Workers), extra)
		after := solve(t, &q, Options{Iterations: 1500, Threads: 1, Seed: 1})
		require.LessOrEqual(t, after.Cost.LeftOut, before.Cost.LeftOut, "seed %d", seed)
	}
}

func TestPinnedTasksStayWithTheirWorker(t *testing.T) {
	t.Parallel()
	p := townProblem(12, 60, 5)
	for k := range 5 {
		p.Workers[k].Route = nil
	}
	for i := range 30 {
		w := &p.Workers[i%5]
		if len(p.Tasks[i].DependsOn) == 0 && !p.Tasks[i].Pickup {
			w.Route = append(w.Route, p.Tasks[i].ID)
		}
	}
	p.Workers[2].Active = true
	sol := solve(t, p, Options{Iterations: 3000, Threads: 2})
	for i := range sol.Routes {
		var ids []string
		for _, s := range sol.Routes[i].Stops {
			ids = append(ids, s.Task)
		}
		require.Subset(t, ids, p.Workers[i].Route)
	}
	require.Equal(t, p.Workers[2].Route[0], sol.Routes[2].Stops[0].Task)
}

func TestCancelledSearchReturnsItsBestPlan(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	p := townProblem(3, 80, 8)
	sol, err := Solve(ctx, p, Options{TimeLimit: time.Hour, OnImprovement: func(Progress) { cancel() }})
	require.NoError(t, err)
	require.NoError(t, Verify(p, sol))
	require.Positive(t, sol.Cost.Workers)
	sol, err = Solve(ctx, p, Options{TimeLimit: time.Hour})
	require.NoError(t, err, "a context that is over at the start leaves the first plan")
	require.NoError(t, Verify(p, sol))
}

func TestDefaultBudgetEndsByItself(t *testing.T) {
	t.Parallel()
	p := townProblem(3, 20, 3)
	sol := solve(t, p, Options{})
	require.Positive(t, sol.Iterations)
	require.Less(t, defaultBudget(20), 450*time.Millisecond)
	require.Less(t, defaultBudget(100), defaultBudget(500))
}

func TestNothingToPlan(t *testing.T) {
	t.Parallel()
	empty := solve(t, &Problem{}, Options{})
	require.Empty(t, empty.Routes)
	p := plainProblem(1, 5)
	p.Workers = nil
	nobody := solve(t, p, Options{})
	require.Len(t, nobody.LeftOut, 5)
	require.Equal(t, ReasonNoWorker, nobody.LeftOut[0].Reason)
	p = plainProblem(1, 5)
	p.Tasks = nil
	idle := solve(t, p, Options{})
	require.Zero(t, idle.Cost)
}

func BenchmarkIterationsPlain100(b *testing.B)  { benchmarkIterations(b, plainProblem(1, 100)) }
func BenchmarkIterationsPlain1000(b *testing.B) { benchmarkIterations(b, plainProblem(1, 1000)) }
func BenchmarkIterationsTown100(b *testing.B)   { benchmarkIterations(b, townProblem(1, 100, 12)) }
func BenchmarkIterationsTown500(b *testing.B)   { benchmarkIterations(b, townProblem(1, 500, 40)) }

func benchmarkIterations(b *testing.B, p *Problem) {
	_, err := Solve(context.Background(), p, Options{Iterations: int64(b.N), Threads: 1})
	require.NoError(b, err)
}

func BenchmarkFirstAnswer500(b *testing.B) {
	p := townProblem(1, 500, 40)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for b.Loop() {
		_, err := Solve(ctx, p, Options{})
		require.NoError(b, err)
	}
}
