package apiclient

import (
	"context"

	"waybill/model"
)

// Quote asks what a delivery would cost, option by option. A courier names the client it asks for; a client leaves the
// id empty. Asking changes nothing.
func (c *Client) Quote(ctx context.Context, client model.ID, r model.QuoteRequest) ([]model.Quote, error) {
	query := params{}.text("clientId", string(client)).values()
	return fetch[[]model.Quote](ctx, c, post(r, "deliveryServices", "quote").withQuery(query).asQuery())
}

// Order is one order, by its own short id.
func (c *Client) Order(ctx context.Context, id model.ShortID) (model.Order, error) {
	return fetch[model.Order](ctx, c, get("taskOrders", string(id)))
}

// CreateOrder makes a pickup and a drop-off that belong together.
func (c *Client) CreateOrder(ctx context.Context, o model.OrderInput) (model.Order, error) {
	return fetch[model.Order](ctx, c, post(o, "taskOrders"))
}

// UpdateOrder changes an order that has not begun, by its id or short id. Both tasks are sent.
func (c *Client) UpdateOrder(ctx context.Context, idOrShortID string, o model.OrderInput) (model.Order, error) {
	return fetch[model.Order](ctx, c, put(o, "taskOrders", idOrShortID))
}

// CancelOrders cancels orders that are not completed.
func (c *Client) CancelOrders(ctx context.Context, ids []model.ID) (model.OrdersCancelled, error) {
	return fetch[model.OrdersCancelled](ctx, c, post(model.CancelOrders{OrderIDs: ids}, "taskOrders", "cancel"))
}

// CloneOrder makes a new order from one that has no delivery service. Only a client's key may.
func (c *Client) CloneOrder(ctx context.Context, id model.ID) (model.Order, error) {
	return fetch[model.Order](ctx, c, post(nil, "taskOrders", string(id), "clone"))
}

// RejectOrder turns an order down. Only a courier's key may.
func (c *Client) RejectOrder(ctx context.Context, id model.ShortID) error {
	return c.do(ctx, post(nil, "taskOrders", string(id), "reject"), nil)
}
