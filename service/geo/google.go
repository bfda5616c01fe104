package geo

import (
	"context"
	"errors"
	"net/url"
	"slices"
)

// Google finds addresses through the Google Geocoding API.
type Google struct {
	remote *remote
	key    string
}

// NewGoogle makes a client with an API key.
func NewGoogle(key string, o RemoteOptions) (*Google, error) {
	if key == "" {
		return nil, errors.New("google: an API key is needed to ask the Geocoding API")
	}
	r, err := newRemote("google", "https://maps.googleapis.com", 25, o)
	if err != nil {
		return nil, err
	}
	return &Google{r, key}, nil
}

var _ Geocoder = (*Google)(nil)

type googleAnswer struct {
	Status       string `json:"status"`
	ErrorMessage string `json:"error_message"`
	Results      []struct {
		PlaceID      string            `json:"place_id"`
		PartialMatch bool              `json:"partial_match"`
		Components   []googleComponent `json:"address_components"`
		Geometry     struct {
			LocationType string `json:"location_type"`
			Location     struct {
				Lat float64 `json:"lat"`
				Lng float64 `json:"lng"`
			} `json:"location"`
		} `json:"geometry"`
	} `json:"results"`
}

type googleComponent struct {
	LongName  string   `json:"long_name"`
	ShortName string   `json:"short_name"`
	Types     []string `json:"types"`
}

// Geocode asks the API.
func (g *Google) Geocode(ctx context.Context, q Query) (Result, error) {
	parameters := url.Values{"address": {q.Line()}, "key": {g.key}}
	if language := g.remote.languageFor(q); language != "" {
		parameters.Set("language", language)
	}
	var answer googleAnswer
	if err := g.remote.get(ctx, "maps/api/geocode/json", parameters, &answer); err != nil {
		return Result{}, err
	}
	if err := g.statusError(answer.Status, answer.ErrorMessage, q); err != nil {
		return Result{}, err
	}
	if len(answer.Results) == 0 {
		return Result{}, g.remote.notFoundError(q)
	}
	found := answer.Results[0]
	part := func(kind string) googleComponent {
		for _, c := range found.Components {
			if slices.Contains(c.Types, kind) {
				return c
			}
		}
		return googleComponent{}
	}
	result := Result{
		Location: Location{Lon: found.Geometry.Location.Lng, Lat: found.Geometry.Location.Lat},
		PlaceID:  found.PlaceID,
		Address: Address{
			Number: part("street_number").LongName, Street: part("route").LongName, Apartment: part("subpremise").LongName,
			City: firstOf(part("locality").LongName, part("postal_town").LongName, part("sublocality").LongName,
				part("administrative_area_level_3").LongName),
			State:      part("administrative_area_level_1").LongName,
			PostalCode: part("postal_code").LongName,
			Country:    part("country").LongName, CountryCode: part("country").ShortName,
		},
	}
	if q.Apartment != "" {
		result.Address.Apartment = q.Apartment
	}
	if found.PartialMatch {
		result.Warnings = append(result.Warnings, "Only part of the address was understood; check that it is the right place.")
	}
	if err := g.remote.completeResult(&result, q); err != nil {
		return Result{}, err
	}
	if kind := found.Geometry.LocationType; !result.Approximate && kind != "ROOFTOP" {
		result.Approximate = true
		if kind != "RANGE_INTERPOLATED" {
			result.Warnings = append(result.Warnings, "The location is approximate: it is the middle of a street or an area.")
		}
	}
	return result, nil
}

func (g *Google) statusError(status, message string, q Query) error {
	why := ""
	if message != "" {
		why = ": " + message
	}
	switch status {
	case "OK":
		return nil
	case "ZERO_RESULTS":
		return g.remote.notFoundError(q)
	case "INVALID_REQUEST":
		return badAddress(g.remote.source, "the address could not be read"+why)
	case "OVER_QUERY_LIMIT", "OVER_DAILY_LIMIT":
		return g.remote.unavailable("the key's quota is used up or billing is off"+why, nil)
	case "REQUEST_DENIED":
		return g.remote.unavailable("the key is refused; check that it is right and may use the Geocoding API"+why, nil)
	default:
		return g.remote.unavailable("the service failed with status "+status+why+"; try again later", nil)
	}
}
