package geo

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"

	"waybill/model"
)

// Profile is a means of transport.
type Profile = model.VehicleType

// One profile per vehicle type, and Foot for no vehicle.
const (
	Foot       Profile = ""
	Bicycle            = model.VehicleBicycle
	Motorcycle         = model.VehicleMotorcycle
	Car                = model.VehicleCar
	Truck              = model.VehicleTruck
)

// ProfileFor returns the profile of a vehicle type of the interface; "" means on foot.
func ProfileFor(vehicleType string) (Profile, error) {
	switch p := Profile(strings.ToUpper(strings.TrimSpace(vehicleType))); p {
	case Foot, Bicycle, Motorcycle, Car, Truck:
		return p, nil
	}
	return Foot, fmt.Errorf("unknown vehicle type %q; use CAR, MOTORCYCLE, BICYCLE or TRUCK", vehicleType)
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

// roundUp returns whole seconds, rounded up except for rounding errors below a millionth.
func roundUp(seconds float64) int32 { return int32(math.Ceil(seconds - 1e-6)) }

// estimateLeg estimates the leg between two locations.
func estimateLeg(from, to Location, p Profile) Leg {
	seconds, meters := p.Pace().Leg(from.Distance(to))
	return Leg{Seconds: seconds, Meters: meters}
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
	pace := p.Pace()
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
				pace.FillLegs(starts[i], ends, m.Seconds[row:row+len(to)], m.Meters[row:row+len(to)])
			}
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return Matrix{}, err
	}
	return m, nil
}

// Route estimates each leg and joins the locations by straight lines.
func (StraightLine) Route(ctx context.Context, through []Location, p Profile) (Route, error) {
	if err := ctx.Err(); err != nil {
		return Route{}, err
	}
	if err := validateAll(through); err != nil {
		return Route{}, err
	}
	route := Route{Path: append([]Location(nil), through...), Estimated: true}
	for i := 1; i < len(through); i++ {
		route.Legs = append(route.Legs, estimateLeg(through[i-1], through[i], p))
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
