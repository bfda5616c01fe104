package model

import (
	"errors"
	"fmt"
	"math"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Location is a point on the earth, on the wire [longitude, latitude]. A service without a point may send null or an
// empty array; that is [NoLocation], so that one such record does not break a whole page.
type Location struct {
	Lon, Lat float64
}

// NoLocation is an unknown location. It is not Valid.
func NoLocation() Location { return Location{math.NaN(), math.NaN()} }

var errNotLocation = errors.New("must be two numbers: [longitude, latitude]")

// Known reports whether there is a point, on the globe or not.
func (l Location) Known() bool { return !math.IsNaN(l.Lon) && !math.IsNaN(l.Lat) }

// Valid reports whether both coordinates are on the globe.
func (l Location) Valid() bool {
	return math.Abs(l.Lon) <= 180 && math.Abs(l.Lat) <= 90
}

// Text returns latitude and longitude to about a meter, the order that map programs take. It is empty for an unknown
// location.
func (l Location) Text() string {
	if !l.Known() {
		return ""
	}
	return fmt.Sprintf("%.5f, %.5f", l.Lat, l.Lon)
}

// MarshalJSONTo implements the codec's interface.
func (l Location) MarshalJSONTo(enc *jsontext.Encoder) error {
	if !l.Known() {
		return enc.WriteToken(jsontext.Null)
	}
	return json.MarshalEncode(enc, [2]float64{l.Lon, l.Lat})
}

// UnmarshalJSONFrom implements the codec's interface.
func (l *Location) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	at, err := readLocation(dec)
	if err != nil {
		return err
	}
	*l = at
	return nil
}

// readLocation decodes two numbers. Null, an empty array and two nulls mean that there is no point.
func readLocation(dec *jsontext.Decoder) (Location, error) {
	switch dec.PeekKind() {
	case jsontext.KindNull:
		return NoLocation(), dec.SkipValue()
	case jsontext.KindBeginArray:
	case jsontext.KindInvalid:
		_, err := dec.ReadToken()
		return Location{}, err
	default:
		return Location{}, errNotLocation
	}
	if _, err := dec.ReadToken(); err != nil {
		return Location{}, err
	}
	pair := [2]float64{math.NaN(), math.NaN()}
	members, nulls := 0, 0
	for ; dec.PeekKind() != jsontext.KindEndArray; members++ {
		kind := dec.PeekKind()
		if members == len(pair) || (kind != jsontext.KindNumber && kind != jsontext.KindNull && kind != jsontext.KindInvalid) {
			return Location{}, errNotLocation
		}
		token, err := dec.ReadToken()
		if err != nil {
			return Location{}, err
		}
		if kind == jsontext.KindNull {
			nulls++
			continue
		}
		if pair[members], err = token.Float(); err != nil {
			return Location{}, errNotLocation
		}
	}
	if members == 1 || nulls == 1 {
		return Location{}, errNotLocation
	}
	_, err := dec.ReadToken()
	return Location{pair[0], pair[1]}, err
}

// MaybeLocation is a location that is an empty array when unknown, as in completion details.
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
	at, err := readLocation(dec)
	if err != nil {
		return err
	}
	*l = MaybeLocation{}
	if at.Known() {
		*l = MaybeLocation{at, true}
	}
	return nil
}

// Bearing returns the initial compass direction to a place in degrees, from 0 to 360.
func (l Location) Bearing(to Location) float64 {
	lat1, lat2, dLon := Radians(l.Lat), Radians(to.Lat), Radians(to.Lon-l.Lon)
	y := math.Sin(dLon) * math.Cos(lat2)
	x := math.Cos(lat1)*math.Sin(lat2) - math.Sin(lat1)*math.Cos(lat2)*math.Cos(dLon)
	return math.Mod(math.Atan2(y, x)*180/math.Pi+360, 360)
}
