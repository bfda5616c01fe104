package apiclient

import (
	"context"

	"waybill/model"
)

// TestAuth checks the API key; the greeting names the organization.
func (c *Client) TestAuth(ctx context.Context) (model.Greeting, error) {
	return fetch[model.Greeting](ctx, c, get("auth", "test"))
}

// Organization returns the organization of the API key.
func (c *Client) Organization(ctx context.Context) (model.Organization, error) {
	return fetch[model.Organization](ctx, c, get("organization"))
}

// ConnectedOrganization returns an organization that is connected to that of the API key.
func (c *Client) ConnectedOrganization(ctx context.Context, id model.ID) (model.Organization, error) {
	return fetch[model.Organization](ctx, c, get("organizations", string(id)))
}
