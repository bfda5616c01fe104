package receiver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"waybill/model"
)

// Registry is as much of a service's client as it takes to have events sent somewhere.
type Registry interface {
	Webhooks(ctx context.Context) ([]model.Webhook, error)
	CreateWebhook(ctx context.Context, in model.WebhookInput) (model.Webhook, error)
	DeleteWebhook(ctx context.Context, id model.ID) error
}

// Webhooks are the webhooks that lead to one receiver. They are known by their address and name, not by what this process
// remembers: so those of a process that was killed are found again and end with this one.
type Webhooks struct {
	Registry Registry
	URL      string
	Name     string
	// Threshold is for the triggers that have one.
	Threshold float64
	// IsTriggerError reports that an error is about one kind of event only, so that others may still be had; nil means none is.
	IsTriggerError func(error) bool
	// IsNotFound reports that there is no such webhook any more.
	IsNotFound func(error) bool
}

// Registration is what a receiver gets.
type Registration struct {
	Triggers []model.Trigger
	// Refused are the kinds of events that the service does not send here, with the reason.
	Refused map[model.Trigger]error
}

// createTimeout is how long one webhook may take to be made. It is waited for even when everything else is called off: a
// webhook that was made unseen would never be removed.
const createTimeout = 15 * time.Second

// Register makes the webhooks that are missing and those that the service has disabled.
func (h Webhooks) Register(ctx context.Context, triggers []model.Trigger) (Registration, error) {
	standing := Registration{Refused: map[model.Trigger]error{}}
	all, err := h.Registry.Webhooks(ctx)
	if err != nil {
		return standing, fmt.Errorf("list the webhooks: %w", err)
	}
	for _, trigger := range triggers {
		if err := ctx.Err(); err != nil {
			return standing, err
		}
		leads, err := h.removeDisabled(ctx, all, trigger)
		if err != nil {
			return standing, err
		}
		if !leads {
			err = h.create(ctx, trigger)
		}
		switch {
		case err == nil:
			standing.Triggers = append(standing.Triggers, trigger)
		case h.IsTriggerError != nil && h.IsTriggerError(err):
			standing.Refused[trigger] = err
		default:
			return standing, fmt.Errorf("register a webhook for %s: %w", trigger.Name(), err)
		}
	}
	return standing, nil
}

// removeDisabled reports whether events of a kind come here already, and removes a webhook of ours that is disabled: it cannot be
// enabled again, only made anew.
func (h Webhooks) removeDisabled(ctx context.Context, all []model.Webhook, trigger model.Trigger) (leads bool, err error) {
	for i := range all {
		hook := &all[i]
		switch {
		case hook.URL != h.URL || hook.Trigger != trigger:
		case hook.IsEnabled.Or(true):
			leads = true
		case hook.Name.Value() == h.Name:
			if err := h.remove(ctx, hook.ID); err != nil {
				return leads, fmt.Errorf("remove the disabled webhook for %s: %w", trigger.Name(), err)
			}
		}
	}
	return leads, nil
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

// Remove takes away all webhooks of this address and name.
func (h Webhooks) Remove(ctx context.Context) error {
	all, err := h.Registry.Webhooks(ctx)
	if err != nil {
		return fmt.Errorf("list the webhooks: %w", err)
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
