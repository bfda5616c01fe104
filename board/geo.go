package board

import (
	"math"

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
