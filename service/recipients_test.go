package service_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
)

func TestAnOrderKeepsTheOtherFieldsOfARecipient(t *testing.T) {
	s := servicetest.Start(t)
	s.Do("POST", "/recipients", `{"name":"Known","phone":"+14155550177","notes":"Side door"}`).OK(nil)
	var order model.Order
	s.Do("POST", "/taskOrders", orderBody("")).OK(&order)
	change := `{"pickupTask":{"recipient":{"phone":"+14155550177"}},"dropoffTask":{}}`
	s.Do("PUT", "/taskOrders/"+string(order.ID), change).OK(&order)
	require.Equal(t, "Known", order.PickupTask.Recipients[0].Object.Name)
	var known model.Recipient
	s.Do("GET", "/recipients/name/known", nil).OK(&known)
	require.Equal(t, "Side door", known.Notes)
}

func TestRecipientNamesAreTrimmed(t *testing.T) {
	s := servicetest.Start(t)
	var sent, embedded model.Recipient
	s.Do("POST", "/recipients", `{"name":"  Ana  Lima ","phone":"+14155550101"}`).OK(&sent)
	require.Equal(t, "Ana  Lima", sent.Name)
	s.Do("PUT", "/recipients/"+string(sent.ID), `{"name":" Ana Lima\t"}`).OK(&sent)
	require.Equal(t, "Ana Lima", sent.Name)
	s.Do("POST", "/tasks", `{"destination":{"location":[-122.39,37.78],"address":{"number":"543","street":"Howard St","city":"San Francisco",
		"country":"USA"}},"recipients":[{"name":" Bo Öz ","phone":"+14155550102"}]}`).OK(nil)
	s.Do("GET", "/recipients/name/%20BO%20%C3%96Z", nil).OK(&embedded)
	require.Equal(t, "Bo Öz", embedded.Name)
}

// Metadata may be any JSON, also one that looks like a destination.
func TestMetadataThatLooksLikeADestinationStaysMetadata(t *testing.T) {
	s := servicetest.Start(t)
	for _, value := range []string{`{"useGPS":true}`, `{"a":{"useGPS":false}}`, `["\"useGPS\":true}"]`} {
		kind := "object"
		if value[0] == '[' {
			kind = "array"
		}
		var place model.Destination
		s.Do("POST", "/destinations", `{"address":{"city":"San Francisco","country":"USA"},"location":[-122.4,37.78],"notes":"\"useGPS\":true}",
			"metadata":[{"name":"x","type":"`+kind+`","value":`+value+`}]}`).OK(&place)
		require.False(t, place.UseGPS.Present())
		var task model.Task
		s.Do("POST", "/tasks", `{"destination":"`+string(place.ID)+`","recipients":[]}`).OK(&task)
		require.Equal(t, model.Some(false), task.Destination.Object.UseGPS, value)
		require.JSONEq(t, value, string(task.Destination.Object.Metadata[0].Value))
	}
}
