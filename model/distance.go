package model

import "math"

// EarthRadiusMeters is the mean radius of the earth.
const EarthRadiusMeters = 6_371_008.8

// MetersTo returns the straight-line distance over the ground.
func (l Location) MetersTo(other Location) float64 {
	lat1, lat2 := Radians(l.Lat), Radians(other.Lat)
	sinLat := math.Sin((lat2 - lat1) / 2)
	sinLon := math.Sin(Radians(other.Lon-l.Lon) / 2)
	h := sinLat*sinLat + math.Cos(lat1)*math.Cos(lat2)*sinLon*sinLon
	return 2 * EarthRadiusMeters * math.Asin(math.Min(1, math.Sqrt(h)))
}

// Radians converts degrees to radians.
func Radians(degrees float64) float64 { return degrees * math.Pi / 180 }

// boxSize returns an upper bound of the distance between any two of the places: the height of their bounding box plus
// its greatest width.
func boxSize(places []Location) float64 {
	if len(places) == 0 {
		return 0
	}
	low, high := places[0], places[0]
	for _, place := range places[1:] {
		low = Location{math.Min(low.Lon, place.Lon), math.Min(low.Lat, place.Lat)}
		high = Location{math.Max(high.Lon, place.Lon), math.Max(high.Lat, place.Lat)}
	}
	nearestEquator := 0.0
	if low.Lat > 0 || high.Lat < 0 {
		nearestEquator = math.Min(math.Abs(low.Lat), math.Abs(high.Lat))
	}
	up := Radians(high.Lat - low.Lat)
	across := Radians(high.Lon-low.Lon) * math.Cos(Radians(nearestEquator))
	return EarthRadiusMeters * (up + across)
}
