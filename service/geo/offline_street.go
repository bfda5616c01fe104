package geo

import (
	"cmp"
	"fmt"

	"waybill/service/geo/gazetteer"
)

// areaOf returns where the houses of a city may be. With a postal code the center is that of the code, which may be at the
// edge of the city.
func (s *offlineSearch) areaOf(place gazetteer.Place, found bool, middle center) Area {
	if !found {
		return Area{middle.at, middle.radius}
	}
	return Area{Location{Lon: place.Lon, Lat: place.Lat}, cityRadius(place.Population)}
}

// locateOnMaps asks the street maps for an address. The best answer counts, the first of equal ones.
func (s *offlineSearch) locateOnMaps(a Address, area Area, result *Result) bool {
	if a.Street == "" {
		return false
	}
	var best StreetPoint
	for _, streets := range s.maps {
		point, ok := streets.Locate(a, area)
		if ok && (best.Accuracy == "" || point.Accuracy == AccuracyHouse && best.Accuracy != AccuracyHouse) {
			best = point
		}
	}
	if best.Accuracy == "" {
		return false
	}
	if best.SimilarName {
		result.Warnings = append(result.Warnings, fmt.Sprintf(warnSimilarStreet, a.Street, a.City, best.Street))
	}
	a.Street = best.Street
	a.PostalCode = cmp.Or(a.PostalCode, best.PostalCode)
	result.Location, result.Address = best.Location, a
	result.setAccuracy(best.Accuracy, best.Radius)
	return true
}

// locateInUnknownCity asks the street maps for an address in a city that is not in the table of places.
func (s *offlineSearch) locateInUnknownCity(a Address, result *Result) bool {
	if a.CountryCode == "" {
		a.CountryCode, _ = s.table.Country(s.assumed.Country)
	}
	if a.CountryCode == "" {
		return false
	}
	if region, ok := s.table.Region(a.CountryCode, a.State); ok {
		a.State = s.table.RegionName(a.CountryCode, region)
	}
	a.Country = s.table.CountryName(a.CountryCode)
	return s.locateOnMaps(a, Area{}, result)
}
