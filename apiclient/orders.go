package apiclient

import (
	"context"

	"waybill/model"
)

// Quote returns the price of a delivery for each option. A courier passes the id of the client; a client leaves it empty.
// It changes nothing.
func (c *Client) Quote(ctx context.Context, client model.ID, r model.QuoteRequest) ([]model.Quote, error) {
	query := encodeQuery(struct {
		Client model.ID `query:"clientId"`
	}{client})
	return fetch[[]model.Quote](ctx, c, post(r, "deliveryServices", "quote").withQuery(query).asQuery())
}

// Order returns an order by its short id.
func (c *Client) Order(ctx context.Context, id model.ShortID) (model.Order, error) {
	return fetch[model.Order](ctx, c, get("taskOrders", string(id)))
}

// CreateOrder creates an order with a pickup and a drop-off.
func (c *Client) CreateOrder(ctx context.Context, o model.OrderInput) (model.Order, error) {
	return fetch[model.Order](ctx, c, post(o, "taskOrders"))
}

// UpdateOrder changes an order that has not started. The input contains both tasks.
func (c *Client) UpdateOrder(ctx context.Context, idOrShortID string, o model.OrderInput) (model.Order, error) {
	return fetch[model.Order](ctx, c, put(o, "taskOrders", idOrShortID))
}

// CancelOrders cancels orders that are not completed.
func (c *Client) CancelOrders(ctx context.Context, ids []model.ID) (model.OrdersCancelled, error) {
	return fetch[model.OrdersCancelled](ctx, c, post(model.CancelOrders{OrderIDs: ids}, "taskOrders", "cancel"))
}

// CloneOrder clones an order without a delivery service. Only the API key of a client may do this.
func (c *Client) CloneOrder(ctx context.Context, id model.ID) (model.Order, error) {
	return fetch[model.Order](ctx, c, post(nil, "taskOrders", string(id), "clone"))
}

// RejectOrder rejects an order. Only the API key of a courier may do this.
func (c *Client) RejectOrder(ctx context.Context, id model.ShortID) error {
	return c.do(ctx, post(nil, "taskOrders", string(id), "reject"), nil)
}
