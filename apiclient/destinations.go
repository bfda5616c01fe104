package apiclient

import (
	"context"

	"waybill/model"
)

// CreateDestination creates a destination. Without a location the service geocodes the address.
func (c *Client) CreateDestination(ctx context.Context, d model.DestinationInput) (model.Destination, error) {
	return fetch[model.Destination](ctx, c, post(d, "destinations"))
}

// Destination returns a destination.
func (c *Client) Destination(ctx context.Context, id model.ID) (model.Destination, error) {
	return fetch[model.Destination](ctx, c, get("destinations", string(id)))
}

// FindDestinations lists the destinations whose metadata matches all entries.
func (c *Client) FindDestinations(ctx context.Context, match []model.Metadata) ([]model.Destination, error) {
	return fetch[[]model.Destination](ctx, c, metadataQuery("destinations", match))
}
