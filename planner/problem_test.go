package planner

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/model"
)

func TestValidateSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Problem)
		want   error
	}{
		"task twice":        {func(p *Problem) { p.Tasks[1].ID = p.Tasks[0].ID }, ErrDuplicateID},
		"task without id":   {func(p *Problem) { p.Tasks[1].ID = "" }, ErrDuplicateID},
		"worker twice":      {func(p *Problem) { p.Workers[1].ID = p.Workers[0].ID }, ErrDuplicateID},
		"task nowhere":      {func(p *Problem) { p.Tasks[1].Place = 99 }, ErrUnknownPlace},
		"start nowhere":     {func(p *Problem) { p.Workers[0].Start = Anywhere }, ErrUnknownPlace},
		"end nowhere":       {func(p *Problem) { p.Workers[0].End = -7 }, ErrUnknownPlace},
		"no matrix":         {func(p *Problem) { p.Places = nil; p.Workers[0].Vehicle = Truck }, ErrNoTravel},
		"small matrix":      {func(p *Problem) { p.Travel[Car] = &Matrix{Size: 2, Times: make([]int32, 4)} }, ErrNoTravel},
		"negative service":  {func(p *Problem) { p.Tasks[0].Service = -1 }, ErrBadTime},
		"negative delay":    {func(p *Problem) { p.MaxDelay = -1 }, ErrBadTime},
		"milliseconds":      {func(p *Problem) { p.Workers[1].From = 1_750_000_000_000 }, ErrBadTime},
		"negative quantity": {func(p *Problem) { p.Tasks[0].Quantities[1] = -1 }, ErrBadQuantity},
		"negative capacity": {func(p *Problem) { p.Workers[0].Capacity[0] = -1 }, ErrBadQuantity},
		"huge quantities":   {func(p *Problem) { p.Tasks[0].Quantities[1] = 1 << 30 }, ErrBadQuantity},
		"unknown on route":  {func(p *Problem) { p.Workers[0].Route = []string{"ghost"} }, ErrBadRoute},
		"on two routes":     {func(p *Problem) { p.Workers[0].Route, p.Workers[1].Route = []string{"1"}, []string{"1"} }, ErrBadRoute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := plainProblem(1, 8)
			c.change(p)
			_, err := Solve(context.Background(), p, Options{Iterations: 10})
			require.ErrorIs(t, err, c.want)
		})
	}
}

// TestNobodyWorks: times are seconds since 1970, far from the zero that would be the origin without workers.
func TestNobodyWorks(t *testing.T) {
	t.Parallel()
	p := plainProblem(1, 8)
	p.Workers = nil
	for i := range p.Tasks[1:] {
		p.Tasks[i].After, p.Tasks[i].Before = 1_772_476_200, 1_772_479_800
	}
	solution, err := Solve(context.Background(), p, Options{Iterations: 10})
	require.NoError(t, err)
	require.Len(t, solution.LeftOut, len(p.Tasks))
}

func TestStraightLine(t *testing.T) {
	t.Parallel()
	m := StraightLine([]Place{{52.52, 13.405}, {48.1374, 11.5755}}, Car, 1)
	meters := model.Location{Lon: 13.405, Lat: 52.52}.MetersTo(model.Location{Lon: 11.5755, Lat: 48.1374})
	pace := model.VehicleCar.Pace()
	pace.Detour = 1
	require.InDelta(t, meters, float64(m.Meters[1]), 1)
	require.InDelta(t, pace.Duration(meters).Seconds(), float64(m.Times[1]), 1)
	require.Equal(t, m.Times[1], m.Times[2])
	require.Zero(t, m.Times[0])
}

func TestPlacesWithoutMatrixAreEstimated(t *testing.T) {
	t.Parallel()
	p := townProblem(4, 10, 2)
	p.Travel = nil
	sol := solve(t, p, Options{Iterations: 500, Threads: 1})
	require.Positive(t, sol.Routes[0].Meters+sol.Routes[1].Meters)
}

func BenchmarkStraightLine1000(b *testing.B) {
	places := make([]Place, 1000)
	for i := range places {
		places[i] = Place{50 + float64(i%37)/50, 10 + float64(i%91)/50}
	}
	for b.Loop() {
		StraightLine(places, Car, 0)
	}
}
