package geo

import (
	"hash/fnv"
	"math"
	"strings"

	"waybill/service/geo/gazetteer"
)

// postcodeRadius is how far from its centre a postal code's houses are put, in metres.
const postcodeRadius = 900

// cityRadius is how far from its centre a city's houses are put, in metres: 500 m for a village, 2.5 km for a hundred
// thousand people, 5 km for a million, 7 km at most.
func cityRadius(population int) float64 {
	return min(7000, max(500, 500*math.Pow(float64(population)/1000, 0.34)))
}

// houseStep is how far apart neighbouring numbers are, in metres, at the start of a street. A North American block of
// a hundred numbers is 100 to 150 m long.
const houseStep = 1.2

// houseSide is how far a house stands from the middle of its street, in metres.
const houseSide = 8

// housePoint puts a house near a centre. Everything follows from the words of the address: the street gives a line
// through a point within the radius, along one of the two directions of the town's grid; the number gives the way
// along it, growing by houseStep and less and less towards the street's end, so that number 12000 does not leave the
// town; even and odd numbers stand on opposite sides.
func housePoint(c center, a Address) Location {
	street := streetKey(a.Street)
	if street == "" {
		return c.at
	}
	town := wordHash(gazetteer.Fold(a.City), a.CountryCode)
	h := wordHash(gazetteer.Fold(a.City), a.CountryCode, street)
	away := c.radius * 0.75 * math.Sqrt(fraction(h))
	anchor := c.at.Move(360*fraction(h>>16), away)
	bearing := 90*fraction(town) + 90*float64(h>>40&1)

	number, letter := houseNumber(a.Number)
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

// houseNumber reads "12", "12B", "12-14", "12 1/2": the first number and the letter after it, a as 1.
func houseNumber(text string) (number, letter int) {
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

// streetKey makes "Howard Street", "Howard St." and "HOWARD ST" one street.
func streetKey(street string) string {
	words := strings.Fields(gazetteer.Fold(street))
	for i, word := range words {
		words[i] = shortStreetWord(word)
	}
	return strings.Join(words, " ")
}

func shortStreetWord(word string) string {
	switch word {
	case "street", "str":
		return "st"
	case "avenue", "av":
		return "ave"
	case "boulevard", "blv":
		return "blvd"
	case "road":
		return "rd"
	case "drive":
		return "dr"
	case "lane":
		return "ln"
	case "court":
		return "ct"
	case "place":
		return "pl"
	case "terrace":
		return "ter"
	case "square":
		return "sq"
	case "highway":
		return "hwy"
	case "parkway":
		return "pkwy"
	case "north":
		return "n"
	case "south":
		return "s"
	case "east":
		return "e"
	case "west":
		return "w"
	case "first":
		return "1st"
	case "second":
		return "2nd"
	case "third":
		return "3rd"
	case "fourth":
		return "4th"
	case "fifth":
		return "5th"
	case "sixth":
		return "6th"
	case "seventh":
		return "7th"
	case "eighth":
		return "8th"
	case "ninth":
		return "9th"
	default:
		if rest, ok := strings.CutSuffix(word, "strasse"); ok {
			return rest + "str"
		}
		return word
	}
}

// StreetKey is the form in which two spellings of a street compare equal.
func StreetKey(street string) string { return streetKey(street) }

func wordHash(words ...string) uint64 {
	h := fnv.New64a()
	for _, word := range words {
		_, _ = h.Write([]byte(word))
		_, _ = h.Write([]byte{0})
	}
	// FNV leaves the high bits of short words alike; mix them.
	x := h.Sum64()
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// fraction turns the low bits of a hash into a number from 0 up to 1.
func fraction(h uint64) float64 { return float64(h&0xffff) / 65536 }
