package apiclient

import (
	"context"

	"waybill/model"
)

// CreateWebhook makes the service send one kind of event to an address, which it checks first.
func (c *Client) CreateWebhook(ctx context.Context, w model.WebhookInput) (model.Webhook, error) {
	return fetch[model.Webhook](ctx, c, post(w, "webhooks"))
}

// Webhooks lists the webhooks.
func (c *Client) Webhooks(ctx context.Context) ([]model.Webhook, error) {
	return fetch[[]model.Webhook](ctx, c, get("webhooks"))
}

// DeleteWebhook removes a webhook.
func (c *Client) DeleteWebhook(ctx context.Context, id model.ID) error {
	return c.do(ctx, remove("webhooks", string(id)), nil)
}
