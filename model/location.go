package model

import (
	"errors"
	"math"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Location is a point on the earth, on the wire [longitude, latitude]. A service that has no point where one belongs
// sends null or an empty array; that is [NoLocation], so that one such record does not spoil a whole page.
type Location struct {
	Lon, Lat float64
}

// NoLocation is a location that is not known. It is not Valid.
func NoLocation() Location { return Location{math.NaN(), math.NaN()} }

var errNotLocation = errors.New("a location is an array of two numbers: [longitude, latitude]")

// Valid reports whether both coordinates are on the globe.
func (l Location) Valid() bool {
	return math.Abs(l.Lon) <= 180 && math.Abs(l.Lat) <= 90
}

// MarshalJSONTo implements the codec's interface.
func (l Location) MarshalJSONTo(enc *jsontext.Encoder) error {
	if math.IsNaN(l.Lon) || math.IsNaN(l.Lat) {
		return enc.WriteToken(jsontext.Null)
	}
	return json.MarshalEncode(enc, [2]float64{l.Lon, l.Lat})
}

// UnmarshalJSONFrom implements the codec's interface.
func (l *Location) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	var pair []float64
	if err := json.UnmarshalDecode(dec, &pair); err != nil {
		return err
	}
	switch len(pair) {
	case 0:
		*l = NoLocation()
	case 2:
		*l = Location{pair[0], pair[1]}
	default:
		return errNotLocation
	}
	return nil
}

// MaybeLocation is a location that is an empty array when there is none, as completion details have it.
type MaybeLocation struct {
	Location
	Known bool
}

// MarshalJSONTo implements the codec's interface.
func (l MaybeLocation) MarshalJSONTo(enc *jsontext.Encoder) error {
	if !l.Known {
		return json.MarshalEncode(enc, []float64{})
	}
	return l.Location.MarshalJSONTo(enc)
}

// UnmarshalJSONFrom implements the codec's interface.
func (l *MaybeLocation) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	var pair []float64
	if err := json.UnmarshalDecode(dec, &pair); err != nil {
		return err
	}
	switch len(pair) {
	case 0:
		*l = MaybeLocation{}
	case 2:
		*l = MaybeLocation{Location{pair[0], pair[1]}, true}
	default:
		return errNotLocation
	}
	return nil
}
