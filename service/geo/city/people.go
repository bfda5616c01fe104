package city

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

type people struct {
	first, last []string
}

// Person is a name with a phone.
type Person struct {
	Name  string
	Phone string // E.164
	Notes string
}

// Vehicle is a driver's vehicle. The zero Vehicle means on foot.
type Vehicle struct {
	Type         string // CAR, MOTORCYCLE, BICYCLE, TRUCK
	Description  string
	Color        string
	LicensePlate string
}

type vehicleModel struct {
	kind, description string
	colors            []string
}

// Client is a business that sends goods.
type Client struct {
	Name  string
	Trade string
	House House
	// Goods describes what it sends.
	Goods []string
}

// Hub is a depot with the team that works from it.
type Hub struct {
	Name  string
	Team  string
	House House
}

func (c *City) readPeople() error {
	err := forEachLine(peopleText, func(line string) error {
		kind, names, _ := strings.Cut(line, ":")
		switch kind {
		case "first":
			c.people.first = strings.Fields(names)
		case "last":
			c.people.last = strings.Fields(names)
		default:
			return errors.New("expected first or last")
		}
		return nil
	})
	for i, name := range c.people.last {
		// The data file has no apostrophes.
		if rest, ok := strings.CutPrefix(name, "O"); ok && rest[0] >= 'A' && rest[0] <= 'Z' {
			c.people.last[i] = "O'" + rest
		}
	}
	return err
}

func (c *City) readNotes() error {
	c.notes = map[string][]string{}
	kind := ""
	return forEachLine(notesText, func(line string) error {
		if strings.HasPrefix(line, "[") {
			kind = strings.Trim(line, "[]")
			return nil
		}
		c.notes[kind] = append(c.notes[kind], line)
		return nil
	})
}

func (c *City) readVehicles() error {
	return forEachRecord(vehiclesText, "type, description, colors", func(fields []string) error {
		c.vehicles = append(c.vehicles, vehicleModel{fields[0], fields[1], strings.Fields(fields[2])})
		return nil
	})
}

func (c *City) readClients() error {
	return forEachRecord(clientsText, "name, trade, house, goods", func(fields []string) error {
		house, err := c.parseHouse(fields[2])
		if err != nil {
			return err
		}
		house.Address.Name = fields[0]
		client := Client{Name: fields[0], Trade: fields[1], House: house}
		for _, goods := range strings.Split(fields[3], ";") {
			client.Goods = append(client.Goods, strings.TrimSpace(goods))
		}
		c.clients = append(c.clients, client)
		return nil
	})
}

func (c *City) parseHouse(text string) (House, error) {
	number, street, _ := strings.Cut(text, " ")
	n, err := strconv.Atoi(number)
	if err != nil {
		return House{}, err
	}
	return c.HouseAt(n, street)
}

// Clients returns the businesses of the city.
func (c *City) Clients() []Client { return append([]Client(nil), c.clients...) }

// Hubs returns the courier's depots: one in the southeast, one downtown, one in the west.
func (c *City) Hubs() ([]Hub, error) {
	var hubs []Hub
	for _, h := range []struct {
		name, team string
		house      string
	}{
		{"Dogpatch Depot", "South", "2330 3rd St"},
		{"SoMa Depot", "Downtown", "1180 Folsom St"},
		{"Sunset Depot", "West", "2410 Judah St"},
	} {
		house, err := c.parseHouse(h.house)
		if err != nil {
			return nil, err
		}
		house.Address.Name = h.name
		hubs = append(hubs, Hub{h.name, h.team, house})
	}
	return hubs, nil
}

// Phones is the number of different phone numbers.
const Phones = 100_000

// Phone returns the i-th phone number, from 0 to Phones-1. All are different and valid, but in the unused 555 exchange. The
// first ten thousand have San Francisco's area code 415.
func Phone(i int) string {
	area := []string{"415", "628", "510", "650", "925", "408", "707", "341", "669", "831"}[i/10_000%10]
	// 7919 and 10,000 have no common factor, so every number appears once, in an order that looks random.
	return fmt.Sprintf("+1%s555%04d", area, i%10_000*7919%10_000)
}

// RandomRecipient returns the i-th recipient. Different i below Phones/2 have different phones, which no driver has.
func (c *City) RandomRecipient(rng *rand.Rand, i int) Person {
	p := Person{Name: c.randomName(rng), Phone: Phone(i % (Phones / 2))}
	if rng.IntN(6) == 0 {
		p.Notes = c.RandomNote(rng, NoteRecipient)
	}
	return p
}

// RandomDriver returns the i-th driver with a vehicle. Different i below Phones/2 have different phones.
func (c *City) RandomDriver(rng *rand.Rand, i int) (Person, Vehicle) {
	return Person{Name: c.randomName(rng), Phone: Phone(Phones - 1 - i%(Phones/2))}, c.RandomVehicle(rng)
}

func (c *City) randomName(rng *rand.Rand) string {
	return c.people.first[rng.IntN(len(c.people.first))] + " " + c.people.last[rng.IntN(len(c.people.last))]
}

// RandomVehicle returns a random vehicle: of twenty drivers twelve have a car, four a truck, two a bicycle, one a
// motorcycle, and one is on foot.
func (c *City) RandomVehicle(rng *rand.Rand) Vehicle {
	kind := ""
	switch n := rng.IntN(20); {
	case n < 12:
		kind = "CAR"
	case n < 16:
		kind = "TRUCK"
	case n < 18:
		kind = "BICYCLE"
	case n < 19:
		kind = "MOTORCYCLE"
	default:
		return Vehicle{}
	}
	var models []vehicleModel
	for _, m := range c.vehicles {
		if m.kind == kind {
			models = append(models, m)
		}
	}
	m := models[rng.IntN(len(models))]
	v := Vehicle{Type: m.kind, Description: m.description, Color: m.colors[rng.IntN(len(m.colors))]}
	if kind != "BICYCLE" {
		v.LicensePlate = randomPlate(rng)
	}
	return v
}

// randomPlate returns a plate like California's: a digit, three letters, three digits.
func randomPlate(rng *rand.Rand) string {
	const letters = "ABCDEFGHJKLMNPRSTUVWXYZ"
	letter := func() byte { return letters[rng.IntN(len(letters))] }
	return fmt.Sprintf("%d%c%c%c%03d", 6+rng.IntN(4), letter(), letter(), letter(), rng.IntN(1000))
}

// Kinds of notes.
const (
	NoteRecipient = "recipient" // about a recipient
	NoteTask      = "task"      // about a delivery
	NoteDone      = "done"      // by a driver who completes a task
	NoteFailed    = "failed"    // by a driver who fails a task
	NoteDelay     = "held"      // why a driver is delayed
	NoteText      = "text"      // text message of a recipient
	NotePraise    = "praise"    // feedback on a good delivery
	NoteComplaint = "blame"     // feedback on a bad delivery
)

// RandomNote returns a random text of a kind.
func (c *City) RandomNote(rng *rand.Rand, kind string) string {
	texts := c.notes[kind]
	if len(texts) == 0 {
		return ""
	}
	text := texts[rng.IntN(len(texts))]
	for strings.Contains(text, "{n}") {
		text = strings.Replace(text, "{n}", strconv.Itoa(1+rng.IntN(9)), 1)
	}
	return text
}
