package apiclient

import (
	"context"

	"waybill/model"
)

// CreateDestination stores a place. Without a location the service looks the address up.
func (c *Client) CreateDestination(ctx context.Context, d model.DestinationInput) (model.Destination, error) {
	return fetch[model.Destination](ctx, c, post(d, "destinations"))
}

// Destination is one place.
func (c *Client) Destination(ctx context.Context, id model.ID) (model.Destination, error) {
	return fetch[model.Destination](ctx, c, get("destinations", string(id)))
}

// FindDestinations lists the places whose metadata matches all entries.
func (c *Client) FindDestinations(ctx context.Context, match []model.Metadata) ([]model.Destination, error) {
	return fetch[[]model.Destination](ctx, c, metadataQuery("destinations", match))
}
