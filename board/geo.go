package board

import (
	"math"
	"time"

	"waybill/model"
)

// CompassPoint names a bearing: N, NE, E and so on.
func CompassPoint(bearing float64) string {
	points := [...]string{"N", "NE", "E", "SE", "S", "SW", "W", "NW"}
	return points[int(math.Mod(bearing+22.5, 360)/45)%len(points)]
}

// flatPlane measures distances from one location as if the earth were flat. That is precise enough to find the nearest
// worker, and many times faster.
type flatPlane struct {
	from  model.Location
	scale float64
}

func newFlatPlane(from model.Location) flatPlane {
	return flatPlane{from, math.Cos(model.Radians(from.Lat))}
}

func (p flatPlane) meters(to model.Location) float64 { return math.Sqrt(p.squaredMeters(to)) }

// squaredMeters returns the square of the distance.
func (p flatPlane) squaredMeters(to model.Location) float64 {
	const metersPerDegree = model.EarthRadiusMeters * math.Pi / 180
	dLon := to.Lon - p.from.Lon
	if dLon > 180 {
		dLon -= 360
	} else if dLon < -180 {
		dLon += 360
	}
	x, y := dLon*p.scale*metersPerDegree, (to.Lat-p.from.Lat)*metersPerDegree
	return x*x + y*y
}

// travelSpeed returns the speed of a vehicle in a city in meters per second along a straight line, so it is reduced by the
// detours of streets.
func travelSpeed(vehicle model.VehicleType) float64 {
	const detour = 1.3
	kmh := 5.0
	switch vehicle {
	case model.VehicleCar, model.VehicleMotorcycle:
		kmh = 28
	case model.VehicleTruck:
		kmh = 22
	case model.VehicleBicycle:
		kmh = 14
	}
	return kmh / 3.6 / detour
}

func travelTime(meters float64, vehicle model.VehicleType) time.Duration {
	return time.Duration(meters / travelSpeed(vehicle) * float64(time.Second)).Round(time.Second)
}
