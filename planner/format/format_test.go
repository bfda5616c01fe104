package format

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/planner"
)

// generateSolomon writes an instance in Solomon's format.
func generateSolomon(seed uint64, customers int) string {
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	fmt.Fprintf(&b, "G%d\n\nVEHICLE\nNUMBER     CAPACITY\n  %d         200\n\nCUSTOMER\n", seed, customers/3+1)
	b.WriteString("CUST NO.  XCOORD.   YCOORD.    DEMAND   READY TIME  DUE DATE   SERVICE   TIME\n\n")
	b.WriteString("    0      50         50          0          0       1000          0\n")
	for i := 1; i <= customers; i++ {
		ready := r.IntN(600)
		fmt.Fprintf(&b, "%5d %7d %10d %10d %10d %9d %10d\n", i, r.IntN(100), r.IntN(100), 1+r.IntN(40), ready, ready+80+r.IntN(200), 10)
	}
	return b.String()
}

// generateLiLim writes an instance in the format of Li & Lim: odd lines are pickups, the next ones their drop-offs.
func generateLiLim(seed uint64, pairs int) string {
	r := rand.New(rand.NewPCG(seed, 2))
	var b strings.Builder
	fmt.Fprintf(&b, "%d\t200\t1\n0\t50\t50\t0\t0\t1000\t0\t0\t0\n", pairs)
	for i := range pairs {
		p, d := 2*i+1, 2*i+2
		load, ready := 1+r.IntN(50), r.IntN(300)
		fmt.Fprintf(&b, "%d\t%d\t%d\t%d\t%d\t%d\t10\t0\t%d\n", p, r.IntN(100), r.IntN(100), load, ready, ready+200, d)
		fmt.Fprintf(&b, "%d\t%d\t%d\t%d\t%d\t%d\t10\t%d\t0\n", d, r.IntN(100), r.IntN(100), -load, ready+50, ready+600, p)
	}
	return b.String()
}

const dayText = `{
  "name": "Tuesday",
  "places": [{"id": "hub", "lat": 52.5, "lng": 13.4}],
  "workers": [
    {"id": "ada", "vehicle": "car", "start": "hub", "from": "2026-03-02T08:00:00Z", "until": "2026-03-02T16:00:00Z",
     "capacity": 10.5, "additionalCapacities": {"capacityA": 2}, "route": ["t1"], "active": true},
    {"id": "ben", "vehicle": "BICYCLE", "start": [52.51, 13.41], "end": null, "from": 1772438400, "fixedCost": 5, "maxTasks": 3}
  ],
  "tasks": [
    {"id": "t1", "at": [52.52, 13.42], "quantity": 2.5, "additionalQuantities": {"quantityA": 1}},
    {"id": "t2", "at": [52.48, 13.38], "serviceTime": 6, "completeAfter": 1772442000, "completeBefore": "2026-03-02T10:30:00Z"},
    {"id": "p", "at": "hub", "pickupTask": true},
    {"id": "d", "at": [52.49, 13.39], "quantity": 3, "dependencies": ["p", "old"]}
  ],
  "completed": ["old"],
  "rules": {"serviceTime": 4, "maxAllowedDelay": 15, "maxTasksPerRoute": 50, "routeEnd": "hub"}
}`

func TestReadSolomon(t *testing.T) {
	t.Parallel()
	doc, err := Read(strings.NewReader(generateSolomon(1, 25)), Solomon, DIMACS)
	require.NoError(t, err)
	require.Equal(t, "G1", doc.Name)
	p := doc.Problem
	require.Len(t, p.Tasks, 25)
	require.Len(t, p.Workers, 9)
	require.Equal(t, int64(10_000), p.Workers[0].Until)
	require.Equal(t, int64(200), p.Workers[0].Capacity[0])
	require.Equal(t, int64(100), p.Tasks[0].Service)
	a, b := p.Places[1], p.Places[2]
	d := (a.Lat-b.Lat)*(a.Lat-b.Lat) + (a.Lng-b.Lng)*(a.Lng-b.Lng)
	times := p.Travel[planner.Car]
	require.LessOrEqual(t, float64(times.Times[times.Size+2])*float64(times.Times[times.Size+2]), d*100)
	sol, err := planner.Solve(context.Background(), p, planner.Options{Iterations: 2000})
	require.NoError(t, err)
	require.NoError(t, planner.Verify(p, sol))
	var out strings.Builder
	require.NoError(t, WriteRoutes(&out, doc, sol))
	require.Regexp(t, `(?s)^Route #1: [0-9 ]+\n.*Cost [0-9]+\.[0-9]\n$`, out.String())
}

func TestReadLiLim(t *testing.T) {
	t.Parallel()
	doc, err := Read(strings.NewReader(generateLiLim(1, 12)), LiLim, Double)
	require.NoError(t, err)
	require.Len(t, doc.Problem.Tasks, 24)
	require.True(t, doc.Problem.Tasks[0].Pickup)
	require.Equal(t, []string{"1"}, doc.Problem.Tasks[1].DependsOn)
	for _, objective := range []planner.Objective{planner.LeastTravel, planner.FewestWorkers} {
		doc.Problem.Objective = objective
		sol, err := planner.Solve(context.Background(), doc.Problem, planner.Options{Iterations: 2000, Threads: 2})
		require.NoError(t, err)
		require.NoError(t, planner.Verify(doc.Problem, sol))
	}
}

func TestReadJSON(t *testing.T) {
	t.Parallel()
	doc, err := Read(strings.NewReader(dayText), JSON, DIMACS)
	require.NoError(t, err)
	p := doc.Problem
	ada, ben := p.Workers[0], p.Workers[1]
	require.Equal(t, int64(1772438400), ada.From)
	require.Equal(t, ada.From, ben.From)
	require.Equal(t, planner.Quantities{10_500, 2000, planner.Unlimited, planner.Unlimited}, ada.Capacity)
	require.Equal(t, planner.Bicycle, ben.Vehicle)
	require.Equal(t, 0, ada.End, "the rules' end")
	require.Equal(t, planner.Anywhere, ben.End)
	require.Equal(t, int64(300), ben.FixedCost)
	require.Equal(t, int64(240), p.Tasks[0].Service)
	require.Equal(t, int64(360), p.Tasks[1].Service)
	require.Equal(t, int64(900), p.MaxDelay)
	sol, err := planner.Solve(context.Background(), p, planner.Options{Iterations: 1000})
	require.NoError(t, err)
	require.NoError(t, planner.Verify(p, sol))
	require.Empty(t, sol.LeftOut)
}

func TestJSONMistakesAreNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string][3]string{
		"unknown field":  {`"capacity": 10.5`, `"capcity": 10.5`, "capcity"},
		"unknown place":  {`"start": "hub"`, `"start": "nowhere"`, "nowhere"},
		"no point":       {`[52.52, 13.42]`, `[152.52, 13.42]`, "globe"},
		"milliseconds":   {`1772442000`, `1772442000000`, "milliseconds"},
		"no time":        {`"2026-03-02T10:30:00Z"`, `"half past ten"`, "half past ten"},
		"bad quantity":   {`"quantity": 3`, `"quantity": -3`, "quantity"},
		"bad dimension":  {`"quantityA": 1`, `"quantityD": 1`, "quantityD"},
		"bad delay":      {`"maxAllowedDelay": 15`, `"maxAllowedDelay": -1`, "maxAllowedDelay"},
		"bad objective":  {`"serviceTime": 4`, `"objective": "fun"`, "fun"},
		"two documents":  {`"routeEnd": "hub"}` + "\n}", `"routeEnd": "hub"}}{}`, "more after"},
		"task on routes": {`"route": ["t1"]`, `"route": ["t9"]`, "t9"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, dayText, c[0])
			_, err := ReadJSON(strings.NewReader(strings.Replace(dayText, c[0], c[1], 1)))
			require.ErrorContains(t, err, c[2])
		})
	}
}

func TestJSONTravelTable(t *testing.T) {
	t.Parallel()
	text := `{"places": [{"id": "a", "lat": 1, "lng": 1}, {"id": "b", "lat": 1, "lng": 2}],
	 "travel": {"car": {"seconds": [[0, 100.4], [%s, 0]], "meters": [[0, 900], [900, 0]]}},
	 "workers": [{"id": "w", "vehicle": "car", "start": "a", "end": "a", "from": 0}], "tasks": [{"id": "t", "at": "b"}], "rules": {}}`
	doc, err := ReadJSON(strings.NewReader(fmt.Sprintf(text, "50")))
	require.NoError(t, err)
	sol, err := planner.Solve(context.Background(), doc.Problem, planner.Options{Iterations: 10})
	require.NoError(t, err)
	require.Equal(t, int64(150), sol.Cost.Travel)
	require.Equal(t, int64(1800), sol.Routes[0].Meters)
	doc, err = ReadJSON(strings.NewReader(fmt.Sprintf(text, "-1")))
	require.NoError(t, err)
	sol, err = planner.Solve(context.Background(), doc.Problem, planner.Options{Iterations: 10})
	require.NoError(t, err)
	require.Equal(t, []planner.LeftOut{{Task: "t", Reason: planner.ReasonDistance}}, sol.LeftOut, "no way back")
}

func FuzzRead(f *testing.F) {
	f.Add(generateSolomon(1, 5), 0)
	f.Add(generateLiLim(2, 3), 1)
	f.Add(dayText, 2)
	f.Fuzz(func(t *testing.T, text string, kind int) {
		formats := []Format{Solomon, LiLim, JSON}
		doc, err := Read(strings.NewReader(text), formats[((kind%3)+3)%3], Rounding(kind&1))
		if err != nil || len(doc.Problem.Tasks) > 40 || len(doc.Problem.Workers) > 200 {
			return
		}
		sol, err := planner.Solve(context.Background(), doc.Problem, planner.Options{Iterations: 30, Threads: 1})
		if err != nil {
			return
		}
		if err := planner.Verify(doc.Problem, sol); err != nil {
			t.Fatal(err)
		}
	})
}
