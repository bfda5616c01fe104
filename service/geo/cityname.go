package geo

import (
	"fmt"
	"slices"
	"strings"

	"waybill/service/geo/gazetteer"
)

// cityAbbreviations are what people write instead of names of cities in the United States.
//
//nolint:gochecknoglobals // read-only
var cityAbbreviations = map[string]string{
	"sf": "san francisco", "s f": "san francisco", "san fran": "san francisco", "nyc": "new york",
	"ny": "new york", "la": "los angeles", "l a": "los angeles",
	"philly": "philadelphia", "slc": "salt lake city", "kcmo": "kansas city", "atl": "atlanta", "nola": "new orleans",
}

// assumeCity sets the default city of an address without city and postal code.
func (s *offlineSearch) assumeCity(r *parsedAddress, result *Result) bool {
	a := &r.address
	code, ok := s.table.Country(s.assumed.Country)
	if s.assumed.City == "" || a.Street == "" || ok && a.CountryCode != "" && a.CountryCode != code {
		return false
	}
	a.City = s.assumed.City
	if a.State == "" {
		a.State = s.assumed.State
	}
	if ok {
		a.CountryCode, r.countryGiven = code, true // the city was assumed with its country
	}
	result.Warnings = append(result.Warnings, fmt.Sprintf(warnCity, a.City))
	return true
}

// looksLikeStreet reports whether an address without a city is at least one of a house: any other text would be accepted
// somewhere in the assumed city.
func looksLikeStreet(a Address) bool {
	name, rest, _ := strings.Cut(StreetSortKey(a.Street), "\t")
	_, kind, _ := strings.Cut(rest, " ")
	hasKind := kind != "" || slices.ContainsFunc([]string{"str", "weg", "platz", "gasse", "allee", "straat"},
		func(end string) bool { return strings.HasSuffix(name, end) })
	return a.Number != "" && (hasKind || strings.Contains(name, " "))
}

// findFittingPlaces finds the city in the country of the address, of the language or of the default, in this order, and
// otherwise in all countries.
func (s *offlineSearch) findFittingPlaces(a *Address, region string) []gazetteer.Place {
	countries := []string{a.CountryCode}
	if a.CountryCode == "" {
		countries = append(s.likelyCountries(), "")
	}
	for _, country := range countries {
		if places := s.findPlaces(country, a.City); len(places) > 0 {
			return slices.DeleteFunc(places, func(p gazetteer.Place) bool { return region != "" && p.Region != region })
		}
	}
	return nil
}

// likelyCountries returns the countries of an address without one.
func (s *offlineSearch) likelyCountries() []string {
	var countries []string
	for _, text := range []string{s.language, s.assumed.Country} {
		if code, ok := s.table.Country(text); ok && !slices.Contains(countries, code) {
			countries = append(countries, code)
		}
	}
	return countries
}

// findSimilarCity finds the most populous place whose name differs least from a misspelled city. It needs the country.
func (s *offlineSearch) findSimilarCity(a *Address, result *Result) (best gazetteer.Place, found bool) {
	country := a.CountryCode
	if likely := s.likelyCountries(); country == "" && len(likely) > 0 {
		country = likely[0]
	}
	region, _ := s.table.Region(country, a.State)
	name := gazetteer.Fold(a.City)
	typos := 1 // fewer than in a street, because a wrong city is far away
	if len(name) >= 12 {
		typos = 2
	}
	if country == "" || len(name) < 5 {
		return best, false
	}
	for _, place := range s.table.PlacesByInitial(country, name[0]) {
		if region != "" && place.Region != region || place.Population < minSimilarPopulation {
			continue
		}
		distance := editDistance(name, gazetteer.Fold(place.Name), typos)
		if distance < typos || distance == typos && place.Population > best.Population {
			typos, best, found = distance, place, true
		}
	}
	if found {
		result.Warnings = append(result.Warnings, fmt.Sprintf(warnSimilarCity, a.City, best.Name))
		a.setCity(best)
	}
	return best, found
}

// minSimilarPopulation is the population of a city that a misspelled name may mean. There are so many villages that almost
// any word is similar to the name of one.
const minSimilarPopulation = 25_000

// inDefaultState returns the index of the first place in the default's state, or -1.
func (s *offlineSearch) inDefaultState(places []gazetteer.Place) int {
	return slices.IndexFunc(places, func(p gazetteer.Place) bool {
		code, ok := s.table.Region(p.Country, s.assumed.State)
		return ok && code == p.Region
	})
}

// separateCity puts a comma before the city in a line without commas: "2210 Fillmore St San Francisco CA 94115". The city
// must be followed by a state or postal code, or be a large one after a word such as "St".
func separateCity(table *gazetteer.Table, line string) string {
	words := strings.Fields(line)
	end, certain := len(words), false
	if end > 0 {
		if code, ok := table.Country(words[end-1]); ok && (code == "US" || code == "CA") && len(words[end-1]) > 2 {
			end--
		}
	}
	if end > 0 && postalZIP.MatchString(words[end-1]) {
		end, certain = end-1, true
	}
	if end > 0 {
		if _, ok := table.Region("US", words[end-1]); ok {
			end, certain = end-1, true
		}
	}
	for start := max(2, end-4); start < end; start++ {
		city := strings.Join(words[start:end], " ")
		places := table.FindPlaces("US", city)
		if len(places) == 0 && cityAbbreviations[gazetteer.Fold(city)] != "" {
			places = table.FindPlaces("US", cityAbbreviations[gazetteer.Fold(city)])
		}
		if len(places) == 0 || !certain && (places[0].Population < 50_000 || !streetKinds[StreetKey(words[start-1])]) {
			continue
		}
		separated := strings.Join(words[:start], " ") + ", " + city
		if end < len(words) {
			separated += ", " + strings.Join(words[end:], " ")
		}
		return separated
	}
	return line
}
