package city

import (
	"strconv"
	"strings"

	"waybill/service/geo"
)

// Locate implements geo.StreetMap.
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
