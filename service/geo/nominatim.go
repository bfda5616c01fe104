package geo

import (
	"cmp"
	"context"
	"math"
	"net/url"
	"strconv"
	"strings"
)

// NewNominatim makes a client of a Nominatim server. The public instance allows one request per second and requires a User-Agent.
func NewNominatim(o RemoteOptions) (*RemoteGeocoder, error) {
	return newRemoteGeocoder("nominatim", "https://nominatim.openstreetmap.org", 1, o, searchNominatim)
}

type nominatimPlace struct {
	PlaceID int64  `json:"place_id"`
	Lat     string `json:"lat"`
	Lon     string `json:"lon"`
	// BoundingBox is south, north, west and east.
	BoundingBox []string `json:"boundingbox"`
	Address     struct {
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

func searchNominatim(ctx context.Context, r *remote, q Query) (Result, error) {
	parameters := url.Values{"format": {"jsonv2"}, "addressdetails": {"1"}, "limit": {"1"}}
	if language := r.languageFor(q); language != "" {
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
	if err := r.get(ctx, "search", parameters, &places); err != nil {
		return Result{}, err
	}
	if len(places) == 0 {
		return Result{}, r.notFoundError(q)
	}
	p := places[0]
	lon, errLon := strconv.ParseFloat(p.Lon, 64)
	lat, errLat := strconv.ParseFloat(p.Lat, 64)
	if errLon != nil || errLat != nil {
		return Result{}, r.unavailable(r.base.Host+" answered with an invalid location", nil)
	}
	a := p.Address
	result := Result{
		Location: Location{Lon: lon, Lat: lat},
		Address: Address{
			Number: a.HouseNumber, Street: cmp.Or(a.Road, a.Pedestrian),
			City:  cmp.Or(a.City, a.Town, a.Village, a.Municipality, a.Hamlet),
			State: cmp.Or(a.State, a.Province), PostalCode: a.Postcode, Country: a.Country, CountryCode: a.CountryCode,
		},
	}
	if len(p.BoundingBox) == 4 {
		result.setExtent(parseLocation(p.BoundingBox[2], p.BoundingBox[0]), parseLocation(p.BoundingBox[3], p.BoundingBox[1]))
	}
	if p.PlaceID != 0 {
		result.PlaceID = strconv.FormatInt(p.PlaceID, 10)
	}
	return result, nil
}

// parseLocation parses coordinates; if they are not numbers, the location is not valid.
func parseLocation(lon, lat string) Location {
	x, errLon := strconv.ParseFloat(lon, 64)
	y, errLat := strconv.ParseFloat(lat, 64)
	if errLon != nil || errLat != nil {
		return Location{Lon: math.NaN(), Lat: math.NaN()}
	}
	return Location{Lon: x, Lat: y}
}
