package world_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
)

// Houses of the embedded city, without its name: found as soon as a hub says where the organization works.
func TestAddressWithoutCityIsInTheCityOfTheHub(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	const address = `{"address":{"unparsed":"2210 Fillmore St"}}`
	s.Do("POST", "/destinations", address).Refused(400, model.ErrorGeocoding)
	s.Do("POST", "/hubs", `{"name":"Depot","address":{"number":"100","street":"Mission St","city":"San Francisco","state":"CA","country":"US"}}`).OK(nil)

	var found model.Destination
	s.Do("POST", "/destinations", address).OK(&found)
	fillmore := model.Location{Lon: -122.4340, Lat: 37.7899}
	require.Less(t, found.Location.MetersTo(fillmore), 100.0)
	require.Equal(t, "San Francisco", found.Address.City)
	require.Equal(t, "94115", found.Address.PostalCode)
	require.Equal(t, []string{"No city was given. San Francisco was assumed."}, found.Warnings.Value())

	s.Do("POST", "/destinations", `{"address":{"unparsed":"2210 Fillmore"}}`).OK(&found)
	require.Equal(t, "Fillmore St", found.Address.Street)
	for _, text := range []string{"zzqqxx 99999", "somewhere", "Main St"} {
		s.Do("POST", "/destinations", `{"address":{"unparsed":"`+text+`"}}`).Refused(400, model.ErrorGeocoding)
	}

	// Another city is not overruled, and a city without a country is in the country of the organization.
	s.Do("POST", "/destinations", `{"address":{"unparsed":"12 Main St, Paris"}}`).OK(&found)
	require.Equal(t, "United States", found.Address.Country)
	s.Do("POST", "/destinations", `{"address":{"unparsed":"12 Rue de Rivoli, Paris, France"}}`).OK(&found)
	require.Equal(t, "France", found.Address.Country)
}
