package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"waybill/model"
	"waybill/operations"
)

func newWebhooksCommand(a *app) *cobra.Command {
	return newGroup(&cobra.Command{Use: "webhooks", Aliases: []string{"webhook"}, Short: "Where the service sends events"},
		newWebhooksListCommand(a), newWebhooksCreateCommand(a), newWebhooksRemoveCommand(a),
		newWebhooksListenCommand(a), newWebhooksEventsCommand(a), newWebhooksReplayCommand(a), newWebhooksTriggerCommand(a))
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
				return []string{
					string(w.ID), triggerName(w.Trigger), formatThreshold(w), state, fmt.Sprint(w.Count), w.URL, w.Name.Value(),
				}
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
	if len(off) == 1 {
		a.printNote("1 webhook is disabled: it receives no events and cannot be enabled again. When the server works again, replace it:")
	} else {
		a.printNote("%d webhooks are disabled: they receive no events and cannot be enabled again. When the server works again, replace them, for example:", len(off))
	}
	a.printNote("  waybill webhooks rm %s", first.ID)
	a.printNote("  waybill webhooks create %s --trigger %s%s", first.URL, triggerName(first.Trigger), threshold)
	a.printNote("To send missed events again: waybill webhooks events, then waybill webhooks replay ID.")
}

func triggerName(t model.Trigger) string { return cmp.Or(t.Name(), fmt.Sprintf("trigger %d", t)) }

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
	cmd := a.newOperationCommand(&cobra.Command{
		Use: "create URL", Short: "Send one kind of event to a URL", Args: cobra.ExactArgs(1),
		Long: "The service first sends a GET request with ?check=TEXT to the URL, which must answer with exactly that text.\n" +
			"Events with a threshold are taskEta (a duration), taskArrival (meters) and taskDelayed (a duration).",
		Example: "waybill webhooks create https://example.com/hooks --trigger taskFailed\n" +
			"waybill webhooks create https://example.com/hooks --trigger taskEta --threshold 10m",
	}, operationCommand{
		operation: "create.webhook", noun: "the webhook", argument: "url", required: []string{"trigger"},
		print: printResponse(func(s *session, _ context.Context, webhook model.Webhook) {
			s.printField("webhook", string(webhook.ID))
			s.printField("event", triggerName(webhook.Trigger))
			s.printField("url", webhook.URL)
		}),
	})
	_ = cmd.RegisterFlagCompletionFunc("trigger", cobra.FixedCompletions(model.TriggerNames(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func newWebhooksRemoveCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "rm ID", Aliases: []string{"delete"}, Short: "Remove a webhook", Args: cobra.ExactArgs(1)}
	yes := addYesFlag(cmd)
	cmd.RunE = a.withSession(func(ctx context.Context, s *session, args []string) error {
		if err := a.requireConfirmation(*yes); err != nil {
			return err
		}
		call := operationCall{operation: "webhook.delete", noun: "the webhook", selection: operations.Selection{Webhooks: args}, yes: *yes}
		result, err := s.runSingle(ctx, call)
		if err != nil {
			return err
		}
		return s.printTaskResult(nil, taskResult{Task: string(result.Object), ID: result.Object, Result: "removed"}, nil)
	})
	return cmd
}

// findTrigger returns the trigger with a name or a number.
func findTrigger(text string) (model.Trigger, error) {
	if trigger, ok := model.ParseTrigger(text); ok {
		return trigger, nil
	}
	return 0, fmt.Errorf("unknown event %.40q; use one of %s", model.Clean(text), strings.Join(model.TriggerNames(), ", "))
}
