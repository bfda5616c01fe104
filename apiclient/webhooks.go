package apiclient

import (
	"context"
	"net/url"
	"strconv"

	"waybill/model"
)

// CreateWebhook makes the service send one kind of event to an address. The service validates the address first.
func (c *Client) CreateWebhook(ctx context.Context, w model.WebhookInput) (model.Webhook, error) {
	return fetch[model.Webhook](ctx, c, post(w, "webhooks"))
}

// Webhooks lists the webhooks.
func (c *Client) Webhooks(ctx context.Context) ([]model.Webhook, error) {
	return fetch[[]model.Webhook](ctx, c, get("webhooks"))
}

// DeleteWebhook deletes a webhook.
func (c *Client) DeleteWebhook(ctx context.Context, id model.ID) error {
	return c.do(ctx, remove("webhooks", string(id)), nil)
}

// EventLog lists the events of the organization before an id, newest first, if the service keeps a log. 0 lists the
// latest ones.
func (c *Client) EventLog(ctx context.Context, before model.Int) (model.EventLog, error) {
	call := get("webhooks", "events")
	if before > 0 {
		call.query = url.Values{"before": {strconv.FormatInt(int64(before), 10)}}
	}
	return fetch[model.EventLog](ctx, c, call)
}

// maxEventPages limits what EventsSince reads: after a long pause only the latest events matter.
const maxEventPages = 10

// EventsSince lists the events after an id, newest first, if the service keeps a log. Without new events it is one small
// request. LastID is set if there were more than maxEventPages pages; the oldest events are then missing.
func (c *Client) EventsSince(ctx context.Context, after model.Int) (model.EventLog, error) {
	var all model.EventLog
	for range maxEventPages {
		call := get("webhooks", "events")
		call.query = url.Values{"after": {strconv.FormatInt(int64(after), 10)}}
		if last, more := all.LastID.Get(); more {
			call.query.Set("before", strconv.FormatInt(int64(last), 10))
		}
		page, err := fetch[model.EventLog](ctx, c, call)
		if err != nil {
			return model.EventLog{}, err
		}
		all.Events, all.LastID = append(all.Events, page.Events...), page.LastID
		if !page.LastID.Has() {
			break
		}
	}
	return all, nil
}

// LoggedEvent returns an event of the log with its body.
func (c *Client) LoggedEvent(ctx context.Context, id model.Int) (model.LoggedEvent, error) {
	return fetch[model.LoggedEvent](ctx, c, get("webhooks", "events", strconv.FormatInt(int64(id), 10)))
}

// ReplayEvent delivers an event of the log again to its webhooks.
func (c *Client) ReplayEvent(ctx context.Context, id model.Int) (model.LoggedEvent, error) {
	return fetch[model.LoggedEvent](ctx, c, post(nil, "webhooks", "events", strconv.FormatInt(int64(id), 10), "replay"))
}

// SampleEvent sends a sample event, to test webhooks.
func (c *Client) SampleEvent(ctx context.Context, sample model.SampleEventInput) (model.LoggedEvent, error) {
	return fetch[model.LoggedEvent](ctx, c, post(sample, "webhooks", "trigger"))
}

// WebhookSecret returns the secret that events of the organization are signed with.
func (c *Client) WebhookSecret(ctx context.Context) (model.WebhookSecret, error) {
	return fetch[model.WebhookSecret](ctx, c, get("webhooks", "secret"))
}
