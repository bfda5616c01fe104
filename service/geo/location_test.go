package geo

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/model"
)

func anyLocation() *rapid.Generator[Location] {
	return rapid.Custom(func(t *rapid.T) Location {
		return Location{
			Lon: rapid.Float64Range(-180, 180).Draw(t, "lon"),
			Lat: rapid.Float64Range(-89, 89).Draw(t, "lat"),
		}
	})
}

func cityLocation() *rapid.Generator[Location] {
	return rapid.Custom(func(t *rapid.T) Location {
		return Location{
			Lon: rapid.Float64Range(-122.52, -122.35).Draw(t, "lon"),
			Lat: rapid.Float64Range(37.70, 37.83).Draw(t, "lat"),
		}
	})
}

func TestDistanceOfKnownPairs(t *testing.T) {
	for _, test := range []struct {
		from, to Location
		meters   float64
	}{
		{Location{-122.4194, 37.7749}, Location{-118.2437, 34.0522}, 559_120},                        // San Francisco to Los Angeles
		{Location{-0.1257, 51.5085}, Location{2.3488, 48.8534}, 343_900},                             // London to Paris
		{Location{0, 0}, Location{180, 0}, math.Pi * model.EarthRadiusMeters},                        // half way round
		{Location{179.9, 0}, Location{-179.9, 0}, 0.2 / 360 * 2 * math.Pi * model.EarthRadiusMeters}, // over the date line
		{Location{10, 90}, Location{-50, 90}, 0},                                                     // the pole is one place
	} {
		require.InDelta(t, test.meters, test.from.Distance(test.to), 0.001*test.meters+1)
	}
}

func TestDistanceIsAMetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := anyLocation().Draw(t, "a"), anyLocation().Draw(t, "b"), anyLocation().Draw(t, "c")
		require.Zero(t, a.Distance(a))
		require.InDelta(t, a.Distance(b), b.Distance(a), 1e-6)
		// Near the antipode the formula loses digits.
		direct := a.Distance(c)
		require.LessOrEqual(t, direct, a.Distance(b)+b.Distance(c)+1e-6+direct*2e-8)
		require.LessOrEqual(t, a.Distance(b), math.Pi*model.EarthRadiusMeters+1)
	})
}

func TestChordAgreesWithHaversine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := anyLocation().Draw(t, "a")
		b := rapid.OneOf(anyLocation(), rapid.Custom(func(t *rapid.T) Location {
			return a.Move(rapid.Float64Range(0, 360).Draw(t, "bearing"), rapid.Float64Range(0, 1e6).Draw(t, "meters"))
		})).Draw(t, "b")
		v := unitVectors([]Location{a, b})
		want := a.Distance(b)
		// Near the antipode both lose digits.
		require.InDelta(t, want, v[0].MetersTo(v[1]), 0.001+want*2e-8)
	})
}

func TestMove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := anyLocation().Draw(t, "from")
		bearing := rapid.Float64Range(0, 359).Draw(t, "bearing")
		meters := rapid.Float64Range(1, 50_000).Draw(t, "meters")
		to := from.Move(bearing, meters)
		require.NoError(t, to.Validate())
		require.InDelta(t, meters, from.Distance(to), 0.01)
		if math.Abs(from.Lat) < 85 {
			turn := math.Mod(from.Bearing(to)-bearing+540, 360) - 180
			require.InDelta(t, 0, turn, 0.01)
		}
	})
}

func TestValidate(t *testing.T) {
	for _, good := range []Location{{}, {180, 90}, {-180, -90}, {-122.4, 37.77}} {
		require.NoError(t, good.Validate())
	}
	for _, bad := range []Location{
		{180.1, 0},
		{-180.1, 0},
		{0, 90.1},
		{37.77, -122.4},
		{math.NaN(), 0},
		{0, math.NaN()},
		{math.Inf(1), 0},
		{0, math.Inf(-1)},
	} {
		require.ErrorIs(t, bad.Validate(), ErrLocation, bad)
	}
	require.ErrorContains(t, Location{37.77, -122.4}.Validate(), "[longitude, latitude]")
}

func TestPath(t *testing.T) {
	a := Location{-122.40, 37.78}
	b, c := a.Move(90, 1000), a.Move(90, 1000).Move(0, 500)
	path := NewPath(a, b, b, c)
	require.InDelta(t, 1500, path.Length(), 0.01)
	for meters, want := range map[float64]Location{-5: a, 0: a, 1000: b, 1500: c, 9999: c, 500: a.Move(90, 500), 1250: b.Move(0, 250)} {
		at, _ := path.At(meters)
		require.InDelta(t, 0, at.Distance(want), 0.05, meters)
	}
	_, bearing := path.At(500)
	require.InDelta(t, 90, bearing, 0.1)
	_, bearing = path.At(1300)
	require.InDelta(t, 0, math.Mod(bearing+180, 360)-180, 0.1)

	empty, _ := NewPath().At(10)
	require.Equal(t, Location{}, empty)
	require.Zero(t, NewPath().Length())
	only, _ := NewPath(a).At(10)
	require.Equal(t, a, only)
}

func TestPathOverTheDateLine(t *testing.T) {
	path := NewPath(Location{179.99, 0}, Location{-179.99, 0})
	middle, _ := path.At(path.Length() / 2)
	require.InDelta(t, 180, math.Abs(middle.Lon), 1e-9)
	require.NoError(t, middle.Validate())
}

// Equal steps in distance are equal steps on the ground, whatever the corners between them.
func TestPathMovesSteadily(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := rapid.SliceOfN(cityLocation(), 2, 12).Draw(t, "points")
		path := NewPath(points...)
		step := path.Length() / 37
		before, _ := path.At(0)
		require.Equal(t, points[0], before)
		for i := 1; i <= 37; i++ {
			at, _ := path.At(float64(i) * step)
			require.LessOrEqual(t, before.Distance(at), step*1.001+0.01)
			before = at
		}
		require.InDelta(t, 0, before.Distance(points[len(points)-1]), 0.05)
	})
}
