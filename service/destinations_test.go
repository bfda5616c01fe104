package service_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
)

func TestDestinationKeepsItsCoordinates(t *testing.T) {
	s := servicetest.Start(t)
	var created, read model.Destination
	s.Do("POST", "/destinations", `{"address":{"number":"543","street":"Howard St","apartment":"5th Floor","city":"San Francisco",
		"state":"CA","country":"USA"},"location":[-122.3965731,37.7875728],"notes":"Ring twice"}`).OK(&created)
	require.True(t, created.ID.Valid())
	require.Equal(t, model.Location{Lon: -122.3965731, Lat: 37.7875728}, created.Location)
	require.Equal(t, "5th Floor", created.Address.Apartment)
	s.Do("GET", "/destinations/"+string(created.ID), nil).OK(&read)
	require.Equal(t, created, read)
}

func TestDestinationWithoutCoordinatesIsGeocoded(t *testing.T) {
	s := servicetest.Start(t)
	var created model.Destination
	s.Do("POST", "/destinations", `{"address":{"unparsed":"2829 Vallejo St, San Francisco, CA, USA"}}`).OK(&created)
	require.InDelta(t, 37.79, created.Location.Lat, 0.2)
	require.NotEmpty(t, created.Address.Street)
	s.Do("POST", "/destinations", `{"address":{"number":"1","street":"X","city":"Nowhereville-on-Void","country":"USA"}}`).
		Refused(http.StatusBadRequest, model.ErrorGeocoding)
}

func TestForeignAndUnknownDestinations(t *testing.T) {
	s := servicetest.Start(t)
	_, other := s.AddOrganization("Other", "")
	var created model.Destination
	s.Do("POST", "/destinations", `{"address":{"city":"San Francisco","country":"USA"},"location":[-122.4,37.78]}`).OK(&created)
	s.DoAs(other, "GET", "/destinations/"+string(created.ID), nil).Refused(http.StatusUnauthorized, model.ErrorScope)
	s.Do("GET", "/destinations/"+string(model.NewID()), nil).Refused(http.StatusNotFound, model.ErrorNotFound)
	s.DoAs("nonsense", "GET", "/auth/test", nil).Refused(http.StatusUnauthorized, model.ErrorKey)
	s.Do("PATCH", "/destinations/"+string(created.ID), nil).Refused(http.StatusMethodNotAllowed, model.ErrorMethodNotAllowed)
	s.Do("GET", "/nothing", nil).Refused(http.StatusNotFound, model.ErrorNotFound)
	s.Do("POST", "/destinations", `{"address":`).Refused(http.StatusBadRequest, model.ErrorWrongType)
}
