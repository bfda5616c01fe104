package gazetteer

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Source is the input of Encode. Only the generator fills it.
type Source struct {
	Countries []Country
	Regions   []Region
	Places    []Place
	Postcodes []Postcode
}

// tableData is the table as it is stored: gob in a gzip stream.
type tableData struct {
	Countries         []Country
	Regions           []Region
	Places, Postcodes rows
}

// rows are places in columns, which compress better and take less memory than structs. They are sorted by country.
type rows struct {
	// Names and Codes have one text per line. Only postal codes have codes.
	Names, Codes string
	// Regions are indexes in tableData.Regions plus one, 0 if unknown.
	Regions     []uint16
	Populations []uint8
	// Lons and Lats are in steps of a ten-thousandth of a degree, about 11 m.
	Lons, Lats []int32
	// Ends are the rows at which the places of each country end.
	Ends []int

	names, codes textColumn
}

// Encode writes the table of a source.
func Encode(w io.Writer, source *Source) error {
	zip, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	data := tableData{Countries: source.Countries, Regions: source.Regions}
	slices.SortFunc(data.Countries, func(a, b Country) int { return strings.Compare(a.Code, b.Code) })
	slices.SortFunc(data.Regions, func(a, b Region) int { return strings.Compare(a.Country+a.Code, b.Country+b.Code) })
	if err := data.addRows(source); err != nil {
		return err
	}
	return errors.Join(gob.NewEncoder(zip).Encode(data), zip.Close())
}

func (d *tableData) addRows(source *Source) (err error) {
	regions := map[string]uint16{}
	for i, r := range d.Regions {
		regions[r.Country+"/"+r.Code] = uint16(i + 1)
	}
	slices.SortFunc(source.Places, comparePlaces)
	if d.Places, err = newRows(source.Places, d.Countries, regions); err != nil {
		return err
	}
	slices.SortFunc(source.Postcodes, func(a, b Postcode) int { return strings.Compare(a.Country+a.Code, b.Country+b.Code) })
	places := make([]Place, len(source.Postcodes))
	var codes strings.Builder
	for i, code := range source.Postcodes {
		places[i] = code.Place
		codes.WriteString(code.Code + "\n")
	}
	d.Postcodes, err = newRows(places, d.Countries, regions)
	d.Postcodes.Codes = codes.String()
	return err
}

// comparePlaces orders places by country, folded name, population and position, so that a source always gives the same
// table.
func comparePlaces(a, b Place) int {
	return cmp.Or(strings.Compare(a.Country, b.Country), strings.Compare(Fold(a.Name), Fold(b.Name)),
		b.Population-a.Population, cmp.Compare(a.Lat, b.Lat), cmp.Compare(a.Lon, b.Lon),
		strings.Compare(a.Name, b.Name), strings.Compare(a.Region, b.Region))
}

// newRows returns sorted places as columns.
func newRows(places []Place, countries []Country, regions map[string]uint16) (rows, error) {
	var r rows
	var names strings.Builder
	for _, p := range places {
		names.WriteString(p.Name + "\n")
		r.Regions = append(r.Regions, regions[p.Country+"/"+p.Region])
		r.Populations = append(r.Populations, populationClass(p.Population))
		r.Lons = append(r.Lons, int32(math.Round(p.Lon*coordinateSteps)))
		r.Lats = append(r.Lats, int32(math.Round(p.Lat*coordinateSteps)))
	}
	r.Names = names.String()
	end := 0
	for _, c := range countries {
		for end < len(places) && places[end].Country == c.Code {
			end++
		}
		r.Ends = append(r.Ends, end)
	}
	if end < len(places) {
		return rows{}, fmt.Errorf("%s: unknown country %s", places[end].Name, places[end].Country)
	}
	return r, nil
}

var errDamaged = errors.New("the embedded table of places is damaged; rebuild the program")

func decode(r io.Reader) (*Table, error) {
	zip, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	in := bufio.NewReader(zip)
	t := &Table{}
	if err := gob.NewDecoder(in).Decode(&t.data); err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	// The checksum is compared at the end of the stream.
	if _, err := io.Copy(io.Discard, in); err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	t.data.Places.split()
	t.data.Postcodes.split()
	t.indexNames()
	return t, nil
}

// split prepares the texts for access by row.
func (r *rows) split() {
	r.names, r.codes = newTextColumn(r.Names), newTextColumn(r.Codes)
}

// indexNames fills the maps by name and code. A country's own name counts more than the same name for another country.
func (t *Table) indexNames() {
	t.countryCode = make(map[string]int, 8192)
	for i, c := range t.data.Countries {
		t.countryCode[strings.ToLower(c.Code)] = i
		for _, name := range append([]string{c.Name}, c.Other...) {
			if _, taken := t.countryCode[name]; !taken {
				t.countryCode[name] = i
			}
		}
		t.countryCode[Fold(c.Name)] = i
	}
	t.regionCode = make(map[string]int, 16384)
	for i, r := range t.data.Regions {
		t.regionCode[r.Country+"/#"+r.Code] = i
		for _, name := range append([]string{r.Name}, r.Other...) {
			t.regionCode[r.Country+"/"+Fold(name)] = i
		}
	}
}
