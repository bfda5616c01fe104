package geo

import (
	"context"
	"net/url"
	"strconv"
)

// Photon finds addresses through a Photon server.
type Photon struct{ remote *remote }

// NewPhoton makes a client. The public instance names no figure but throttles heavy use; two requests a second are
// well within it.
func NewPhoton(o RemoteOptions) (*Photon, error) {
	r, err := newRemote("photon", "https://photon.komoot.io", 2, o)
	if err != nil {
		return nil, err
	}
	return &Photon{r}, nil
}

var _ Geocoder = (*Photon)(nil)

type photonAnswer struct {
	Features []struct {
		Geometry struct {
			Coordinates []float64 `json:"coordinates"`
		} `json:"geometry"`
		Properties struct {
			OSMType     string `json:"osm_type"`
			OSMID       int64  `json:"osm_id"`
			Type        string `json:"type"`
			Name        string `json:"name"`
			HouseNumber string `json:"housenumber"`
			Street      string `json:"street"`
			City        string `json:"city"`
			State       string `json:"state"`
			Postcode    string `json:"postcode"`
			Country     string `json:"country"`
			CountryCode string `json:"countrycode"`
		} `json:"properties"`
	} `json:"features"`
}

// Geocode asks the server's search.
func (p *Photon) Geocode(ctx context.Context, q Query) (Result, error) {
	parameters := url.Values{"q": {q.Line()}, "limit": {"1"}}
	switch language := p.remote.languageFor(q); language {
	case "de", "en", "fr":
		// Photon refuses a request in a language its index was not built for; these three always are.
		parameters.Set("lang", language)
	}
	var answer photonAnswer
	if err := p.remote.get(ctx, "api", parameters, &answer); err != nil {
		return Result{}, err
	}
	if len(answer.Features) == 0 {
		return Result{}, p.remote.notFoundError(q)
	}
	f := answer.Features[0]
	if len(f.Geometry.Coordinates) < 2 {
		return Result{}, p.remote.unavailable(p.remote.base.Host+" answered without a location", nil)
	}
	properties := f.Properties
	result := Result{
		Location: Location{Lon: f.Geometry.Coordinates[0], Lat: f.Geometry.Coordinates[1]},
		Address: Address{
			Number: properties.HouseNumber, Street: properties.Street, City: properties.City, State: properties.State,
			PostalCode: properties.Postcode, Country: properties.Country, CountryCode: properties.CountryCode,
		},
	}
	// A street or a city is itself the feature and has its name as the feature's.
	switch properties.Type {
	case "street":
		result.Address.Street = firstOf(result.Address.Street, properties.Name)
	case "city":
		result.Address.City = firstOf(result.Address.City, properties.Name)
	}
	if properties.OSMID != 0 {
		result.PlaceID = properties.OSMType + strconv.FormatInt(properties.OSMID, 10)
	}
	if err := p.remote.completeResult(&result, q); err != nil {
		return Result{}, err
	}
	return result, nil
}
