package geo

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func allProfiles() []Profile { return []Profile{Foot, Bicycle, Motorcycle, Car, Truck} }

func TestProfileFor(t *testing.T) {
	for text, want := range map[string]Profile{
		"": Foot, "CAR": Car, "car": Car, "MOTORCYCLE": Motorcycle, "BICYCLE": Bicycle, "TRUCK": Truck,
	} {
		got, err := ProfileFor(text)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := ProfileFor("HORSE")
	require.ErrorContains(t, err, "HORSE")
}

func TestStraightLineOfKnownLegs(t *testing.T) {
	a := Location{-122.4, 37.77}
	route, err := StraightLine{}.Route(t.Context(), []Location{a, a.Move(90, 1000), a.Move(90, 21_000)}, Car)
	require.NoError(t, err)
	require.True(t, route.Estimated)
	require.Len(t, route.Path, 3)
	// 1350 m at 26 km/h; 8 of 27 km at 26 km/h and the rest at 75.
	require.Equal(t, Leg{Seconds: 187, Meters: 1350}, route.Legs[0])
	require.Equal(t, int32(27_000), route.Legs[1].Meters)
	require.InDelta(t, 8000/(26/3.6)+19_000/(75/3.6), float64(route.Legs[1].Seconds), 1)
}

func TestStraightLineOrderOfVehicles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := cityLocation().Draw(t, "a"), cityLocation().Draw(t, "b")
		var seconds []int32
		for _, p := range []Profile{Motorcycle, Car, Truck, Foot} {
			m, err := StraightLine{}.Matrix(context.Background(), []Location{a}, []Location{b}, p)
			require.NoError(t, err)
			seconds = append(seconds, m.At(0, 0).Seconds)
		}
		for i := 1; i < len(seconds); i++ {
			require.LessOrEqual(t, seconds[i-1], seconds[i])
		}
	})
}

// Going by way of a third place must not be estimated faster, or a planner would invent detours.
func TestStraightLineHasNoShortcuts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		near := rapid.Bool().Draw(t, "near")
		place := anyLocation()
		if near {
			place = cityLocation()
		}
		points := rapid.SliceOfN(place, 3, 3).Draw(t, "points")
		for _, p := range allProfiles() {
			m, err := StraightLine{}.Matrix(context.Background(), points, points, p)
			require.NoError(t, err)
			require.LessOrEqual(t, m.At(0, 2).Seconds, m.At(0, 1).Seconds+m.At(1, 2).Seconds+1)
			require.LessOrEqual(t, m.At(0, 2).Meters, m.At(0, 1).Meters+m.At(1, 2).Meters+2)
			require.Equal(t, m.At(0, 2), m.At(2, 0))
			require.Equal(t, Leg{}, m.At(1, 1))
		}
	})
}

func TestMatrixAgreesWithRoute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := rapid.SliceOfN(anyLocation(), 2, 6).Draw(t, "points")
		p := rapid.SampledFrom(allProfiles()).Draw(t, "profile")
		m, err := StraightLine{}.Matrix(context.Background(), points, points, p)
		require.NoError(t, err)
		route, err := StraightLine{}.Route(context.Background(), points, p)
		require.NoError(t, err)
		for i, leg := range route.Legs {
			require.InDelta(t, leg.Seconds, m.At(i, i+1).Seconds, 1+float64(leg.Seconds)*1e-6)
			require.InDelta(t, leg.Meters, m.At(i, i+1).Meters, 1+float64(leg.Meters)*1e-6)
		}
	})
}

func TestLargeMatrixIsTheSameAsSmallOnes(t *testing.T) {
	points := cityPoints(200)
	whole, err := StraightLine{}.Matrix(t.Context(), points, points[:150], Car)
	require.NoError(t, err)
	require.Equal(t, 200, whole.Rows)
	require.Equal(t, 150, whole.Cols)
	for i := range points {
		row, err := StraightLine{}.Matrix(t.Context(), points[i:i+1], points[:150], Car)
		require.NoError(t, err)
		require.Equal(t, row.Seconds, whole.Seconds[i*150:(i+1)*150])
		require.Equal(t, row.Meters, whole.Meters[i*150:(i+1)*150])
	}
}

func TestStraightLineRefuses(t *testing.T) {
	_, err := StraightLine{}.Matrix(t.Context(), []Location{{math.NaN(), 0}}, nil, Car)
	require.ErrorIs(t, err, ErrLocation)
	_, err = StraightLine{}.Route(t.Context(), []Location{{0, 91}}, Car)
	require.ErrorIs(t, err, ErrLocation)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = StraightLine{}.Matrix(ctx, cityPoints(3), cityPoints(3), Car)
	require.ErrorIs(t, err, context.Canceled)
	_, err = StraightLine{}.Route(ctx, cityPoints(3), Car)
	require.ErrorIs(t, err, context.Canceled)
	m, err := StraightLine{}.Matrix(t.Context(), nil, nil, Car)
	require.NoError(t, err)
	require.Empty(t, m.Seconds)
}

func cityPoints(n int) []Location {
	rng := rand.New(rand.NewPCG(1, 2))
	points := make([]Location, n)
	for i := range points {
		points[i] = Location{-122.51 + 0.13*rng.Float64(), 37.71 + 0.09*rng.Float64()}
	}
	return points
}

func BenchmarkStraightLineMatrix1000(b *testing.B) {
	points := cityPoints(1000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (StraightLine{}).Matrix(b.Context(), points, points, Car); err != nil {
			b.Fatal(err)
		}
	}
}

// The plain way, for comparison: the haversine formula for each pair.
func BenchmarkHaversineMatrix1000(b *testing.B) {
	points := cityPoints(1000)
	b.ReportAllocs()
	for b.Loop() {
		m := newMatrix(len(points), len(points))
		for i := range points {
			for j := range points {
				leg := estimateLeg(points[i], points[j], Car)
				m.Seconds[i*m.Cols+j], m.Meters[i*m.Cols+j] = leg.Seconds, leg.Meters
			}
		}
	}
}

func BenchmarkDistance(b *testing.B) {
	points := cityPoints(2)
	sum := 0.0
	for b.Loop() {
		sum += points[0].Distance(points[1])
	}
	_ = sum
}
