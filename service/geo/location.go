package geo

import (
	"errors"
	"fmt"
	"math"

	"waybill/model"
)

// Location is a point on Earth in degrees (WGS 84).
type Location struct {
	Lon, Lat float64
}

// ErrLocation means that a pair of numbers is not a location. Errors of Validate match it.
var ErrLocation = errors.New("not a location")

// Validate returns an error if the location is not on Earth.
func (l Location) Validate() error {
	if model.Location(l).Valid() {
		return nil
	}
	return fmt.Errorf("%w: [%g, %g]: longitude is from -180 to 180, latitude from -90 to 90; the order is [longitude, latitude]",
		ErrLocation, l.Lon, l.Lat)
}

// String returns latitude and longitude, to about a meter.
func (l Location) String() string {
	return model.Location(l).Text()
}

// Distance returns the great-circle distance in meters.
func (l Location) Distance(to Location) float64 {
	return model.Location(l).MetersTo(model.Location(to))
}

// Bearing returns the initial direction to another location in degrees clockwise from north, 0 ≤ bearing < 360.
func (l Location) Bearing(to Location) float64 {
	return model.Location(l).Bearing(model.Location(to))
}

// Move returns the location that many meters away in a direction.
func (l Location) Move(bearing, meters float64) Location {
	angle := meters / model.EarthRadiusMeters
	lat1, course := model.Radians(l.Lat), model.Radians(bearing)
	sinLat := math.Sin(lat1)*math.Cos(angle) + math.Cos(lat1)*math.Sin(angle)*math.Cos(course)
	lat2 := math.Asin(max(-1, min(1, sinLat)))
	lon2 := model.Radians(l.Lon) + math.Atan2(math.Sin(course)*math.Sin(angle)*math.Cos(lat1),
		math.Cos(angle)-math.Sin(lat1)*sinLat)
	return Location{Lon: math.Mod(degrees(lon2)+540, 360) - 180, Lat: degrees(lat2)}
}

func degrees(radians float64) float64 { return radians * 180 / math.Pi }

func unitVectors(locations []Location) []model.Vector {
	vectors := make([]model.Vector, len(locations))
	for i, l := range locations {
		vectors[i] = model.Location(l).Vector()
	}
	return vectors
}
