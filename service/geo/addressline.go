package geo

import (
	"regexp"
	"slices"
	"strings"

	"waybill/service/geo/gazetteer"
)

// parsedAddress is one interpretation of an address line. Some lines have two ("Springfield, Georgia"), which are tried
// in order until one has a known place.
type parsedAddress struct {
	address Address
	// countryGiven is false when the address has no country.
	countryGiven bool
}

// parseAddressLine splits an address line into house and street, apartment, city, state, postal code and country, in the
// usual orders. Unknown parts go to Address.Apartment, so that nothing is lost.
func parseAddressLine(table *gazetteer.Table, line string) []parsedAddress {
	elements := splitElements(line)
	if len(elements) == 0 {
		return nil
	}
	if len(elements) == 1 && hasDigit(elements[0]) {
		elements = splitElements(separateCity(table, elements[0]))
	}
	last := elements[len(elements)-1]
	code, isCountry := table.Country(last)
	_, isState := table.Region("US", last)
	if isState && len(elements) > 1 {
		// "Toronto, ON, CA": ON is a province of Canada, so CA is not California.
		if _, ok := table.Region(code, elements[len(elements)-2]); isCountry && ok && code != "US" {
			isState = false
		}
	}

	var parsed []parsedAddress
	if isState || !isCountry {
		parsed = append(parsed, parseElements(table, slices.Clone(elements), ""))
	}
	if isCountry {
		rest := elements[:len(elements)-1]
		parsed = append(parsed, parseElements(table, slices.Clone(rest), code))
		if len(rest) < 2 {
			// Luxembourg, Singapore: the last element is also the city.
			parsed = append(parsed, parseElements(table, slices.Clone(elements), code))
		}
	}
	return parsed
}

func splitElements(line string) []string {
	var elements []string
	for _, element := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(",;\n\r\t", r) }) {
		if element = strings.Join(strings.Fields(element), " "); element != "" {
			elements = append(elements, element)
		}
	}
	return elements
}

// parseElements parses the elements without the country. If country is "", it takes the country of the state or the
// postal code, if possible.
func parseElements(table *gazetteer.Table, elements []string, country string) parsedAddress {
	r := parsedAddress{countryGiven: country != ""}
	r.address.CountryCode = country
	elements = r.extractPostalCode(elements)
	if n := len(elements); n > 2 && r.address.CountryCode == "" {
		// "Berlin, Germany 10115": the country is the last element without the postal code.
		_, isState := table.Region("US", elements[n-1])
		if code, ok := table.Country(elements[n-1]); ok && !isState {
			r.address.CountryCode, r.countryGiven = code, true
			elements = elements[:n-1]
		}
	}
	in := r.address.CountryCode
	if in == "" {
		in = "US"
	}
	elements = r.extractState(table, elements, in)
	if r.address.CountryCode == "" && r.address.PostalCode != "" && r.address.State == "" {
		if _, ok := table.Postcode("US", r.address.PostalCode); ok && len(elements) < 2 {
			r.address.CountryCode = "US"
		}
	}
	if n := len(elements); n > 1 || n == 1 && !hasDigit(elements[0]) && r.address.City == "" {
		if r.address.City == "" {
			r.address.City = elements[n-1]
			elements = elements[:n-1]
		}
	}
	r.extractStreet(elements)
	return r
}

var (
	postalCanada  = regexp.MustCompile(`^[A-Z]\d[A-Z] ?\d[A-Z]\d$`)
	postalBritain = regexp.MustCompile(`^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$`)
	postalDutch   = regexp.MustCompile(`^\d{4} ?[A-Z]{2}$`)
	postalZIP     = regexp.MustCompile(`^\d{5}(-\d{4})?$`)
	postalOther   = regexp.MustCompile(`^([A-Z]{1,2}-)?\d{2,7}(-\d{2,4})?$`)
	postalPair    = regexp.MustCompile(`^\d{3} \d{2}$`)
)

// isPostalCode reports whether text looks like a postal code of a country, or of any country if country is "". only is the
// country if no other has such codes.
func isPostalCode(text, country string) (only string, ok bool) {
	text = strings.ToUpper(text)
	switch {
	case postalCanada.MatchString(text) && (country == "" || country == "CA"):
		return "CA", true
	case postalBritain.MatchString(text) && (country == "" || country == "GB"):
		return "GB", true
	case postalDutch.MatchString(text) && country == "NL":
		return "NL", true
	case country == "US":
		return "", postalZIP.MatchString(text)
	case country == "CA" || country == "GB" || country == "NL":
		return "", false
	default:
		return "", len(text) >= 4 && postalOther.MatchString(text) || postalPair.MatchString(text)
	}
}

// extractPostalCode removes a postal code at the end or the start of the last elements: "CA 94105", "10115 Berlin".
func (r *parsedAddress) extractPostalCode(elements []string) []string {
	for i := len(elements) - 1; i >= max(1, len(elements)-3); i-- {
		words := strings.Fields(elements[i])
		for n := min(2, len(words)); n > 0; n-- {
			for _, tail := range []bool{true, false} {
				code, rest := strings.Join(words[:n], " "), words[n:]
				if tail {
					code, rest = strings.Join(words[len(words)-n:], " "), words[:len(words)-n]
				}
				only, ok := isPostalCode(code, r.address.CountryCode)
				if !ok {
					continue
				}
				r.address.PostalCode = strings.ToUpper(code)
				if r.address.CountryCode == "" {
					r.address.CountryCode = only
				}
				if len(rest) == 0 {
					return slices.Delete(elements, i, i+1)
				}
				elements[i] = strings.Join(rest, " ")
				return elements
			}
		}
	}
	return elements
}

// extractState removes the state at the end, if a city or a postal code remains.
func (r *parsedAddress) extractState(table *gazetteer.Table, elements []string, country string) []string {
	n := len(elements)
	if n < 2 {
		return elements
	}
	last := elements[n-1]
	if _, ok := table.Region(country, last); ok {
		isCity := len(table.FindPlaces(country, last)) > 0
		if n > 2 || !isCity && (r.address.PostalCode != "" || !hasDigit(elements[0])) {
			r.address.State, r.address.CountryCode = last, country
			return elements[:n-1]
		}
		return elements
	}
	// "San Francisco CA" without a comma between them.
	if at := strings.LastIndexByte(last, ' '); at > 0 {
		city, state := last[:at], last[at+1:]
		if _, ok := table.Region(country, state); ok && len(table.FindPlaces(country, city)) > 0 {
			r.address.State, r.address.CountryCode, r.address.City = state, country, city
			return elements[:n-1]
		}
	}
	return elements
}

var (
	leadingNumber  = regexp.MustCompile(`^(\d+[A-Za-z]?(?:[-/]\d+[A-Za-z]?)?(?:\s(?:bis|ter|1/2))?)\s+(\D.*|\d+(?:st|nd|rd|th)\b.*)$`)
	trailingNumber = regexp.MustCompile(`^(\D.*?)\s+(\d+\s?[A-Za-z]?(?:[-/]\d+[A-Za-z]?)?)$`)
	ordinalStreet  = regexp.MustCompile(`(?i)^\d+(?:st|nd|rd|th)\b`)
	unitAtEnd      = regexp.MustCompile(`(?i)^(.*\S)[\s,]+((?:apt|apartment|suite|ste|unit|floor|fl|room|rm)\.?\s*[\w-]+|#\s*[\w-]+)$`)
)

func (r *parsedAddress) extractStreet(elements []string) {
	if len(elements) == 0 {
		return
	}
	if len(elements) > 1 && !hasDigit(elements[0]) && hasDigit(elements[1]) {
		r.address.Name = elements[0]
		elements = elements[1:]
	}
	street := elements[0]
	extra := elements[1:]
	if m := unitAtEnd.FindStringSubmatch(street); m != nil {
		street = m[1]
		extra = append([]string{m[2]}, extra...)
	}
	r.address.Number, r.address.Street = splitNumber(street)
	r.address.Apartment = strings.Join(extra, ", ")
}

// splitNumber splits the house number from the street, in front ("12 Main St") or behind ("Hauptstraße 12a").
func splitNumber(line string) (number, street string) {
	if !ordinalStreet.MatchString(line) {
		if m := leadingNumber.FindStringSubmatch(line); m != nil {
			return m[1], m[2]
		}
	}
	if m := trailingNumber.FindStringSubmatch(line); m != nil {
		return strings.ReplaceAll(m[2], " ", ""), m[1]
	}
	return "", line
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }
