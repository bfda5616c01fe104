package planner

import "math"

// Place is a point on the globe, or on a plane if travel times are given as a matrix.
type Place struct {
	Lat, Lng float64
}

// Unreachable in a matrix means that there is no way between two places.
const Unreachable int32 = math.MaxInt32

// Matrix holds the travel times between all places, row by row: Times[from*Size+to]. It can be the table of a routing engine;
// StraightLine estimates one.
type Matrix struct {
	Size  int
	Times []int32
	// Meters are the distances, nil if unknown. Without them Problem.MaxLeg has no effect on this matrix.
	Meters []int32
}

// DetourFactor is the mean ratio of road distance to straight-line distance in towns.
const DetourFactor = 1.35

// earthRadius in metres, the mean of the ellipsoid.
const earthRadius = 6_371_008.8

// Speed returns the mean speed in town in metres per second that StraightLine assumes.
func (p Profile) Speed() float64 {
	switch p {
	case Foot:
		return 1.35
	case Bicycle:
		return 4.2
	case Motorcycle:
		return 9.5
	case Truck:
		return 7.5
	default:
		return 8.5
	}
}

// StraightLine estimates travel in seconds from great-circle distances, a detour factor (0 for DetourFactor) and the vehicle's speed.
func StraightLine(places []Place, profile Profile, detour float64) *Matrix {
	if detour <= 0 {
		detour = DetourFactor
	}
	n := len(places)
	m := &Matrix{Size: n, Times: make([]int32, n*n), Meters: make([]int32, n*n)}
	points := sphere(places)
	perMeter := 1 / profile.Speed()
	for i := range n {
		for j := i + 1; j < n; j++ {
			meters := points[i].meters(points[j]) * detour
			seconds := int32(math.Ceil(meters * perMeter))
			m.Times[i*n+j], m.Times[j*n+i] = seconds, seconds
			m.Meters[i*n+j], m.Meters[j*n+i] = int32(meters), int32(meters)
		}
	}
	return m
}

// Meters returns the great-circle distance between two places.
func (p Place) Meters(other Place) float64 {
	return p.vector().meters(other.vector())
}

// vector is a place on the unit sphere. Distances between vectors need no trigonometry per pair.
type vector struct{ x, y, z float64 }

func (p Place) vector() vector {
	sinLat, cosLat := math.Sincos(p.Lat * math.Pi / 180)
	sinLng, cosLng := math.Sincos(p.Lng * math.Pi / 180)
	return vector{cosLat * cosLng, cosLat * sinLng, sinLat}
}

func sphere(places []Place) []vector {
	points := make([]vector, len(places))
	for i, p := range places {
		points[i] = p.vector()
	}
	return points
}

// chord2 returns the squared length of the straight line through the sphere.
func (v vector) chord2(w vector) float64 {
	dx, dy, dz := v.x-w.x, v.y-w.y, v.z-w.z
	return dx*dx + dy*dy + dz*dz
}

func (v vector) meters(w vector) float64 {
	return arcMeters(v.chord2(w))
}

// arcMeters converts a squared chord to the distance along the surface. The series is exact to a millimetre below 600 km and makes
// a matrix of 1,000 places take milliseconds.
func arcMeters(chord2 float64) float64 {
	half := math.Sqrt(chord2) / 2
	if half > 0.05 {
		return 2 * earthRadius * math.Asin(min(half, 1))
	}
	s := half * half
	return 2 * earthRadius * half * (1 + s*(1.0/6+s*(3.0/40+s*(15.0/336))))
}
