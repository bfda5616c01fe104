package service_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/service/servicetest"
)

// A body that cannot be read is refused with where and what, never with names of Go types.
func TestMalformedBodiesSayWhere(t *testing.T) {
	s := servicetest.Start(t)
	for body, cause := range map[string]string{
		`{"destination":7,"recipients":[]}`:               "destination: expected an id or an object, found number.",
		`{"destination":{"address":"x"},"recipients":[]}`: "destination.address: It must be an object, not a text.",
		`{"notes":7}`:                             "notes: It must be a text, not a number.",
		`{"pickupTask":"yes"}`:                    "pickupTask: It must be true or false, not a text.",
		`{"quantity":"2"}`:                        "quantity: It must be a number, not a text.",
		`{"dependencies":{}}`:                     "dependencies: It must be a list, not an object.",
		`{"completeAfter":1.5}`:                   "completeAfter: 1.5 is not a whole number.",
		`{"metadata":[{"name":"a"},{"name":[]}]}`: "metadata[1].name: It must be a text, not a list.",
		`[]`:                        "It must be an object, not a list.",
		`{"notes":"x",}`:            "It is not JSON at byte 12: invalid character",
		`{"notes":"a","notes":"b"}`: "notes: ",
	} {
		refused := s.Do("POST", "/tasks", body).Refused(400, 1005)
		text := refused.Message.Cause.Value().Text
		require.True(t, strings.HasPrefix(text, cause), "%s: %s", body, text)
		for _, leak := range []string{"model.", "json:", "jsontext", "Go "} {
			require.NotContains(t, text, leak, body)
		}
	}
}
