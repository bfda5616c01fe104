package apiclient

import (
	"context"

	"waybill/model"
)

// Admins lists the administrators.
func (c *Client) Admins(ctx context.Context) ([]model.Admin, error) {
	return fetch[[]model.Admin](ctx, c, get("admins"))
}

// CreateAdmin invites an administrator.
func (c *Client) CreateAdmin(ctx context.Context, admin model.AdminInput) (model.Admin, error) {
	return fetch[model.Admin](ctx, c, post(admin, "admins"))
}

// UpdateAdmin changes an administrator.
func (c *Client) UpdateAdmin(ctx context.Context, id model.ID, changes model.AdminInput) (model.Admin, error) {
	return fetch[model.Admin](ctx, c, put(changes, "admins", string(id)))
}

// DeleteAdmin removes an administrator.
func (c *Client) DeleteAdmin(ctx context.Context, id model.ID) error {
	return c.do(ctx, remove("admins", string(id)), nil)
}

// FindAdmins lists the administrators whose metadata matches all entries.
func (c *Client) FindAdmins(ctx context.Context, match []model.Metadata) ([]model.Admin, error) {
	return fetch[[]model.Admin](ctx, c, metadataQuery("admins", match))
}

// metadataQuery is the search that most resources have. It is a POST that changes nothing.
func metadataQuery(resource string, match []model.Metadata) apiCall {
	if match == nil {
		match = []model.Metadata{}
	}
	return post(match, resource, "metadata").asQuery()
}
