package canvas

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func drawPlace(t *rapid.T, around Place, spread float64) Place {
	return Place{
		wrapLongitude(around.Lon + rapid.Float64Range(-spread, spread).Draw(t, "lon")),
		around.Lat + rapid.Float64Range(-spread/2, spread/2).Draw(t, "lat"),
	}
}

// What was fitted is seen, wherever on the earth it is.
func TestFitShowsEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		city := rapid.SampledFrom([]Place{{-122.4, 37.77}, {18.06, 59.33}, {179.99, -17.8}, {139.7, 35.7}, {-70.9, -53.2}}).Draw(t, "city")
		spread := rapid.SampledFrom([]float64{0.001, 0.05, 1, 20}).Draw(t, "spread")
		places := make([]Place, rapid.IntRange(1, 20).Draw(t, "n"))
		for i := range places {
			places[i] = drawPlace(t, city, spread)
		}
		w, h := rapid.IntRange(10, 400).Draw(t, "w"), rapid.IntRange(10, 300).Draw(t, "h")
		v := Fit(places, w, h)
		for _, p := range places {
			x, y := v.Project(p)
			require.True(t, x >= 0 && x < w && y >= 0 && y < h, "%v at %d,%d of %dx%d", p, x, y, w, h)
		}
	})
}

func TestLocateUndoesProject(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := Fit([]Place{{-122.5, 37.7}, {-122.3, 37.9}}, 200, 160).Zoom(rapid.Float64Range(0.1, 50).Draw(t, "zoom"))
		x, y := rapid.IntRange(0, 199).Draw(t, "x"), rapid.IntRange(0, 159).Draw(t, "y")
		gotX, gotY := v.Project(locate(v, x, y))
		require.Equal(t, []int{x, y}, []int{gotX, gotY})
	})
}

func TestScaleIsEqualInBothDirections(t *testing.T) {
	v := Fit([]Place{{18, 59.3}, {18.1, 59.4}}, 200, 200)
	c := v.Center()
	x0, y0 := v.Project(c)
	east, _ := v.Project(Place{c.Lon + 0.04/math.Cos(c.Lat*math.Pi/180), c.Lat})
	_, north := v.Project(Place{c.Lon, c.Lat + 0.04})
	require.InDelta(t, y0-north, east-x0, 2)
}

func TestZoomAndPan(t *testing.T) {
	v := Fit([]Place{{-122.5, 37.7}, {-122.3, 37.9}}, 200, 160)
	c := v.Center()
	near := v.Zoom(4)
	require.Equal(t, c, near.Center())
	x, _ := v.Project(Place{-122.35, 37.8})
	nearX, _ := near.Project(Place{-122.35, 37.8})
	require.InDelta(t, 4*(x-100), nearX-100, 4)

	moved := v.Pan(0.5, 0)
	require.Greater(t, moved.Center().Lon, c.Lon)
	back := moved.Pan(-0.5, 0)
	require.InDelta(t, c.Lon, back.Center().Lon, 1e-9)
	require.Less(t, v.Pan(0, 0.5).Center().Lat, c.Lat)

	for range 200 {
		v = v.Zoom(2).Pan(3, -3)
	}
	require.True(t, v.Center().Valid())
	require.Equal(t, c, v.CenterOn(c).Center())
	require.NotEqual(t, Place{}, v.CenterOn(Place{}).Center(), "a missing position moves nothing")
}

func TestMissingPositionsAreNotFitted(t *testing.T) {
	v := Fit([]Place{{}, {-122.4, 37.7}, {math.NaN(), 5}, {500, 5}}, 100, 100)
	require.Equal(t, Place{-122.4, 37.7}, v.Center())
	require.Equal(t, Place{}, Fit(nil, 100, 100).Center())
}

func TestScaleBar(t *testing.T) {
	v := Fit([]Place{{-122.5, 37.7}, {-122.3, 37.9}}, 200, 160)
	cells, label := v.ScaleBar(20)
	require.Equal(t, "5 km", label)
	require.InDelta(t, 16, cells, 4)
	cells, label = v.Zoom(40).ScaleBar(20)
	require.Contains(t, label, " m")
	require.LessOrEqual(t, cells, 20)
	_, label = v.ScaleBar(0)
	require.Empty(t, label)
}

// One wrong address does not make a dot of the city; two cities are both shown.
func TestFitMost(t *testing.T) {
	var places []Place
	for i := range 20 {
		places = append(places, Place{Lon: -122.4 + float64(i%5)*0.02, Lat: 37.7 + float64(i/5)*0.02})
	}
	city := Fit(places, 100, 100)
	v, far := FitMost(append(places, Place{Lon: 13.4, Lat: 52.5}), 100, 100)
	require.Equal(t, 1, far)
	require.Equal(t, city, v)
	v, far = FitMost(places, 100, 100)
	require.Zero(t, far)
	require.Equal(t, city, v)
	var both []Place
	for _, p := range places {
		both = append(both, p, Place{Lon: p.Lon + 5, Lat: p.Lat})
	}
	v, far = FitMost(both, 100, 100)
	require.Zero(t, far)
	require.Equal(t, Fit(both, 100, 100), v)
	_, far = FitMost([]Place{{Lon: 1, Lat: 1}, {Lon: 1, Lat: 1.001}, {Lon: 90, Lat: 1}}, 100, 100)
	require.Zero(t, far, "too few to tell")
}

func TestZoomAtKeepsPlace(t *testing.T) {
	v := Fit([]Place{{Lon: -122.5, Lat: 37.7}, {Lon: -122.3, Lat: 37.8}}, 100, 100)
	at := Place{Lon: -122.47, Lat: 37.76}
	x, y := v.Project(at)
	for range 6 {
		v = v.ZoomAt(1.5, at)
	}
	zoomedX, zoomedY := v.Project(at)
	require.InDelta(t, x, zoomedX, 1.5)
	require.InDelta(t, y, zoomedY, 1.5)
	far := Place{Lon: 10, Lat: 10}
	require.Equal(t, v.Center(), v.ZoomAt(2, far).Center(), "it is not in sight")
}

// locate returns the place in the middle of a dot.
func locate(v Viewport, x, y int) Place {
	return Place{
		wrapLongitude(v.center.Lon + (float64(x)+0.5-float64(v.w)/2)/(v.longitudeScale()*v.scale)),
		v.center.Lat - (float64(y)+0.5-float64(v.h)/2)/v.scale,
	}
}
