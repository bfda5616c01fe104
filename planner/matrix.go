package planner

import (
	"math"

	"waybill/model"
)

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

// StraightLine estimates travel in seconds from great-circle distances and the speeds of the vehicle. A detour of 0 is that of
// the vehicle.
func StraightLine(places []Place, profile Profile, detour float64) *Matrix {
	n := len(places)
	m := &Matrix{Size: n, Times: make([]int32, n*n), Meters: make([]int32, n*n)}
	pace := profile.Vehicle().Pace()
	if detour > 0 {
		pace.Detour = detour
	}
	points := make([]model.Vector, n)
	for i, p := range places {
		points[i] = model.Location{Lon: p.Lng, Lat: p.Lat}.Vector()
	}
	for i := range n {
		pace.FillLegs(points[i], points, m.Times[i*n:(i+1)*n], m.Meters[i*n:(i+1)*n])
	}
	return m
}
