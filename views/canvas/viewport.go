package canvas

import (
	"fmt"
	"math"
	"slices"
)

// Place is a point on the earth, in degrees.
type Place struct{ Lon, Lat float64 }

// Valid reports whether the place can be drawn: its numbers are in range and
// not both zero, which stands for a missing position.
func (p Place) Valid() bool {
	return math.Abs(p.Lat) <= 90 && math.Abs(p.Lon) <= 180 && (p.Lon != 0 || p.Lat != 0)
}

// Viewport is the part of the earth a canvas shows. Degrees of longitude are
// shortened by the cosine of the latitude in the middle, which is accurate enough
// for a country; dots of a terminal are about square.
type Viewport struct {
	center Place
	scale  float64 // dots per degree of latitude
	w, h   int     // dots
}

// The limits of the scale, in dots per degree of latitude: the whole earth on
// the smallest canvas, and about a metre per dot.
const (
	minScale = 0.02
	maxScale = 100_000
	margin   = 0.05 // share of the canvas that stays free around fitted places
)

// Fit returns the viewport that shows all places on a canvas of w by h dots. A
// single place is shown with its neighbourhood.
func Fit(places []Place, w, h int) Viewport {
	v := Viewport{scale: 2000, w: max(w, 1), h: max(h, 1)}
	first := true
	var west, east, south, north float64
	for _, p := range places {
		if !p.Valid() {
			continue
		}
		if first {
			west, east, south, north = p.Lon, p.Lon, p.Lat, p.Lat
			first = false
			continue
		}
		west, east = min(west, p.Lon), max(east, p.Lon)
		south, north = min(south, p.Lat), max(north, p.Lat)
	}
	if first {
		return v
	}
	if east-west > 180 { // shorter across the date line
		west, east = acrossDateLine(places)
	}
	v.center = Place{wrapLongitude((west + east) / 2), (south + north) / 2}
	room := 1 - 2*margin
	across, up := (east-west)*v.longitudeScale(), north-south
	if across > 0 || up > 0 {
		v.scale = min(float64(v.w)*room/max(across, 1e-9), float64(v.h)*room/max(up, 1e-9))
	}
	v.scale = clampScale(v.scale)
	return v
}

// A place is far if it is farTimes farther from the middle than three quarters
// of all places. Far places are left out if they are few.
const (
	farTimes = 5
	farLeast = 0.05 // degrees; nearer places are never far
	farShare = 10   // at most one in ten places may be left out
	farFrom  = 4    // with fewer places none is far
)

// FitMost fits all places but the few that are far from the others, and returns
// how many those are. Otherwise one wrong address would shrink the city to a dot.
func FitMost(places []Place, w, h int) (Viewport, int) {
	valid := slices.DeleteFunc(slices.Clone(places), func(p Place) bool { return !p.Valid() })
	if len(valid) < farFrom {
		return Fit(valid, w, h), 0
	}
	distance := distancesFromMiddle(valid)
	sorted := slices.Sorted(slices.Values(distance))
	reach := max(farTimes*sorted[len(sorted)*3/4-1], farLeast)
	near := valid[:0:0]
	for i, p := range valid {
		if distance[i] <= reach {
			near = append(near, p)
		}
	}
	far := len(valid) - len(near)
	if far > max(len(valid)/farShare, 1) {
		return Fit(valid, w, h), 0
	}
	return Fit(near, w, h), far
}

// distancesFromMiddle returns the distance of each place from the median
// position, in degrees of latitude.
func distancesFromMiddle(places []Place) []float64 {
	east, north := make([]float64, len(places)), make([]float64, len(places))
	for i, p := range places {
		east[i], north[i] = wrapLongitude(p.Lon-places[0].Lon), p.Lat
	}
	middle := func(of []float64) float64 { return slices.Sorted(slices.Values(of))[len(of)/2] }
	lon, lat := middle(east), middle(north)
	scale := Viewport{center: Place{Lat: lat}}.longitudeScale()
	distance := make([]float64, len(places))
	for i := range places {
		distance[i] = math.Hypot((east[i]-lon)*scale, north[i]-lat)
	}
	return distance
}

func acrossDateLine(places []Place) (west, east float64) {
	west, east = math.Inf(1), math.Inf(-1)
	for _, p := range places {
		if p.Valid() {
			lon := math.Mod(p.Lon+360, 360)
			west, east = min(west, lon), max(east, lon)
		}
	}
	return west, east
}

// Resized returns the viewport with the same middle and scale for another canvas.
func (v Viewport) Resized(w, h int) Viewport {
	v.w, v.h = max(w, 1), max(h, 1)
	return v
}

// Project returns the dot of a place; it may be outside the canvas.
func (v Viewport) Project(p Place) (x, y int) {
	dx := wrapLongitude(p.Lon-v.center.Lon) * v.longitudeScale() * v.scale
	dy := (v.center.Lat - p.Lat) * v.scale
	return int(math.Floor(float64(v.w)/2 + dx)), int(math.Floor(float64(v.h)/2 + dy))
}

// Center returns the place in the middle.
func (v Viewport) Center() Place { return v.center }

// CenterOn returns the viewport with another middle.
func (v Viewport) CenterOn(p Place) Viewport {
	if p.Valid() {
		v.center = p
	}
	return v
}

// Zoom shows a smaller area for a factor above one, a larger one below.
func (v Viewport) Zoom(factor float64) Viewport {
	v.scale = clampScale(v.scale * factor)
	return v
}

// ZoomAt zooms around a place, which stays in place on the canvas. It zooms
// around the middle if the place is not on the canvas.
func (v Viewport) ZoomAt(factor float64, p Place) Viewport {
	next := v.Zoom(factor)
	if !v.Shows(p) {
		return next
	}
	share := 1 - v.scale/next.scale
	next.center.Lon = wrapLongitude(v.center.Lon + wrapLongitude(p.Lon-v.center.Lon)*share)
	next.center.Lat = v.center.Lat + (p.Lat-v.center.Lat)*share
	return next
}

// Shows reports whether a place is on the canvas.
func (v Viewport) Shows(p Place) bool {
	x, y := v.Project(p)
	return p.Valid() && x >= 0 && x < v.w && y >= 0 && y < v.h
}

// Pan moves the viewport to the right and down by shares of the canvas.
func (v Viewport) Pan(right, down float64) Viewport {
	v.center.Lon = wrapLongitude(v.center.Lon + right*float64(v.w)/(v.longitudeScale()*v.scale))
	v.center.Lat = min(max(v.center.Lat-down*float64(v.h)/v.scale, -85), 85)
	return v
}

// ScaleBar returns a round distance of at most maxCells cells and its label.
func (v Viewport) ScaleBar(maxCells int) (cells int, label string) {
	const metresPerDegree = 111_320
	metresPerCell := metresPerDegree / v.scale * dotsX
	best := 0.0
	for power := 1.0; power < 1e8; power *= 10 {
		for _, step := range []float64{1, 2, 5} {
			if d := step * power; d/metresPerCell <= float64(maxCells) {
				best = d
			}
		}
	}
	if best == 0 {
		return 0, ""
	}
	cells = max(int(math.Round(best/metresPerCell)), 1)
	if best >= 1000 {
		return cells, fmt.Sprintf("%g km", best/1000)
	}
	return cells, fmt.Sprintf("%g m", best)
}

// longitudeScale returns the length of a degree of longitude relative to one of latitude.
func (v Viewport) longitudeScale() float64 {
	return max(math.Cos(min(max(v.center.Lat, -85), 85)*math.Pi/180), 0.05)
}

func clampScale(s float64) float64 { return min(max(s, minScale), maxScale) }

// wrapLongitude brings a longitude, or a difference of two, between -180 and 180.
func wrapLongitude(lon float64) float64 {
	lon = math.Mod(lon+180, 360)
	if lon < 0 {
		lon += 360
	}
	return lon - 180
}
