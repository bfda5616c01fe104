package planner

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// copySolution is deep enough to spoil one without the other.
func copySolution(s *Plan) *Plan {
	c := *s
	c.Routes = slices.Clone(s.Routes)
	for i := range c.Routes {
		c.Routes[i].Stops = slices.Clone(s.Routes[i].Stops)
	}
	c.LeftOut = slices.Clone(s.LeftOut)
	return &c
}

func TestVerifyFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	p := townProblem(1, 40, 6)
	good := solve(t, p, Options{Iterations: 2000, Threads: 1})
	longest := 0
	for i := range good.Routes {
		if len(good.Routes[i].Stops) > len(good.Routes[longest].Stops) {
			longest = i
		}
	}
	require.Greater(t, len(good.Routes[longest].Stops), 3)
	spoil := map[string]func(s *Plan, p *Problem){
		"a task twice": func(s *Plan, _ *Problem) {
			s.LeftOut = append(s.LeftOut, LeftOut{s.Routes[longest].Stops[0].Task, ReasonWindow})
		},
		"a task lost":       func(s *Plan, _ *Problem) { s.Routes[longest].Stops = s.Routes[longest].Stops[1:] },
		"an unknown task":   func(s *Plan, _ *Problem) { s.LeftOut = append(s.LeftOut, LeftOut{"nobody knows", ReasonWindow}) },
		"an unknown worker": func(s *Plan, _ *Problem) { s.Routes[longest].Worker = "nobody" },
		"no reason": func(s *Plan, _ *Problem) {
			s.LeftOut = append(s.LeftOut, LeftOut{s.Routes[longest].Stops[0].Task, ""})
		},
		"an early arrival":  func(s *Plan, _ *Problem) { s.Routes[longest].Stops[1].Arrival-- },
		"a short service":   func(s *Plan, _ *Problem) { s.Routes[longest].Stops[1].End-- },
		"a hidden delay":    func(s *Plan, _ *Problem) { s.Routes[longest].Stops[1].Late = 1 },
		"a wrong length":    func(s *Plan, _ *Problem) { s.Routes[longest].Travel-- },
		"a wrong cost":      func(s *Plan, _ *Problem) { s.Cost.Travel-- },
		"a window closed":   func(s *Plan, p *Problem) { task(p, s.Routes[longest].Stops[2].Task).Before = p.Workers[0].From },
		"a window not open": func(s *Plan, p *Problem) { task(p, s.Routes[longest].Stops[0].Task).After = s.Routes[longest].End },
		"a shift over":      func(s *Plan, p *Problem) { p.Workers[longest].Until = s.Routes[longest].End - 1 },
		"too much load":     func(_ *Plan, p *Problem) { p.Workers[longest].Capacity[0] = 1 },
		"too much of C": func(s *Plan, p *Problem) {
			p.Workers[longest].Capacity[3], task(p, s.Routes[longest].Stops[0].Task).Quantities[3] = 1, 2
		},
		"too many tasks":    func(_ *Plan, p *Problem) { p.MaxTasksPerRoute = 3 },
		"too many for one":  func(_ *Plan, p *Problem) { p.Workers[longest].MaxTasks = 3 },
		"too far":           func(_ *Plan, p *Problem) { p.MaxLeg = 10 },
		"the wrong vehicle": func(_ *Plan, p *Problem) { p.Vehicle = Truck },
		"a full container": func(_ *Plan, p *Problem) {
			p.Workers[longest].Route = ids(good.Routes[longest])
			p.MaxContainerSize = 2
		},
		"a moved task": func(s *Plan, p *Problem) {
			w := &p.Workers[(longest+1)%6]
			w.Route = append(w.Route, s.Routes[longest].Stops[0].Task)
		},
		"an active task late": func(s *Plan, p *Problem) {
			p.Workers[longest].Route = []string{s.Routes[longest].Stops[1].Task}
			p.Workers[longest].Active = true
		},
		"a dependency after": func(s *Plan, p *Problem) {
			depend(p, s.Routes[longest].Stops[0].Task, s.Routes[longest].Stops[1].Task)
		},
		"a dependency missing": func(s *Plan, p *Problem) { depend(p, s.Routes[longest].Stops[0].Task, "elsewhere") },
		"kept without need":    func(s *Plan, _ *Problem) { s.Routes[longest].Kept = true },
	}
	for name, change := range spoil {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := *p
			q.Tasks, q.Workers = slices.Clone(p.Tasks), slices.Clone(p.Workers)
			bad := copySolution(good)
			change(bad, &q)
			var found *VerifyError
			require.ErrorAs(t, Verify(&q, bad), &found)
			require.NotEmpty(t, found.Faults)
		})
	}
}

func ids(r Route) []string {
	var all []string
	for i := range r.Stops {
		all = append(all, r.Stops[i].Task)
	}
	return all
}

func task(p *Problem, id string) *Task {
	return &p.Tasks[slices.IndexFunc(p.Tasks, func(t Task) bool { return t.ID == id })]
}

func depend(p *Problem, id, on string) {
	t := task(p, id)
	t.DependsOn = append(slices.Clone(t.DependsOn), on)
}

func TestReasons(t *testing.T) {
	t.Parallel()
	base := func() *Problem {
		p := &Problem{Places: []Place{{0, 0}, {0, 10}, {0, 20}, {10, 0}}}
		p.Travel = map[Profile]*Matrix{Car: planeMatrix(p.Places, 1), Foot: planeMatrix(p.Places, 5)}
		p.Workers = []Worker{{ID: "w", Vehicle: Car, Until: 100, Capacity: Quantities{10, 10, 10, 10}}}
		p.Tasks = []Task{{ID: "a", Place: 1, Service: 5, Before: NoLimit}}
		return p
	}
	for name, c := range map[string]struct {
		change func(*Problem)
		want   Reason
	}{
		"circle":           {func(p *Problem) { depend(p, "a", "a") }, ReasonDependency},
		"unfinished":       {func(p *Problem) { depend(p, "a", "elsewhere") }, ReasonDependency},
		"behind left out":  {func(p *Problem) { p.Tasks = append(p.Tasks, Task{ID: "b", Place: 2, Before: 1}); depend(p, "a", "b") }, ReasonDependency},
		"nobody":           {func(p *Problem) { p.Vehicle = Truck }, ReasonNoWorker},
		"too far":          {func(p *Problem) { p.MaxLeg = 5 }, ReasonDistance},
		"too big":          {func(p *Problem) { p.Tasks[0].Quantities[2] = 11 }, ReasonCapacity},
		"window over":      {func(p *Problem) { p.Tasks[0].Before = 12 }, ReasonWindow},
		"shift too short":  {func(p *Problem) { p.Workers[0].Until = 20 }, ReasonSchedule},
		"no room on route": {func(p *Problem) { p.Tasks = append(p.Tasks, onRoute(p)); p.MaxTasksPerRoute = 1 }, ReasonRouteLength},
		"no room in the van": {func(p *Problem) {
			p.Tasks[0].Quantities[0] = 6
			b := onRoute(p)
			b.Quantities[0] = 6
			p.Tasks = append(p.Tasks, b)
		}, ReasonCapacity},
		"no time beside": {func(p *Problem) { p.Tasks = append(p.Tasks, onRoute(p)); p.Workers[0].Until = 44 }, ReasonSchedule},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := base()
			c.change(p)
			sol := solve(t, p, Options{Iterations: 200, Threads: 1})
			at := slices.IndexFunc(sol.LeftOut, func(l LeftOut) bool { return l.Task == "a" })
			require.GreaterOrEqual(t, at, 0, "%+v", sol)
			require.Equal(t, c.want, sol.LeftOut[at].Reason)
		})
	}
}

// onRoute is a task that the worker already has.
func onRoute(p *Problem) Task {
	p.Workers[0].Route = []string{"mine"}
	return Task{ID: "mine", Place: 3, Service: 5, Before: NoLimit}
}

func TestRouteThatCannotBeKeptIsLeftAlone(t *testing.T) {
	t.Parallel()
	p := plainProblem(1, 12)
	p.Workers = p.Workers[:2]
	p.Workers[0].Route = []string{"3", "1", "2"}
	p.Workers[0].Until = 5
	depend(p, "7", "2")
	sol := solve(t, p, Options{Iterations: 500, Threads: 1})
	require.True(t, sol.Routes[0].Kept)
	require.Equal(t, []string{"3", "1", "2"}, ids(sol.Routes[0]))
}

func TestLatenessIsUsedOnlyWhereNeeded(t *testing.T) {
	t.Parallel()
	p := &Problem{Places: []Place{{0, 0}, {0, 10}, {0, -10}}, MaxDelay: 30}
	p.Travel = map[Profile]*Matrix{Car: planeMatrix(p.Places, 1)}
	free := Quantities{Unlimited, Unlimited, Unlimited, Unlimited}
	p.Workers = []Worker{{ID: "w", Vehicle: Car, Until: NoLimit, Capacity: free, End: Anywhere}}
	p.Tasks = []Task{{ID: "east", Place: 1, Before: 15}, {ID: "west", Place: 2, Before: 15}}
	one := solve(t, p, Options{Iterations: 300, Threads: 1})
	require.Equal(t, Cost{Lateness: 15, Workers: 1, Travel: 30}, one.Cost)
	p.Workers = append(p.Workers, Worker{ID: "v", Vehicle: Car, Until: NoLimit, Capacity: free, End: Anywhere})
	two := solve(t, p, Options{Iterations: 300, Threads: 1})
	require.Equal(t, Cost{Workers: 2, Travel: 20}, two.Cost)
}

func TestPickupLoadsAndDropOffUnloads(t *testing.T) {
	t.Parallel()
	p := &Problem{Places: []Place{{0, 0}, {0, 10}, {0, 20}, {0, 30}}}
	p.Travel = map[Profile]*Matrix{Car: planeMatrix(p.Places, 1)}
	p.Workers = []Worker{{ID: "w", Vehicle: Car, Until: NoLimit, Capacity: Quantities{5}, End: Anywhere}}
	p.Tasks = []Task{
		{ID: "drop", Place: 1, Before: NoLimit, Quantities: Quantities{5}},
		{ID: "pickup", Place: 2, Before: NoLimit, Pickup: true},
		{ID: "bring", Place: 3, Before: NoLimit, Quantities: Quantities{4}, DependsOn: []string{"pickup"}},
	}
	sol := solve(t, p, Options{Iterations: 300, Threads: 1})
	require.Empty(t, sol.LeftOut, "the van is full at the start, empty after the drop-off, and has room for the pickup")
	require.Equal(t, []string{"drop", "pickup", "bring"}, ids(sol.Routes[0]))
}
