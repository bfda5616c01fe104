package addressfile

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"waybill/service/geo"
)

// builder collects the lines of a file. Houses are written to sorted runs, so that memory does not grow with the file.
type builder struct {
	runs      *runs
	cities    map[string]uint32 // folded city → index
	raw       map[string]uint32 // city and street as the file writes them → street
	streets   []street
	byKey     map[string]uint32 // city and sort key → street
	postcodes map[string]uint32
	postList  []string
	cityList  []string
	skipped   int
	buffer    []byte
}

type street struct {
	city         uint32
	key, title   string
	first, count uint32
}

// lineLength is the length of a short line in bytes.
const lineLength = 50

func build(ctx context.Context, source, index string, version sourceVersion) (err error) {
	in, err := os.Open(source)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	b := &builder{
		runs: newRuns(index+".run", version.Size/lineLength), cities: map[string]uint32{}, raw: map[string]uint32{}, byKey: map[string]uint32{},
		postcodes: map[string]uint32{"": 0}, postList: []string{""},
	}
	defer b.runs.remove()
	if err := b.readAll(ctx, in); err != nil {
		return err
	}
	return b.writeIndex(index, version)
}

// columns are the positions of the columns in a line; -1 if the file has none.
type columns struct {
	lon, lat, number, street, city, postcode int
}

func findColumns(header []string) (columns, error) {
	position := map[string]int{}
	for i, name := range header {
		position[strings.ToUpper(strings.TrimSpace(strings.TrimPrefix(name, "\ufeff")))] = i
	}
	find := func(name string) int {
		if i, ok := position[name]; ok {
			return i
		}
		return -1
	}
	for _, name := range []string{"LON", "LAT", "NUMBER", "STREET"} {
		if find(name) < 0 {
			return columns{}, fmt.Errorf("there is no column %s; the first line must name the columns: "+
				"LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH", name)
		}
	}
	return columns{find("LON"), find("LAT"), find("NUMBER"), find("STREET"), find("CITY"), find("POSTCODE")}, nil
}

// checkInterval is after how many lines a cancelled context ends the build.
const checkInterval = 10_000

func (b *builder) readAll(ctx context.Context, in io.Reader) error {
	reader := csv.NewReader(bufio.NewReaderSize(in, 1<<20))
	reader.ReuseRecord, reader.LazyQuotes, reader.FieldsPerRecord = true, true, -1
	header, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return errors.New("the file is empty")
	}
	if err != nil {
		return err
	}
	at, err := findColumns(header)
	if err != nil {
		return err
	}
	for line := 1; ; line++ {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := b.add(record, at); err != nil {
			return err
		}
		if line%checkInterval == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if len(b.streets) == 0 {
		return fmt.Errorf("none of the %d lines has a street, a number and a location", b.skipped)
	}
	return nil
}

// add adds a line; one without street, number or location is skipped.
func (b *builder) add(record []string, at columns) error {
	field := func(i int) string {
		if i < 0 || i >= len(record) {
			return ""
		}
		return strings.TrimSpace(record[i])
	}
	number := numberKey(field(at.number))
	lon, errLon := strconv.ParseFloat(field(at.lon), 64)
	lat, errLat := strconv.ParseFloat(field(at.lat), 64)
	location := geo.Location{Lon: lon, Lat: lat}
	name := field(at.street)
	if number == 0 || name == "" || errLon != nil || errLat != nil || location.Validate() != nil {
		b.skipped++
		return nil
	}
	return b.runs.add(entry{b.streetOf(field(at.city), name), house{
		number: number, lon: int32(math.Round(lon * steps)), lat: int32(math.Round(lat * steps)),
		postcode: b.postcodeOf(field(at.postcode)),
	}})
}

func (b *builder) streetOf(city, name string) uint32 {
	b.buffer = append(append(append(b.buffer[:0], city...), 0), name...)
	if id, ok := b.raw[string(b.buffer)]; ok {
		return id
	}
	raw := string(b.buffer)
	folded := foldCity(city)
	in, ok := b.cities[folded]
	if !ok {
		in = uint32(len(b.cityList))
		b.cities[folded] = in
		b.cityList = append(b.cityList, folded)
	}
	key := geo.StreetSortKey(name)
	id, ok := b.byKey[folded+"\x00"+key]
	if !ok {
		id = uint32(len(b.streets))
		b.byKey[folded+"\x00"+key] = id
		b.streets = append(b.streets, street{city: in, key: key, title: streetTitle(strings.Clone(name))})
	}
	b.raw[raw] = id
	return id
}

func (b *builder) postcodeOf(code string) uint32 {
	if id, ok := b.postcodes[code]; ok {
		return id
	}
	code = strings.Clone(code) // the reader reuses its line
	id := uint32(len(b.postList))
	b.postcodes[code] = id
	b.postList = append(b.postList, code)
	return id
}

// streetTitle returns a name in capitals as people write it: MAIN ST is Main St.
func streetTitle(name string) string {
	name = strings.Join(strings.Fields(name), " ")
	if strings.ToUpper(name) != name {
		return name
	}
	words := strings.Split(strings.ToLower(name), " ")
	for i, word := range words {
		if first := []rune(word); len(first) > 0 {
			words[i] = strings.ToUpper(string(first[0])) + string(first[1:])
		}
	}
	return strings.Join(words, " ")
}

// writeIndex writes the houses and the names next to the index and puts them in its place.
func (b *builder) writeIndex(index string, version sourceVersion) (err error) {
	out, err := os.OpenFile(index+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, out.Close(), os.Remove(out.Name()))
		}
	}()
	w := bufio.NewWriterSize(out, 1<<20)
	if _, err := w.WriteString(magic); err != nil {
		return err
	}
	count, err := b.writeHouses(w)
	if err != nil {
		return err
	}
	if err := gob.NewEncoder(w).Encode(b.makeNames(version, count)); err != nil {
		return err
	}
	if err := errors.Join(w.Flush(), out.Sync()); err != nil {
		return err
	}
	if err := writeHouseCount(out, count); err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	return os.Rename(out.Name(), index)
}

// writeHouses writes the houses street by street and in the order of their numbers. Apartments of one house are one.
func (b *builder) writeHouses(w io.Writer) (count int, err error) {
	var last entry
	var buffer []byte
	err = b.runs.merge(func(e entry) error {
		if count > 0 && e.street == last.street && e.number == last.number && e.postcode == last.postcode &&
			e.isAt(last.house) {
			return nil
		}
		s := &b.streets[e.street]
		if s.count == 0 {
			s.first = uint32(count)
		}
		s.count++
		count++
		last = e
		buffer = e.house.append(buffer[:0])
		_, err := w.Write(buffer)
		return err
	})
	if err == nil && count > math.MaxInt32 {
		err = errors.New("the file has too many addresses; split it")
	}
	return count, err
}

// makeNames sorts the streets by city and key.
func (b *builder) makeNames(version sourceVersion, count int) *names {
	slices.SortFunc(b.streets, func(x, y street) int {
		return cmp.Or(strings.Compare(b.cityList[x.city], b.cityList[y.city]), strings.Compare(x.key, y.key))
	})
	n := &names{Postcodes: b.postList, Skipped: b.skipped, Source: version, HouseCount: count}
	var keys, titles strings.Builder
	for i, s := range b.streets {
		if i == 0 || s.city != b.streets[i-1].city {
			n.Cities, n.CityEnds = append(n.Cities, b.cityList[s.city]), append(n.CityEnds, 0)
		}
		n.CityEnds[len(n.CityEnds)-1] = int32(i + 1)
		keys.WriteString(s.key)
		titles.WriteString(s.title)
		n.KeyEnds, n.TitleEnds = append(n.KeyEnds, uint32(keys.Len())), append(n.TitleEnds, uint32(titles.Len()))
		n.First, n.Count = append(n.First, s.first), append(n.Count, s.count)
	}
	n.Keys, n.Titles = keys.String(), titles.String()
	return n
}
