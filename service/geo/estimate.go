package geo

import (
	"hash/fnv"
	"math"
	"strings"

	"waybill/service/geo/gazetteer"
)

// postcodeRadius is the radius of a postal code in meters.
const postcodeRadius = 900

// cityRadius estimates the radius of a city in meters: 500 m for a village, 2.5 km for 100,000 people, 5 km for a
// million, 7 km at most.
func cityRadius(population int) float64 {
	return min(7000, max(500, 500*math.Pow(float64(population)/1000, 0.34)))
}

// houseStep is the distance between consecutive numbers at the start of a street, in meters. A North American block of
// a hundred numbers is 100 to 150 m long.
const houseStep = 1.2

// houseSide is the distance of a house from the middle of its street in meters.
const houseSide = 8

// housePoint estimates the location of a house near a center. It depends only on the words of the address: the street
// gives a line through a point within the radius, in one of the two directions of the town's grid; the number gives the
// position on the line, with steps of houseStep that get smaller, so that number 12000 is still in the town. Even and odd
// numbers are on opposite sides.
func housePoint(c center, a Address) Location {
	street := StreetKey(a.Street)
	if street == "" {
		return c.at
	}
	town := wordHash(gazetteer.Fold(a.City), a.CountryCode)
	h := wordHash(gazetteer.Fold(a.City), a.CountryCode, street)
	distance := c.radius * 0.75 * math.Sqrt(fraction(h))
	anchor := c.at.Move(360*fraction(h>>16), distance)
	bearing := 90*fraction(town) + 90*float64(h>>40&1)

	number, letter := HouseNumber(a.Number)
	span := c.radius * 0.6
	along := 0.0
	if number > 0 {
		n := float64(number) + float64(letter)/30
		along = span * (n / (n + span/houseStep))
	}
	point := anchor.Move(bearing, along-span/2)
	if number == 0 {
		return point
	}
	if number%2 == 0 {
		return point.Move(bearing+90, houseSide)
	}
	return point.Move(bearing-90, houseSide)
}

// HouseNumber parses "12", "12B", "12-14" or "12 1/2": the first number and the letter after it, a as 1.
func HouseNumber(text string) (number, letter int) {
	text = strings.TrimSpace(text)
	i := 0
	for ; i < len(text) && '0' <= text[i] && text[i] <= '9'; i++ {
		number = min(number*10+int(text[i]-'0'), 10_000_000)
	}
	if i > 0 && i < len(text) {
		if c := text[i] | 0x20; 'a' <= c && c <= 'z' {
			letter = int(c-'a') + 1
		}
	}
	return number, letter
}

func wordHash(words ...string) uint64 {
	h := fnv.New64a()
	for _, word := range words {
		_, _ = h.Write([]byte(word))
		_, _ = h.Write([]byte{0})
	}
	// FNV gives short words similar high bits; mix them.
	x := h.Sum64()
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// fraction turns the low bits of a hash into a number in [0, 1).
func fraction(h uint64) float64 { return float64(h&0xffff) / 65536 }
