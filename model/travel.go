package model

import (
	"math"
	"time"
)

// Pace has the speeds of a vehicle. Roads are longer than the straight line by the factor Detour. The first localMeters of
// a leg, start and end together, are driven at local speed, the rest at far speed. The time is concave in the distance, so
// a detour through a third place is never estimated faster.
type Pace struct {
	Detour      float64
	local, far  float64 // meters per second
	localMeters float64
}

const kmh = 1000.0 / 3600

// Pace returns the speeds of a vehicle; no vehicle means on foot, and a type that is not known counts as a car. Local
// speeds are those of delivery traffic in large cities, including lights, traffic and finding the door.
func (v VehicleType) Pace() Pace {
	switch v {
	case "":
		return Pace{1.25, 5 * kmh, 5 * kmh, 0}
	case VehicleBicycle:
		return Pace{1.30, 15 * kmh, 17 * kmh, 4000}
	case VehicleMotorcycle:
		return Pace{1.35, 30 * kmh, 75 * kmh, 8000}
	case VehicleTruck:
		return Pace{1.40, 22 * kmh, 62 * kmh, 8000}
	default:
		return Pace{1.35, 26 * kmh, 75 * kmh, 8000}
	}
}

// roundUp turns truncation into rounding up, except for rounding errors below a millionth.
const roundUp = 1 - 1e-6

// Leg estimates travel time and road distance for a straight-line distance. Times are rounded up to seconds, so that only a
// distance of 0 takes no time.
func (p Pace) Leg(straight float64) (seconds, meters int32) {
	road := straight * p.Detour
	// The smaller of the two lines is the local one up to localMeters and the far one after it.
	took := min(road/p.local, p.localMeters/p.local+(road-p.localMeters)/p.far)
	return int32(took + roundUp), int32(math.Round(road))
}

// Duration estimates the travel time for a straight-line distance.
func (p Pace) Duration(straight float64) time.Duration {
	seconds, _ := p.Leg(straight)
	return time.Duration(seconds) * time.Second
}

// LocalSpeed returns the speed on city streets along a straight line in meters per second.
func (p Pace) LocalSpeed() float64 { return p.local / p.Detour }

// FillLegs estimates the legs from one location to others. It is the inner loop of a matrix.
func (p Pace) FillLegs(start Vector, ends []Vector, seconds, meters []int32) {
	perLocal, perFar := 1/p.local, 1/p.far
	base := p.localMeters * (perLocal - perFar)
	for j, end := range ends {
		road := start.MetersTo(end) * p.Detour
		seconds[j] = int32(min(road*perLocal, base+road*perFar) + roundUp)
		meters[j] = int32(road + 0.5)
	}
}

// Vector is a location as a point on the unit sphere. Distances between vectors need no trigonometry, which makes large
// matrices fast.
type Vector struct{ x, y, z float64 }

// Vector returns the location as a vector.
func (l Location) Vector() Vector {
	sinLat, cosLat := math.Sincos(Radians(l.Lat))
	sinLon, cosLon := math.Sincos(Radians(l.Lon))
	return Vector{cosLat * cosLon, cosLat * sinLon, sinLat}
}

// MetersTo returns the straight-line distance over the ground. Below 600 km the series is exact to a millimeter and several
// times faster than the arc sine.
func (v Vector) MetersTo(w Vector) float64 {
	dx, dy, dz := v.x-w.x, v.y-w.y, v.z-w.z
	half := math.Sqrt(dx*dx+dy*dy+dz*dz) / 2
	if h := half * half; h < 0.0025 {
		return 2 * EarthRadiusMeters * half * (1 + h*(1.0/6+h*(3.0/40+h*(15.0/336))))
	}
	return 2 * EarthRadiusMeters * math.Asin(min(1, half))
}
