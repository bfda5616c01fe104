// Package city is the sandbox's world: real streets of San Francisco with houses at plausible positions, and the
// invented people, businesses and vehicles that make a day there. Everything drawn from it follows from the random
// numbers it is given, so that one seed always makes the same day.
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

// The texts, one fact to a line; see the head of each.
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

// The city, as an address names it.
const (
	Name        = "San Francisco"
	State       = "California"
	Country     = "United States"
	CountryCode = "US"
	TimeZone    = "America/Los_Angeles"
)

// City knows the streets and who lives on them. It is never changed after New and is safe for any number of
// goroutines.
type City struct {
	streets       []street
	byKey         map[string]int
	houseCounts         []int // reach[i] is the number of houses on streets 0 to i, to pick a street by its length
	neighborhoods []neighborhood
	people        people
	notes         map[string][]string
	clients       []Client
	vehicles      []vehicleModel
}

// House is one door.
type House struct {
	Address      geo.Address
	Location     geo.Location
	Neighborhood string
}

type street struct {
	name  string
	marks []mark // by rising number
}

// mark is the point on a street where a house number is.
type mark struct {
	number int
	at     geo.Location
}

type neighborhood struct {
	name, postalCode string
	points           []geo.Location
}

// New reads the city. An error means that the program was built wrong.
func New() (*City, error) {
	c := &City{byKey: map[string]int{}}
	for _, read := range []func() error{
		c.readStreets, c.readNeighborhoods, c.readPeople, c.readNotes, c.readVehicles, c.readClients,
	} {
		if err := read(); err != nil {
			return nil, fmt.Errorf("the embedded city is damaged: %w", err)
		}
	}
	return c, nil
}

// eachLine calls f with every line that says something.
func eachLine(text string, f func(line string) error) error {
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

// parsePoint reads the fractions that the texts write.
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
	return eachLine(streetsText, func(line string) error {
		fields := strings.Split(line, "|")
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
			if n := len(s.marks); n > 0 && number <= s.marks[n-1].number {
				return fmt.Errorf("number %d does not rise", number)
			}
			s.marks = append(s.marks, mark{number, at})
		}
		if len(s.marks) < 2 {
			return errors.New("a street needs two points")
		}
		key := geo.StreetKey(s.name)
		if _, twice := c.byKey[key]; twice {
			return errors.New("the street is there twice")
		}
		c.byKey[key] = len(c.streets)
		c.streets = append(c.streets, s)
		houses += s.last() - s.first()
		c.houseCounts = append(c.houseCounts, houses)
		return nil
	})
}

func (c *City) readNeighborhoods() error {
	return eachLine(neighborhoodsText, func(line string) error {
		fields := strings.Split(line, "|")
		if len(fields) < 3 {
			return errors.New("a neighborhood is name, postal code, points")
		}
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

func (s *street) first() int { return s.marks[0].number }
func (s *street) last() int  { return s.marks[len(s.marks)-1].number }

// houseSide is how far a door is from the middle of the street, in metres.
const houseSide = 9

// locate gives the door of a number, even numbers on one side and odd ones on the other.
func (s *street) locate(number int) (geo.Location, bool) {
	if number < s.first() || number > s.last() {
		return geo.Location{}, false
	}
	next := max(1, sort.Search(len(s.marks), func(i int) bool { return s.marks[i].number >= number }))
	from, to := s.marks[next-1], s.marks[next]
	part := float64(number-from.number) / float64(to.number-from.number)
	middle := geo.Location{
		Lon: from.at.Lon + part*(to.at.Lon-from.at.Lon),
		Lat: from.at.Lat + part*(to.at.Lat-from.at.Lat),
	}
	bearing := from.at.Bearing(to.at)
	if number%2 == 0 {
		return middle.Move(bearing+90, houseSide), true
	}
	return middle.Move(bearing-90, houseSide), true
}

// Locate finds a house of the city, so that the city can serve an offline geocoder as its map.
func (c *City) Locate(a geo.Address) (geo.StreetPoint, bool) {
	if a.City != Name || a.CountryCode != CountryCode || a.State != State {
		return geo.StreetPoint{}, false
	}
	i, ok := c.byKey[geo.StreetKey(a.Street)]
	if !ok {
		return geo.StreetPoint{}, false
	}
	digits := strings.TrimRight(a.Number, "ABCDEFGHabcdefgh")
	number, err := strconv.Atoi(digits)
	if err != nil {
		return geo.StreetPoint{}, false
	}
	at, ok := c.streets[i].locate(number)
	if !ok {
		return geo.StreetPoint{}, false
	}
	return geo.StreetPoint{Location: at, Street: c.streets[i].name, PostalCode: c.neighborhoodAt(at).postalCode}, true
}

var _ geo.StreetMap = (*City)(nil)

func (c *City) neighborhoodAt(at geo.Location) *neighborhood {
	// On a map this small the Earth is flat; a degree of longitude is this much shorter than one of latitude.
	const shrink = 0.79
	best, bestAway := 0, math.Inf(1)
	for i := range c.neighborhoods {
		for _, point := range c.neighborhoods[i].points {
			dx, dy := (at.Lon-point.Lon)*shrink, at.Lat-point.Lat
			if away := dx*dx + dy*dy; away < bestAway {
				best, bestAway = i, away
			}
		}
	}
	return &c.neighborhoods[best]
}

// RandomHouse draws a house; longer streets come more often, and about every third door has an apartment.
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

// RandomHouseNear draws a house at most that many metres from a location, or, where houses are rare, the nearest of many
// draws.
func (c *City) RandomHouseNear(rng *rand.Rand, at geo.Location, meters float64) House {
	const draws = 200
	var nearest House
	nearestAway := math.Inf(1)
	for range draws {
		h := c.RandomHouse(rng)
		away := h.Location.Distance(at)
		if away <= meters {
			return h
		}
		if away < nearestAway {
			nearest, nearestAway = h, away
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

// HouseAt gives the house with that number on that street.
func (c *City) HouseAt(number int, streetName string) (House, error) {
	i, ok := c.byKey[geo.StreetKey(streetName)]
	if !ok {
		return House{}, fmt.Errorf("no street %q in the city", streetName)
	}
	s := &c.streets[i]
	if number < s.first() || number > s.last() {
		return House{}, fmt.Errorf("%s has numbers %d to %d, not %d", s.name, s.first(), s.last(), number)
	}
	return c.newHouse(s, number), nil
}
