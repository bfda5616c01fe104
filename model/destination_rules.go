package model

import (
	"math"

	"golang.org/x/text/language"
)

// addressNeeds is which parts a parsed address must have.
type addressNeeds int

const (
	// needsCity is enough beside coordinates.
	needsCity addressNeeds = iota
	// needsStreet is what geocoding asks for.
	needsStreet
	// needsEverything is what the address of an order's task must have.
	needsEverything
)

// Check reports what is wrong with a destination:
//
//  1. With address.unparsed, the other parts are ignored but name and apartment.
//  2. Whether an unparsed address may omit city and state depends on the country; only geocoding can tell.
//  3. address.unparsed cannot be combined with location.
//  4. With location, the address must be parsed and have city and country; without, number and street too.
func (in DestinationInput) Check() Problems { return in.check(needsStreet) }

func (in DestinationInput) check(needs addressNeeds) Problems {
	var ps Problems
	address, ok := in.Address.Get()
	if !ok {
		ps.add("address", ErrorMissing, "An address is required, even with coordinates.")
	} else {
		ps.checkAddress("address", address, in.Location, needs)
	}
	ps.checkLocation("location", in.Location)
	ps.checkMetadata("metadata", in.Metadata)
	if code := in.Options.Value().Language; code != "" && !isCountryCode(code) {
		ps.add("options.language", ErrorInvalid, "%.20q is not a country code. Use two letters, such as DE.", Clean(code))
	}
	return ps
}

// checkAddress applies the address rules to an address and its coordinates.
func (ps *Problems) checkAddress(path string, address AddressInput, location Opt[Location], needs addressNeeds) {
	prefix := path
	if prefix != "" {
		prefix += "."
	}
	if !isBlank(address.Unparsed) {
		if location.Has() {
			ps.add(prefix+"unparsed", ErrorInvalid,
				"An address in one line cannot be combined with a location. Send the address in parts, or omit the location.")
		}
		return
	}
	if location.Has() {
		needs = needsCity
	}
	if needs >= needsStreet {
		ps.checkRequired(prefix+"number", address.Number, "The house number")
		ps.checkRequired(prefix+"street", address.Street, "The street")
	}
	ps.checkRequired(prefix+"city", address.City, "The city")
	if needs == needsEverything {
		ps.checkRequired(prefix+"state", address.State, "The state or province")
		ps.checkRequired(prefix+"postalCode", address.PostalCode, "The postal code")
	}
	ps.checkRequired(prefix+"country", address.Country, "The country")
}

// checkLocation reports coordinates that are not on the globe.
func (ps *Problems) checkLocation(field string, location Opt[Location]) {
	l, ok := location.Get()
	switch {
	case !ok || l.Valid():
	case !l.Known():
		ps.add(field, ErrorWrongType, "Must be two numbers: [longitude, latitude].")
	case math.Abs(l.Lon) <= 90 && math.Abs(l.Lat) <= 180:
		ps.add(field, ErrorInvalid, "The latitude is beyond 90. The order is [longitude, latitude]; the two seem to be swapped.")
	default:
		ps.add(field, ErrorInvalid, "Not on the globe: longitude is from -180 to 180, latitude from -90 to 90.")
	}
}

// isCountryCode reports a code of two letters of ISO 3166-1, in either case.
func isCountryCode(code string) bool {
	region, err := language.ParseRegion(code)
	return err == nil && len(code) == 2 && region.IsCountry()
}

// EffectiveAddress returns the address as the service reads it: next to an unparsed line only name and apartment count.
func EffectiveAddress(a AddressInput) AddressInput {
	if isBlank(a.Unparsed) {
		return a
	}
	return AddressInput{Name: a.Name, Apartment: a.Apartment, Unparsed: a.Unparsed, Extra: a.Extra}
}

// checkDestinationRef checks the id of a destination or a new one.
func (ps *Problems) checkDestinationRef(field string, ref IDOr[DestinationInput], needs addressNeeds) {
	checkRef(ps, field, ref, func(in DestinationInput) Problems { return in.check(needs) })
}
