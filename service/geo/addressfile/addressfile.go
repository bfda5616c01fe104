// Package addressfile finds houses in a file of addresses in the layout of OpenAddresses: a line per house with the
// columns LON, LAT, NUMBER, STREET, UNIT, CITY, DISTRICT, REGION, POSTCODE, ID and HASH.
//
// Open indexes the file once. The index has the houses of each street together, in the order of their numbers; they are
// read when they are needed. Only the names of streets, cities and postal codes stay in memory.
package addressfile

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"waybill/service/geo"
	"waybill/service/geo/gazetteer"
)

// Map is the open index of a file. It is safe for concurrent use.
type Map struct {
	file   io.ReaderAt
	close  func() error
	names  names
	houses int
}

var _ geo.StreetMap = (*Map)(nil)

// Stats describe an index.
type Stats struct {
	Houses, Streets, Cities int
	// Skipped is the number of lines without a street, number or location.
	Skipped int
}

// Open opens the index of a file. It builds the index if there is none or the file has changed since. onBuild, if not
// nil, is called before.
func Open(ctx context.Context, source, index string, onBuild func()) (*Map, error) {
	info, err := os.Stat(source)
	if err != nil {
		return nil, fmt.Errorf("cannot read the addresses: %w", err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("cannot read the addresses: %s is a folder; give a CSV file", source)
	}
	version := sourceVersion{Size: info.Size(), Modified: info.ModTime().UnixNano()}
	if m, err := openIndex(index, version); err == nil {
		return m, nil
	}
	if onBuild != nil {
		onBuild()
	}
	if err := build(ctx, source, index, version); err != nil {
		return nil, fmt.Errorf("cannot index the addresses in %s: %w", source, err)
	}
	return openIndex(index, version)
}

// Close closes the index.
func (m *Map) Close() error { return m.close() }

// Stats returns the size of the index.
func (m *Map) Stats() Stats {
	return Stats{Houses: m.houses, Streets: len(m.names.First), Cities: len(m.names.Cities), Skipped: m.names.Skipped}
}

// sourceVersion tells versions of a file apart.
type sourceVersion struct {
	Size, Modified int64
}

// names is the part of an index that is kept in memory. The streets are sorted by city and key.
type names struct {
	Cities     []string // folded and sorted; "" for houses without a city
	CityEnds   []int32  // the streets of a city end there
	Postcodes  []string
	First      []uint32 // the first house of each street
	Count      []uint32 // its number of houses
	Keys       string   // geo.StreetSortKey of each street, one per line
	Titles     string   // the streets as people write them
	KeyEnds    []uint32
	TitleEnds  []uint32
	Skipped    int
	Source     sourceVersion
	HouseCount int
}

func textAt(text string, ends []uint32, i int) string {
	start := uint32(0)
	if i > 0 {
		start = ends[i-1]
	}
	return text[start:ends[i]]
}

func (n *names) key(i int) string   { return textAt(n.Keys, n.KeyEnds, i) }
func (n *names) title(i int) string { return textAt(n.Titles, n.TitleEnds, i) }

// streetsOf returns the first street of a city and the one after its last.
func (n *names) streetsOf(city int) (first, end int) {
	if city > 0 {
		first = int(n.CityEnds[city-1])
	}
	return first, int(n.CityEnds[city])
}

// house is one house of the index.
type house struct {
	number   uint32 // see numberKey
	lon, lat int32  // in steps of 1e-7 degrees
	postcode uint32 // index in names.Postcodes
}

const (
	houseSize = 16
	steps     = 1e7
	letters   = 32
)

func (h house) at() geo.Location {
	return geo.Location{Lon: float64(h.lon) / steps, Lat: float64(h.lat) / steps}
}

// isAt reports whether two houses are at most about 20 m apart.
func (h house) isAt(other house) bool {
	const near = 2000
	lon, lat := int64(h.lon)-int64(other.lon), int64(h.lat)-int64(other.lat)
	return max(lon, -lon, lat, -lat) < near
}

func (h house) plainNumber() int { return int(h.number / letters) }

func (h house) append(buffer []byte) []byte {
	buffer = binary.LittleEndian.AppendUint32(buffer, h.number)
	buffer = binary.LittleEndian.AppendUint32(buffer, uint32(h.lon))
	buffer = binary.LittleEndian.AppendUint32(buffer, uint32(h.lat))
	return binary.LittleEndian.AppendUint32(buffer, h.postcode)
}

func decodeHouse(b []byte) house {
	return house{
		number: binary.LittleEndian.Uint32(b), lon: int32(binary.LittleEndian.Uint32(b[4:])),
		lat: int32(binary.LittleEndian.Uint32(b[8:])), postcode: binary.LittleEndian.Uint32(b[12:]),
	}
}

// numberKey puts a house number and its letter into one number that sorts like them; 0 if text is not a house number.
func numberKey(text string) uint32 {
	number, letter := geo.HouseNumber(text)
	if number == 0 {
		return 0
	}
	return uint32(number)*letters + uint32(letter)
}

// readHouses reads the houses of a street.
func (m *Map) readHouses(street int) ([]house, error) {
	count := int(m.names.Count[street])
	buffer := make([]byte, count*houseSize)
	if _, err := m.file.ReadAt(buffer, headerSize+int64(m.names.First[street])*houseSize); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	houses := make([]house, count)
	for i := range houses {
		houses[i] = decodeHouse(buffer[i*houseSize:])
	}
	return houses, nil
}

func foldCity(city string) string { return strings.TrimSuffix(gazetteer.Fold(city), " city") }
