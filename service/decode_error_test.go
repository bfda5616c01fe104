package service_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
)

// TestDecodeErrorsNameTheField checks that errors name the field and never Go types.
func TestDecodeErrorsNameTheField(t *testing.T) {
	s := servicetest.Start(t)
	for body, cause := range map[string]string{
		`{"notes":7}`:                               "notes: Must be a text, not a number.",
		`{"pickupTask":"yes"}`:                      "pickupTask: Must be true or false, not a text.",
		`{"quantity":"2"}`:                          "quantity: Must be a number, not a text.",
		`{"quantity":1e999}`:                        "quantity: The number is too large.",
		`{"dependencies":{}}`:                       "dependencies: Must be a list, not an object.",
		`{"completeAfter":1.5}`:                     "completeAfter: Must be a whole number, not 1.5.",
		`{"completeAfter":"soon"}`:                  "completeAfter: Must be a whole number, not a text.",
		`{"metadata":[{"name":"a"},{"subtype":1}]}`: "metadata[1].subtype: Must be a text, not a number.",
		`{"destination":{"location":5}}`:            "destination.location: Must be two numbers: [longitude, latitude].",
		`[]`:                                        "Must be an object, not a list.",
		`{"notes":"x",}`:                            "Invalid JSON at byte 12: invalid character",
		`{"notes":"a","notes":"b"}`:                 "notes: ",
		`{"x":` + strings.Repeat("[", 40):           "x[0][0][0][0][0][0][0][0][0][0][0]…: Invalid JSON",
		`{"x":` + strings.Repeat("[", 20_000):       "Invalid JSON: more than 64 lists and objects are inside each other.",
	} {
		requireDecodeError(t, body, cause, s.Do("POST", "/tasks", body).Refused(400, 1005))
	}
	for body, cause := range map[string]string{
		`{"destination":7,"recipients":[]}`:                        "destination: Must be an id or an object, not a number.",
		`{"destination":{"address":"x"},"recipients":[]}`:          "destination.address: Must be an object, not a text.",
		`{"destination":{"address":{"number":5}},"recipients":[]}`: "destination.address.number: Must be a text, not a number.",
		`{"recipients":"Ada"}`:                                     "recipients: Must be a list, not a text.",
		`{"recipients":[{"name":"Ada","phone":5}]}`:                "recipients[0].phone: Must be a text, not a number.",
		`{"recipients":[5]}`:                                       "recipients[0]: Must be an id or an object, not a number.",
	} {
		refused := s.Do("POST", "/tasks", body).Refused(400, 1900)
		require.Equal(t, model.CodeInvalidArgument, refused.Code)
		requireDecodeError(t, body, cause, refused)
	}
	s.Do("PUT", "/tasks/"+string(createTask(t, s, "").ID), `{"destination":7}`).Refused(400, 1005)
}

func requireDecodeError(t *testing.T, body, cause string, refused model.ErrorBody) {
	t.Helper()
	text := refused.Message.Cause.Value().Text
	require.True(t, strings.HasPrefix(text, cause), "%.200s: %s", body, text)
	require.Equal(t, strings.Contains(text, "Invalid JSON") || strings.Contains(text, "duplicate"), strings.Contains(refused.Message.Message, "JSON"), text)
	for _, leak := range []string{"model.", "json:", "jsontext", "Go "} {
		require.NotContains(t, text, leak, body)
	}
}

// TestUnparsedAddressIgnoresOtherParts checks that the other parts of an unparsed address may be anything.
func TestUnparsedAddressIgnoresOtherParts(t *testing.T) {
	s := servicetest.Start(t)
	s.Client = http.DefaultClient // the document, which says what the parts should be, would refuse it
	var made model.Destination
	s.Do("POST", "/destinations", `{"address":{"unparsed":"1 Market St, San Francisco, CA, USA","number":5,"city":[],"country":{},"apartment":"3a"}}`).OK(&made)
	require.Equal(t, "3a", made.Address.Apartment)
	s.Do("POST", "/destinations", `{"address":{"unparsed":"1 Market St, San Francisco, CA, USA","apartment":3}}`).Refused(400, 1005)
	s.Do("POST", "/destinations", `{"address":{"unparsed":" ","number":5}}`).Refused(400, 1900)
}
