package model

import (
	"fmt"
	"math"
	"time"
)

// Bearing is the compass direction in degrees, 0 to 360, in which one starts towards a place.
func (l Location) Bearing(to Location) float64 {
	lat1, lat2, dLon := radians(l.Lat), radians(to.Lat), radians(to.Lon-l.Lon)
	y := math.Sin(dLon) * math.Cos(lat2)
	x := math.Cos(lat1)*math.Sin(lat2) - math.Sin(lat1)*math.Cos(lat2)*math.Cos(dLon)
	return math.Mod(math.Atan2(y, x)*180/math.Pi+360, 360)
}

// CompassPoint names a bearing: N, NE, E and so on.
func CompassPoint(bearing float64) string {
	points := [...]string{"N", "NE", "E", "SE", "S", "SW", "W", "NW"}
	return points[int(math.Mod(bearing+22.5, 360)/45)%len(points)]
}

// flatPlane measures from one place as if the earth around it were flat: near enough for who is nearest, and many
// times faster.
type flatPlane struct {
	from  Location
	scale float64
}

func flatEarth(from Location) flatPlane {
	return flatPlane{from, math.Cos(radians(from.Lat))}
}

func (p flatPlane) meters(to Location) float64 { return math.Sqrt(p.square(to)) }

// square is the square of the distance.
func (p flatPlane) square(to Location) float64 {
	const metersPerDegree = earthRadiusMeters * math.Pi / 180
	dLon := to.Lon - p.from.Lon
	if dLon > 180 {
		dLon -= 360
	} else if dLon < -180 {
		dLon += 360
	}
	x, y := dLon*p.scale*metersPerDegree, (to.Lat-p.from.Lat)*metersPerDegree
	return x*x + y*y
}

// travelSpeed is meters a second as the crow flies through a city: what the vehicle does, less the streets not being
// straight.
func travelSpeed(vehicle VehicleType) float64 {
	const detour = 1.3
	kmh := 5.0
	switch vehicle {
	case VehicleCar, VehicleMotorcycle:
		kmh = 28
	case VehicleTruck:
		kmh = 22
	case VehicleBicycle:
		kmh = 14
	}
	return kmh / 3.6 / detour
}

func travelTime(meters float64, vehicle VehicleType) time.Duration {
	return time.Duration(meters / travelSpeed(vehicle) * float64(time.Second)).Round(time.Second)
}

// distanceText is a distance as people say it.
func distanceText(meters float64) string {
	switch {
	case meters < 1000:
		return fmt.Sprintf("%.0f m", math.Round(meters/10)*10)
	case meters < 10_000:
		return fmt.Sprintf("%.1f km", meters/1000)
	}
	return fmt.Sprintf("%.0f km", meters/1000)
}
