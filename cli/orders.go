package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations"
)

func newOrdersCommand(a *app) *cobra.Command {
	return newGroup(&cobra.Command{
		Use: "orders", Aliases: []string{"order"}, Short: "Orders: a pickup and a drop-off that belong together",
		Long: "Identify an order by its own short id of eight hex digits, not by the short id of one of its tasks.",
	},
		&cobra.Command{
			Use: "get ORDER", Short: "Show an order", Args: cobra.ExactArgs(1),
			RunE: showObject(a, (*session).orderShortID, (*apiclient.Client).Order, (*session).printOrder),
		},
		a.newOperationCommand(&cobra.Command{
			Use: "create", Short: "Create an order from a JSON file", Args: cobra.NoArgs,
			Example: "waybill orders create --from-json order.json --dry-run",
		}, operationCommand{
			operation: "create.order", noun: "the order", fromJSON: true, required: []string{"from-json"},
			print: printResponse((*session).printOrder),
		}),
		newOrdersCancelCommand(a),
	)
}

func newOrdersCancelCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "cancel ORDER...", Short: "Cancel orders that are not completed", Args: cobra.MinimumNArgs(1),
	}
	yes := addYesFlag(cmd)
	cmd.RunE = a.withSession(func(ctx context.Context, s *session, args []string) error {
		call := operationCall{operation: "order.cancel", noun: "the cancellation", selection: operations.Selection{Orders: args}, yes: *yes}
		prepared, err := s.prepare(ctx, call)
		if err != nil {
			return err
		}
		progress, err := s.runPrepared(ctx, &prepared, *yes)
		if err != nil {
			return err
		}
		var total model.OrdersCancelled
		for _, done := range progress.Results {
			answer := done.Response.(model.OrdersCancelled)
			answer.TotalOrdersRemoved += total.TotalOrdersRemoved
			total = answer
		}
		s.printSkipped(prepared.proposal.Skipped)
		if err := a.printResult(total, func() {
			fmt.Fprintf(a.stdout, "Cancelled %s.\n", model.FormatCount(int(total.TotalOrdersRemoved), "order"))
		}); err != nil {
			return err
		}
		return progressError(ctx, &progress)
	})
	return cmd
}

func (s *session) printOrder(ctx context.Context, o model.Order) {
	s.printField("order", string(o.ShortID)+"  "+string(o.Status))
	s.printField("id", string(o.ID))
	s.printField("client", o.ClientName.Value())
	s.printField("service", o.DeliveryService.Value())
	if price, ok := o.Price.Get(); ok {
		s.printField("price", fmt.Sprintf("%.2f %s", price, o.Currency.Value()))
	}
	for _, part := range o.PriceBreakdown {
		s.printField("", fmt.Sprintf("%.2f  %s", part.Cost, part.Name))
	}
	for _, task := range []struct {
		name string
		task model.Task
	}{{"pickup", o.PickupTask}, {"dropoff", o.DropoffTask}} {
		t := task.task
		s.printField(task.name, string(t.ShortID)+"  "+taskStateName(&t)+", "+s.formatWindow(ctx, t.CompleteAfter, t.CompleteBefore))
		s.printField("", formatDestination(t.Destination))
		s.printField("", formatRecipient(t.Recipients))
	}
	s.printField("created", s.formatTime(ctx, o.TimeCreated))
}

func (s *session) orderShortID(_ context.Context, text string) (model.ShortID, error) {
	if id := model.ShortID(strings.ToLower(text)); id.Valid() {
		return id, nil
	}
	return "", usageError{fmt.Errorf("invalid short id of an order %.60q: short ids have %d hex digits", model.Clean(text), model.ShortIDLength)}
}
