package geo

import (
	"context"
	"net/url"
	"strconv"
	"strings"
)

// Nominatim finds addresses through a Nominatim server.
type Nominatim struct{ remote *remote }

// NewNominatim makes a client. The public instance allows one request a second and asks for a User-Agent that names
// the program.
func NewNominatim(o RemoteOptions) (*Nominatim, error) {
	r, err := newRemote("nominatim", "https://nominatim.openstreetmap.org", 1, o)
	if err != nil {
		return nil, err
	}
	return &Nominatim{r}, nil
}

var _ Geocoder = (*Nominatim)(nil)

type nominatimPlace struct {
	PlaceID int64  `json:"place_id"`
	Lat     string `json:"lat"`
	Lon     string `json:"lon"`
	Address struct {
		HouseNumber  string `json:"house_number"`
		Road         string `json:"road"`
		Pedestrian   string `json:"pedestrian"`
		City         string `json:"city"`
		Town         string `json:"town"`
		Village      string `json:"village"`
		Municipality string `json:"municipality"`
		Hamlet       string `json:"hamlet"`
		State        string `json:"state"`
		Province     string `json:"province"`
		Postcode     string `json:"postcode"`
		Country      string `json:"country"`
		CountryCode  string `json:"country_code"`
	} `json:"address"`
}

// Geocode asks the server's search.
func (n *Nominatim) Geocode(ctx context.Context, q Query) (Result, error) {
	parameters := url.Values{"format": {"jsonv2"}, "addressdetails": {"1"}, "limit": {"1"}}
	if language := n.remote.languageFor(q); language != "" {
		parameters.Set("accept-language", language)
	}
	if q.Unparsed != "" {
		parameters.Set("q", q.Line())
	} else {
		for name, value := range map[string]string{
			"street": strings.TrimSpace(q.Number + " " + q.Street), "city": q.City, "state": q.State,
			"postalcode": q.PostalCode, "country": q.Country,
		} {
			if value != "" {
				parameters.Set(name, value)
			}
		}
	}
	var places []nominatimPlace
	if err := n.remote.get(ctx, "search", parameters, &places); err != nil {
		return Result{}, err
	}
	if len(places) == 0 {
		return Result{}, n.remote.notFoundError(q)
	}
	p := places[0]
	lon, errLon := strconv.ParseFloat(p.Lon, 64)
	lat, errLat := strconv.ParseFloat(p.Lat, 64)
	if errLon != nil || errLat != nil {
		return Result{}, n.remote.unavailable(n.remote.base.Host+" answered with a location that is none", nil)
	}
	a := p.Address
	result := Result{
		Location: Location{Lon: lon, Lat: lat},
		Address: Address{
			Number: a.HouseNumber, Street: firstOf(a.Road, a.Pedestrian),
			City:  firstOf(a.City, a.Town, a.Village, a.Municipality, a.Hamlet),
			State: firstOf(a.State, a.Province), PostalCode: a.Postcode, Country: a.Country, CountryCode: a.CountryCode,
		},
	}
	if p.PlaceID != 0 {
		result.PlaceID = strconv.FormatInt(p.PlaceID, 10)
	}
	if err := n.remote.completeResult(&result, q); err != nil {
		return Result{}, err
	}
	return result, nil
}
