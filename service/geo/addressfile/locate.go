package addressfile

import (
	"slices"
	"strings"

	"waybill/service/geo"
)

// found is a house with how well the name of its street matched.
type found struct {
	geo.StreetPoint

	difference int
	misspelled bool
}

// Locate implements geo.StreetMap. It looks in the city of the address, in the lines without a city, and if the file
// does not have the city, in its other cities, whose names may be those of suburbs.
func (m *Map) Locate(a geo.Address, area geo.Area) (geo.StreetPoint, bool) {
	city, known := slices.BinarySearch(m.names.Cities, foldCity(a.City))
	if known {
		if point, ok := m.locateInCity(city, a, area); ok {
			return point, true
		}
	}
	if area == (geo.Area{}) {
		return geo.StreetPoint{}, false // nothing tells whether a house elsewhere is near
	}
	if unnamed, ok := slices.BinarySearch(m.names.Cities, ""); ok {
		if point, ok := m.locateInCity(unnamed, a, area); ok {
			return point, true
		}
	}
	if known {
		return geo.StreetPoint{}, false
	}
	for i := range m.names.Cities {
		if point, ok := m.locateInCity(i, a, area); ok && !point.SimilarName {
			return point, true
		}
	}
	return geo.StreetPoint{}, false
}

// maxMatches is how many streets of similar names are compared.
const maxMatches = 8

// locateInCity finds the house on the most similar street that has it, or else the most similar street. A misspelled
// name that may mean several streets is unknown.
func (m *Map) locateInCity(city int, a geo.Address, area geo.Area) (geo.StreetPoint, bool) {
	first, end := m.names.streetsOf(city)
	matches := geo.MatchStreets(end-first, func(i int) string { return m.names.key(first + i) }, a.Street)
	var houses, streets []found
	for _, match := range matches[:min(len(matches), maxMatches)] {
		point, ok := m.locateOnStreet(first+match.Index, a)
		if !ok || !isNear(point.Location, area) {
			continue
		}
		point.SimilarName = match.Difference > 1
		f := found{point, match.Difference, match.Misspelled()}
		if point.Accuracy == geo.AccuracyHouse {
			houses = append(houses, f)
		} else {
			streets = append(streets, f)
		}
	}
	if len(houses) == 0 {
		houses = streets
	}
	if len(houses) == 0 || len(houses) > 1 && houses[0].misspelled && houses[0].difference == houses[1].difference {
		return geo.StreetPoint{}, false
	}
	return houses[0].StreetPoint, true
}

// isNear reports whether a house can belong to a city. Cities in different states have the same name.
func isNear(at geo.Location, area geo.Area) bool {
	const usual = 30_000
	return area == (geo.Area{}) || at.Distance(area.Center) <= max(usual, 3*area.Radius)
}

// locateOnStreet finds the number on a street.
func (m *Map) locateOnStreet(street int, a geo.Address) (geo.StreetPoint, bool) {
	houses, err := m.readHouses(street)
	if err != nil || len(houses) == 0 {
		return geo.StreetPoint{}, false
	}
	houses = m.inPostcode(houses, a.PostalCode)
	point := geo.StreetPoint{Street: m.names.title(street)}
	house := placeNumber(houses, numberKey(a.Number))
	point.Location, point.Accuracy, point.Radius = house.at, house.accuracy, house.radius
	point.PostalCode = m.names.Postcodes[min(int(house.postcode), len(m.names.Postcodes)-1)]
	return point, true
}

// inPostcode returns the houses with a postal code, or all if none has it.
func (m *Map) inPostcode(houses []house, code string) []house {
	code = strings.ToUpper(strings.ReplaceAll(code, " ", ""))
	if code == "" {
		return houses
	}
	var within []house
	for _, h := range houses {
		own := strings.ToUpper(strings.ReplaceAll(m.names.Postcodes[min(int(h.postcode), len(m.names.Postcodes)-1)], " ", ""))
		if own != "" && (strings.HasPrefix(code, own) || strings.HasPrefix(own, code)) {
			within = append(within, h)
		}
	}
	if len(within) == 0 {
		return houses
	}
	return within
}
