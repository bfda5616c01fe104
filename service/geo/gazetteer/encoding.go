package gazetteer

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// The table is a gzip stream of columns; equal things stand together, which is what makes it small:
//
//	magic
//	text   countries, a line each: code, English name, other names, parted by tabs; first the number of its places
//	text   regions, a line each: country, code, name, other names
//	names  of the places, sorted by country and folded name
//	bytes  population classes
//	varint region of each place, counted from 1 within its country
//	bytes  latitude and longitude planes
//	the same columns for postal codes, with differences for coordinates because neighbours have neighbouring codes

const magic = "waybill places 1\n"

// Source is what a table is made from. Only the generator fills it.
type Source struct {
	Countries []SourceCountry
	Regions   []SourceRegion
	Places    []Place
	Postcodes []Postcode
}

// SourceCountry is a country with every name it is known by.
type SourceCountry struct {
	Code, Name string
	Other      []string
}

// SourceRegion is a state or province with every name it is known by.
type SourceRegion struct {
	Country, Code, Name string
	Other               []string
}

// Encode writes the table for that source.
func Encode(w io.Writer, source *Source) error {
	zip, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	out := &columnWriter{w: bufio.NewWriter(zip)}
	out.writeString(magic)

	places := sortedPlaces(source.Places)
	perCountry := map[string]int{}
	for i := range places {
		perCountry[places[i].Country]++
	}
	slices.SortFunc(source.Countries, func(a, b SourceCountry) int { return strings.Compare(a.Code, b.Code) })
	var lines strings.Builder
	for _, c := range source.Countries {
		fmt.Fprintf(&lines, "%d\t%s\t%s", perCountry[c.Code], c.Code, c.Name)
		for _, other := range c.Other {
			lines.WriteString("\t" + other)
		}
		lines.WriteByte('\n')
	}
	out.text(lines.String())

	slices.SortFunc(source.Regions, func(a, b SourceRegion) int {
		return strings.Compare(a.Country+a.Code, b.Country+b.Code)
	})
	ordinal := map[string]uint64{}
	inCountry := map[string]uint64{}
	lines.Reset()
	for _, r := range source.Regions {
		inCountry[r.Country]++
		ordinal[r.Country+"/"+r.Code] = inCountry[r.Country]
		fmt.Fprintf(&lines, "%s\t%s\t%s", r.Country, r.Code, r.Name)
		for _, other := range r.Other {
			lines.WriteString("\t" + other)
		}
		lines.WriteByte('\n')
	}
	out.text(lines.String())

	out.places(places, ordinal)
	out.postcodes(source.Postcodes, ordinal)
	if out.err == nil {
		out.err = out.w.Flush()
	}
	return errors.Join(out.err, zip.Close())
}

// sortedPlaces is by country, folded name, population and position, so that the same source always gives the same
// table.
func sortedPlaces(places []Place) []Place {
	type keyed struct {
		key   string
		place Place
	}
	all := make([]keyed, len(places))
	for i, p := range places {
		all[i] = keyed{p.Country + "\x00" + Fold(p.Name), p}
	}
	slices.SortFunc(all, func(a, b keyed) int {
		return cmp.Or(strings.Compare(a.key, b.key), b.place.Population-a.place.Population,
			cmp.Compare(a.place.Lat, b.place.Lat), cmp.Compare(a.place.Lon, b.place.Lon),
			strings.Compare(a.place.Name, b.place.Name), strings.Compare(a.place.Region, b.place.Region))
	})
	sorted := make([]Place, len(all))
	for i := range all {
		sorted[i] = all[i].place
	}
	return sorted
}

type columnWriter struct {
	w   *bufio.Writer
	err error
}

func (c *columnWriter) write(b []byte) {
	if c.err == nil {
		_, c.err = c.w.Write(b)
	}
}

func (c *columnWriter) writeString(s string) { c.write([]byte(s)) }

func (c *columnWriter) uvarint(v uint64) { c.write(binary.AppendUvarint(nil, v)) }
func (c *columnWriter) varint(v int64)   { c.write(binary.AppendVarint(nil, v)) }

func (c *columnWriter) text(s string) {
	c.uvarint(uint64(len(s)))
	c.writeString(s)
}

// strings writes sorted strings by what each adds to the one before.
func (c *columnWriter) strings(n int, at func(int) string) {
	shared := make([]byte, n)
	added := make([]byte, n)
	var rest []byte
	before := ""
	for i := range n {
		s := at(i)
		same := 0
		for same < min(len(s), len(before), 255) && s[same] == before[same] {
			same++
		}
		shared[i], added[i] = byte(same), byte(len(s)-same)
		rest = append(rest, s[same:]...)
		before = s
	}
	c.write(shared)
	c.write(added)
	c.text(string(rest))
}

func (c *columnWriter) places(places []Place, ordinal map[string]uint64) {
	c.uvarint(uint64(len(places)))
	c.strings(len(places), func(i int) string { return places[i].Name })
	for i := range places {
		c.write([]byte{populationClass(places[i].Population)})
	}
	for i := range places {
		c.uvarint(ordinal[places[i].Country+"/"+places[i].Region])
	}
	for _, shift := range []int{16, 8, 0} {
		for i := range places {
			c.write([]byte{byte(uint32(stepsOf(places[i].Lat)+planeBase) >> shift)})
		}
		for i := range places {
			c.write([]byte{byte(uint32(stepsOf(places[i].Lon)+planeBase) >> shift)})
		}
	}
}

// planeBase makes every coordinate positive, in three bytes.
const planeBase = 200 * coordinateSteps

func stepsOf(degrees float64) int32 { return int32(math.Round(degrees * coordinateSteps)) }

func (c *columnWriter) postcodes(codes []Postcode, ordinal map[string]uint64) {
	slices.SortFunc(codes, func(a, b Postcode) int { return strings.Compare(a.Country+a.Code, b.Country+b.Code) })
	c.uvarint(uint64(len(codes)))
	perCountry := map[string]int{}
	var order []string
	for i := range codes {
		if perCountry[codes[i].Country]++; perCountry[codes[i].Country] == 1 {
			order = append(order, codes[i].Country)
		}
	}
	var lines strings.Builder
	for _, country := range order {
		fmt.Fprintf(&lines, "%d\t%s\n", perCountry[country], country)
	}
	c.text(lines.String())
	c.strings(len(codes), func(i int) string { return codes[i].Code })
	c.strings(len(codes), func(i int) string { return codes[i].Place })
	for i := range codes {
		c.uvarint(ordinal[codes[i].Country+"/"+codes[i].Region])
	}
	var lon, lat int32
	for i := range codes {
		c.varint(int64(stepsOf(codes[i].Lat) - lat))
		lat = stepsOf(codes[i].Lat)
	}
	for i := range codes {
		c.varint(int64(stepsOf(codes[i].Lon) - lon))
		lon = stepsOf(codes[i].Lon)
	}
}

var errDamaged = errors.New("the embedded table of places is damaged; build the program again")

func decode(r io.Reader) (*Table, error) {
	zip, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	// The size is known to be a few megabytes; growing to it step by step would copy it several times.
	raw := bytes.NewBuffer(make([]byte, 0, 6<<20))
	if _, err := raw.ReadFrom(zip); err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	in := &columnReader{rest: raw.Bytes()}
	if string(in.bytes(len(magic))) != magic {
		return nil, errDamaged
	}
	t := &Table{}
	t.readCountries(in.text())
	first := t.readRegions(in.text())
	t.readPlaces(in, first)
	t.readPostcodes(in, first)
	if in.failed || len(in.rest) != 0 {
		return nil, errDamaged
	}
	return t, nil
}

type columnReader struct {
	rest   []byte
	failed bool
}

func (c *columnReader) bytes(n int) []byte {
	if n < 0 || n > len(c.rest) {
		c.failed = true
		return make([]byte, max(0, min(n, 1<<20)))
	}
	b := c.rest[:n]
	c.rest = c.rest[n:]
	return b
}

func (c *columnReader) uvarint() uint64 {
	v, n := binary.Uvarint(c.rest)
	if n <= 0 {
		c.failed = true
		return 0
	}
	c.rest = c.rest[n:]
	return v
}

func (c *columnReader) varint() int64 {
	v, n := binary.Varint(c.rest)
	if n <= 0 {
		c.failed = true
		return 0
	}
	c.rest = c.rest[n:]
	return v
}

// count reads a number of rows; one that could not be true fails the reading before anything is allocated for it.
func (c *columnReader) count() int {
	n := c.uvarint()
	if n > uint64(len(c.rest)) {
		c.failed = true
		return 0
	}
	return int(n)
}

func (c *columnReader) text() string { return string(c.bytes(c.count())) }

func (c *columnReader) strings(n int) textColumn {
	shared, added := c.bytes(n), c.bytes(n)
	rest := c.bytes(c.count())
	size := 0
	for i := range n {
		size += int(shared[i]) + int(added[i])
	}
	text := make([]byte, 0, size)
	column := textColumn{ends: make([]uint32, n)}
	before := 0
	for i := range n {
		start := len(text)
		if before+int(shared[i]) > start || int(added[i]) > len(rest) {
			c.failed = true
			return textColumn{ends: make([]uint32, n)}
		}
		text = append(text, text[before:before+int(shared[i])]...)
		text = append(text, rest[:added[i]]...)
		rest = rest[added[i]:]
		before = start
		column.ends[i] = uint32(len(text))
	}
	column.text = string(text)
	return column
}

func (t *Table) readCountries(lines string) {
	t.countryCode = make(map[string]int, 8192)
	row := 0
	for line := range strings.Lines(lines) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) < 3 {
			continue
		}
		places := 0
		_, _ = fmt.Sscan(fields[0], &places)
		i := len(t.countries)
		t.countries = append(t.countries, country{code: fields[1], name: fields[2], first: row, last: row + places})
		row += places
		t.countryCode[strings.ToLower(fields[1])] = i
		for _, name := range fields[2:] {
			if _, taken := t.countryCode[name]; !taken {
				t.countryCode[name] = i
			}
		}
		t.countryCode[Fold(fields[2])] = i
	}
}

// readRegions gives the row of each country's first region.
func (t *Table) readRegions(lines string) map[string]int {
	t.regionCode = make(map[string]int, 16384)
	first := map[string]int{}
	for line := range strings.Lines(lines) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) < 3 {
			continue
		}
		i := len(t.regions)
		in, code := fields[0], fields[1]
		if _, ok := first[in]; !ok {
			first[in] = i
		}
		t.regions = append(t.regions, region{country: in, code: code, name: fields[2]})
		t.regionCode[in+"/#"+code] = i
		for _, name := range fields[2:] {
			t.regionCode[in+"/"+Fold(name)] = i
		}
	}
	return first
}

// regionRow turns a region's ordinal within its country, whose first region is at first, into its row plus one.
func (t *Table) regionRow(c *columnReader, first int) uint16 {
	ordinal := c.uvarint()
	if ordinal == 0 {
		return 0
	}
	row := uint64(first) + ordinal
	if row > uint64(len(t.regions)) {
		c.failed = true
		return 0
	}
	return uint16(row)
}

func (t *Table) readPlaces(c *columnReader, first map[string]int) {
	n := c.count()
	if len(t.countries) == 0 || t.countries[len(t.countries)-1].last != n {
		c.failed = true
		return
	}
	t.names = c.strings(n)
	t.population = bytes.Clone(c.bytes(n))
	t.placeRegion = make([]uint16, n)
	for i := range t.countries {
		base := first[t.countries[i].code]
		for row := t.countries[i].first; row < t.countries[i].last; row++ {
			t.placeRegion[row] = t.regionRow(c, base)
		}
	}
	t.placeAt = make([]coordinate, n)
	for range 3 {
		lat, lon := c.bytes(n), c.bytes(n)
		for i := range min(n, len(lat), len(lon)) {
			t.placeAt[i].lat = t.placeAt[i].lat<<8 | int32(lat[i])
			t.placeAt[i].lon = t.placeAt[i].lon<<8 | int32(lon[i])
		}
	}
	for i := range t.placeAt {
		t.placeAt[i].lat -= planeBase
		t.placeAt[i].lon -= planeBase
	}
}

func (t *Table) readPostcodes(c *columnReader, first map[string]int) {
	n := c.count()
	t.postalRows = map[string][2]int{}
	var countries []string
	row := 0
	for line := range strings.Lines(c.text()) {
		var codes int
		var code string
		if _, err := fmt.Sscan(line, &codes, &code); err != nil || codes < 0 || row+codes > n {
			c.failed = true
			return
		}
		t.postalRows[code] = [2]int{row, row + codes}
		countries = append(countries, code)
		row += codes
	}
	t.postal = c.strings(n)
	t.postalName = c.strings(n)
	t.postalRegion = make([]uint16, n)
	for _, code := range countries {
		for i := t.postalRows[code][0]; i < t.postalRows[code][1]; i++ {
			t.postalRegion[i] = t.regionRow(c, first[code])
		}
	}
	t.postalAt = make([]coordinate, n)
	var lon, lat int32
	for i := range t.postalAt {
		lat += int32(c.varint())
		t.postalAt[i].lat = lat
	}
	for i := range t.postalAt {
		lon += int32(c.varint())
		t.postalAt[i].lon = lon
	}
}
