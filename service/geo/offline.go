package geo

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"
	"sync"

	"waybill/service/geo/gazetteer"
)

// Offline finds addresses without a remote service. It asks its street maps for the house. What they do not know is
// estimated near the center of the postal code (United States only) or the city: an address always has the same position,
// and the houses of a street are on a line in the order of their numbers. Such a location is marked as approximate.
// Unknown places are errors.
//
// Of several places with one name it takes the most populous that fits the state and the postal code. What the address
// leaves out is taken from the default of the query.
type Offline struct {
	maps []StreetMap
	load func() (*gazetteer.Table, error)
}

// NewOffline makes an offline geocoder. It loads the table of places at the first lookup.
func NewOffline(maps ...StreetMap) *Offline {
	return &Offline{maps: maps, load: sync.OnceValues(gazetteer.Load)}
}

var _ Geocoder = (*Offline)(nil)

const offlineSource = "offline"

// Warnings of the offline geocoder.
const (
	warnState         = "Unknown state or province %q of %s was ignored."
	warnPostalFar     = "Postal code %s belongs to %s, not to %s. The city was used."
	warnUnknownPostal = "Unknown postal code %s was ignored."
	warnUnknownCity   = "Unknown city %q. The location is that of postal code %s."
	warnSeveral       = "There are several places named %s. The most populous was used: %s. Give the state to choose another."
	warnCountry       = "No country was given. %s was assumed."
	warnCity          = "No city was given. %s was assumed."
	warnSimilarCity   = "Unknown city %q. %s was used. Check that this is right."
	warnSimilarStreet = "Unknown street %q in %s. %s was used. Check that this is right."
)

// noCity is the error of an address without a city.
const noCity = "the address has no city; write number and street, city, state and postal code, country, " +
	"or create a hub, whose city is assumed then"

// Geocode finds an address. See Offline for what it can find.
func (o *Offline) Geocode(ctx context.Context, q Query) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, &Error{Kind: ErrUnavailable, Source: offlineSource, Text: "the lookup was cancelled", Err: err}
	}
	table, err := o.load()
	if err != nil {
		return Result{}, &Error{Kind: ErrUnavailable, Source: offlineSource, Text: "cannot read the table of places", Err: err}
	}
	search := offlineSearch{table: table, maps: o.maps, language: q.Language, assumed: q.Default}
	if strings.TrimSpace(q.Unparsed) != "" {
		return search.searchUnparsed(q)
	}
	r := parsedAddress{address: Address{
		Number: strings.TrimSpace(q.Number), Street: strings.TrimSpace(q.Street), Apartment: strings.TrimSpace(q.Apartment),
		City: strings.TrimSpace(q.City), State: strings.TrimSpace(q.State),
		PostalCode: strings.TrimSpace(q.PostalCode),
	}}
	if country := strings.TrimSpace(q.Country); country != "" {
		code, ok := table.Country(country)
		if !ok {
			return Result{}, unknownPlace(offlineSource, "unknown country %q; use its English name or its two-letter code", country)
		}
		r.address.CountryCode, r.countryGiven = code, true
	}
	return search.resolve(r)
}

// offlineSearch is one lookup.
type offlineSearch struct {
	table    *gazetteer.Table
	maps     []StreetMap
	language string
	assumed  Default
}

func (s *offlineSearch) searchUnparsed(q Query) (Result, error) {
	parsed := parseAddressLine(s.table, q.Unparsed)
	if len(parsed) == 0 {
		return Result{}, badAddress(offlineSource, "the address is empty")
	}
	var first error
	for _, r := range parsed {
		if q.Apartment != "" {
			r.address.Apartment = q.Apartment
		}
		result, err := s.resolve(r)
		if err == nil {
			return result, nil
		}
		if first == nil {
			first = err
		}
	}
	return Result{}, first
}

// center is the center of the city or postal code of an address.
type center struct {
	at     Location
	radius float64 // in meters
	what   Accuracy
}

func (s *offlineSearch) resolve(r parsedAddress) (Result, error) {
	a := r.address
	result := Result{Source: offlineSource}
	assumed := a.City == "" && a.PostalCode == ""
	if assumed && !s.assumeCity(&r, &result) {
		return Result{}, badAddress(offlineSource, noCity)
	}
	a = r.address
	place, found, err := s.findCity(&a, &result)
	if err != nil {
		if s.locateInUnknownCity(r.address, &result) {
			return result, nil
		}
		if place, found = s.findSimilarCity(&a, &result); !found {
			return Result{}, err
		}
	}
	middle, err := s.findCenter(&a, place, found, &result)
	if err != nil {
		return Result{}, err
	}
	a.Country = s.table.CountryName(a.CountryCode)
	if home, _ := s.table.Country(s.assumed.Country); !r.countryGiven && a.CountryCode != home {
		result.Warnings = append(result.Warnings, fmt.Sprintf(warnCountry, a.Country))
	}
	if !s.locateOnMaps(a, s.areaOf(place, found, middle), &result) {
		if assumed && !looksLikeStreet(a) {
			return Result{}, badAddress(offlineSource, noCity)
		}
		result.Location, result.Address = housePoint(middle, a), a
		// The true point is somewhere around the center, not around the estimate.
		result.setAccuracy(middle.what, middle.radius+result.Location.Distance(middle.at))
	}
	return result, nil
}

// findCity finds the city and sets state and country from it. An unknown city is not an error if the postal code is
// known; found is false then.
func (s *offlineSearch) findCity(a *Address, result *Result) (place gazetteer.Place, found bool, err error) {
	region := ""
	if a.State != "" && a.CountryCode != "" {
		code, ok := s.table.Region(a.CountryCode, a.State)
		if ok {
			region = code
			a.State = s.table.RegionName(a.CountryCode, code)
		} else {
			result.Warnings = append(result.Warnings,
				fmt.Sprintf(warnState, a.State, s.table.CountryName(a.CountryCode)))
		}
	}
	if a.City == "" {
		return gazetteer.Place{}, false, nil
	}
	fitting := s.findFittingPlaces(a, region)
	if len(fitting) == 0 {
		if _, ok := s.findPostcode(a); ok {
			return gazetteer.Place{}, false, nil
		}
		return gazetteer.Place{}, false, s.unknownCityError(a, region)
	}
	place = s.choosePlace(fitting, a, result)
	a.setCity(place)
	return place, true, nil
}

func (a *Address) setCity(place gazetteer.Place) {
	a.City, a.CountryCode = place.Name, place.Country
	if place.RegionName != "" {
		a.State = place.RegionName
	}
}

// findPlaces looks up a name and its common variants.
func (s *offlineSearch) findPlaces(country, name string) []gazetteer.Place {
	folded := gazetteer.Fold(name)
	if long := cityAbbreviations[folded]; long != "" && (country == "" || country == "US") {
		return s.table.FindPlaces("US", long)
	}
	variants := []string{
		folded,
		folded + " city",
		strings.TrimPrefix(folded, "city of "),
		strings.TrimSuffix(folded, " city"),
		strings.NewReplacer("ae", "a", "oe", "o", "ue", "u").Replace(folded),
	}
	for i, variant := range variants {
		if i > 0 && variant == folded {
			continue
		}
		if places := s.table.FindPlaces(country, variant); len(places) > 0 {
			return places
		}
	}
	return nil
}

// muchLarger is how many times more populous a place is that needs no state to be told from others of its name.
const muchLarger = 20

// choosePlace returns the place nearest to the postal code, or else the most populous.
func (s *offlineSearch) choosePlace(places []gazetteer.Place, a *Address, result *Result) gazetteer.Place {
	if code, ok := s.table.Postcode(places[0].Country, a.PostalCode); ok {
		at := Location{Lon: code.Lon, Lat: code.Lat}
		best, bestDistance := places[0], math.Inf(1)
		for _, p := range places {
			if distance := at.Distance(Location{Lon: p.Lon, Lat: p.Lat}); distance < bestDistance {
				best, bestDistance = p, distance
			}
		}
		if bestDistance < farFromPostcode {
			return best
		}
	}
	if a.State == "" && len(places) > 1 && places[1].Region != places[0].Region &&
		places[1].Population >= places[0].Population/muchLarger {
		if i := s.inDefaultState(places); i >= 0 {
			return places[i]
		}
		where := places[0].Name
		if places[0].RegionName != "" {
			where += ", " + places[0].RegionName
		}
		result.Warnings = append(result.Warnings, fmt.Sprintf(warnSeveral, places[0].Name, where))
	}
	return places[0]
}

// findPostcode looks up the postal code of an address. Without a country it is one of the United States.
func (s *offlineSearch) findPostcode(a *Address) (gazetteer.Postcode, bool) {
	return s.table.Postcode(cmp.Or(a.CountryCode, "US"), a.PostalCode)
}

func (s *offlineSearch) unknownCityError(a *Address, region string) error {
	where := s.table.CountryName(a.CountryCode)
	if region != "" {
		where = a.State + ", " + where
	}
	if where == "" {
		return unknownPlace(offlineSource, "unknown place %q; check the spelling or send the location", a.City)
	}
	return unknownPlace(offlineSource, "unknown place %q in %s; check the spelling or send the location", a.City, where)
}

// farFromPostcode is more than the distance of a postal code's center from its own town, in meters.
const farFromPostcode = 60_000

// findCenter returns the center of the postal code, or that of the city if the code is unknown or does not fit.
func (s *offlineSearch) findCenter(a *Address, place gazetteer.Place, found bool, result *Result) (center, error) {
	code, known := s.findPostcode(a)
	at := Location{Lon: code.Lon, Lat: code.Lat}
	if !found {
		if !known {
			return center{}, unknownPlace(offlineSource, "unknown postal code %q; add the city or send the location", a.PostalCode)
		}
		if a.City != "" {
			result.Warnings = append(result.Warnings, fmt.Sprintf(warnUnknownCity, a.City, code.Code))
		} else {
			a.City = code.Name
		}
		a.State, a.CountryCode = code.RegionName, code.Country
		return center{at, postcodeRadius, AccuracyPostalCode}, nil
	}
	city := center{Location{Lon: place.Lon, Lat: place.Lat}, cityRadius(place.Population), AccuracyCity}
	switch {
	case known && at.Distance(city.at) <= max(farFromPostcode, 2*city.radius):
		return center{at, min(postcodeRadius, city.radius), AccuracyPostalCode}, nil
	case known:
		result.Warnings = append(result.Warnings,
			fmt.Sprintf(warnPostalFar, code.Code, code.Name+", "+code.RegionName, place.Name))
	case a.PostalCode != "" && s.table.HasPostcodes(a.CountryCode):
		result.Warnings = append(result.Warnings, fmt.Sprintf(warnUnknownPostal, a.PostalCode))
	}
	return city, nil
}
