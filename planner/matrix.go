package planner

import "math"

// Place is a point on the globe, or on a plane when travel times are given as a matrix.
type Place struct {
	Lat, Lng float64
}

// Unreachable in a matrix means that there is no way from one place to the other.
const Unreachable int32 = math.MaxInt32

// Matrix holds travel times from every place to every other, row by row: Times[from*Size+to]. A road engine's table goes in here
// as it is; StraightLine makes one without any.
type Matrix struct {
	Size  int
	Times []int32
	// Meters are the lengths of the ways, or nil when they are not known. Without them Problem.MaxLeg has no effect on this matrix.
	Meters []int32
}

// DetourFactor is how much longer the way on roads is than the straight line, on average over towns.
const DetourFactor = 1.35

// earthRadius in metres, the mean of the ellipsoid.
const earthRadius = 6_371_008.8

// Speed is the mean speed in metres a second that StraightLine assumes for a vehicle in town.
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

// Meters is the great-circle distance between two places.
func (p Place) Meters(other Place) float64 {
	return p.vector().meters(other.vector())
}

// FarthestPair finds the two places farthest apart, as indexes, and reports whether they are more than limit metres apart in a straight
// line. A dispatch over such places is refused as a whole (MaxLegMeters); Problem.MaxLeg instead leaves out what is too far.
func FarthestPair(places []Place, limit float64) (from, to int, meters float64, tooFar bool) {
	points := sphere(places)
	longest := 0.0
	for i := range points {
		for j := i + 1; j < len(points); j++ {
			if c := points[i].chord2(points[j]); c > longest {
				longest, from, to = c, i, j
			}
		}
	}
	meters = arcMeters(longest)
	return from, to, meters, meters > limit
}

// vector is a place as a point on the unit sphere, where distances need no trigonometry for each pair.
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

// chord2 is the square of the straight line through the sphere.
func (v vector) chord2(w vector) float64 {
	dx, dy, dz := v.x-w.x, v.y-w.y, v.z-w.z
	return dx*dx + dy*dy + dz*dz
}

func (v vector) meters(w vector) float64 {
	return arcMeters(v.chord2(w))
}

// arcMeters turns a squared chord into the way along the surface. The series is exact to a millimetre below 600 km, and it is what
// keeps a matrix of 1,000 places within milliseconds.
func arcMeters(chord2 float64) float64 {
	half := math.Sqrt(chord2) / 2
	if half > 0.05 {
		return 2 * earthRadius * math.Asin(min(half, 1))
	}
	s := half * half
	return 2 * earthRadius * half * (1 + s*(1.0/6+s*(3.0/40+s*(15.0/336))))
}
