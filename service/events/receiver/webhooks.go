package receiver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"waybill/model"
)

// Registry is the part of a service's client that manages webhooks.
type Registry interface {
	Webhooks(ctx context.Context) ([]model.Webhook, error)
	CreateWebhook(ctx context.Context, in model.WebhookInput) (model.Webhook, error)
	DeleteWebhook(ctx context.Context, id model.ID) error
}

// Webhooks manages the webhooks of one receiver. It recognizes them by URL and name, so that it also finds and removes
// those of an earlier process that was killed.
type Webhooks struct {
	Registry Registry
	URL      string
	Name     string
	// Threshold is the threshold of the triggers that need one.
	Threshold float64
	// IsTriggerError reports whether an error concerns one trigger only, so that others may still work; nil means never.
	IsTriggerError func(error) bool
	// IsNotFound reports whether an error means that the webhook no longer exists.
	IsNotFound func(error) bool
}

// Registration is the result of [Webhooks.Register].
type Registration struct {
	// Triggers are the triggers whose events the receiver gets.
	Triggers []model.Trigger
	// Refused are the triggers that the service refused, with the reason.
	Refused map[model.Trigger]error
}

// createTimeout is how long creating a webhook may take. Cancelling does not interrupt it, because a webhook whose
// creation nobody saw would never be removed.
const createTimeout = 15 * time.Second

// Register creates the missing webhooks and replaces those that the service has disabled.
func (h Webhooks) Register(ctx context.Context, triggers []model.Trigger) (Registration, error) {
	registered := Registration{Refused: map[model.Trigger]error{}}
	all, err := h.Registry.Webhooks(ctx)
	if err != nil {
		return registered, fmt.Errorf("list webhooks: %w", err)
	}
	for _, trigger := range triggers {
		if err := ctx.Err(); err != nil {
			return registered, err
		}
		exists, err := h.removeDisabled(ctx, all, trigger)
		if err != nil {
			return registered, err
		}
		if !exists {
			err = h.create(ctx, trigger)
		}
		switch {
		case err == nil:
			registered.Triggers = append(registered.Triggers, trigger)
		case h.IsTriggerError != nil && h.IsTriggerError(err):
			registered.Refused[trigger] = err
		default:
			return registered, fmt.Errorf("register a webhook for %s: %w", trigger.Name(), err)
		}
	}
	return registered, nil
}

// removeDisabled removes our webhook for a trigger if it is disabled, because it cannot be enabled again. It reports
// whether an enabled one exists.
func (h Webhooks) removeDisabled(ctx context.Context, all []model.Webhook, trigger model.Trigger) (exists bool, err error) {
	for i := range all {
		hook := &all[i]
		switch {
		case hook.URL != h.URL || hook.Trigger != trigger:
		case hook.IsEnabled.Or(true):
			exists = true
		case hook.Name.Value() == h.Name:
			if err := h.remove(ctx, hook.ID); err != nil {
				return exists, fmt.Errorf("remove the disabled webhook for %s: %w", trigger.Name(), err)
			}
		}
	}
	return exists, nil
}

func (h Webhooks) create(ctx context.Context, trigger model.Trigger) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), createTimeout)
	defer cancel()
	in := model.WebhookInput{URL: model.Some(h.URL), Trigger: model.Some(trigger), Name: model.Some(h.Name)}
	if trigger.HasThreshold() {
		in.Threshold = model.Some(h.Threshold)
	}
	_, err := h.Registry.CreateWebhook(ctx, in)
	return err
}

// Remove deletes all webhooks of this URL and name.
func (h Webhooks) Remove(ctx context.Context) error {
	all, err := h.Registry.Webhooks(ctx)
	if err != nil {
		return fmt.Errorf("list webhooks: %w", err)
	}
	var failures []error
	for i := range all {
		if all[i].URL != h.URL || all[i].Name.Value() != h.Name {
			continue
		}
		if err := h.remove(ctx, all[i].ID); err != nil {
			failures = append(failures, fmt.Errorf("webhook %s for %s: %w", all[i].ID, all[i].Trigger.Name(), err))
		}
	}
	return errors.Join(failures...)
}

func (h Webhooks) remove(ctx context.Context, id model.ID) error {
	err := h.Registry.DeleteWebhook(ctx, id)
	if err != nil && h.IsNotFound != nil && h.IsNotFound(err) {
		return nil
	}
	return err
}
