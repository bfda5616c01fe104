package geo

import "sort"

// Path is a line on the ground along which something moves.
type Path struct {
	points []Location
	// ends[i] is the distance along the path to points[i].
	ends []float64
}

// NewPath joins points in their order. A path of no points stays at the zero location.
func NewPath(points ...Location) Path {
	p := Path{points: points, ends: make([]float64, len(points))}
	for i := 1; i < len(points); i++ {
		p.ends[i] = p.ends[i-1] + points[i-1].Distance(points[i])
	}
	return p
}

// Length is the whole length in metres.
func (p Path) Length() float64 {
	if len(p.ends) == 0 {
		return 0
	}
	return p.ends[len(p.ends)-1]
}

// At is the location that many metres along the path and the bearing there. Before the start it is the start, past the
// end the end.
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

// interpolate goes a part of the way along the straight line on the map, the short way round the date line. Streets and
// days' routes are short enough for it to be on the great circle.
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
