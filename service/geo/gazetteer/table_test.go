package gazetteer

import (
	"bytes"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

var shared = sync.OnceValues(Load)

func load(t testing.TB) *Table {
	t.Helper()
	table, err := shared()
	require.NoError(t, err)
	return table
}

func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"San Francisco":    "san francisco",
		"  SÃO  Paulo ":    "sao paulo",
		"Saint-Étienne":    "st etienne",
		"St. Louis":        "st louis",
		"Mount Vernon":     "mt vernon",
		"O'Farrell St":     "ofarrell st",
		"Weißenburg":       "weissenburg",
		"Ærøskøbing":       "aeroskobing",
		"Łódź":             "lodz",
		"Winston-Salem":    "winston salem",
		"'s-Gravenhage":    "s gravenhage",
		"東京":               "東京",
		"":                 "",
		" ,;- ":            "",
		"Fort Worth":       "ft worth",
		"Comfort":          "comfort",
		"Paramount":        "paramount",
		"Washington, D.C.": "washington d c",
	} {
		require.Equal(t, want, Fold(in), in)
		require.Equal(t, want, Fold(Fold(in)), "folding %q twice", in)
	}
}

// A search halves the table by folded name, so a row out of order would hide others.
func TestTableIsSorted(t *testing.T) {
	table := load(t)
	places, postcodes := &table.data.Places, &table.data.Postcodes
	require.Greater(t, len(places.Regions), 150_000)
	for i, c := range table.data.Countries {
		before := ""
		for row, last := places.ofCountry(i); row < last; row++ {
			folded := Fold(places.names.get(row))
			if folded < before {
				t.Fatalf("%s: %q comes after %q", c.Code, folded, before)
			}
			before = folded
		}
		first, last := postcodes.ofCountry(i)
		for row := first + 1; row < last; row++ {
			if postcodes.codes.get(row-1) >= postcodes.codes.get(row) {
				t.Fatalf("%s: %q comes after %q", c.Code, postcodes.codes.get(row), postcodes.codes.get(row-1))
			}
		}
	}
}

func TestCoordinatesAreOnEarth(t *testing.T) {
	table := load(t)
	for _, r := range []*rows{&table.data.Places, &table.data.Postcodes} {
		for row := range r.Regions {
			place := table.placeAtRow(r, row, 0)
			if place.Lon < -180 || place.Lon > 180 || place.Lat < -90 || place.Lat > 90 {
				t.Fatalf("row %d is at %v, %v", row, place.Lon, place.Lat)
			}
		}
	}
}

func TestFind(t *testing.T) {
	table := load(t)
	for _, test := range []struct {
		country, name, region, found string
		lon, lat                     float64
	}{
		{"US", "San Francisco", "CA", "San Francisco", -122.4194, 37.7749},
		{"US", "portland", "OR", "Portland", -122.6762, 45.5234},
		{"US", "New York", "NY", "New York", -74.006, 40.7143},
		{"US", "Saint Louis", "MO", "St. Louis", -90.1979, 38.6273},
		{"GB", "London", "ENG", "London", -0.1257, 51.5085},
		{"DE", "münchen", "02", "München", 11.5755, 48.1374},
		{"DE", "Munich", "02", "Munich", 11.5755, 48.1374},
		{"CA", "London", "08", "London", -81.233, 42.9834},
		{"JP", "Tokyo", "40", "Tokyo", 139.6917, 35.6895},
		{"", "Paris", "11", "Paris", 2.3488, 48.8534},
	} {
		found := table.FindPlaces(test.country, test.name)
		require.NotEmpty(t, found, test.name)
		require.Equal(t, test.found, found[0].Name)
		require.Equal(t, test.region, found[0].Region, test.name)
		require.InDelta(t, test.lon, found[0].Lon, 0.0001, test.name)
		require.InDelta(t, test.lat, found[0].Lat, 0.0001, test.name)
	}
	require.Empty(t, table.FindPlaces("US", "Nowhere At All"))
	require.Empty(t, table.FindPlaces("US", ""))
	require.Empty(t, table.FindPlaces("ZZ", "London"))
}

func TestFindPlacesSortsByPopulation(t *testing.T) {
	found := load(t).FindPlaces("US", "Springfield")
	require.Greater(t, len(found), 5)
	require.True(t, slices.IsSortedFunc(found, func(a, b Place) int { return b.Population - a.Population }))
	require.InEpsilon(t, 166_810, found[0].Population, 0.1)
}

func TestCountry(t *testing.T) {
	table := load(t)
	for text, want := range map[string]string{
		"US": "US", "usa": "US", "United States": "US", "u.s.a.": "US", "Vereinigte Staaten": "US", "UK": "GB",
		"England": "GB", "Deutschland": "DE", "Allemagne": "DE", "DEU": "DE", "Österreich": "AT", "日本": "JP",
		"Czech Republic": "CZ", "Czechia": "CZ", "España": "ES", "Brasil": "BR", "Nederland": "NL", "Georgia": "GE",
	} {
		code, ok := table.Country(text)
		require.True(t, ok, text)
		require.Equal(t, want, code, text)
	}
	for _, text := range []string{"", "Narnia", "ZZ", "California"} {
		_, ok := table.Country(text)
		require.False(t, ok, text)
	}
	require.Equal(t, "United States", table.CountryName("US"))
	require.Equal(t, "Germany", table.CountryName("DE"))
	require.Empty(t, table.CountryName("ZZ"))
}

func TestRegion(t *testing.T) {
	table := load(t)
	for _, test := range [][4]string{
		{"US", "CA", "CA", "California"},
		{"US", "california", "CA", "California"},
		{"US", "DC", "DC", "District of Columbia"},
		{"CA", "ON", "08", "Ontario"},
		{"CA", "Québec", "10", "Quebec"},
		{"AU", "NSW", "02", "New South Wales"},
		{"DE", "Bayern", "02", "Bavaria"},
		{"GB", "Scotland", "SCT", "Scotland"},
	} {
		code, ok := table.Region(test[0], test[1])
		require.True(t, ok, test[1])
		require.Equal(t, test[2], code)
		require.Equal(t, test[3], table.RegionName(test[0], code))
	}
	for _, text := range []string{"ZZ", "01", ""} {
		_, ok := table.Region("US", text)
		require.False(t, ok, text)
	}
}

func TestPostcode(t *testing.T) {
	table := load(t)
	for _, code := range []string{"94105", "94105-1804", " 94105 "} {
		found, ok := table.Postcode("US", code)
		require.True(t, ok, code)
		require.Equal(t, "San Francisco", found.Name)
		require.Equal(t, "CA", found.Region)
		require.Equal(t, "California", found.RegionName)
		require.InDelta(t, -122.39, found.Lon, 0.02)
		require.InDelta(t, 37.79, found.Lat, 0.02)
	}
	for _, code := range []string{"", "00000", "9410", "941055", "ABCDE"} {
		_, ok := table.Postcode("US", code)
		require.False(t, ok, code)
	}
	_, ok := table.Postcode("DE", "10115")
	require.False(t, ok)
	require.True(t, table.HasPostcodes("US"))
	require.False(t, table.HasPostcodes("DE"))
}

func TestPopulationClassIsWithinTenPercent(t *testing.T) {
	for _, population := range []int{1, 2, 900, 12_345, 864_816, 24_874_500} {
		require.InEpsilon(t, population, populationOf(populationClass(population)), 0.1)
	}
	require.Zero(t, populationOf(populationClass(0)))
}

func TestEncodeThenDecode(t *testing.T) {
	source := &Source{
		Countries: []Country{{Code: "XA", Name: "Alpha", Other: []string{"alfa"}}, {Code: "XB", Name: "Beta"}},
		Regions:   []Region{{Country: "XA", Code: "1", Name: "North", Other: []string{"N"}}, {Country: "XB", Code: "1", Name: "South"}},
		Places: []Place{
			{Name: "Ford", Country: "XB", Region: "1", Lon: -180, Lat: 90, Population: 10},
			{Name: "Ford", Country: "XB", Region: "", Lon: 180, Lat: -90, Population: 1000},
			{Name: "Åby", Country: "XA", Region: "1", Lon: 1.5, Lat: 2.25},
		},
		Postcodes: []Postcode{{Code: "2", Place: Place{Name: "Ford", Country: "XB", Region: "1", Lon: 3, Lat: 4}}},
	}
	var raw bytes.Buffer
	require.NoError(t, Encode(&raw, source))
	table, err := decode(&raw)
	require.NoError(t, err)
	require.Equal(t, []Place{{Name: "Åby", Country: "XA", Region: "1", RegionName: "North", Lon: 1.5, Lat: 2.25}},
		table.FindPlaces("XA", "aby"))
	fords := table.FindPlaces("XB", "FORD")
	require.Len(t, fords, 2)
	require.InDelta(t, 180, fords[0].Lon, 0)
	require.Equal(t, "South", fords[1].RegionName)
	found, ok := table.Postcode("XB", "2")
	require.True(t, ok)
	require.Equal(t, Postcode{Code: "2", Place: Place{Name: "Ford", Country: "XB", Region: "1", RegionName: "South", Lon: 3, Lat: 4}}, found)
	code, ok := table.Country("Alfa")
	require.True(t, ok)
	require.Equal(t, "XA", code)
}

// The table can be made again and compared with the one in the repository.
func TestEncodeDoesNotDependOnOrder(t *testing.T) {
	places := []Place{
		{Name: "Saint Ives", Country: "XA", Region: "1", Lon: 1, Lat: 1},
		{Name: "St. Ives", Country: "XA", Region: "1", Lon: 1, Lat: 1},
		{Name: "St. Ives", Country: "XA", Region: "2", Lon: 1, Lat: 1},
		{Name: "St. Ives", Country: "XA", Region: "1", Lon: 1, Lat: 2},
		{Name: "St. Ives", Country: "XA", Region: "1", Lon: 1, Lat: 2, Population: 5},
	}
	encode := func() []byte {
		var raw bytes.Buffer
		require.NoError(t, Encode(&raw, &Source{
			Countries: []Country{{Code: "XA", Name: "Alpha"}},
			Regions:   []Region{{Country: "XA", Code: "1", Name: "One"}, {Country: "XA", Code: "2", Name: "Two"}},
			Places:    places,
		}))
		return raw.Bytes()
	}
	first := encode()
	slices.Reverse(places)
	require.Equal(t, first, encode())
}

func TestDecodeRefusesDamage(t *testing.T) {
	_, err := decode(bytes.NewReader([]byte("not a table")))
	require.ErrorIs(t, err, errDamaged)
	_, err = decode(bytes.NewReader(embedded[:len(embedded)/2]))
	require.ErrorIs(t, err, errDamaged)
	bad := bytes.Clone(embedded)
	bad[len(bad)/2] ^= 0x55
	_, err = decode(bytes.NewReader(bad))
	require.ErrorIs(t, err, errDamaged)
}

func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	table := load(b)
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		table.FindPlaces("US", "San Francisco")
	}
}

func BenchmarkFindInAllCountries(b *testing.B) {
	table := load(b)
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		table.FindPlaces("", "San Francisco")
	}
}
