package world

import (
	"context"
	"errors"
	"net/http"

	"waybill/model"
	"waybill/service/store"
)

// WebhookChecker asks the server of a webhook whether it wants events.
type WebhookChecker interface {
	Check(ctx context.Context, url string) error
}

// refuseWebhooks refuses all webhooks, because nothing would deliver their events.
type refuseWebhooks struct{}

func (refuseWebhooks) Check(context.Context, string) error {
	return NewError(http.StatusServiceUnavailable, model.CodeInternal, model.ErrorUnavailable,
		"This service does not deliver events, so it does not accept webhooks.")
}

// CreateWebhook creates a webhook after its server has passed the check.
func (w *World) CreateWebhook(ctx context.Context, actor Actor, in model.WebhookInput) (model.Webhook, error) {
	if problems := in.Check(); len(problems) > 0 {
		return model.Webhook{}, problems
	}
	hook := model.Webhook{ID: w.ids.ID(), URL: in.URL.Value(), Trigger: in.Trigger.Value()}
	if err := w.webhooks.Check(ctx, hook.URL); err != nil {
		return model.Webhook{}, webhookCheckError(ctx, err)
	}
	err := w.store.Write(ctx, func(tx *store.Tx) error {
		existing, err := countRows(ctx, tx, "FROM webhooks WHERE org = $1 AND trigger = $2", actor.Org, int(hook.Trigger))
		tx.Fail(err)
		tx.Fail(model.CheckWebhookLimit(hook.Trigger, existing).Err())
		tx.Write(ctx, "insert webhook",
			"INSERT INTO webhooks (id, org, trigger, threshold, name, url, created) VALUES ($1, $2, $3, $4, $5, $6, $7)",
			hook.ID, actor.Org, int(hook.Trigger), nullable(in.Threshold), in.Name.Value(), hook.URL, int64(w.Now()))
		return nil
	})
	return hook, err
}

// webhookCheckError explains in the interface's terms why the server of a webhook failed the check.
func webhookCheckError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var refusal *Error
	if errors.As(err, &refusal) {
		return refusal
	}
	e := invalid(model.ErrorWebhookCheck, "url: %s", model.Clean(err.Error()))
	e.Message = "The URL provided for the webhook failed the validation test."
	return e
}

// Webhooks lists the webhooks of an organization in order of creation.
func (w *World) Webhooks(ctx context.Context, org model.ID) ([]model.Webhook, error) {
	hooks, err := readRows(ctx, w.store, "list webhooks",
		"SELECT id, name, url, trigger, threshold, successes, enabled FROM webhooks WHERE org = $1 ORDER BY created, id",
		[]any{org}, func(h *model.Webhook) []any {
			return []any{&h.ID, orNull(&h.Name), &h.URL, &h.Trigger, orNull(&h.Threshold), &h.Count, orNull(&h.IsEnabled)}
		})
	for i := range hooks {
		hooks[i].Threshold = dropNull(hooks[i].Threshold)
	}
	return hooks, err
}

// DeleteWebhook deletes a webhook. Pending deliveries are not sent any more.
func (w *World) DeleteWebhook(ctx context.Context, actor Actor, id model.ID) error {
	return w.store.Write(ctx, func(tx *store.Tx) error {
		tx.Fail(checkOwner(ctx, tx, "webhooks", actor.Org, id))
		tx.Write(ctx, "delete webhook", "DELETE FROM webhooks WHERE id = $1", id)
		return nil
	})
}

// WebhookSecret returns the key, in hex, that signs an organization's events.
func (w *World) WebhookSecret(ctx context.Context, org model.ID) (string, error) {
	var secret string
	err := scanRow(w.store.QueryRow(ctx, "SELECT webhook_secret FROM organizations WHERE id = $1", org), &secret)
	return secret, err
}
