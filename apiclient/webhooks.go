package apiclient

import (
	"context"
	"net/url"
	"strconv"

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

// EventLog lists the latest events of the organization, the newest first, where the service keeps a log. before is the
// id to go on behind, 0 for the newest.
func (c *Client) EventLog(ctx context.Context, before model.Int) (model.EventLog, error) {
	call := get("webhooks", "events")
	if before > 0 {
		call.query = url.Values{"before": {strconv.FormatInt(int64(before), 10)}}
	}
	return fetch[model.EventLog](ctx, c, call)
}

// maxEventPages bounds what EventsSince reads at once: who has been away for a day wants to see the latest, not all of it.
const maxEventPages = 10

// EventsSince lists the events that are newer than one of the log, the newest first, where the service keeps a log. When
// nothing has happened that is one small request. LastID is there when there was too much to read at once: the oldest of
// it, right after the event to follow on from, was left out.
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

// LoggedEvent reads one event of the log with its body.
func (c *Client) LoggedEvent(ctx context.Context, id model.Int) (model.LoggedEvent, error) {
	return fetch[model.LoggedEvent](ctx, c, get("webhooks", "events", strconv.FormatInt(int64(id), 10)))
}

// ReplayEvent sends an event of the log again to the webhooks that listen to it.
func (c *Client) ReplayEvent(ctx context.Context, id model.Int) (model.LoggedEvent, error) {
	return fetch[model.LoggedEvent](ctx, c, post(nil, "webhooks", "events", strconv.FormatInt(int64(id), 10), "replay"))
}

// SampleEvent sends an event as if something had happened, to try webhooks with.
func (c *Client) SampleEvent(ctx context.Context, sample model.SampleEventInput) (model.LoggedEvent, error) {
	return fetch[model.LoggedEvent](ctx, c, post(sample, "webhooks", "trigger"))
}

// WebhookSecret reads the key that the organization's events are signed with.
func (c *Client) WebhookSecret(ctx context.Context) (model.WebhookSecret, error) {
	return fetch[model.WebhookSecret](ctx, c, get("webhooks", "secret"))
}
