// Package gazetteer is a table of the world's populated places and the postal codes of the United States.
//
// internal/gazetteergen generates the table from GeoNames (https://www.geonames.org, CC BY 4.0); run
//
//	go generate ./service/geo/gazetteer
//
// to generate it again. It is embedded compressed; Load decodes it into columns of about 6 MB.
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

// Country is a country with all its names.
type Country struct {
	Code, Name string
	Other      []string // folded
}

// Region is a state or province with all its names.
type Region struct {
	Country, Code, Name string
	Other               []string
}

// Place is one populated place.
type Place struct {
	Name       string
	Country    string // ISO 3166-1 alpha-2
	Region     string // the GeoNames code of the state or province, "" if unknown
	RegionName string
	Lon, Lat   float64
	// Population is rounded to about 10 %, and 0 when GeoNames gives none.
	Population int
}

// Postcode is a postal code with its place.
type Postcode struct {
	Code string
	Place
}

// Table is the decoded gazetteer. It is read-only and safe for concurrent use.
type Table struct {
	data        tableData
	countryCode map[string]int // folded name or code → index in Countries
	regionCode  map[string]int // country code + "/" + folded name or code → index in Regions
}

const coordinateSteps = 1e4

// textColumn stores many short strings in one block, one per line.
type textColumn struct {
	text string
	ends []uint32
}

func newTextColumn(text string) textColumn {
	c := textColumn{text: text, ends: make([]uint32, 0, strings.Count(text, "\n"))}
	for i := range len(text) {
		if text[i] == '\n' {
			c.ends = append(c.ends, uint32(i))
		}
	}
	return c
}

func (c textColumn) get(i int) string {
	start := uint32(0)
	if i > 0 {
		start = c.ends[i-1] + 1
	}
	return c.text[start:c.ends[i]]
}

// Load decodes the embedded table.
func Load() (*Table, error) {
	return decode(bytes.NewReader(embedded))
}

// Country returns the ISO 3166-1 alpha-2 code of a country, given its name in many languages or its two- or three-letter
// code.
func (t *Table) Country(text string) (code string, ok bool) {
	i, ok := t.countryCode[Fold(text)]
	if !ok {
		return "", false
	}
	return t.data.Countries[i].Code, true
}

// CountryName returns the English name of a country, or "".
func (t *Table) CountryName(code string) string {
	i, ok := t.countryCode[strings.ToLower(code)]
	if !ok {
		return ""
	}
	return t.data.Countries[i].Name
}

// Region returns the code of a state or province, given its name or postal abbreviation.
func (t *Table) Region(country, text string) (code string, ok bool) {
	i, ok := t.regionCode[country+"/"+Fold(text)]
	if !ok {
		return "", false
	}
	return t.data.Regions[i].Code, true
}

// RegionName returns the name of a state or province, or "".
func (t *Table) RegionName(country, code string) string {
	i, ok := t.regionCode[country+"/#"+code]
	if !ok {
		return ""
	}
	return t.data.Regions[i].Name
}

// FindPlaces returns the places with a name in a country, or in all countries if country is "", most populous first.
func (t *Table) FindPlaces(country, name string) []Place {
	key := appendFold(nil, name)
	if len(key) == 0 {
		return nil
	}
	var found []Place
	if country != "" {
		if i, ok := t.countryCode[strings.ToLower(country)]; ok {
			found = t.findInCountry(i, key, nil)
		}
	} else {
		for i := range t.data.Countries {
			found = t.findInCountry(i, key, found)
		}
	}
	slices.SortStableFunc(found, func(a, b Place) int { return b.Population - a.Population })
	return found
}

func (t *Table) findInCountry(country int, key []byte, found []Place) []Place {
	places := &t.data.Places
	first, last := places.ofCountry(country)
	buffer := make([]byte, 0, 64)
	row := first + sort.Search(last-first, func(i int) bool {
		buffer = appendFold(buffer[:0], places.names.get(first+i))
		return bytes.Compare(buffer, key) >= 0
	})
	for ; row < last; row++ {
		buffer = appendFold(buffer[:0], places.names.get(row))
		if !bytes.Equal(buffer, key) {
			break
		}
		found = append(found, t.placeAtRow(places, row, country))
	}
	return found
}

// PlacesByInitial returns the places of a country whose folded name begins with a letter.
func (t *Table) PlacesByInitial(country string, initial byte) []Place {
	i, ok := t.countryCode[strings.ToLower(country)]
	if !ok {
		return nil
	}
	places := &t.data.Places
	first, last := places.ofCountry(i)
	buffer := make([]byte, 0, 64)
	row := first + sort.Search(last-first, func(i int) bool {
		buffer = appendFold(buffer[:0], places.names.get(first+i))
		return len(buffer) > 0 && buffer[0] >= initial
	})
	var found []Place
	for ; row < last; row++ {
		buffer = appendFold(buffer[:0], places.names.get(row))
		if len(buffer) > 0 && buffer[0] != initial {
			break
		}
		found = append(found, t.placeAtRow(places, row, i))
	}
	return found
}

// ofCountry returns the first row of a country's places and the one after the last.
func (r *rows) ofCountry(country int) (first, last int) {
	if country > 0 {
		first = r.Ends[country-1]
	}
	return first, r.Ends[country]
}

func (t *Table) placeAtRow(r *rows, row, country int) Place {
	place := Place{
		Name: r.names.get(row), Country: t.data.Countries[country].Code, Population: populationOf(r.Populations[row]),
		Lon: float64(r.Lons[row]) / coordinateSteps, Lat: float64(r.Lats[row]) / coordinateSteps,
	}
	if in := r.Regions[row]; in > 0 {
		place.Region, place.RegionName = t.data.Regions[in-1].Code, t.data.Regions[in-1].Name
	}
	return place
}

// Postcode looks up a postal code, ignoring spaces, case and the last four digits of a ZIP+4 code.
func (t *Table) Postcode(country, code string) (Postcode, bool) {
	in, first, last := t.postcodesOf(country)
	code = strings.ToUpper(strings.ReplaceAll(strings.TrimSpace(code), " ", ""))
	if country == "US" && len(code) > 5 && code[5] == '-' {
		code = code[:5]
	}
	codes := &t.data.Postcodes
	row := first + sort.Search(last-first, func(i int) bool { return codes.codes.get(first+i) >= code })
	if row == last || codes.codes.get(row) != code {
		return Postcode{}, false
	}
	return Postcode{Code: code, Place: t.placeAtRow(codes, row, in)}, true
}

// HasPostcodes reports whether the table has the country's postal codes.
func (t *Table) HasPostcodes(country string) bool {
	_, first, last := t.postcodesOf(country)
	return first < last
}

func (t *Table) postcodesOf(code string) (country, first, last int) {
	country, ok := t.countryCode[strings.ToLower(code)]
	if !ok {
		return 0, 0, 0
	}
	first, last = t.data.Postcodes.ofCountry(country)
	return country, first, last
}

// populationStep is the number of population classes per power of two; one class is about 9 %.
const populationStep = 8

// populationClass returns the stored class of a population.
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
