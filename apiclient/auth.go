package apiclient

import (
	"context"

	"waybill/model"
)

// TestAuth asks whether the key is valid; the greeting names the organization.
func (c *Client) TestAuth(ctx context.Context) (model.Greeting, error) {
	return fetch[model.Greeting](ctx, c, get("auth", "test"))
}

// Organization is the organization that owns the key.
func (c *Client) Organization(ctx context.Context) (model.Organization, error) {
	return fetch[model.Organization](ctx, c, get("organization"))
}

// ConnectedOrganization is an organization that the key's own works with.
func (c *Client) ConnectedOrganization(ctx context.Context, id model.ID) (model.Organization, error) {
	return fetch[model.Organization](ctx, c, get("organizations", string(id)))
}
