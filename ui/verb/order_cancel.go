package verb

import (
	"context"
	"errors"
	"fmt"

	"waybill/apiclient"
	"waybill/model"
	"waybill/ui/field"
)

// NewOrderCancel is order.cancel: cancels the chosen orders, each by itself, so that one that has begun does not hold
// up the others.
func NewOrderCancel(s Scene) (Verb, error) {
	if len(s.Orders) == 0 {
		return Verb{}, errors.New("no order is chosen; put the cursor on one, or mark some")
	}
	var ids []model.ID
	var skipped []Skipped
	for _, id := range s.Orders {
		row := s.Board.Orders.Get(id)
		if row != nil {
			if reason := cannotCancel(s.Board, row); reason != "" {
				skipped = append(skipped, Skipped{callOrder(row, id), reason})
				continue
			}
		}
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		if len(skipped) == 1 {
			return Verb{}, errors.New(skipped[0].Reason)
		}
		return Verb{}, fmt.Errorf("none of the %d chosen orders can be cancelled; of %s: %s", len(skipped), skipped[0].Label, skipped[0].Reason)
	}
	what := howMany(len(ids), "order")
	if len(ids) == 1 {
		what = callOrder(s.Board.Orders.Get(ids[0]), ids[0])
	}
	title := "Cancel " + what
	return Verb{
		ID: "order.cancel", Title: title, Form: field.Form{Title: title},
		Prepare: func(field.Values) (Plan, field.Problems) {
			plan := Plan{
				Skipped: skipped, Summary: "cancel " + what,
				Danger: fmt.Sprintf("Cancel %s%s? The pickup and the drop-off are deleted with it.", what, ofOrganization(s)),
			}
			for _, id := range ids {
				row := s.Board.Orders.Get(id)
				if row != nil {
					plan.Words = append(plan.Words, orderLine(row))
				}
				plan.Steps = append(plan.Steps, cancelStep(id, row))
			}
			return plan, nil
		},
	}, nil
}

// cannotCancel also looks at the two tasks, whose rows are fresher than the order's.
func cannotCancel(board *model.Snapshot, row *model.OrderRow) string {
	if reason := model.CanCancelOrder(row.Status); reason != "" {
		return reason
	}
	for _, leg := range []model.OrderLeg{row.Pickup, row.Dropoff} {
		if task := board.Tasks.Get(leg.Task); task != nil && (task.State == model.TaskActive || task.State == model.TaskCompleted) {
			return model.CanCancelOrder(model.OrderActive)
		}
	}
	return ""
}

func callOrder(row *model.OrderRow, id model.ID) string {
	if row != nil && row.ShortID != "" {
		return "order " + string(row.ShortID)
	}
	return "order " + string(id)
}

func orderLine(row *model.OrderRow) Line {
	text := capital(callOrder(row, row.ID))
	if row.Client != "" {
		text += " for " + row.Client
	}
	if row.Priced {
		text += ", " + money(row.Price, row.Currency)
	}
	return only("%s, %s.", text, row.Status)
}

func cancelStep(id model.ID, row *model.OrderRow) Step {
	var began sent
	return Step{
		Object: id, Label: callOrder(row, id), Locks: []string{"order " + string(id)},
		Do: func(ctx context.Context, c *apiclient.Client) (Done, error) {
			began.now()
			answer, err := c.CancelOrders(ctx, []model.ID{id})
			if err != nil {
				return Done{}, err
			}
			if answer.TotalOrdersRemoved == 0 {
				return Done{}, fmt.Errorf("the service took the request but cancelled nothing; look at %s", callOrder(row, id))
			}
			done := Done{Object: id, Words: "cancelled", Change: model.Change{Write: true}}
			if row != nil {
				done.Change.Removed = []model.ID{row.Dropoff.Task, row.Pickup.Task}
				// The answer does not hold the order; without this look the board would learn of it late.
				if order, err := c.Order(ctx, row.ShortID); err == nil {
					done.Change.Orders = []model.Order{order}
				}
			}
			return done, nil
		},
		LookUp: func(ctx context.Context, c *apiclient.Client) (Found, error) {
			ref := model.ShortID(id) // the path takes both
			if row != nil && row.ShortID != "" {
				ref = row.ShortID
			}
			order, err := c.Order(ctx, ref)
			switch {
			case errors.Is(err, apiclient.ErrNotFound):
				return Found{Happened: true, Certain: true, Words: "the order is gone"}, nil
			case err != nil:
				return Found{}, err
			case order.Status == model.OrderCancelled:
				return Found{Happened: true, Certain: true, Words: "the order is cancelled"}, nil
			}
			return began.notFound(fmt.Sprintf("the order is %s, not cancelled", order.Status)), nil
		},
	}
}
