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

// NewWebhook is create.webhook: an address that is called when something happens.
func NewWebhook(s Input) (Operation, error) {
	f := form.Form{Title: "New webhook", Fields: webhookFields(), Start: startFromArgument(s, "url")}
	return Operation{
		ID: "create.webhook", Title: f.Title, Form: f, FieldOf: fieldFinder(&f, webhookFieldOf),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			values = shownValues(&f, values)
			in, problems := webhookInput(values)
			if len(problems) == 0 {
				addRules(problems, &f, values, in.Check(), webhookFieldOf)
			}
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			trigger, address := in.Trigger.Value(), model.Clean(in.URL.Value())
			lines := []Line{
				plainLine("%s is called on %s.", address, triggerText(trigger)),
				warnLine("The service calls it once right away, and takes it only if it answers with the text of the parameter %s.", model.WebhookCheckParameter),
			}
			if threshold, ok := in.Threshold.Get(); ok {
				lines = append(lines, plainLine("At %g %s.", threshold, thresholdUnit(trigger)))
			}
			return Proposal{Lines: lines, Summary: "create a webhook for " + triggerText(trigger), Steps: []Step{webhookStep(in)}}, nil
		},
	}, nil
}

func webhookFields() []form.Field {
	var options []form.Option
	for _, trigger := range model.Triggers() {
		options = append(options, form.Option{Value: trigger.Name(), Label: triggerText(trigger), Note: trigger.Name()})
	}
	return []form.Field{
		{Name: "url", Title: "Address", About: "it must be reachable by the service, over https", Hint: "https://example.com/events"},
		{Name: "trigger", Title: "When", Kind: form.Choice, Options: options},
		{
			Name: "threshold", Title: "At", About: "seconds before arrival or of delay, meters from the destination", Hint: "600",
			Show: func(v form.Values) bool { return parseTrigger(v).HasThreshold() },
			Echo: func(value string, values form.Values) string {
				return value + " " + thresholdUnit(parseTrigger(values))
			},
		},
		{Name: "name", Title: "Name", About: "for you to know it by"},
	}
}

// parseTrigger is the chosen trigger; the first when none is.
func parseTrigger(values form.Values) model.Trigger {
	trigger, ok := model.TriggerNamed(values.Get("trigger"))
	if !ok {
		return model.Triggers()[0]
	}
	return trigger
}

func thresholdUnit(trigger model.Trigger) string {
	if trigger == model.TriggerTaskArrival {
		return "meters"
	}
	return "seconds"
}

// triggerText makes words of a trigger's name: taskStarted is "task started".
func triggerText(trigger model.Trigger) string {
	switch trigger {
	case model.TriggerTaskETA:
		return "task ETA"
	case model.TriggerSMSOptOut:
		return "SMS opt-out"
	case model.TriggerSMSMissed:
		return "SMS answer missed"
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

func webhookFieldOf(member string) string {
	if member == "limit" {
		return "trigger"
	}
	return member
}

func webhookInput(values form.Values) (model.WebhookInput, form.Problems) {
	problems := form.Problems{}
	in := model.WebhookInput{Name: optionalText(values.Get("name")), URL: optionalText(values.Get("url")), Trigger: model.Some(parseTrigger(values))}
	if name := values.Get("trigger"); name != "" {
		if _, ok := model.TriggerNamed(name); !ok {
			addProblem(problems, "trigger", fmt.Sprintf("There is no trigger %.40q.", model.Clean(name)))
		}
	}
	if text := values.Get("threshold"); text != "" {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			addProblem(problems, "threshold", fmt.Sprintf("%.40q is not a number.", model.Clean(text)))
		}
		in.Threshold = model.Some(n)
	}
	return in, problems
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
			return Result{Object: made.ID, Summary: "created for " + triggerText(made.Trigger), Undo: undoWebhook(made)}, nil
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
			return LookupResult{Happened: true, Certain: len(same) == 1, Summary: countNoun(len(same), "such webhook") + " exist"}, nil
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

// NewWebhookDelete is webhook.delete: the chosen webhooks are not called any more.
func NewWebhookDelete(s Input) (Operation, error) {
	if len(s.Webhooks) == 0 {
		return Operation{}, errors.New("no webhook is chosen")
	}
	what := countNoun(len(s.Webhooks), "webhook")
	if len(s.Webhooks) == 1 {
		what = "the " + webhookLabel(s.Webhooks[0])
	}
	title := "Delete " + what
	return Operation{
		ID: "webhook.delete", Title: title, Form: form.Form{Title: title},
		Prepare: func(form.Values) (Proposal, form.Problems) {
			plan := Proposal{Summary: "delete " + what, Irreversible: fmt.Sprintf("Delete %s%s? Its events will not be sent any more.", what, organizationSuffix(s))}
			for _, w := range s.Webhooks {
				health := fmt.Sprintf("%d delivered", w.Count)
				if !w.IsEnabled.Or(true) {
					health += ", switched off after too many failures"
				}
				plan.Lines = append(plan.Lines, plainLine("%s: %s, %s.", capitalize(webhookLabel(w)), model.Clean(w.URL), health))
				plan.Steps = append(plan.Steps, deleteWebhookStep(w))
			}
			return plan, nil
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
	var began sendTime
	return Step{
		Object: w.ID, Label: webhookLabel(w),
		Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
			began.setNow()
			done := Result{Object: w.ID, Summary: "deleted"}
			err := c.DeleteWebhook(ctx, w.ID)
			switch {
			case errors.Is(err, apiclient.ErrNotFound):
				done.Summary = "was gone already"
			case err != nil:
				return Result{}, err
			}
			return done, nil
		},
		Lookup: func(ctx context.Context, c *apiclient.Client) (LookupResult, error) {
			all, err := c.Webhooks(ctx)
			if err != nil {
				return LookupResult{}, err
			}
			if slices.ContainsFunc(all, func(other model.Webhook) bool { return other.ID == w.ID }) {
				return began.notFoundResult("the webhook is still there"), nil
			}
			return LookupResult{Happened: true, Certain: true, Summary: "the webhook is gone"}, nil
		},
	}
}
