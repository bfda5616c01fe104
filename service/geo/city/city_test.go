package city

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/nyaruka/phonenumbers"
	"github.com/stretchr/testify/require"

	"waybill/service/geo"
)

var shared = sync.OnceValues(New)

func load(t testing.TB) *City {
	t.Helper()
	c, err := shared()
	require.NoError(t, err)
	return c
}

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// Streets that jump, double back or squeeze a block into nothing would put houses where there are none.
func TestStreetsArePlausible(t *testing.T) {
	c := load(t)
	require.GreaterOrEqual(t, len(c.streets), 100)
	for _, s := range c.streets {
		for i, m := range s.points {
			require.Greater(t, m.at.Lat, 37.70, s.name)
			require.Less(t, m.at.Lat, 37.812, s.name)
			require.Greater(t, m.at.Lon, -122.515, s.name)
			require.Less(t, m.at.Lon, -122.36, s.name)
			if i == 0 {
				continue
			}
			before := s.points[i-1]
			meters := before.at.Distance(m.at)
			each := meters / float64(m.number-before.number)
			require.Greater(t, each, 0.4, "%s %d to %d: %.0f m", s.name, before.number, m.number, meters)
			require.Less(t, each, 4.5, "%s %d to %d: %.0f m", s.name, before.number, m.number, meters)
			if i > 1 {
				turn := s.points[i-2].at.Bearing(before.at) - before.at.Bearing(m.at)
				for turn < -180 {
					turn += 360
				}
				for turn > 180 {
					turn -= 360
				}
				require.Less(t, max(turn, -turn), 75.0, "%s turns at %d", s.name, before.number)
			}
		}
	}
}

// Landmarks stand where they do, within a block and a half.
func TestKnownHouses(t *testing.T) {
	c := load(t)
	for _, test := range []struct {
		number       int
		street       string
		lat, lon     float64
		neighborhood string
		postalCode   string
	}{
		{261, "Columbus Ave", 37.7976, -122.4066, "North Beach", "94133"},     // City Lights
		{1111, "California St", 37.7915, -122.4130, "Nob Hill", "94109"},      // Masonic Auditorium
		{429, "Castro St", 37.7620, -122.4350, "Castro", "94114"},             // Castro Theatre
		{3117, "16th St", 37.7649, -122.4224, "Mission District", "94110"},    // Roxie
		{600, "Guerrero St", 37.7614, -122.4241, "", ""},                      // Tartine
		{700, "4th St", 37.7767, -122.3947, "", "94107"},                      // Caltrain
		{850, "Bryant St", 37.7753, -122.4036, "", ""},                        // Hall of Justice
		{747, "Howard St", 37.7842, -122.4014, "South of Market", "94103"},    // Moscone
		{555, "California St", 37.7920, -122.4038, "", ""},                    // tower
		{1805, "Geary St", 0, 0, "", ""},                                      // out of range
		{628, "Divisadero St", 37.7755, -122.4377, "NoPa", "94117"},           // The Independent
		{1517, "Polk St", 37.7909, -122.4208, "", "94109"},                    // Swan Oyster Depot
		{5411, "Geary Blvd", 37.7804, -122.4774, "Central Richmond", "94121"}, // by 18th Avenue
	} {
		house, err := c.HouseAt(test.number, test.street)
		if test.lat == 0 {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err)
		away := house.Location.Distance(geo.Location{Lon: test.lon, Lat: test.lat})
		require.Less(t, away, 180.0, "%d %s is %.0f m off", test.number, test.street, away)
		if test.neighborhood != "" {
			require.Equal(t, test.neighborhood, house.Neighborhood, "%d %s", test.number, test.street)
		}
		if test.postalCode != "" {
			require.Equal(t, test.postalCode, house.Address.PostalCode, "%d %s", test.number, test.street)
		}
	}
	_, err := c.HouseAt(1, "Nowhere Ln")
	require.ErrorContains(t, err, "Nowhere Ln")
}

func TestHousesFollowTheSeed(t *testing.T) {
	c := load(t)
	a, b, other := seeded(7), seeded(7), seeded(8)
	differ := false
	for range 200 {
		house := c.RandomHouse(a)
		require.Equal(t, house, c.RandomHouse(b))
		differ = differ || house != c.RandomHouse(other)
	}
	require.True(t, differ)
}

func TestHousesAreManyAndEverywhere(t *testing.T) {
	c := load(t)
	rng := seeded(1)
	doors, areas, streets := map[string]bool{}, map[string]int{}, map[string]bool{}
	for range 50_000 {
		h := c.RandomHouse(rng)
		doors[h.Address.Number+h.Address.Street+h.Address.Apartment] = true
		areas[h.Neighborhood]++
		streets[h.Address.Street] = true
	}
	require.Greater(t, len(doors), 35_000)
	require.Len(t, streets, len(c.streets))
	require.Len(t, areas, len(c.neighborhoods), "houses in every neighborhood: %v", areas)
}

func TestHouseNear(t *testing.T) {
	c := load(t)
	rng := seeded(4)
	hubs, err := c.Hubs()
	require.NoError(t, err)
	for _, hub := range hubs {
		for range 50 {
			require.Less(t, c.RandomHouseNear(rng, hub.House.Location, 2500).Location.Distance(hub.House.Location), 2500.0)
		}
	}
	far := c.RandomHouseNear(rng, geo.Location{Lon: -122.27, Lat: 37.80}, 100)
	require.NotEmpty(t, far.Address.Street, "Oakland is out of the city, the nearest house is not")
}

func TestNumbersRunAlongTheStreet(t *testing.T) {
	c := load(t)
	for i := range c.streets {
		s := &c.streets[i]
		for number := s.first(); number+2 <= s.last(); number += 2 {
			a, _ := s.locate(number)
			b, _ := s.locate(number + 2)
			if away := a.Distance(b); away > 25 {
				t.Fatalf("%s: %d and %d are %.0f m apart", s.name, number, number+2, away)
			}
		}
	}
}

// What the city draws, the geocoder finds again at the very same point.
func TestGeocoderAgrees(t *testing.T) {
	c := load(t)
	offline := geo.NewOffline(c)
	rng := seeded(3)
	for range 200 {
		h := c.RandomHouse(rng)
		q := geo.Query{
			Number: h.Address.Number, Street: h.Address.Street, City: Name, State: "CA",
			PostalCode: h.Address.PostalCode, Country: "USA",
		}
		result, err := offline.Geocode(context.Background(), q)
		require.NoError(t, err)
		require.Equal(t, h.Location, result.Location)
		require.False(t, result.Approximate)
		require.Empty(t, result.Warnings)

		line := fmt.Sprintf("%s %s, %s, San Francisco, CA %s, USA", h.Address.Number, h.Address.Street, h.Address.Apartment, h.Address.PostalCode)
		result, err = offline.Geocode(context.Background(), geo.Query{Unparsed: line})
		require.NoError(t, err, line)
		require.Equal(t, h.Address, result.Address, line)
		require.Equal(t, h.Location, result.Location, line)
	}
	for _, miss := range []geo.Address{
		{Number: "543", Street: "Howard St", City: "Oakland", State: State, CountryCode: CountryCode},
		{Number: "1", Street: "Nowhere", City: Name, State: State, CountryCode: CountryCode},
	} {
		_, ok := c.Locate(miss, geo.Area{})
		require.False(t, ok, miss)
	}
}

func TestPhones(t *testing.T) {
	seen := map[string]bool{}
	for i := range Phones {
		seen[Phone(i)] = true
	}
	require.Len(t, seen, Phones, "no two alike")
	for i := 0; i < Phones; i += 997 {
		number, err := phonenumbers.Parse(Phone(i), "")
		require.NoError(t, err)
		require.True(t, phonenumbers.IsValidNumber(number), Phone(i))
		require.Equal(t, Phone(i), phonenumbers.Format(number, phonenumbers.E164))
	}
	require.Equal(t, "+1415", Phone(0)[:5])
}

func TestPeople(t *testing.T) {
	c := load(t)
	rng := seeded(5)
	require.Equal(t, c.people.first, unique(c.people.first))
	require.Equal(t, c.people.last, unique(c.people.last))
	require.Contains(t, c.people.last, "O'Brien")
	require.Contains(t, c.people.last, "Okafor")
	phones, names := map[string]bool{}, map[string]bool{}
	for i := range 5000 {
		p := c.RandomRecipient(rng, i)
		d, _ := c.RandomDriver(rng, i)
		require.False(t, phones[p.Phone] || phones[d.Phone])
		phones[p.Phone], phones[d.Phone] = true, true
		names[p.Name] = true
		require.Regexp(t, `^[A-Z][a-z]+ [A-Z]`, p.Name)
	}
	require.Greater(t, len(names), 4500)
}

func unique(all []string) []string {
	seen := map[string]bool{}
	var kept []string
	for _, s := range all {
		if !seen[s] {
			kept = append(kept, s)
		}
		seen[s] = true
	}
	return kept
}

func TestVehicles(t *testing.T) {
	c := load(t)
	rng := seeded(6)
	kinds := map[string]int{}
	plates := regexp.MustCompile(`^\d[A-Z]{3}\d{3}$`)
	for range 2000 {
		v := c.RandomVehicle(rng)
		kinds[v.Type]++
		switch v.Type {
		case "":
			require.Equal(t, Vehicle{}, v)
		case "BICYCLE":
			require.Empty(t, v.LicensePlate)
		default:
			require.Regexp(t, plates, v.LicensePlate)
			require.NotEmpty(t, v.Description)
			require.NotEmpty(t, v.Color)
		}
		_, err := geo.ProfileFor(v.Type)
		require.NoError(t, err)
	}
	require.Len(t, kinds, 5)
	require.Greater(t, kinds["CAR"], kinds["TRUCK"])
}

func TestNotesClientsHubs(t *testing.T) {
	c := load(t)
	rng := seeded(9)
	for _, kind := range []string{NoteRecipient, NoteTask, NoteDone, NoteFailed, NoteDelay, NoteText, NotePraise, NoteComplaint} {
		for range 100 {
			note := c.RandomNote(rng, kind)
			require.NotEmpty(t, note, kind)
			require.NotContains(t, note, "{")
		}
	}
	require.Empty(t, c.RandomNote(rng, "nothing of the kind"))
	require.Len(t, c.Clients(), 20)
	for _, client := range c.Clients() {
		require.GreaterOrEqual(t, len(client.Goods), 3, client.Name)
		require.Equal(t, client.Name, client.House.Address.Name)
		require.False(t, strings.ContainsAny(client.Name, "|;"))
	}
	hubs, err := c.Hubs()
	require.NoError(t, err)
	require.Len(t, hubs, 3)
	require.Equal(t, "Inner Sunset", c.neighborhoodAt(geo.Location{Lon: -122.464, Lat: 37.763}).name)
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := New(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHouse(b *testing.B) {
	c := load(b)
	rng := seeded(1)
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		c.RandomHouse(rng)
	}
}
