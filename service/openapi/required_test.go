package openapi_test

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"waybill/service/openapi"
)

func TestIsRequired(t *testing.T) {
	for _, row := range []struct {
		method, path string
		at           jsontext.Pointer
		required     bool
	}{
		{"POST", "/workers", "/teams", true},
		{"POST", "/workers", "/teams/0", true},
		{"POST", "/workers", "/vehicle", false},
		{"POST", "/workers", "/vehicle/type", true},
		{"POST", "/workers", "/capacity", false},
		{"PUT", "/workers/{id}", "/teams", false},
		{"POST", "/tasks", "/destination", true},
		{"POST", "/tasks", "/destination/address", true},
		{"POST", "/tasks", "/destination/address/number", true},
		{"POST", "/tasks", "/destination/address/unparsed", false},
		{"POST", "/tasks", "/destination/notes", false},
		{"POST", "/tasks", "/recipients", true},
		{"POST", "/tasks", "/recipients/0/phone", true},
		{"POST", "/tasks", "/quantity", false},
		{"PUT", "/tasks/{id}", "/destination", false},
		{"POST", "/tasks/batch-async", "/tasks", true},
		{"POST", "/tasks/batch-async", "/tasks/3/recipients", true},
		{"POST", "/tasks/batch-async", "/tasks/3/notes", false},
		{"POST", "/destinations", "/address/country", true},
		{"POST", "/destinations", "/location", false},
		{"POST", "/deliveryServices/quote", "/weight/value", true},
		{"POST", "/deliveryServices/quote", "/dueBy", false},
		{"POST", "/cfGroups/task", "/fields/0", true},
		{"POST", "/webhooks", "/trigger", true},
		{"POST", "/webhooks", "/threshold", false},
		{"POST", "/nowhere", "/trigger", false},
		{"POST", "/tasks", "", false},
	} {
		require.Equal(t, row.required, openapi.IsRequired(row.method, row.path, row.at), "%s %s %s", row.method, row.path, row.at)
	}
}
