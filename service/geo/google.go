package geo

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
)

// NewGoogle makes a client of the Google Geocoding API with an API key.
func NewGoogle(key string, o RemoteOptions) (*RemoteGeocoder, error) {
	if key == "" {
		return nil, errors.New("google: the Geocoding API needs an API key")
	}
	return newRemoteGeocoder("google", "https://maps.googleapis.com", 25, o,
		func(ctx context.Context, r *remote, q Query) (Result, error) { return searchGoogle(ctx, r, key, q) })
}

type googleAnswer struct {
	Status       string `json:"status"`
	ErrorMessage string `json:"error_message"`
	Results      []struct {
		PlaceID      string            `json:"place_id"`
		PartialMatch bool              `json:"partial_match"`
		Components   []googleComponent `json:"address_components"`
		Geometry     struct {
			LocationType string      `json:"location_type"`
			Location     googlePoint `json:"location"`
			Viewport     struct {
				Northeast googlePoint `json:"northeast"`
				Southwest googlePoint `json:"southwest"`
			} `json:"viewport"`
		} `json:"geometry"`
	} `json:"results"`
}

type googlePoint struct {
	Lat float64 `json:"lat"`
	Lng float64 `json:"lng"`
}

type googleComponent struct {
	LongName  string   `json:"long_name"`
	ShortName string   `json:"short_name"`
	Types     []string `json:"types"`
}

func searchGoogle(ctx context.Context, r *remote, key string, q Query) (Result, error) {
	parameters := url.Values{"address": {q.Line()}, "key": {key}}
	if language := r.languageFor(q); language != "" {
		parameters.Set("language", language)
	}
	var answer googleAnswer
	if err := r.get(ctx, "maps/api/geocode/json", parameters, &answer); err != nil {
		return Result{}, err
	}
	if err := googleError(r, answer.Status, answer.ErrorMessage, q); err != nil {
		return Result{}, err
	}
	if len(answer.Results) == 0 {
		return Result{}, r.notFoundError(q)
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
			City: cmp.Or(part("locality").LongName, part("postal_town").LongName, part("sublocality").LongName,
				part("administrative_area_level_3").LongName),
			State:      part("administrative_area_level_1").LongName,
			PostalCode: part("postal_code").LongName,
			Country:    part("country").LongName, CountryCode: part("country").ShortName,
		},
	}
	view := found.Geometry.Viewport
	result.setExtent(Location{Lon: view.Southwest.Lng, Lat: view.Southwest.Lat}, Location{Lon: view.Northeast.Lng, Lat: view.Northeast.Lat})
	result.Address.Apartment = cmp.Or(q.Apartment, result.Address.Apartment)
	if found.PartialMatch {
		result.Warnings = append(result.Warnings, "Only part of the address was understood. Check that the place is right.")
	}
	if result.Address.Number == "" {
		return result, nil // completeResult marks it as approximate
	}
	switch found.Geometry.LocationType {
	case "ROOFTOP":
	case "RANGE_INTERPOLATED":
		result.Approximate = true
	default:
		result.Accuracy = AccuracyStreet
		result.warnApproximate("it is the middle of a street or an area")
	}
	return result, nil
}

func googleError(r *remote, status, message string, q Query) error {
	why := ""
	if message != "" {
		why = ": " + message
	}
	switch status {
	case "OK":
		return nil
	case "ZERO_RESULTS":
		return r.notFoundError(q)
	case "INVALID_REQUEST":
		return badAddress(r.source, "cannot read the address"+why)
	case "OVER_QUERY_LIMIT", "OVER_DAILY_LIMIT":
		return r.unavailable("the key's quota is used up or billing is off"+why, nil)
	case "REQUEST_DENIED":
		return r.unavailable("the key was refused; check the key and that it may use the Geocoding API"+why, nil)
	default:
		return r.unavailable("the service failed with status "+status+why+"; try again later", nil)
	}
}
