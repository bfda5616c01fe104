package operations

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// NewWebhook is create.webhook: lets the service send one kind of event to an address.
func NewWebhook(s Input) (Operation, error) {
	return request[model.WebhookInput]{
		id:    "create.webhook",
		form:  form.Form{Title: "New webhook", Fields: webhookFields(s), Start: startFromArgument(s, "url")},
		read:  webhookInput,
		check: model.WebhookInput.Check,
		fieldOf: func(member string, _ form.Values) string {
			if member == "limit" {
				return "trigger"
			}
			return member
		},
		propose: func(in model.WebhookInput, _ form.Values) Proposal {
			trigger, address := in.Trigger.Value(), model.Clean(in.URL.Value())
			lines := []Line{
				plainLine("The service calls %s on %s.", address, triggerText(trigger)),
				warnLine("The service checks the address first: it must answer with the text of the parameter %s.", model.WebhookCheckParameter),
			}
			if threshold, ok := in.Threshold.Get(); ok {
				lines = append(lines, plainLine("Threshold: %g %s.", threshold, thresholdUnit(trigger)))
			}
			return Proposal{Lines: lines, Summary: "create a webhook for " + triggerText(trigger), Steps: []Step{webhookStep(in)}}
		},
	}.operation(s)
}

func webhookFields(Input) []form.Field {
	var options []form.Option
	var names []string
	for _, trigger := range model.Triggers() {
		names = append(names, trigger.Name())
		options = append(options, form.Option{
			Value: trigger.Name(), Label: triggerText(trigger), Note: trigger.Name(), Aliases: []string{strconv.Itoa(int(trigger))},
		})
	}
	return []form.Field{
		{Name: "url", Title: "Address", About: "reachable by the service over https", Hint: "https://example.com/events"},
		{
			Name: "trigger", Title: "Event", Kind: form.Choice, Options: options,
			Flag: form.Flag{Usage: "the event, by name or number: " + strings.Join(names, ", ")},
		},
		{
			Name: "threshold", Title: "Threshold", About: "a time such as 10m before arrival or of delay, or metres from the destination", Hint: "600",
			Flag: form.Flag{Usage: "when it fires: 10m for taskEta and taskDelayed, metres for taskArrival"},
			Show: func(v form.Values) bool { return parseTrigger(v).HasThreshold() },
			Echo: func(value string, values form.Values) string {
				return value + " " + thresholdUnit(parseTrigger(values))
			},
		},
		{Name: "name", Title: "Name", About: "to recognize it by"},
	}
}

// parseTrigger is the chosen trigger; the first is the default.
func parseTrigger(values form.Values) model.Trigger {
	trigger, ok := model.ParseTrigger(values.Get("trigger"))
	if !ok {
		return model.Triggers()[0]
	}
	return trigger
}

func thresholdUnit(trigger model.Trigger) string {
	if trigger == model.TriggerTaskArrival {
		return "metres"
	}
	return "seconds"
}

// triggerText is a trigger's name in words: taskStarted is "task started".
func triggerText(trigger model.Trigger) string {
	switch trigger {
	case model.TriggerTaskETA:
		return "task ETA"
	case model.TriggerSMSOptOut:
		return "SMS opt-out"
	case model.TriggerSMSMissed:
		return "SMS answer missed"
	default:
	}
	name := trigger.Name()
	if name == "" {
		return fmt.Sprintf("trigger %d", trigger)
	}
	var words strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			words.WriteByte(' ')
		}
		words.WriteRune(r)
	}
	return strings.ToLower(words.String())
}

func webhookInput(values form.Values, problems form.Problems) model.WebhookInput {
	in := model.WebhookInput{
		Name: optionalText(values.Get("name")), URL: optionalText(values.Get("url")),
		Trigger: model.Some(parseTrigger(values)),
	}
	if name := values.Get("trigger"); name != "" {
		if _, ok := model.ParseTrigger(name); !ok {
			addProblem(problems, "trigger", fmt.Sprintf("Unknown event %.40q.", model.Clean(name)))
		}
	}
	if text := values.Get("threshold"); text != "" {
		n, err := parseThreshold(in.Trigger.Value(), text)
		addError(problems, "threshold", err)
		in.Threshold = model.Some(n)
	}
	return in
}

// parseThreshold reads a number in the trigger's own unit, or a length of time where that unit is seconds.
func parseThreshold(trigger model.Trigger, text string) (float64, error) {
	if n, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(text), " m"), 64); err == nil {
		return n, nil
	}
	if trigger != model.TriggerTaskArrival {
		if length, err := model.ParseDuration(text); err == nil {
			return length.Seconds(), nil
		}
	}
	return 0, fmt.Errorf("%.40q is not a threshold; write seconds or 10m, and metres for taskArrival", model.Clean(text))
}

func webhookStep(in model.WebhookInput) Step {
	var began sendTime
	return Step{
		Label: "new webhook",
		Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
			began.setNow()
			made, err := c.CreateWebhook(ctx, in)
			if e, ok := errors.AsType[*apiclient.Error](err); ok && e.Subcode == model.ErrorWebhookCheck {
				return Result{}, fieldError{err, "url"}
			}
			if err != nil {
				return Result{}, err
			}
			return Result{Object: made.ID, Summary: "created for " + triggerText(made.Trigger), Response: made, Undo: undoWebhook(made)}, nil
		},
		Lookup: func(ctx context.Context, c *apiclient.Client) (LookupResult, error) {
			all, err := c.Webhooks(ctx)
			if err != nil {
				return LookupResult{}, err
			}
			same := slices.DeleteFunc(all, func(w model.Webhook) bool { return w.URL != in.URL.Value() || w.Trigger != in.Trigger.Value() })
			if len(same) == 0 {
				return began.notFoundResult("there is no such webhook"), nil
			}
			return LookupResult{
				Happened: true, Certain: len(same) == 1,
				Summary: model.FormatCount(len(same), "such webhook") + plural(len(same), " exists", " exist"),
			}, nil
		},
	}
}

func undoWebhook(made model.Webhook) *Undo {
	return &Undo{
		Title: "delete the new webhook", Step: deleteWebhookStep(made),
		Unavailable: func(*board.Snapshot) string { return "" },
		Command:     Command{Action: "webhook.delete", Objects: []model.ID{made.ID}},
	}
}

// NewWebhookDelete is webhook.delete: deletes the selected webhooks.
func NewWebhookDelete(s Input) (Operation, error) {
	if len(s.Webhooks) == 0 {
		return Operation{}, errors.New("select a webhook first")
	}
	what := model.FormatCount(len(s.Webhooks), "webhook")
	if len(s.Webhooks) == 1 {
		what = "the " + webhookLabel(s.Webhooks[0])
	}
	title := "Delete " + what
	return Operation{
		ID: "webhook.delete", Title: title, Form: form.Form{Title: title},
		Prepare: func(form.Values) (Proposal, form.Problems) {
			proposal := Proposal{Summary: "delete " + what, Irreversible: fmt.Sprintf("Delete %s%s? Its events will no longer be sent.", what,
				organizationSuffix(s))}
			for _, w := range s.Webhooks {
				health := fmt.Sprintf("%d delivered", w.Count)
				if !w.IsEnabled.Or(true) {
					health += ", disabled after too many failures"
				}
				proposal.Lines = append(proposal.Lines, plainLine("%s: %s, %s.", model.Capitalize(webhookLabel(w)), model.Clean(w.URL), health))
				proposal.Steps = append(proposal.Steps, deleteWebhookStep(w))
			}
			return proposal, nil
		},
	}, nil
}

func webhookLabel(w model.Webhook) string {
	if name := model.Clean(w.Name.Value()); name != "" {
		return "webhook " + name
	}
	return "webhook for " + triggerText(w.Trigger)
}

func deleteWebhookStep(w model.Webhook) Step {
	return deletion{
		noun: "webhook", step: Step{Object: w.ID, Label: webhookLabel(w)},
		remove: func(ctx context.Context, c *apiclient.Client) error { return c.DeleteWebhook(ctx, w.ID) },
		read: func(ctx context.Context, c *apiclient.Client) error {
			all, err := c.Webhooks(ctx)
			if err == nil && !slices.ContainsFunc(all, func(other model.Webhook) bool { return other.ID == w.ID }) {
				err = apiclient.ErrNotFound
			}
			return err
		},
	}.newStep()
}
