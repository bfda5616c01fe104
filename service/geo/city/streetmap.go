package city

import (
	"math"
	"sort"
	"strconv"
	"strings"

	"waybill/service/geo"
)

var _ geo.StreetMap = (*City)(nil)

// sortStreets prepares the list for geo.MatchStreets.
func (c *City) sortStreets() {
	c.sorted = make([]sortedStreet, len(c.streets))
	for i := range c.streets {
		c.sorted[i] = sortedStreet{geo.StreetSortKey(c.streets[i].name), i}
	}
	sort.Slice(c.sorted, func(i, j int) bool { return c.sorted[i].key < c.sorted[j].key })
}

type sortedStreet struct {
	key   string
	index int
}

// houseRadius is how far a house may be from its place between two intersections, in meters.
const houseRadius = 100

// Locate implements geo.StreetMap. A number outside of the known part of a street is at its nearest end.
func (c *City) Locate(a geo.Address, _ geo.Area) (geo.StreetPoint, bool) {
	if a.City != Name || a.CountryCode != CountryCode || a.State != State {
		return geo.StreetPoint{}, false
	}
	number, err := strconv.Atoi(strings.TrimRight(a.Number, "ABCDEFGHabcdefgh"))
	if err != nil {
		number = 0
	}
	s, similar := c.chooseStreet(a.Street, number)
	if s == nil {
		return geo.StreetPoint{}, false
	}
	point := geo.StreetPoint{Street: s.name, SimilarName: similar, Accuracy: geo.AccuracyHouse, Radius: houseRadius}
	var ok bool
	if point.Location, ok = s.locate(number); !ok {
		point.Accuracy = geo.AccuracyStreet
		point.Location, point.Radius = s.locateApproximately(number)
	}
	point.PostalCode = c.neighborhoodAt(point.Location).postalCode
	return point, true
}

// chooseStreet returns the street that a name means: the most similar that has the number, or else the most similar. A
// misspelled name that may mean several streets is unknown.
func (c *City) chooseStreet(name string, number int) (s *street, similar bool) {
	matches := geo.MatchStreets(len(c.sorted), func(i int) string { return c.sorted[i].key }, name)
	var withNumber []geo.StreetMatch
	for _, match := range matches {
		if s := c.matched(match); number >= s.first() && number <= s.last() {
			withNumber = append(withNumber, match)
		}
	}
	if len(withNumber) > 0 {
		matches = withNumber
	}
	if len(matches) == 0 || len(matches) > 1 && matches[0].Misspelled() && matches[0].Difference == matches[1].Difference {
		return nil, false
	}
	return c.matched(matches[0]), matches[0].Difference > 1
}

func (c *City) matched(match geo.StreetMatch) *street { return &c.streets[c.sorted[match.Index].index] }

// numberLength is the usual distance between consecutive house numbers in meters.
const numberLength = 3

// locateApproximately returns the end of the street that is nearer to a number outside of it, or the middle without a
// number, and how far the house may be away.
func (s *street) locateApproximately(number int) (geo.Location, float64) {
	if number > 0 {
		end := max(s.first(), min(s.last(), number))
		at, _ := s.locate(end)
		return at, houseRadius + numberLength*math.Abs(float64(number-end))
	}
	at, _ := s.locate((s.first() + s.last()) / 2)
	return at, max(at.Distance(s.points[0].at), at.Distance(s.points[len(s.points)-1].at))
}
