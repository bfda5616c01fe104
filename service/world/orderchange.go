package world

import (
	"context"

	"waybill/model"
	"waybill/service/store"
)

// orderTaskChange is what happens to one of an order's tasks. Places that are new have coordinates already.
type orderTaskChange struct {
	in    model.TaskInput
	place *located
}

// UpdateOrder changes the tasks of an order until one of them is started. The price stays as it was agreed.
func (w *World) UpdateOrder(ctx context.Context, actor Actor, ref OrderRef, in model.OrderInput) (model.Order, error) {
	row, err := loadOrder(ctx, w.store, actor.Org, ref)
	if err != nil {
		return model.Order{}, err
	}
	check, err := w.checkContext(ctx, actor.Org)
	if err != nil {
		return model.Order{}, err
	}
	if problems := in.CheckUpdate(check); len(problems) > 0 {
		return model.Order{}, problems
	}
	owner := actor
	owner.Org = row.placer()
	pickup, err := w.draftOrderChange(ctx, owner, in.PickupTask.Value(), check)
	if err != nil {
		return model.Order{}, inField("pickupTask", err)
	}
	dropoff, err := w.draftOrderChange(ctx, owner, in.DropoffTask.Value(), check)
	if err != nil {
		return model.Order{}, inField("dropoffTask", err)
	}
	var updated model.Order
	err = w.store.Write(ctx, func(tx *store.Tx) error {
		updated, err = w.updateOrder(ctx, tx, owner, actor, ref, check, pickup, dropoff)
		return err
	})
	return updated, err
}

func (w *World) draftOrderChange(ctx context.Context, owner Actor, in model.OrderTaskInput, check model.CheckContext) (orderTaskChange, error) {
	task, err := w.orderTaskInput(ctx, owner.Org, in, check)
	if err != nil {
		return orderTaskChange{}, err
	}
	change := orderTaskChange{in: task}
	if destination, ok := in.Destination.Get(); ok && destination.Object != nil {
		place, err := w.locate(ctx, *destination.Object)
		if err != nil {
			return change, err
		}
		change.place = &place
	}
	return change, w.checkUpdateRefs(ctx, owner, task)
}

func (w *World) updateOrder(
	ctx context.Context, tx *store.Tx, owner, actor Actor, ref OrderRef, check model.CheckContext, pickup, dropoff orderTaskChange,
) (model.Order, error) {
	row, err := loadOrder(ctx, tx, actor.Org, ref)
	if err != nil {
		return model.Order{}, err
	}
	order, err := row.order(ctx, tx)
	if err != nil {
		return order, err
	}
	if err := tooLate(order, model.UpdateOrderForbidden(order.Status)); err != nil {
		return order, err
	}
	if err := w.changeOrderTask(ctx, tx, owner, row.pickup, pickup, check); err != nil {
		return order, inField("pickupTask", err)
	}
	if err := w.changeOrderTask(ctx, tx, owner, row.dropoff, dropoff, check); err != nil {
		return order, inField("dropoffTask", err)
	}
	if err := row.addEvent("updated", actor.Org, w.Now()); err != nil {
		return order, err
	}
	if err := row.save(ctx, tx); err != nil {
		return order, err
	}
	return row.order(ctx, tx)
}

// changeOrderTask stores new places and people first: the update of a task names them by id.
func (w *World) changeOrderTask(
	ctx context.Context, tx *store.Tx, owner Actor, id model.ID, change orderTaskChange, check model.CheckContext,
) error {
	row, err := loadTask(ctx, tx, "", id)
	if err != nil {
		return err
	}
	if change.place != nil {
		destination, err := w.insertDestination(ctx, tx, owner.Org, *change.place)
		if err != nil {
			return err
		}
		change.in.Destination = model.Some(model.ByID[model.DestinationInput](destination.ID))
	}
	if list := change.in.Recipients.Value(); len(list) > 0 && list[0].Object != nil {
		draft, err := w.newRecipientDraft(owner.Org, *list[0].Object, check)
		if err != nil {
			return err
		}
		recipient, _, err := draft.upsert(ctx, tx)
		if err != nil {
			return err
		}
		change.in.Recipients = model.Some([]model.IDOr[model.RecipientInput]{model.ByID[model.RecipientInput](recipient)})
	}
	return w.updateTask(ctx, tx, owner, row, change.in)
}

// CloneOrder orders the same again. Only who placed the order can, and only when it has no delivery service: a price
// holds once. Windows that are past are left out.
func (w *World) CloneOrder(ctx context.Context, actor Actor, ref OrderRef) (model.Order, error) {
	var order model.Order
	err := w.store.Read(ctx, func(tx *store.Tx) error {
		row, err := loadOrder(ctx, tx, actor.Org, ref)
		if err != nil {
			return err
		}
		if actor.Org != row.placer() {
			return forbidden("Only the client who placed an order can clone it.")
		}
		if row.doc.DeliveryService.Has() {
			return Invalid("The order %s has a delivery service and a price. Ask for a new quote and order from it.", row.doc.ShortID)
		}
		order, err = row.order(ctx, tx)
		return err
	})
	if err != nil {
		return model.Order{}, err
	}
	return w.CreateOrder(ctx, actor, model.OrderInput{
		PickupTask:  model.Some(orderTaskAgain(order.PickupTask, w.Now())),
		DropoffTask: model.Some(orderTaskAgain(order.DropoffTask, w.Now())),
		ClientID:    order.ClientID,
	})
}

// orderTaskAgain is the body that makes a task like this one.
func orderTaskAgain(task model.Task, now model.Millis) model.OrderTaskInput {
	in := model.OrderTaskInput{
		Notes: model.Some(task.Notes), Requirements: task.Requirements, Quantity: model.Some(task.Quantity),
		ServiceTime: model.Some(task.ServiceTime), Metadata: model.Some(task.Metadata),
		Destination: model.Some(model.ByID[model.DestinationInput](task.Destination.Object.ID)),
	}
	if before, ok := task.CompleteBefore.Get(); !ok || before > now {
		in.CompleteAfter, in.CompleteBefore = task.CompleteAfter, task.CompleteBefore
	}
	switch {
	case len(task.Recipients) > 0 && task.Recipients[0].Object != nil:
		in.Recipient = model.Some(model.ByID[model.RecipientInput](task.Recipients[0].Object.ID))
	case task.Overrides.RecipientName.Has():
		in.Recipient = model.Some(model.Embedded(model.RecipientInput{
			Name: task.Overrides.RecipientName, Notes: task.Overrides.RecipientNotes,
		}))
	}
	return in
}
