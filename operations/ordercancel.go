package operations

import (
	"context"
	"errors"
	"fmt"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// NewOrderCancel is order.cancel: cancels the selected orders, each with its own request, so that one that is started does
// not stop the others.
func NewOrderCancel(s Input) (Operation, error) {
	ids, skipped, err := splitObjects(s.Orders, "an order", "cancelled", func(id model.ID) (label, reason string) {
		row := s.Board.Orders.Get(id)
		if row == nil {
			return orderLabel(row, id), ""
		}
		return orderLabel(row, id), cancelRefusal(s.Board, row)
	})
	if err != nil {
		return Operation{}, err
	}
	what := model.FormatCount(len(ids), "order")
	if len(ids) == 1 {
		what = orderLabel(s.Board.Orders.Get(ids[0]), ids[0])
	}
	legs := "its pickup and drop-off"
	if len(ids) > 1 {
		legs = "their pickups and drop-offs"
	}
	title := "Cancel " + what
	return Operation{
		ID: "order.cancel", Title: title, Form: form.Form{Title: title},
		Prepare: func(form.Values) (Proposal, form.Problems) {
			proposal := Proposal{
				Skipped: skipped, Summary: "cancel " + what,
				Irreversible: fmt.Sprintf("Cancel %s%s? This deletes %s.", what, organizationSuffix(s), legs),
			}
			for _, id := range ids {
				row := s.Board.Orders.Get(id)
				if row != nil {
					proposal.Lines = append(proposal.Lines, orderLine(row))
				}
				proposal.Steps = append(proposal.Steps, cancelStep(id, row))
			}
			return proposal, nil
		},
	}, nil
}

// cancelRefusal also checks the two tasks, whose rows are newer than the order's.
func cancelRefusal(snapshot *board.Snapshot, row *board.OrderRow) string {
	if reason := model.CancelOrderForbidden(row.Status); reason != "" {
		return reason
	}
	for _, leg := range []board.OrderLeg{row.Pickup, row.Dropoff} {
		if task := snapshot.Tasks.Get(leg.Task); task != nil && (task.State == model.TaskActive || task.State == model.TaskCompleted) {
			return model.CancelOrderForbidden(model.OrderActive)
		}
	}
	return ""
}

func orderLabel(row *board.OrderRow, id model.ID) string {
	if row != nil && row.ShortID != "" {
		return "order " + string(row.ShortID)
	}
	return "order " + string(id)
}

func orderLine(row *board.OrderRow) Line {
	text := model.Capitalize(orderLabel(row, row.ID))
	if row.Client != "" {
		text += " for " + row.Client
	}
	if row.Priced {
		text += ", " + priceText(row.Price, row.Currency)
	}
	return plainLine("%s, %s.", text, row.Status)
}

func cancelStep(id model.ID, row *board.OrderRow) Step {
	var began sendTime
	ref := model.ShortID(id) // the endpoint accepts an id or a short id
	if row != nil && row.ShortID != "" {
		ref = row.ShortID
	}
	return Step{
		Object: id, Label: orderLabel(row, id), Locks: []string{"order " + string(id)},
		Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
			began.setNow()
			answer, err := c.CancelOrders(ctx, []model.ID{id})
			if err != nil {
				return Result{}, err
			}
			if answer.TotalOrdersRemoved == 0 {
				return Result{}, fmt.Errorf("the service accepted the request but cancelled nothing; check %s", orderLabel(row, id))
			}
			done := Result{Object: id, Summary: "cancelled", Response: answer, Change: board.Change{IsWrite: true}}
			if row != nil {
				done.Change.Removed = []model.ID{row.Dropoff.Task, row.Pickup.Task}
				// The answer does not contain the order. Without this read the board would show the change late.
				if order, err := c.Order(ctx, ref); err == nil {
					done.Change.Orders = []model.Order{order}
				}
			}
			return done, nil
		},
		Lookup: func(ctx context.Context, c *apiclient.Client) (LookupResult, error) {
			order, err := c.Order(ctx, ref)
			switch {
			case errors.Is(err, apiclient.ErrNotFound):
				return LookupResult{Happened: true, Certain: true, Summary: "the order is deleted"}, nil
			case err != nil:
				return LookupResult{}, err
			case order.Status == model.OrderCancelled:
				return LookupResult{Happened: true, Certain: true, Summary: "the order is cancelled"}, nil
			}
			return began.notFoundResult(fmt.Sprintf("the order is %s, not cancelled", order.Status)), nil
		},
	}
}
