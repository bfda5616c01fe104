// Package gazetteer knows the populated places of the world by name, and the postal codes of the United States.
//
// The table is made from GeoNames (https://www.geonames.org, CC BY 4.0) by the program in gen; run
//
//	go generate ./service/geo/gazetteer
//
// to make it again. It is embedded compressed and decoded by Load into flat arrays of about 6 MB.
package gazetteer

//go:generate go run ../../../internal/gazetteergen -out table.bin.gz

import (
	"bytes"
	_ "embed"
	"math"
	"slices"
	"sort"
	"strings"
)

//go:embed table.bin.gz
var embedded []byte //nolint:gochecknoglobals // the read-only table; go:embed needs a package variable

// Place is one populated place.
type Place struct {
	Name       string
	Country    string // ISO 3166-1 alpha-2
	Region     string // the GeoNames code of the state or province, "" when none is known
	RegionName string
	Lon, Lat   float64
	// Population is rounded to about 10 %, and 0 when GeoNames gives none.
	Population int
}

// Postcode is one postal code with the place it belongs to.
type Postcode struct {
	Code       string
	Place      string
	Country    string
	Region     string
	RegionName string
	Lon, Lat   float64
}

// Table is the decoded gazetteer. It is never changed after Load and is safe for any number of goroutines.
type Table struct {
	countries   []country
	countryCode map[string]int // folded name or code → index in countries
	regions     []region
	regionCode  map[string]int // country code + "/" + folded name or code → index in regions

	// Places, sorted by country and folded name.
	names      textColumn
	placeAt    []coordinate
	placeRegion    []uint16 // index in regions plus one, 0 when none is known
	population []uint8

	// Postal codes, sorted by country and code.
	postal      textColumn
	postalName  textColumn
	postalAt    []coordinate
	postalRegion    []uint16
	postalRows map[string][2]int // country code → rows
}

type country struct {
	code, name  string
	first, last int // rows of its places
}

type region struct {
	country, code, name string
}

// coordinate is in steps of a ten-thousandth of a degree, about 11 m.
type coordinate struct {
	lon, lat int32
}

const coordinateSteps = 1e4

func (c coordinate) degrees() (lon, lat float64) {
	return float64(c.lon) / coordinateSteps, float64(c.lat) / coordinateSteps
}

// textColumn keeps many short strings in one block.
type textColumn struct {
	text string
	ends []uint32
}

func (c textColumn) get(i int) string {
	if i == 0 {
		return c.text[:c.ends[0]]
	}
	return c.text[c.ends[i-1]:c.ends[i]]
}

// Load decodes the embedded table.
func Load() (*Table, error) {
	return decode(bytes.NewReader(embedded))
}

// Places is the number of places in the table.
func (t *Table) Places() int { return len(t.placeAt) }

// Postcodes is the number of postal codes in the table.
func (t *Table) Postcodes() int { return len(t.postalAt) }

// Country gives the ISO 3166-1 alpha-2 code for a country's name in one of many languages, or for its two or three
// letter code.
func (t *Table) Country(text string) (code string, ok bool) {
	i, ok := t.countryCode[Fold(text)]
	if !ok {
		return "", false
	}
	return t.countries[i].code, true
}

// CountryName gives the English name of the country with that code, or "".
func (t *Table) CountryName(code string) string {
	i, ok := t.countryCode[strings.ToLower(code)]
	if !ok {
		return ""
	}
	return t.countries[i].name
}

// Region gives the code of a country's state or province by its name or its postal abbreviation.
func (t *Table) Region(country, text string) (code string, ok bool) {
	i, ok := t.regionCode[country+"/"+Fold(text)]
	if !ok {
		return "", false
	}
	return t.regions[i].code, true
}

// RegionName gives the name of the state or province with that code, or "".
func (t *Table) RegionName(country, code string) string {
	i, ok := t.regionCode[country+"/#"+code]
	if !ok {
		return ""
	}
	return t.regions[i].name
}

// FindPlaces gives the places of that name in that country, the most populous first, places of equal population in the
// order of the table. With an empty country it looks in all of them.
func (t *Table) FindPlaces(country, name string) []Place {
	key := appendFold(nil, name)
	if len(key) == 0 {
		return nil
	}
	var found []Place
	if country != "" {
		if i, ok := t.countryCode[strings.ToLower(country)]; ok {
			found = t.findInCountry(&t.countries[i], key, nil)
		}
	} else {
		for i := range t.countries {
			found = t.findInCountry(&t.countries[i], key, found)
		}
	}
	slices.SortStableFunc(found, func(a, b Place) int { return b.Population - a.Population })
	return found
}

func (t *Table) findInCountry(c *country, key []byte, found []Place) []Place {
	buffer := make([]byte, 0, 64)
	row := c.first + sort.Search(c.last-c.first, func(i int) bool {
		buffer = appendFold(buffer[:0], t.names.get(c.first+i))
		return bytes.Compare(buffer, key) >= 0
	})
	for ; row < c.last; row++ {
		buffer = appendFold(buffer[:0], t.names.get(row))
		if !bytes.Equal(buffer, key) {
			break
		}
		found = append(found, t.placeAtRow(row, c.code))
	}
	return found
}

func (t *Table) placeAtRow(row int, country string) Place {
	lon, lat := t.placeAt[row].degrees()
	place := Place{
		Name: t.names.get(row), Country: country, Lon: lon, Lat: lat, Population: populationOf(t.population[row]),
	}
	if in := t.placeRegion[row]; in > 0 {
		place.Region, place.RegionName = t.regions[in-1].code, t.regions[in-1].name
	}
	return place
}

// Postcode looks a postal code up. Codes are compared without spaces and case; of a ZIP+4 code the first five digits
// count.
func (t *Table) Postcode(country, code string) (Postcode, bool) {
	rows, ok := t.postalRows[country]
	if !ok {
		return Postcode{}, false
	}
	code = strings.ToUpper(strings.ReplaceAll(strings.TrimSpace(code), " ", ""))
	if country == "US" && len(code) > 5 && code[5] == '-' {
		code = code[:5]
	}
	row := rows[0] + sort.Search(rows[1]-rows[0], func(i int) bool { return t.postal.get(rows[0]+i) >= code })
	if row == rows[1] || t.postal.get(row) != code {
		return Postcode{}, false
	}
	lon, lat := t.postalAt[row].degrees()
	found := Postcode{Code: code, Place: t.postalName.get(row), Country: country, Lon: lon, Lat: lat}
	if in := t.postalRegion[row]; in > 0 {
		found.Region, found.RegionName = t.regions[in-1].code, t.regions[in-1].name
	}
	return found, true
}

// HasPostcodes tells whether the table knows that country's postal codes, so that a code it lacks is a wrong one.
func (t *Table) HasPostcodes(country string) bool {
	_, ok := t.postalRows[country]
	return ok
}

// populationStep is the power of two by which the stored figure counts: one step is about 9 %.
const populationStep = 8

// populationClass is the stored figure for a population.
func populationClass(population int) uint8 {
	if population <= 0 {
		return 0
	}
	return uint8(min(255, 1+math.Round(populationStep*math.Log2(float64(population)))))
}

func populationOf(class uint8) int {
	if class == 0 {
		return 0
	}
	return int(math.Round(math.Exp2(float64(class-1) / populationStep)))
}
