package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"waybill/model"
)

func newWebhooksCommand(a *app) *cobra.Command {
	webhooks := &cobra.Command{Use: "webhooks", Aliases: []string{"webhook"}, Short: "Where the service sends events"}
	webhooks.AddCommand(newWebhooksListCommand(a), newWebhooksCreateCommand(a), newWebhooksRemoveCommand(a),
		newWebhooksListenCommand(a), newWebhooksEventsCommand(a), newWebhooksReplayCommand(a), newWebhooksTriggerCommand(a))
	return webhooks
}

func newWebhooksListCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "ls", Aliases: []string{"list"}, Short: "List webhooks and whether they are enabled", Args: cobra.NoArgs,
		RunE: a.withSession(func(ctx context.Context, s *session, _ []string) error {
			webhooks, err := s.client.Webhooks(ctx)
			if err != nil {
				return err
			}
			if err := printList(a, webhooks, "No webhooks.", func(w model.Webhook) []string {
				state := "on"
				if !w.IsEnabled.Or(true) {
					state = "disabled after failures"
				}
				return []string{string(w.ID), triggerName(w.Trigger), formatThreshold(w), state, fmt.Sprint(w.Count), w.URL, w.Name.Value()}
			}, "ID", "EVENT", "AT", "STATE", "DELIVERED", "URL", "NAME"); err != nil {
				return err
			}
			a.explainDisabledWebhooks(webhooks)
			return nil
		}),
	}
}

// explainDisabledWebhooks prints what to do about webhooks that the service disabled. The interface cannot enable them again.
func (a *app) explainDisabledWebhooks(webhooks []model.Webhook) {
	off := slices.DeleteFunc(slices.Clone(webhooks), func(w model.Webhook) bool { return w.IsEnabled.Or(true) })
	if len(off) == 0 {
		return
	}
	first := off[0]
	threshold := ""
	if at, ok := first.Threshold.Get(); ok {
		threshold = " --threshold " + formatNumber(at)
	}
	a.printNote("%s disabled: they receive no events and cannot be enabled again. When the server works again, replace them:", formatCount(len(off), "webhook"))
	a.printNote("  waybill webhooks rm %s", first.ID)
	a.printNote("  waybill webhooks create %s --trigger %s%s", first.URL, triggerName(first.Trigger), threshold)
	a.printNote("To send missed events again: waybill webhooks events, then waybill webhooks replay ID.")
}

func triggerName(t model.Trigger) string {
	if name := t.Name(); name != "" {
		return name
	}
	return "trigger " + strconv.Itoa(int(t))
}

func formatThreshold(w model.Webhook) string {
	threshold, ok := w.Threshold.Get()
	if !ok {
		return "-"
	}
	if w.Trigger == model.TriggerTaskArrival {
		return formatNumber(threshold) + " m"
	}
	return model.FormatDuration(model.Seconds(threshold).Duration())
}

func newWebhooksCreateCommand(a *app) *cobra.Command {
	var trigger, name, threshold string
	cmd := &cobra.Command{
		Use: "create URL", Short: "Send one kind of event to an address", Args: cobra.ExactArgs(1),
		Long: "The service first sends a GET with ?check=TEXT to the address, which must answer with exactly that text.\n" +
			"Events with a threshold are taskEta (a time), taskArrival (meters) and taskDelayed (a time).",
		Example: "waybill webhooks create https://example.com/hooks --trigger taskFailed\n" +
			"waybill webhooks create https://example.com/hooks --trigger taskEta --threshold 10m",
		RunE: a.withSession(func(ctx context.Context, s *session, args []string) error {
			kind, err := parseTrigger(trigger)
			if err != nil {
				return err
			}
			in := model.WebhookInput{URL: model.Some(args[0]), Trigger: model.Some(kind), Name: optionalText(name)}
			if threshold != "" {
				value, err := parseThreshold(kind, threshold)
				if err != nil {
					return err
				}
				in.Threshold = model.Some(value)
			}
			if err := checkProblems("the webhook", in.Check()); err != nil {
				return err
			}
			webhook, err := s.client.CreateWebhook(ctx, in)
			if err != nil {
				return err
			}
			return a.printResult(webhook, func() {
				s.printField("webhook", string(webhook.ID))
				s.printField("event", triggerName(webhook.Trigger))
				s.printField("url", webhook.URL)
			})
		}),
	}
	cmd.Flags().StringVar(&trigger, "trigger", "", "the event, by name or number: "+strings.Join(triggerNames(), ", "))
	cmd.Flags().StringVar(&threshold, "threshold", "", "when it fires: 10m for taskEta and taskDelayed, meters for taskArrival")
	cmd.Flags().StringVar(&name, "name", "", "what to call it")
	_ = cmd.MarkFlagRequired("trigger")
	_ = cmd.RegisterFlagCompletionFunc("trigger", cobra.FixedCompletions(triggerNames(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func triggerNames() []string {
	var names []string
	for _, t := range model.Triggers() {
		names = append(names, t.Name())
	}
	return names
}

// parseTrigger reads the value of --trigger.
func parseTrigger(text string) (model.Trigger, error) {
	trigger, err := findTrigger(text)
	if err != nil {
		return 0, flagError("trigger", err)
	}
	return trigger, nil
}

// findTrigger takes an event's name or its number.
func findTrigger(text string) (model.Trigger, error) {
	for _, t := range model.Triggers() {
		if strings.EqualFold(t.Name(), text) || strconv.Itoa(int(t)) == text {
			return t, nil
		}
	}
	return 0, fmt.Errorf("there is no event %.40q; they are %s", model.Clean(text), strings.Join(triggerNames(), ", "))
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
	return 0, usageError{fmt.Errorf("--threshold: %.40q is not one; write seconds or 10m, and meters for taskArrival", model.Clean(text))}
}

func newWebhooksRemoveCommand(a *app) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "rm ID", Aliases: []string{"delete"}, Short: "Remove a webhook", Args: cobra.ExactArgs(1),
		RunE: a.withSession(func(ctx context.Context, s *session, args []string) error {
			id, err := parseID(args[0], "webhook")
			if err != nil {
				return err
			}
			if err := a.confirmIrreversible(yes, fmt.Sprintf("Remove webhook %s of %s?", id, s.accountName())); err != nil {
				return err
			}
			if err := s.client.DeleteWebhook(ctx, id); err != nil {
				return err
			}
			return s.tellResult(taskResult{Task: string(id), ID: id, Result: "removed"})
		}),
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask for confirmation")
	return cmd
}
