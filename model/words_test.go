package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"waybill/model"
)

func TestCapitalize(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "Élan vital", model.Capitalize("élan vital"))
	assert.Equal(t, "éLAN", model.Uncapitalize("ÉLAN"))
	assert.Empty(t, model.Capitalize(""))
}

func TestFormatCount(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "1 task", model.FormatCount(1, "task"))
	assert.Equal(t, "0 tasks", model.FormatCount(0, "task"))
	assert.Equal(t, "2 batches", model.FormatCount(2, "batch"))
	assert.Equal(t, "2 deliveries", model.FormatCount(2, "delivery"))
}

func TestFormatDistance(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "338 m", model.FormatDistance(338.2))
	assert.Equal(t, "1.5 km", model.FormatDistance(1500))
	assert.Equal(t, "12 km", model.FormatDistance(12_400))
}

func TestAddressLine(t *testing.T) {
	t.Parallel()
	address := model.Address{
		Name: model.Some("Depot"), Number: "543", Street: "Howard St", Apartment: "4B", City: "San Francisco",
		State: "CA", PostalCode: "94105", Country: "USA",
	}
	assert.Equal(t, "Depot, 543 Howard St, 4B, San Francisco, CA 94105, USA", address.Line())
	assert.Equal(t, "near the bridge", model.Address{Unparsed: model.Some("near the bridge")}.Line())
}
