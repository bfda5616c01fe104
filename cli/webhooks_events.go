package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"waybill/model"
)

func newWebhooksEventsCommand(a *app) *cobra.Command {
	var limit int
	var follow bool
	cmd := &cobra.Command{
		Use: "events", Short: "List recent events and their deliveries", Args: cobra.NoArgs,
		Long: "Lists the event log of the service, newest first. With --follow it prints new events as they happen, newest last,\n" +
			"until you press Ctrl-C.",
	}
	list := listObjects(a, func(ctx context.Context, s *session) ([]model.LoggedEvent, error) {
		return latestEvents(ctx, s, limit)
	}, "No events.", func(s *session, ctx context.Context, e model.LoggedEvent) []string {
		return []string{
			fmt.Sprint(e.ID), model.FormatTime(e.Time, s.loadTimeZone(ctx)), e.TriggerName,
			string(e.TaskID.Value()), string(e.WorkerID.Value()), formatDeliveries(e.Deliveries),
		}
	}, "ID", "TIME", "EVENT", "TASK", "WORKER", "DELIVERIES")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if follow {
			return a.withSessionUntilDone(a.followEvents)(cmd, args)
		}
		return list(cmd, args)
	}
	minIntVar(cmd.Flags(), &limit, "limit", 50, 1, "maximum number of events")
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "print events as they happen until you press Ctrl-C")
	return cmd
}

// eventPollInterval is the time between two reads of the event log.
const eventPollInterval = time.Second

// followEvents prints new events until the context ends.
func (a *app) followEvents(ctx context.Context, s *session, _ []string) error {
	page, err := s.client.EventLog(ctx, 0)
	if err != nil {
		return err
	}
	newest := model.Int(0)
	if len(page.Events) > 0 {
		newest = page.Events[0].ID
	}
	zone := s.loadTimeZone(ctx)
	a.printNote("Following the event log. Press Ctrl-C to stop.")
	for {
		since, err := s.client.EventsSince(ctx, newest)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		for _, event := range slices.Backward(since.Events) {
			newest = event.ID
			if err := a.printFollowedEvent(event, zone); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(eventPollInterval):
		}
	}
}

func (a *app) printFollowedEvent(e model.LoggedEvent, zone *time.Location) error {
	if a.flags.json {
		return a.printJSONLine(e)
	}
	_, err := fmt.Fprintf(a.stdout, "%d  %s  %-28s %s\n", e.ID, model.FormatTime(e.Time, zone), model.Clean(e.TriggerName),
		model.Clean(string(e.TaskID.Or(e.WorkerID.Value()))))
	return err
}

// latestEvents reads the log page by page.
func latestEvents(ctx context.Context, s *session, limit int) ([]model.LoggedEvent, error) {
	var events []model.LoggedEvent
	var before model.Int
	for {
		page, err := s.client.EventLog(ctx, before)
		if err != nil {
			return nil, err
		}
		events = append(events, page.Events...)
		last, more := page.LastID.Get()
		if !more || len(events) >= limit {
			return events[:min(limit, len(events))], nil
		}
		before = last
	}
}

func formatDeliveries(deliveries []model.Delivery) string {
	counts := map[string]int{}
	for _, d := range deliveries {
		counts[d.State]++
	}
	text := ""
	for _, state := range []string{model.DeliveryDelivered, model.DeliveryPending, model.DeliveryGivenUp, model.DeliveryStopped} {
		if n := counts[state]; n > 0 {
			text += fmt.Sprintf("%d %s ", n, state)
		}
	}
	return cmp.Or(text, "no webhooks")
}

func newWebhooksReplayCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "replay ID", Short: "Send an event again to its webhooks", Args: cobra.ExactArgs(1),
		RunE: a.withSession(func(ctx context.Context, s *session, args []string) error {
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil {
				return usageError{fmt.Errorf("invalid event id %.40q; list events with: waybill webhooks events", model.Clean(args[0]))}
			}
			event, err := s.client.ReplayEvent(ctx, model.Int(id))
			deliveries := "1 delivery"
			if n := len(event.Deliveries); n != 1 {
				deliveries = fmt.Sprintf("%d deliveries", n)
			}
			return a.printEvent(event, err, "is being sent again, "+deliveries+" in total")
		}),
	}
}

func newWebhooksTriggerCommand(a *app) *cobra.Command {
	var task string
	cmd := &cobra.Command{
		Use: "trigger NAME", Short: "Send a sample event to test webhooks", Args: cobra.ExactArgs(1),
		Example: "waybill webhooks trigger taskCompleted",
		RunE: a.withSession(func(ctx context.Context, s *session, args []string) error {
			trigger, err := findTrigger(args[0])
			if err != nil {
				return usageError{err}
			}
			name, err := model.Marshal(trigger)
			if err != nil {
				return err
			}
			in := model.SampleEventInput{Trigger: model.Some(model.Raw(name))}
			if task != "" {
				in.TaskID = model.Some(model.ID(task))
			}
			event, err := s.client.SampleEvent(ctx, in)
			return a.printEvent(event, err, "is being sent to "+model.FormatCount(len(event.Deliveries), "webhook"))
		}),
	}
	cmd.Flags().StringVar(&task, "task", "", "task of the event, by id")
	return cmd
}

func (a *app) printEvent(event model.LoggedEvent, err error, what string) error {
	if err != nil {
		return err
	}
	return a.printResult(event, func() {
		fmt.Fprintf(a.stdout, "Event %d (%s) %s.\n", event.ID, model.Clean(event.TriggerName), what)
	})
}
