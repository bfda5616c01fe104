package geo

import (
	"cmp"
	"context"
	"net/url"
	"strconv"
)

// NewPhoton makes a client of a Photon server. The public instance has no published limit but throttles heavy use; two requests per second
// are fine.
func NewPhoton(o RemoteOptions) (*RemoteGeocoder, error) {
	return newRemoteGeocoder("photon", "https://photon.komoot.io", 2, o, searchPhoton)
}

type photonAnswer struct {
	Features []struct {
		Geometry struct {
			Coordinates []float64 `json:"coordinates"`
		} `json:"geometry"`
		Properties struct {
			OSMType string `json:"osm_type"`
			OSMID   int64  `json:"osm_id"`
			Type    string `json:"type"`
			// Extent is west, north, east and south.
			Extent      []float64 `json:"extent"`
			Name        string    `json:"name"`
			HouseNumber string    `json:"housenumber"`
			Street      string    `json:"street"`
			City        string    `json:"city"`
			State       string    `json:"state"`
			Postcode    string    `json:"postcode"`
			Country     string    `json:"country"`
			CountryCode string    `json:"countrycode"`
		} `json:"properties"`
	} `json:"features"`
}

func searchPhoton(ctx context.Context, r *remote, q Query) (Result, error) {
	parameters := url.Values{"q": {q.Line()}, "limit": {"1"}}
	switch language := r.languageFor(q); language {
	case "de", "en", "fr":
		// Photon refuses languages that its index does not have; these three are always there.
		parameters.Set("lang", language)
	}
	var answer photonAnswer
	if err := r.get(ctx, "api", parameters, &answer); err != nil {
		return Result{}, err
	}
	if len(answer.Features) == 0 {
		return Result{}, r.notFoundError(q)
	}
	f := answer.Features[0]
	if len(f.Geometry.Coordinates) < 2 {
		return Result{}, r.unavailable(r.base.Host+" answered without a location", nil)
	}
	properties := f.Properties
	result := Result{
		Location: Location{Lon: f.Geometry.Coordinates[0], Lat: f.Geometry.Coordinates[1]},
		Address: Address{
			Number: properties.HouseNumber, Street: properties.Street, City: properties.City, State: properties.State,
			PostalCode: properties.Postcode, Country: properties.Country, CountryCode: properties.CountryCode,
		},
	}
	if e := properties.Extent; len(e) == 4 {
		result.setExtent(Location{Lon: e[0], Lat: e[1]}, Location{Lon: e[2], Lat: e[3]})
	}
	// If the feature itself is a street or a city, its name is that of the feature.
	switch properties.Type {
	case "street":
		result.Address.Street = cmp.Or(result.Address.Street, properties.Name)
	case "city":
		result.Address.City = cmp.Or(result.Address.City, properties.Name)
	}
	if properties.OSMID != 0 {
		result.PlaceID = properties.OSMType + strconv.FormatInt(properties.OSMID, 10)
	}
	return result, nil
}
