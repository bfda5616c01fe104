package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"waybill/model"
)

type quoteFlags struct {
	ready, due       string
	quantity         float64
	weight           string
	pickup, dropoff  string
	client, fromJSON string
}

func newQuoteCommand(a *app) *cobra.Command {
	var f quoteFlags
	cmd := &cobra.Command{
		Use: "quote", Short: "Ask what a delivery would cost", Args: cobra.NoArgs,
		Long: "Asks for the price of a delivery with each service that could take it. Nothing is ordered.\n" +
			"The id of a quote is the deliveryServiceId of an order.",
		Example: "waybill quote --pickup '1 Ferry Building, San Francisco, CA 94111, USA' --dropoff '543 Howard St, San Francisco, CA 94105, USA' \\\n" +
			"  --ready +30m --due 17:00 --quantity 2 --weight 3.5kg",
		RunE: a.withSession(func(ctx context.Context, s *session, _ []string) error {
			request, err := s.quoteRequest(ctx, f)
			if err != nil {
				return err
			}
			quotes, err := s.client.Quote(ctx, model.ID(f.client), request)
			if err != nil {
				return err
			}
			return printList(a, quotes, "No service could take this delivery.", func(q model.Quote) []string {
				return []string{string(q.ID), fmt.Sprintf("%.2f %s", q.EstimatedCost, q.Currency), q.DisplayName, s.formatTime(ctx, q.DueBy)}
			}, "ID", "PRICE", "SERVICE", "BY")
		}),
	}
	set := cmd.Flags()
	set.StringVar(&f.pickup, "pickup", "", "where it is picked up, in one line")
	set.StringVar(&f.dropoff, "dropoff", "", "where it goes, in one line")
	set.StringVar(&f.ready, "ready", "now", "when it can be picked up")
	set.StringVar(&f.due, "due", "", "when it must be there at the latest")
	set.Float64Var(&f.quantity, "quantity", 1, "how many pieces")
	set.StringVar(&f.weight, "weight", "", "the weight with its unit, such as 3.5kg or 8lbs")
	set.StringVar(&f.client, "client", "", "the client that a courier asks for, by id")
	addFromJSON(cmd, &f.fromJSON, "request")
	return cmd
}

func (s *session) quoteRequest(ctx context.Context, f quoteFlags) (model.QuoteRequest, error) {
	var r model.QuoteRequest
	if f.fromJSON != "" {
		if err := s.readJSON(f.fromJSON, &r); err != nil {
			return r, err
		}
		return r, checkProblems("the request", r.Check())
	}
	ready, err := s.parseFutureTime(ctx, "ready", f.ready)
	if err != nil {
		return r, err
	}
	r.ReadyBy, r.Quantity = model.Some(ready), model.Some(f.quantity)
	if f.due != "" {
		due, err := s.parseFutureTime(ctx, "due", f.due)
		if err != nil {
			return r, err
		}
		r.DueBy = model.Some(due)
	}
	if r.Weight, err = parseWeight(f.weight); err != nil {
		return r, err
	}
	r.Pickup, r.Dropoff = quotePlace(f.pickup), quotePlace(f.dropoff)
	return r, checkProblems("the request", r.Check())
}

// parseWeight reads a number with its unit.
func parseWeight(text string) (model.Opt[model.Weight], error) {
	trimmed := strings.ToLower(strings.ReplaceAll(text, " ", ""))
	if trimmed == "" {
		return model.Opt[model.Weight]{}, nil
	}
	for _, unit := range []struct{ suffix, name string }{
		{"kg", model.UnitsKilograms}, {"lbs", model.UnitsPounds}, {"lb", model.UnitsPounds},
	} {
		if digits, ok := strings.CutSuffix(trimmed, unit.suffix); ok {
			value, err := strconv.ParseFloat(digits, 64)
			if err == nil {
				return model.Some(model.Weight{Value: model.Some(value), Units: unit.name}), nil
			}
		}
	}
	return model.Opt[model.Weight]{}, usageError{fmt.Errorf("--weight: %.40q is not a weight; write 3.5kg or 8lbs", model.Clean(text))}
}

// quotePlace is a place from its address in one line; a location needs the address in parts, which JSON can give.
func quotePlace(line string) model.Opt[model.QuotePlace] {
	if line == "" {
		return model.Opt[model.QuotePlace]{}
	}
	return model.Some(model.QuotePlace{Address: model.Some(model.AddressInput{Unparsed: line})})
}
