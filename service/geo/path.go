package geo

import "sort"

// Path is a line on the ground.
type Path struct {
	points []Location
	// ends[i] is the distance along the path to points[i].
	ends []float64
}

// NewPath connects points in order. A path without points is at the zero location.
func NewPath(points ...Location) Path {
	p := Path{points: points, ends: make([]float64, len(points))}
	for i := 1; i < len(points); i++ {
		p.ends[i] = p.ends[i-1] + points[i-1].Distance(points[i])
	}
	return p
}

// Length returns the length in meters.
func (p Path) Length() float64 {
	if len(p.ends) == 0 {
		return 0
	}
	return p.ends[len(p.ends)-1]
}

// At returns the location that many meters along the path, limited to its ends, and the bearing there.
func (p Path) At(meters float64) (Location, float64) {
	switch n := len(p.points); n {
	case 0:
		return Location{}, 0
	case 1:
		return p.points[0], 0
	default:
		next := sort.Search(n-2, func(i int) bool { return p.ends[i+1] >= meters }) + 1
		from, to := p.points[next-1], p.points[next]
		part := 0.0
		if length := p.ends[next] - p.ends[next-1]; length > 0 {
			part = max(0, min(1, (meters-p.ends[next-1])/length))
		}
		return interpolate(from, to, part), from.Bearing(to)
	}
}

// interpolate returns a point on the straight line between two locations, the short way across the date line. Streets are
// short enough for that.
func interpolate(from, to Location, part float64) Location {
	dLon := to.Lon - from.Lon
	switch {
	case dLon > 180:
		dLon -= 360
	case dLon < -180:
		dLon += 360
	}
	lon := from.Lon + part*dLon
	switch {
	case lon > 180:
		lon -= 360
	case lon < -180:
		lon += 360
	}
	return Location{Lon: lon, Lat: from.Lat + part*(to.Lat-from.Lat)}
}
