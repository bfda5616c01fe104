package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"waybill/model"
	"waybill/operations"
)

func newQuoteCommand(a *app) *cobra.Command {
	return a.newOperationCommand(&cobra.Command{
		Use: "quote", Short: "Get the prices of a delivery", Args: cobra.NoArgs,
		Long: "Gets the price of a delivery from each service that could take it. Nothing is ordered.\n" +
			"Use the id of a quote as deliveryServiceId of an order.",
		Example: "waybill quote --pickup '1 Ferry Building, San Francisco, CA 94111, USA' --dropoff '543 Howard St, San Francisco, CA 94105, USA' \\\n" +
			"  --ready +30m --due 17:00 --quantity 2 --weight 3.5kg",
	}, operationCommand{
		operation: "create.quote", noun: "the request", fromJSON: true, defaults: map[string]string{"ready": "now", "quantity": "1"},
		print: func(ctx context.Context, s *session, result operations.Result) error {
			return printList(s.app, result.Response.([]model.Quote), "No service can take this delivery.", func(q model.Quote) []string {
				return []string{string(q.ID), fmt.Sprintf("%.2f %s", q.EstimatedCost, q.Currency), q.DisplayName, s.formatTime(ctx, q.DueBy)}
			}, "ID", "PRICE", "SERVICE", "BY")
		},
	})
}
