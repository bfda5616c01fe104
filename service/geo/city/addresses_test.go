package city

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/service/geo"
)

// knownAddresses are buildings whose positions are well known, written as people write addresses.
var knownAddresses = []struct {
	line string
	at   geo.Location
}{
	{"600 Montgomery St, San Francisco", geo.Location{Lon: -122.4028, Lat: 37.7952}},                  // Transamerica Pyramid
	{"151 Third Street, San Francisco, CA 94103", geo.Location{Lon: -122.4010, Lat: 37.7857}},         // Museum of Modern Art
	{"1100 California Street, SF", geo.Location{Lon: -122.4130, Lat: 37.7919}},                        // Grace Cathedral
	{"429 Castro, San Francisco, CA", geo.Location{Lon: -122.4350, Lat: 37.7620}},                     // Castro Theatre
	{"1355 Market St Suite 900, San Francisco, CA 94103", geo.Location{Lon: -122.4166, Lat: 37.7768}}, // Market Square
	{"261 Columbus Avenue, San Francisco, California", geo.Location{Lon: -122.4066, Lat: 37.7976}},    // City Lights
	{"1001 Portrero Ave, San Francisco, CA 94110", geo.Location{Lon: -122.4050, Lat: 37.7557}},        // General Hospital
	{"200 Larkin St., San Francisco CA 94102", geo.Location{Lon: -122.4162, Lat: 37.7802}},            // Asian Art Museum
	{"301 Van Ness Ave, san francisco", geo.Location{Lon: -122.4209, Lat: 37.7786}},                   // Opera House
	{"600 Guererro St, San Francisco, CA", geo.Location{Lon: -122.4241, Lat: 37.7614}},                // Tartine Bakery
	{"3543 18th St #8, San Francisco, CA 94110", geo.Location{Lon: -122.4227, Lat: 37.7615}},          // Women's Building
	{"3321 16th St San Francisco CA 94114", geo.Location{Lon: -122.4269, Lat: 37.7643}},               // Mission Dolores
	{"2205 Fillmore St, San Francisco, CA", geo.Location{Lon: -122.4340, Lat: 37.7899}},               // near Sacramento St
	{"2210 Fillmore St, San Francisco", geo.Location{Lon: -122.4340, Lat: 37.7899}},                   // opposite
	{"2210 Filmore Street Apt 4, SF", geo.Location{Lon: -122.4340, Lat: 37.7899}},                     // the same
	{"2210 Fillmore, San Fransisco, CA", geo.Location{Lon: -122.4340, Lat: 37.7899}},                  // the same
	{"2210 Fillmore St San Francisco", geo.Location{Lon: -122.4340, Lat: 37.7899}},                    // the same
	{"3630 Balboa St, San Francisco, CA 94121", geo.Location{Lon: -122.4981, Lat: 37.7756}},           // Balboa Theatre
	{"1 South Van Ness Ave, San Francisco, CA 94103", geo.Location{Lon: -122.4190, Lat: 37.7750}},     // South Van Ness at Market
	{"3500 Geary St, San Francisco", geo.Location{Lon: -122.4553, Lat: 37.7815}},                      // Geary Blvd there
}

func TestKnownAddressesAreFoundWhereTheyAre(t *testing.T) {
	geocoder := NewGeocoder()
	for _, known := range knownAddresses {
		result, err := geocoder.Geocode(t.Context(), geo.Query{Unparsed: known.line})
		if err != nil {
			t.Errorf("%s: %v", known.line, err)
			continue
		}
		away := result.Location.Distance(known.at)
		t.Logf("%6.0f m  %-55s %s, radius %.0f m", away, known.line, result.Accuracy, result.Radius)
		if away > 200 && !result.Approximate {
			t.Errorf("%s is %.0f m from where it is", known.line, away)
		}
		if away > result.Radius+100 {
			t.Errorf("%s is %.0f m away, more than its radius of %.0f m", known.line, away, result.Radius)
		}
	}
}

func TestSpellingsOfACityAgree(t *testing.T) {
	// Vallejo St is not in the embedded streets.
	geocoder := NewGeocoder()
	first, err := geocoder.Geocode(t.Context(), geo.Query{Unparsed: "2829 Vallejo St, San Francisco"})
	require.NoError(t, err)
	require.Equal(t, geo.AccuracyCity, first.Accuracy)
	require.Greater(t, first.Radius, 3000.0)
	require.Regexp(t, `^The location is approximate, within \d+ km: only the city is known, not the street\.$`,
		first.Warnings[len(first.Warnings)-1])
	for _, line := range []string{"2829 Vallejo St, SF", "2829 Vallejo Street, S.F., CA", "2829 vallejo st, San Fransisco, CA, USA"} {
		result, err := geocoder.Geocode(t.Context(), geo.Query{Unparsed: line})
		require.NoError(t, err, line)
		require.Equal(t, first.Location, result.Location, line)
	}
}

func TestStreetsThatAreNotExact(t *testing.T) {
	geocoder := NewGeocoder()
	for _, test := range []struct {
		line     string
		street   string
		accuracy geo.Accuracy
		warning  string
	}{
		{"Fillmore St, San Francisco, CA, USA", "Fillmore St", geo.AccuracyStreet, "within 2 km: only the street was found"},
		{"3600 Fillmore St, San Francisco, CA, USA", "Fillmore St", geo.AccuracyStreet, "within 700 m: only the street"},
		{"2210 Filmore St, San Francisco, CA, USA", "Fillmore St", geo.AccuracyHouse, `Unknown street "Filmore St" in San Francisco. Fillmore St was used.`},
		{"2210 Fillmore Ave, San Francisco, CA, USA", "Fillmore St", geo.AccuracyHouse, `Fillmore St was used.`},
		{"500 23th St, San Francisco, CA, USA", "23th St", geo.AccuracyCity, "only the city is known"},
		{"500 S Van Ness, San Francisco, CA, USA", "South Van Ness Ave", geo.AccuracyHouse, ""},
		{"5400 Geary, San Francisco, CA, USA", "Geary Blvd", geo.AccuracyHouse, ""},
		{"500 Geary, San Francisco, CA, USA", "Geary St", geo.AccuracyHouse, ""},
	} {
		result, err := geocoder.Geocode(t.Context(), geo.Query{Unparsed: test.line})
		require.NoError(t, err, test.line)
		require.Equal(t, test.street, result.Address.Street, test.line)
		require.Equal(t, test.accuracy, result.Accuracy, test.line)
		require.Equal(t, test.accuracy != geo.AccuracyHouse, result.Approximate, test.line)
		if test.warning == "" {
			require.Empty(t, result.Warnings, test.line)
			continue
		}
		require.Len(t, result.Warnings, 1, test.line)
		require.Contains(t, result.Warnings[0], test.warning)
	}
}
