package geo

import (
	"fmt"
	"math"
)

// Accuracy says what a location is the location of.
type Accuracy string

// Accuracies, the best first.
const (
	AccuracyHouse      Accuracy = "house"
	AccuracyStreet     Accuracy = "street"
	AccuracyPostalCode Accuracy = "postal code"
	AccuracyCity       Accuracy = "city"
)

// Area is a circle on the ground.
type Area struct {
	Center Location
	Radius float64 // in meters
}

// StreetMap knows streets and houses. Offline asks it before it estimates.
type StreetMap interface {
	// Locate finds a house, or else its street. City, state and country of the address are in their standard form if the
	// city is known; area is where the city is then, and zero otherwise.
	Locate(a Address, area Area) (StreetPoint, bool)
}

// StreetPoint is a house or a street on a StreetMap.
type StreetPoint struct {
	Location Location
	// Street, City, State and PostalCode are as the map writes them; empty if the map does not know them.
	Street, City, State, PostalCode string
	// Accuracy is AccuracyHouse or AccuracyStreet, Radius how far the true point may be away in meters.
	Accuracy Accuracy
	Radius   float64
	// SimilarName is set when the street has a similar name, but not the one that was asked for.
	SimilarName bool
}

// Reasons why a location is approximate.
const (
	onlyStreetFound = "only the street was found, not the house"
	onlyPlaceFound  = "only the place was found, not the street"
)

// setAccuracy sets accuracy and radius, and warns if the location is not that of the house.
func (r *Result) setAccuracy(accuracy Accuracy, radius float64) {
	r.Accuracy, r.Radius = accuracy, math.Ceil(radius)
	switch accuracy {
	case AccuracyHouse:
		r.Approximate = false
	case AccuracyStreet:
		r.warnApproximate(onlyStreetFound)
	case AccuracyPostalCode, AccuracyCity:
		r.warnApproximate("only the " + string(accuracy) + " is known, not the street")
	}
}

// warnApproximate marks the location as approximate and says why.
func (r *Result) warnApproximate(reason string) {
	r.Approximate = true
	within := ""
	if r.Radius > 0 {
		within = ", within " + formatRadius(r.Radius)
	}
	r.Warnings = append(r.Warnings, "The location is approximate"+within+": "+reason+".")
}

// setExtent sets the radius from two opposite corners of what was found.
func (r *Result) setExtent(one, other Location) {
	if one.Validate() == nil && other.Validate() == nil && one != other {
		r.Radius = math.Ceil(max(r.Location.Distance(one), r.Location.Distance(other)))
	}
}

// formatRadius rounds a radius up to a number that people can compare: 80 m, 800 m, 3 km.
func formatRadius(meters float64) string {
	switch {
	case meters <= 100:
		return fmt.Sprintf("%.0f m", 10*math.Ceil(meters/10))
	case meters <= 900:
		return fmt.Sprintf("%.0f m", 100*math.Ceil(meters/100))
	default:
		return fmt.Sprintf("%.0f km", math.Ceil(meters/1000))
	}
}
