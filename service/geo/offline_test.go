package geo

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The table is read once for all tests of the package.
var sharedOffline = NewOffline()

func find(t testing.TB, q Query) Result {
	t.Helper()
	result, err := sharedOffline.Geocode(context.Background(), q)
	require.NoError(t, err, "%+v", q)
	require.NoError(t, result.Location.Validate())
	require.Equal(t, "offline", result.Source)
	return result
}

func TestOfflineFindsTheCity(t *testing.T) {
	for _, test := range []struct {
		query                      Query
		city, state, country, code string
		centre                     Location
	}{
		{Query{Number: "1", Street: "Main St", City: "portland", State: "OR", Country: "USA"}, "Portland", "Oregon", "United States", "US", Location{-122.676, 45.523}},
		{Query{Number: "1", Street: "Main St", City: "Portland", State: "Maine", Country: "us"}, "Portland", "Maine", "United States", "US", Location{-70.26, 43.66}},
		{Query{Number: "1", Street: "King St", City: "London", State: "ON", Country: "Canada"}, "London", "Ontario", "Canada", "CA", Location{-81.233, 42.983}},
		{Query{Number: "10", Street: "Downing Street", City: "London", Country: "UK"}, "London", "England", "United Kingdom", "GB", Location{-0.126, 51.508}},
		{Query{Number: "5", Street: "Marienplatz", City: "Muenchen", Country: "Deutschland"}, "München", "Bavaria", "Germany", "DE", Location{11.575, 48.137}},
		{Query{Number: "5", Street: "Broadway", City: "New York", Country: "United States"}, "New York", "New York", "United States", "US", Location{-74.006, 40.714}},
		{Query{Number: "5", Street: "Main", City: "City of Oakland", Country: "United States"}, "Oakland", "California", "United States", "US", Location{-122.271, 37.804}},
	} {
		result := find(t, test.query)
		require.Equal(t, test.city, result.Address.City)
		require.Equal(t, test.state, result.Address.State, test.city)
		require.Equal(t, test.country, result.Address.Country)
		require.Equal(t, test.code, result.Address.CountryCode)
		require.Less(t, result.Location.Distance(test.centre), 9000.0, test.city)
		require.True(t, result.Approximate)
		require.Contains(t, result.Warnings[len(result.Warnings)-1], "approximate")
		require.Equal(t, test.query.Number, result.Address.Number)
		require.Equal(t, test.query.Street, result.Address.Street)
	}
}

func TestOfflineByPostalCode(t *testing.T) {
	only := find(t, Query{Number: "543", Street: "Howard St", PostalCode: "94105", Country: "US"})
	require.Equal(t, "San Francisco", only.Address.City)
	require.Equal(t, "California", only.Address.State)
	require.Less(t, only.Location.Distance(Location{-122.39, 37.79}), 3000.0)

	unknownCity := find(t, Query{Number: "1", Street: "A St", City: "Fog Town", PostalCode: "94105", Country: "US"})
	require.Equal(t, "Fog Town", unknownCity.Address.City)
	require.Contains(t, unknownCity.Warnings[0], "Fog Town")

	far := find(t, Query{Number: "1", Street: "A St", City: "San Francisco", PostalCode: "10001", Country: "US"})
	require.Less(t, far.Location.Distance(Location{-122.419, 37.775}), 9000.0)
	require.Contains(t, far.Warnings[0], "10001")

	wrong := find(t, Query{Number: "1", Street: "A St", City: "San Francisco", PostalCode: "00001", Country: "US"})
	require.Contains(t, wrong.Warnings[0], "00001")

	// The postal code tells which of many Springfields.
	springfield := find(t, Query{Number: "1", Street: "A St", City: "Springfield", PostalCode: "97477", Country: "US"})
	require.Equal(t, "Oregon", springfield.Address.State)
}

func TestOfflineWarnsOfChoices(t *testing.T) {
	several := find(t, Query{Number: "1", Street: "A St", City: "Springfield", Country: "US"})
	require.Contains(t, several.Warnings[0], "several places named Springfield")
	state := find(t, Query{Number: "1", Street: "A St", City: "San Francisco", State: "Narnia", Country: "US"})
	require.Contains(t, state.Warnings[0], "Narnia")
}

func TestOfflineRefuses(t *testing.T) {
	for _, test := range []struct {
		query Query
		kind  error
		text  string
	}{
		{Query{Number: "1", Street: "A St", City: "Nowhere At All", Country: "US"}, ErrUnknownPlace, "Nowhere At All"},
		{Query{Number: "1", Street: "A St", City: "San Francisco", Country: "Narnia"}, ErrUnknownPlace, "Narnia"},
		{Query{Number: "1", Street: "A St", City: "Portland", State: "CA", Country: "US", PostalCode: "1"}, ErrUnknownPlace, "California"},
		{Query{Number: "1", Street: "A St", Country: "US"}, ErrBadAddress, "no city"},
		{Query{Number: "1", Street: "A St", PostalCode: "00000", Country: "US"}, ErrUnknownPlace, "00000"},
		{Query{Unparsed: "  "}, ErrBadAddress, ""},
		{Query{Unparsed: ",,,"}, ErrBadAddress, "empty"},
		{Query{Unparsed: "12 Main St, Xyzzyville, USA"}, ErrUnknownPlace, "Xyzzyville"},
		{Query{Unparsed: "12 Main St, 00000, USA"}, ErrUnknownPlace, "00000"},
		{Query{Unparsed: "\x00\xff\xfe"}, ErrUnknownPlace, ""},
	} {
		_, err := sharedOffline.Geocode(t.Context(), test.query)
		require.ErrorIs(t, err, test.kind, "%+v", test.query)
		require.ErrorContains(t, err, test.text)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := sharedOffline.Geocode(ctx, Query{City: "Paris", Country: "FR"})
	require.ErrorIs(t, err, ErrUnavailable)
	require.ErrorIs(t, err, context.Canceled)
}

func TestOfflineParsesLines(t *testing.T) {
	for _, test := range []struct {
		line string
		want Address
	}{
		{"543 Howard St, 5th Floor, San Francisco, CA 94105, USA", Address{Number: "543", Street: "Howard St", Apartment: "5th Floor", City: "San Francisco", State: "California", PostalCode: "94105", Country: "United States", CountryCode: "US"}},
		{"543 Howard St, San Francisco, CA 94105", Address{Number: "543", Street: "Howard St", City: "San Francisco", State: "California", PostalCode: "94105", Country: "United States", CountryCode: "US"}},
		{"543 Howard St, San Francisco CA 94105", Address{Number: "543", Street: "Howard St", City: "San Francisco", State: "California", PostalCode: "94105", Country: "United States", CountryCode: "US"}},
		{"543 Howard St, San Francisco, California, 94105, United States", Address{Number: "543", Street: "Howard St", City: "San Francisco", State: "California", PostalCode: "94105", Country: "United States", CountryCode: "US"}},
		{"543 Howard St, 94105, USA", Address{Number: "543", Street: "Howard St", City: "San Francisco", State: "California", PostalCode: "94105", Country: "United States", CountryCode: "US"}},
		{"543 Howard St, 94105", Address{Number: "543", Street: "Howard St", City: "San Francisco", State: "California", PostalCode: "94105", Country: "United States", CountryCode: "US"}},
		{"543 Howard St, CA 94105", Address{Number: "543", Street: "Howard St", City: "San Francisco", State: "California", PostalCode: "94105", Country: "United States", CountryCode: "US"}},
		{"3245 16th St Apt 4B, San Francisco, CA", Address{Number: "3245", Street: "16th St", Apartment: "Apt 4B", City: "San Francisco", State: "California", Country: "United States", CountryCode: "US"}},
		{"16th St, San Francisco, CA", Address{Street: "16th St", City: "San Francisco", State: "California", Country: "United States", CountryCode: "US"}},
		{"Ferry Building, 1 Market St, San Francisco, CA 94111", Address{Name: "Ferry Building", Number: "1", Street: "Market St", City: "San Francisco", State: "California", PostalCode: "94111", Country: "United States", CountryCode: "US"}},
		{"12 Peachtree St, Atlanta, Georgia", Address{Number: "12", Street: "Peachtree St", City: "Atlanta", State: "Georgia", Country: "United States", CountryCode: "US"}},
		{"12 Rustaveli Ave, Tbilisi, Georgia", Address{Number: "12", Street: "Rustaveli Ave", City: "Tbilisi", State: "Tbilisi", Country: "Georgia", CountryCode: "GE"}},
		{"301 Front St W, Toronto, ON M5V 2T6, Canada", Address{Number: "301", Street: "Front St W", City: "Toronto", State: "Ontario", PostalCode: "M5V 2T6", Country: "Canada", CountryCode: "CA"}},
		{"301 Front St W, Toronto, ON, CA", Address{Number: "301", Street: "Front St W", City: "Toronto", State: "Ontario", Country: "Canada", CountryCode: "CA"}},
		{"10 Downing St, London SW1A 2AA, UK", Address{Number: "10", Street: "Downing St", City: "London", State: "England", PostalCode: "SW1A 2AA", Country: "United Kingdom", CountryCode: "GB"}},
		{"Invalidenstraße 116a, 10115 Berlin, Germany", Address{Number: "116a", Street: "Invalidenstraße", City: "Berlin", State: "State of Berlin", PostalCode: "10115", Country: "Germany", CountryCode: "DE"}},
		{"10 Rue de Rivoli, 75004 Paris, France", Address{Number: "10", Street: "Rue de Rivoli", City: "Paris", State: "Île-de-France", PostalCode: "75004", Country: "France", CountryCode: "FR"}},
		{"Damrak 1, 1012 LG Amsterdam, Nederland", Address{Number: "1", Street: "Damrak", City: "Amsterdam", State: "North Holland", PostalCode: "1012 LG", Country: "Netherlands", CountryCode: "NL"}},
		{"ul. Marszałkowska 10, 00-590 Warszawa, Polska", Address{Number: "10", Street: "ul. Marszałkowska", City: "Warszawa", State: "Mazovia", PostalCode: "00-590", Country: "Poland", CountryCode: "PL"}},
		{"1 Raffles Place, Singapore 048616", Address{Number: "1", Street: "Raffles Place", City: "Singapore", PostalCode: "048616", Country: "Singapore", CountryCode: "SG"}},
		{"5 Rue du Fossé, Luxembourg", Address{Number: "5", Street: "Rue du Fossé", City: "Luxembourg", State: "Luxembourg", Country: "Luxembourg", CountryCode: "LU"}},
		{"Invalidenstraße 116, Berlin, Germany 10115", Address{Number: "116", Street: "Invalidenstraße", City: "Berlin", State: "State of Berlin", PostalCode: "10115", Country: "Germany", CountryCode: "DE"}},
		{"100 Calle Sol, San Juan, PR 00901", Address{Number: "100", Street: "Calle Sol", City: "San Juan", State: "San Juan", PostalCode: "00901", Country: "Puerto Rico", CountryCode: "PR"}},
		{"San Francisco, CA", Address{City: "San Francisco", State: "California", Country: "United States", CountryCode: "US"}},
		{"Paris, France", Address{City: "Paris", State: "Île-de-France", Country: "France", CountryCode: "FR"}},
	} {
		result := find(t, Query{Unparsed: test.line})
		require.Equal(t, test.want, result.Address, test.line)
	}
}

func TestOfflineApartmentWithUnparsedAddress(t *testing.T) {
	result := find(t, Query{Unparsed: "543 Howard St, San Francisco, CA 94105, USA", Apartment: "Dock 2", City: "ignored"})
	require.Equal(t, "Dock 2", result.Address.Apartment)
	require.Equal(t, "San Francisco", result.Address.City)
}

func TestOfflineLanguageSetsTheCountry(t *testing.T) {
	// There is a Paris in France and one in Texas; the language decides when the line does not.
	require.Equal(t, "US", find(t, Query{Unparsed: "12 Main St, Paris", Language: "us"}).Address.CountryCode)
	result := find(t, Query{Unparsed: "12 Main St, Paris"})
	require.Equal(t, "FR", result.Address.CountryCode)
	require.Contains(t, result.Warnings, "No country was given. France was assumed.")
}

func sanFrancisco(number, street string) Query {
	return Query{Number: number, Street: street, City: "Fresno", State: "CA", Country: "US"}
}

func TestOfflineSameAddressSamePoint(t *testing.T) {
	a := find(t, sanFrancisco("120", "Elm Street"))
	for _, spelling := range []string{"Elm St", "ELM ST.", "elm street", " Elm  St "} {
		require.Equal(t, a.Location, find(t, sanFrancisco("120", spelling)).Location, spelling)
	}
	require.Equal(t, a.Location, find(t, Query{Unparsed: "120 Elm St, Fresno, CA, USA"}).Location)
}

func TestOfflineStreetIsALine(t *testing.T) {
	var even []Location
	for number := 100; number <= 500; number += 50 {
		even = append(even, find(t, sanFrancisco(fmt.Sprint(number), "Elm St")).Location)
	}
	path := NewPath(even...)
	straight := even[0].Distance(even[len(even)-1])
	require.InDelta(t, straight, path.Length(), 0.01*straight, "houses in the order of their numbers on one line")
	require.Greater(t, straight, 200.0)

	neighbour := find(t, sanFrancisco("102", "Elm St")).Location.Distance(even[0])
	require.Less(t, neighbour, 5.0)
	require.Greater(t, neighbour, 0.5)
	opposite := find(t, sanFrancisco("101", "Elm St")).Location.Distance(even[0])
	require.InDelta(t, 2*houseSide, opposite, 2)
	require.NotEqual(t, even[0], find(t, sanFrancisco("100", "Oak St")).Location)
}

func TestOfflineStaysInTown(t *testing.T) {
	centre := find(t, Query{City: "Fresno", State: "CA", Country: "US"}).Location
	rapid.Check(t, func(t *rapid.T) {
		q := sanFrancisco(
			rapid.StringMatching(`[0-9]{1,6}[A-F]?`).Draw(t, "number"),
			rapid.StringMatching(`[A-Z][a-z]{2,9} (St|Ave|Rd)`).Draw(t, "street"))
		result, err := sharedOffline.Geocode(context.Background(), q)
		require.NoError(t, err)
		require.Less(t, result.Location.Distance(centre), 7000.0)
	})
}

// Whatever is typed, the answer is a place or one of the known failures.
func TestOfflineNeverPanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.OneOf(
			rapid.SampledFrom([]string{"12", "Main St", "CA", "94105", "USA", "San Francisco", "Germany", "#4", "SW1A 2AA", ",", " ", "1/2"}),
			rapid.String()), 0, 8).Draw(t, "pieces")
		line := ""
		for _, piece := range pieces {
			line += piece + rapid.SampledFrom([]string{",", ", ", " ", ""}).Draw(t, "between")
		}
		result, err := sharedOffline.Geocode(context.Background(), Query{Unparsed: line})
		if err == nil {
			require.NoError(t, result.Location.Validate())
			require.NotEmpty(t, result.Address.CountryCode)
			require.NotEmpty(t, result.Address.City)
			return
		}
		var typed *Error
		require.ErrorAs(t, err, &typed)
	})
}

type fixedMap struct{ at Location }

func (f fixedMap) Locate(a Address, _ Area) (StreetPoint, bool) {
	if a.City != "San Francisco" || StreetKey(a.Street) != "howard st" {
		return StreetPoint{}, false
	}
	return StreetPoint{Location: f.at, Street: "Howard St", PostalCode: "94105", Accuracy: AccuracyHouse}, true
}

func TestOfflineAsksStreetMapsFirst(t *testing.T) {
	at := Location{-122.3966, 37.7884}
	known := NewOffline(fixedMap{at})
	result, err := known.Geocode(t.Context(), Query{Number: "543", Street: "howard street", City: "San Francisco", Country: "US"})
	require.NoError(t, err)
	require.Equal(t, at, result.Location)
	require.False(t, result.Approximate)
	require.Empty(t, result.Warnings)
	require.Equal(t, "Howard St", result.Address.Street)
	require.Equal(t, "94105", result.Address.PostalCode)
	result, err = known.Geocode(t.Context(), Query{Number: "543", Street: "Nowhere Ln", City: "San Francisco", Country: "US"})
	require.NoError(t, err)
	require.True(t, result.Approximate)
}

func BenchmarkOfflineParsed(b *testing.B) {
	q := Query{Number: "543", Street: "Howard St", City: "San Francisco", State: "CA", PostalCode: "94105", Country: "USA"}
	find(b, q)
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		find(b, q)
	}
}

func BenchmarkOfflineUnparsed(b *testing.B) {
	q := Query{Unparsed: "543 Howard St, 5th Floor, San Francisco, CA 94105, USA"}
	find(b, q)
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		find(b, q)
	}
}
