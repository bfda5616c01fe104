// Package city is the city of the sandbox: real streets of San Francisco with houses at plausible positions, and invented
// people, businesses and vehicles. Everything random comes from the given generator, so that a seed determines the day.
package city

import (
	"bufio"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strconv"
	"strings"

	"waybill/service/geo"
)

// The data files; each describes its format in its first lines.
var (
	//go:embed streets.txt
	streetsText string //nolint:gochecknoglobals // read-only; go:embed needs a package variable
	//go:embed neighborhoods.txt
	neighborhoodsText string //nolint:gochecknoglobals // read-only; go:embed needs a package variable
	//go:embed people.txt
	peopleText string //nolint:gochecknoglobals // read-only; go:embed needs a package variable
	//go:embed notes.txt
	notesText string //nolint:gochecknoglobals // read-only; go:embed needs a package variable
	//go:embed clients.txt
	clientsText string //nolint:gochecknoglobals // read-only; go:embed needs a package variable
	//go:embed vehicles.txt
	vehiclesText string //nolint:gochecknoglobals // read-only; go:embed needs a package variable
)

// The city's part of an address.
const (
	Name        = "San Francisco"
	State       = "California"
	Country     = "United States"
	CountryCode = "US"
	TimeZone    = "America/Los_Angeles"
)

// City has the streets, people, businesses and vehicles of the city. It is read-only and safe for concurrent use.
type City struct {
	streets       []street
	byKey         map[string]int
	sorted        []sortedStreet
	houseCounts   []int // houseCounts[i] is the total of the number ranges of streets 0 to i, to pick a street by its length
	neighborhoods []neighborhood
	people        people
	notes         map[string][]string
	clients       []Client
	vehicles      []vehicleModel
}

// House is one house or apartment.
type House struct {
	Address      geo.Address
	Location     geo.Location
	Neighborhood string
}

type street struct {
	name   string
	points []point // sorted by number
}

// point is the position of a house number on a street.
type point struct {
	number int
	at     geo.Location
}

type neighborhood struct {
	name, postalCode string
	points           []geo.Location
}

// New parses the embedded city. An error means that the build is broken.
func New() (*City, error) {
	c := &City{byKey: map[string]int{}}
	for _, parse := range []func() error{
		c.readStreets, c.readNeighborhoods, c.readPeople, c.readNotes, c.readVehicles, c.readClients,
	} {
		if err := parse(); err != nil {
			return nil, fmt.Errorf("the embedded city is damaged: %w", err)
		}
	}
	c.sortStreets()
	return c, nil
}

// forEachLine calls f with every line that is not empty or a comment.
func forEachLine(text string, f func(line string) error) error {
	for scanner := bufio.NewScanner(strings.NewReader(text)); scanner.Scan(); {
		line := strings.TrimSpace(scanner.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := f(line); err != nil {
			return fmt.Errorf("%q: %w", line, err)
		}
	}
	return nil
}

// forEachRecord calls f with the fields of every line. A line with fewer fields than its description is an error.
func forEachRecord(text, description string, f func(fields []string) error) error {
	return forEachLine(text, func(line string) error {
		fields := strings.Split(line, "|")
		if len(fields) <= strings.Count(description, ",") {
			return errors.New("a line is " + description)
		}
		return f(fields)
	})
}

// parsePoint parses coordinates, which are written without their whole degrees.
func parsePoint(lat, lon string) (geo.Location, error) {
	y, errLat := strconv.ParseFloat(lat, 64)
	x, errLon := strconv.ParseFloat(lon, 64)
	if err := errors.Join(errLat, errLon); err != nil {
		return geo.Location{}, err
	}
	return geo.Location{Lon: -122 - x, Lat: 37 + y}, nil
}

func (c *City) readStreets() error {
	houses := 0
	return forEachRecord(streetsText, "street, points", func(fields []string) error {
		s := street{name: fields[0]}
		for _, field := range fields[1:] {
			part := strings.Fields(field)
			if len(part) != 3 {
				return fmt.Errorf("a point is number, latitude, longitude, not %q", field)
			}
			number, err := strconv.Atoi(part[0])
			if err != nil {
				return err
			}
			at, err := parsePoint(part[1], part[2])
			if err != nil {
				return err
			}
			if n := len(s.points); n > 0 && number <= s.points[n-1].number {
				return fmt.Errorf("number %d is not greater than the one before", number)
			}
			s.points = append(s.points, point{number, at})
		}
		if len(s.points) < 2 {
			return errors.New("a street needs two points")
		}
		key := geo.StreetKey(s.name)
		if _, exists := c.byKey[key]; exists {
			return errors.New("the street is listed twice")
		}
		c.byKey[key] = len(c.streets)
		c.streets = append(c.streets, s)
		houses += s.last() - s.first()
		c.houseCounts = append(c.houseCounts, houses)
		return nil
	})
}

func (c *City) readNeighborhoods() error {
	return forEachRecord(neighborhoodsText, "name, postal code, points", func(fields []string) error {
		n := neighborhood{name: fields[0], postalCode: fields[1]}
		for _, field := range fields[2:] {
			lat, lon, _ := strings.Cut(field, " ")
			at, err := parsePoint(lat, lon)
			if err != nil {
				return err
			}
			n.points = append(n.points, at)
		}
		c.neighborhoods = append(c.neighborhoods, n)
		return nil
	})
}

func (s *street) first() int { return s.points[0].number }
func (s *street) last() int  { return s.points[len(s.points)-1].number }

// doorOffset is the distance of a door from the middle of the street in meters.
const doorOffset = 9

// locate returns the door of a number; even and odd numbers are on opposite sides.
func (s *street) locate(number int) (geo.Location, bool) {
	if number < s.first() || number > s.last() {
		return geo.Location{}, false
	}
	next := max(1, sort.Search(len(s.points), func(i int) bool { return s.points[i].number >= number }))
	from, to := s.points[next-1], s.points[next]
	part := float64(number-from.number) / float64(to.number-from.number)
	middle := geo.Location{
		Lon: from.at.Lon + part*(to.at.Lon-from.at.Lon),
		Lat: from.at.Lat + part*(to.at.Lat-from.at.Lat),
	}
	bearing := from.at.Bearing(to.at)
	if number%2 == 0 {
		return middle.Move(bearing+90, doorOffset), true
	}
	return middle.Move(bearing-90, doorOffset), true
}

func (c *City) neighborhoodAt(at geo.Location) *neighborhood {
	// The length of a degree of longitude relative to one of latitude.
	const lonScale = 0.79
	best, bestDistance := 0, math.Inf(1)
	for i := range c.neighborhoods {
		for _, point := range c.neighborhoods[i].points {
			dx, dy := (at.Lon-point.Lon)*lonScale, at.Lat-point.Lat
			if distance := dx*dx + dy*dy; distance < bestDistance {
				best, bestDistance = i, distance
			}
		}
	}
	return &c.neighborhoods[best]
}

// RandomHouse returns a random house. Longer streets are more likely, and almost half of the addresses have an apartment.
func (c *City) RandomHouse(rng *rand.Rand) House {
	pick := rng.IntN(c.houseCounts[len(c.houseCounts)-1])
	s := &c.streets[sort.SearchInts(c.houseCounts, pick+1)]
	h := c.newHouse(s, s.first()+rng.IntN(s.last()-s.first()+1))
	switch rng.IntN(9) {
	case 0:
		h.Address.Apartment = "Suite " + strconv.Itoa(100*(1+rng.IntN(24))+10*rng.IntN(6))
	case 1, 2:
		h.Address.Apartment = "Apt " + strconv.Itoa(1+rng.IntN(48))
	case 3:
		h.Address.Apartment = "Unit " + string(rune('A'+rng.IntN(6)))
	}
	return h
}

// RandomHouseNear returns a random house at most that many meters from a location, or the nearest of many tries.
func (c *City) RandomHouseNear(rng *rand.Rand, at geo.Location, meters float64) House {
	const tries = 200
	var nearest House
	nearestDistance := math.Inf(1)
	for range tries {
		h := c.RandomHouse(rng)
		distance := h.Location.Distance(at)
		if distance <= meters {
			return h
		}
		if distance < nearestDistance {
			nearest, nearestDistance = h, distance
		}
	}
	return nearest
}

func (c *City) newHouse(s *street, number int) House {
	at, _ := s.locate(number)
	in := c.neighborhoodAt(at)
	return House{
		Address: geo.Address{
			Number: strconv.Itoa(number), Street: s.name, City: Name, State: State, PostalCode: in.postalCode,
			Country: Country, CountryCode: CountryCode,
		},
		Location:     at,
		Neighborhood: in.name,
	}
}

// HouseAt returns the house with a number on a street.
func (c *City) HouseAt(number int, streetName string) (House, error) {
	i, ok := c.byKey[geo.StreetKey(streetName)]
	if !ok {
		return House{}, fmt.Errorf("unknown street %q", streetName)
	}
	s := &c.streets[i]
	if number < s.first() || number > s.last() {
		return House{}, fmt.Errorf("%s has numbers %d to %d, not %d", s.name, s.first(), s.last(), number)
	}
	return c.newHouse(s, number), nil
}
