package web

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"waybill/model"
	"waybill/service/world"
)

func trackingAt(driver, place model.Location) world.Tracking {
	return world.Tracking{
		Now:         model.Millis(1_772_470_800_000),
		Destination: model.Destination{Location: place},
		Driver: &world.TrackedDriver{
			Location: model.MaybeLocation{Location: driver, Known: true}, Seen: model.Millis(1_772_470_800_000),
		},
	}
}

// TestPictureFitsItsSheet checks any two places on the globe.
func TestPictureFitsItsSheet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		place := func(name string) model.Location {
			return model.Location{
				Lon: rapid.Float64Range(-180, 180).Draw(t, name+" lon"), Lat: rapid.Float64Range(-85, 85).Draw(t, name+" lat"),
			}
		}
		driver := place("driver")
		at := place("place")
		if rapid.Bool().Draw(t, "near") {
			at = model.Location{
				Lon: driver.Lon + rapid.Float64Range(-0.01, 0.01).Draw(t, "east"), Lat: driver.Lat + rapid.Float64Range(-0.01, 0.01).Draw(t, "north"),
			}
		}
		p := newPicture(trackingAt(driver, at), locale{zone: time.UTC, miles: rapid.Bool().Draw(t, "miles")})
		for _, x := range []float64{p.DriverX, p.PlaceX} {
			require.True(t, x >= sheetMargin-1 && x <= sheetWidth-sheetMargin+1, "x %g", x)
		}
		for _, y := range []float64{p.DriverY, p.DriverLabelY, p.PlaceLabelY} {
			require.True(t, y >= 10 && y <= sheetHeight-5, "y %g", y)
		}
		require.NotContains(t, p.Way+p.Pin+p.Scale+p.ScaleText, "NaN")
	})
}

func TestNorthIsUpAndEastIsRight(t *testing.T) {
	home := model.Location{Lon: -122.4, Lat: 37.78}
	p := newPicture(trackingAt(model.Location{Lon: -122.5, Lat: 37.88}, home), locale{zone: time.UTC})
	require.Less(t, p.DriverX, p.PlaceX)
	require.Less(t, p.DriverY, float64(sheetHeight)/2)
	across := newPicture(trackingAt(model.Location{Lon: 179.99, Lat: 0}, model.Location{Lon: -179.99, Lat: 0}), locale{zone: time.UTC})
	require.Less(t, across.DriverX, across.PlaceX, "over the date line")
	require.Contains(t, across.Caption, "2.2 km")
}

func TestAnOldPositionShowsItsAge(t *testing.T) {
	tracking := trackingAt(model.Location{Lon: 1, Lat: 1}, model.Location{Lon: 1, Lat: 1.01})
	tracking.Driver.Seen -= model.Millis(10 * time.Minute / time.Millisecond)
	require.Contains(t, newPicture(tracking, locale{zone: time.UTC}).Caption, "was about 1.1 km away, in a straight line, 10 minutes ago")
}

func TestRoundDown(t *testing.T) {
	for v, want := range map[float64]float64{1: 1, 1.9: 1, 2: 2, 4.99: 2, 5: 5, 99: 50, 100: 100, 0.3: 0.2, 1234: 1000} {
		require.InDelta(t, want, roundDown(v), 1e-9, "%g", v)
	}
	require.False(t, math.IsNaN(roundDown(0.001)))
}

func TestFormatDistanceAndDuration(t *testing.T) {
	miles, meters := locale{miles: true}, locale{}
	require.Equal(t, "10 ft", miles.formatDistance(0))
	require.Equal(t, "330 ft", miles.formatDistance(100))
	require.Equal(t, "1.0 mi", miles.formatDistance(1609))
	require.Equal(t, "120 m", meters.formatDistance(123))
	require.Equal(t, "1.2 km", meters.formatDistance(1234))
	require.Equal(t, "a minute", formatDuration(20*time.Second))
	require.Equal(t, "12 minutes", formatDuration(11*time.Minute+time.Second))
	require.Equal(t, "2 h 05 min", formatDuration(125*time.Minute))
}
