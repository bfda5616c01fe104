package service_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
)

// TestChangedCustomFieldsApplyToTheNextTask checks that the cache of custom fields is invalidated.
func TestChangedCustomFieldsApplyToTheNextTask(t *testing.T) {
	s := servicetest.Start(t)
	const (
		plain = `"recipients":[],"destination":{"location":[-122.39,37.78],"address":{"number":"543","street":"Howard St","city":"San Francisco","country":"USA"}}`
		task  = `{` + plain + `,"customFields":[{"key":"gate","value":"7"}]}`
	)
	const field = `{"model":"Task","fields":[{"key":"gate","name":"Gate","type":"single_line_text_field"}]}`
	values := func() int {
		var created model.Task
		s.Do("POST", "/tasks", task).OK(&created)
		return len(created.CustomFields.Value())
	}
	require.Zero(t, values(), "a key that no field has is dropped")
	s.Do("POST", "/customFields", field).OK(nil)
	require.Equal(t, 1, values())
	s.Do("PUT", "/customFields", `{"model":"Task","fields":[{"key":"gate","contexts":[{"name":"save","isRequired":true,"conditions":[]}]}]}`).OK(nil)
	s.Do("POST", "/tasks", "{"+plain+"}").
		Refused(http.StatusBadRequest, model.ErrorMissing)
	s.Do("DELETE", "/customFields", field).OK(nil)
	require.Zero(t, values())
}
