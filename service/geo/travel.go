package geo

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
)

// Profile is a means of transport.
type Profile uint8

// One profile per vehicle type, and Foot for no vehicle.
const (
	Foot Profile = iota
	Bicycle
	Motorcycle
	Car
	Truck
)

// ProfileFor returns the profile of a vehicle type of the interface; "" means on foot.
func ProfileFor(vehicleType string) (Profile, error) {
	switch strings.ToUpper(strings.TrimSpace(vehicleType)) {
	case "":
		return Foot, nil
	case "BICYCLE":
		return Bicycle, nil
	case "MOTORCYCLE":
		return Motorcycle, nil
	case "CAR":
		return Car, nil
	case "TRUCK":
		return Truck, nil
	default:
		return Foot, fmt.Errorf("unknown vehicle type %q; use CAR, MOTORCYCLE, BICYCLE or TRUCK", vehicleType)
	}
}

// String returns the name of the profile.
func (p Profile) String() string {
	switch p {
	case Bicycle:
		return "bicycle"
	case Motorcycle:
		return "motorcycle"
	case Car:
		return "car"
	case Truck:
		return "truck"
	default:
		return "on foot"
	}
}

// Leg is the distance and travel time from one location to another.
type Leg struct {
	Seconds, Meters int32
}

// Matrix has the legs from every start to every end, row by row.
type Matrix struct {
	Rows, Cols int
	Seconds    []int32
	Meters     []int32
	// Estimated is set when at least one entry is a straight-line estimate.
	Estimated bool
}

// At returns the leg from start i to end j.
func (m Matrix) At(i, j int) Leg {
	k := i*m.Cols + j
	return Leg{m.Seconds[k], m.Meters[k]}
}

func newMatrix(rows, cols int) Matrix {
	return Matrix{Rows: rows, Cols: cols, Seconds: make([]int32, rows*cols), Meters: make([]int32, rows*cols)}
}

// Route is a route through several locations in order.
type Route struct {
	Legs []Leg
	// Path is the line through all locations.
	Path []Location
	// Estimated is set when the route is a straight-line estimate.
	Estimated bool
}

// Travel computes distances and travel times.
type Travel interface {
	// Matrix returns the legs from every start to every end.
	Matrix(ctx context.Context, from, to []Location, p Profile) (Matrix, error)
	// Route returns the route through locations in order.
	Route(ctx context.Context, through []Location, p Profile) (Route, error)
}

// pace has the speeds of a profile. Roads are longer than the straight line by the factor detour. The first localMeters
// of a leg, start and end together, are driven at local speed, the rest at far speed. The time is concave in the distance,
// so a detour through a third place is never estimated faster.
type pace struct {
	detour      float64
	local, far  float64 // meters per second
	localMeters float64
}

const kmh = 1000.0 / 3600

// paceOf returns the speeds of a profile. Local speeds are those of delivery traffic in large cities, including lights,
// traffic and finding the door.
//
//	            detour   local     far      local part
//	on foot      1.25     5 km/h    5 km/h
//	bicycle      1.30    15 km/h   17 km/h   4 km
//	motorcycle   1.35    30 km/h   75 km/h   8 km
//	car          1.35    26 km/h   75 km/h   8 km
//	truck        1.40    22 km/h   62 km/h   8 km
func paceOf(p Profile) pace {
	switch p {
	case Bicycle:
		return pace{1.30, 15 * kmh, 17 * kmh, 4000}
	case Motorcycle:
		return pace{1.35, 30 * kmh, 75 * kmh, 8000}
	case Car:
		return pace{1.35, 26 * kmh, 75 * kmh, 8000}
	case Truck:
		return pace{1.40, 22 * kmh, 62 * kmh, 8000}
	default:
		return pace{1.25, 5 * kmh, 5 * kmh, 0}
	}
}

// leg estimates the leg for a straight-line distance. Times are rounded up, so that only a distance of 0 takes no time.
func (p pace) leg(straight float64) Leg {
	road := straight * p.detour
	// The smaller of the two lines is the local one up to localMeters and the far one after it.
	seconds := min(road/p.local, p.localMeters/p.local+(road-p.localMeters)/p.far)
	return Leg{Seconds: int32(seconds + roundUp), Meters: int32(math.Round(road))}
}

// StraightLine estimates legs from the distance. It fails only if the context is cancelled or a location is invalid.
type StraightLine struct{}

var _ Travel = StraightLine{}

// parallelPairs is the size from which a matrix is computed by several goroutines.
const parallelPairs = 1 << 14

// Matrix estimates every leg.
func (StraightLine) Matrix(ctx context.Context, from, to []Location, p Profile) (Matrix, error) {
	if err := validateAll(from, to); err != nil {
		return Matrix{}, err
	}
	m := newMatrix(len(from), len(to))
	m.Estimated = true
	starts, ends := unitVectors(from), unitVectors(to)
	pace := paceOf(p)
	workers := 1
	if len(m.Seconds) >= parallelPairs {
		workers = min(runtime.GOMAXPROCS(0), 8, len(from))
	}
	var group sync.WaitGroup
	for w := range workers {
		first, last := len(from)*w/workers, len(from)*(w+1)/workers
		group.Go(func() {
			for i := first; i < last && ctx.Err() == nil; i++ {
				row := i * len(to)
				pace.fill(starts[i], ends, m.Seconds[row:row+len(to)], m.Meters[row:row+len(to)])
			}
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return Matrix{}, err
	}
	return m, nil
}

// fill is the inner loop of a matrix.
func (p pace) fill(start vector, ends []vector, seconds, meters []int32) {
	perLocal, perFar := 1/p.local, 1/p.far
	base := p.localMeters * (perLocal - perFar)
	for j, end := range ends {
		road := metersOfChord(start.chordSquared(end)) * p.detour
		time := min(road*perLocal, base+road*perFar)
		seconds[j] = int32(time + roundUp)
		meters[j] = int32(road + 0.5)
	}
}

// roundUp turns truncation into rounding up, except for rounding errors below a millionth.
const roundUp = 1 - 1e-6

// Route estimates each leg and joins the locations by straight lines.
func (StraightLine) Route(ctx context.Context, through []Location, p Profile) (Route, error) {
	if err := ctx.Err(); err != nil {
		return Route{}, err
	}
	if err := validateAll(through); err != nil {
		return Route{}, err
	}
	route := Route{Path: append([]Location(nil), through...), Estimated: true}
	pace := paceOf(p)
	for i := 1; i < len(through); i++ {
		route.Legs = append(route.Legs, pace.leg(through[i-1].Distance(through[i])))
	}
	return route, nil
}

func validateAll(lists ...[]Location) error {
	for _, list := range lists {
		for i, l := range list {
			if err := l.Validate(); err != nil {
				return fmt.Errorf("location %d: %w", i, err)
			}
		}
	}
	return nil
}

// Speed returns the profile's speed on city streets in meters per second.
func (p Profile) Speed() float64 { return paceOf(p).local }
