package addressfile

import (
	"math"
	"sort"

	"waybill/service/geo"
)

// placed is where a number is on a street.
type placed struct {
	at       geo.Location
	accuracy geo.Accuracy
	radius   float64
	postcode uint32
}

const (
	// houseRadius is how far a listed location is from the door, in meters.
	houseRadius = 20
	// blockLength is the longest distance between two houses between which the position of a number is certain enough.
	blockLength = 300
	// numberLength is the usual distance between consecutive numbers.
	numberLength = 3
)

// placeNumber finds a number among the houses of a street, sorted by number: the house itself, a point between its
// neighbors, the end of the street for a number outside of it, or the middle of the street without a number.
func placeNumber(houses []house, number uint32) placed {
	if number == 0 {
		return middleOf(houses)
	}
	if same := withNumber(houses, number, number); len(same) > 0 {
		return spreadOf(same)
	}
	plain := number / letters
	if same := withNumber(houses, plain*letters, plain*letters+letters-1); len(same) > 0 {
		return spreadOf(same)
	}
	lower, higher := neighbors(houses, int(plain), true)
	if lower == nil || higher == nil {
		anyLower, anyHigher := neighbors(houses, int(plain), false)
		if anyLower != nil && anyHigher != nil || lower == nil && higher == nil {
			lower, higher = anyLower, anyHigher
		}
	}
	switch {
	case lower != nil && higher != nil:
		return between(*lower, *higher, int(plain))
	case lower != nil:
		return beyond(*lower, int(plain))
	default:
		return beyond(*higher, int(plain))
	}
}

// withNumber returns the houses with a number from first to last.
func withNumber(houses []house, first, last uint32) []house {
	from := sort.Search(len(houses), func(i int) bool { return houses[i].number >= first })
	to := sort.Search(len(houses), func(i int) bool { return houses[i].number > last })
	return houses[from:to]
}

// neighbors returns the houses with the next lower and the next higher number, on the same side of the street if sameSide.
func neighbors(houses []house, number int, sameSide bool) (lower, higher *house) {
	at := sort.Search(len(houses), func(i int) bool { return houses[i].plainNumber() >= number })
	fits := func(h house) bool { return !sameSide || h.plainNumber()%2 == number%2 }
	for i := at - 1; i >= 0 && lower == nil; i-- {
		if fits(houses[i]) {
			lower = &houses[i]
		}
	}
	for i := at; i < len(houses) && higher == nil; i++ {
		if fits(houses[i]) {
			higher = &houses[i]
		}
	}
	return lower, higher
}

func between(lower, higher house, number int) placed {
	from, to := lower.at(), higher.at()
	part := float64(number-lower.plainNumber()) / float64(higher.plainNumber()-lower.plainNumber())
	length := from.Distance(to)
	p := placed{
		at:       geo.Location{Lon: from.Lon + part*(to.Lon-from.Lon), Lat: from.Lat + part*(to.Lat-from.Lat)},
		accuracy: geo.AccuracyHouse, radius: houseRadius + length/2, postcode: lower.postcode,
	}
	if length > blockLength {
		p.accuracy = geo.AccuracyStreet
	}
	return p
}

func beyond(end house, number int) placed {
	away := math.Abs(float64(number - end.plainNumber()))
	return placed{end.at(), geo.AccuracyStreet, houseRadius + numberLength*away, end.postcode}
}

// spreadOf returns the first of the houses with one number. If they are far apart, the city has several streets of this
// name.
func spreadOf(same []house) placed {
	p := placed{same[0].at(), geo.AccuracyHouse, houseRadius, same[0].postcode}
	for _, h := range same[1:] {
		p.radius = max(p.radius, p.at.Distance(h.at()))
	}
	if p.radius > blockLength {
		p.accuracy = geo.AccuracyStreet
	}
	return p
}

func middleOf(houses []house) placed {
	middle := houses[len(houses)/2]
	p := placed{middle.at(), geo.AccuracyStreet, houseRadius, middle.postcode}
	for _, h := range houses {
		p.radius = max(p.radius, p.at.Distance(h.at()))
	}
	return p
}
