package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"waybill/model"
)

func newOrdersCommand(a *app) *cobra.Command {
	orders := &cobra.Command{
		Use: "orders", Aliases: []string{"order"}, Short: "Orders: a pickup and a drop-off that belong together",
		Long: "An order is given by its own short id of eight hex digits, not by that of one of its tasks.",
	}
	orders.AddCommand(
		&cobra.Command{
			Use: "get ORDER", Short: "Show an order", Args: cobra.ExactArgs(1),
			RunE: a.withSession(func(ctx context.Context, s *session, args []string) error {
				id, err := parseOrderShortID(args[0])
				if err != nil {
					return err
				}
				order, err := s.client.Order(ctx, id)
				if err != nil {
					return err
				}
				return a.printResult(order, func() { s.printOrder(ctx, order) })
			}),
		},
		newOrdersCreateCommand(a), newOrdersCancelCommand(a),
	)
	return orders
}

func newOrdersCreateCommand(a *app) *cobra.Command {
	var fromJSON string
	cmd := &cobra.Command{
		Use: "create", Short: "Create an order from a JSON body", Args: cobra.NoArgs,
		Example: "waybill orders create --from-json order.json --dry-run",
		RunE: a.withSession(func(ctx context.Context, s *session, _ []string) error {
			if fromJSON == "" {
				return errNeedsJSON
			}
			var in model.OrderInput
			if err := a.readJSON(fromJSON, &in); err != nil {
				return err
			}
			// Whose phone numbers are local is asked in any case: an order has several.
			if err := checkProblems("the order", in.Check(s.checkContext(ctx, "local"))); err != nil {
				return err
			}
			order, err := s.client.CreateOrder(ctx, in)
			if err != nil {
				return err
			}
			return a.printResult(order, func() { s.printOrder(ctx, order) })
		}),
	}
	addFromJSON(cmd, &fromJSON, "order")
	return cmd
}

func newOrdersCancelCommand(a *app) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "cancel ORDER...", Short: "Cancel orders that are not completed", Args: cobra.MinimumNArgs(1),
		RunE: a.withSession(func(ctx context.Context, s *session, args []string) error {
			question := fmt.Sprintf("Cancel %s of %s? This cannot be undone.", formatCount(len(args), "order"), s.accountName())
			if err := a.confirmIrreversible(yes, question); err != nil {
				return err
			}
			ids := make([]model.ID, len(args))
			for i, arg := range args {
				id, err := s.orderID(ctx, arg)
				if err != nil {
					return err
				}
				ids[i] = id
			}
			result, err := s.client.CancelOrders(ctx, ids)
			if err != nil {
				return err
			}
			return a.printResult(result, func() { fmt.Fprintf(a.stdout, "%s cancelled.\n", formatCount(int(result.TotalOrdersRemoved), "order")) })
		}),
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask for confirmation")
	return cmd
}

// orderID takes an id or a short id.
func (s *session) orderID(ctx context.Context, text string) (model.ID, error) {
	if model.ID(text).Valid() {
		return model.ID(text), nil
	}
	short, err := parseOrderShortID(text)
	if err != nil {
		return "", err
	}
	order, err := s.client.Order(ctx, short)
	return order.ID, err
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
