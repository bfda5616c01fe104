package world

import (
	"context"

	"waybill/model"
	"waybill/service/store"
)

// orderTaskChange is the change of one of an order's tasks. A new destination has coordinates already.
type orderTaskChange struct {
	in    model.TaskInput
	place *model.Destination
}

// UpdateOrder changes the tasks of an order until one of them is started. The price stays the same.
func (w *World) UpdateOrder(ctx context.Context, actor Actor, ref OrderRef, in model.OrderInput) (model.Order, error) {
	row, err := loadOrder(ctx, w.store, actor.Org, ref)
	if err != nil {
		return model.Order{}, err
	}
	check, err := w.checkInput(ctx, actor.Org, in.CheckUpdate)
	if err != nil {
		return model.Order{}, err
	}
	owner := actor
	owner.Org = row.owner()
	pickup, err := w.draftOrderChange(ctx, owner, in.PickupTask.Value(), check)
	if err != nil {
		return model.Order{}, withField("pickupTask", err)
	}
	dropoff, err := w.draftOrderChange(ctx, owner, in.DropoffTask.Value(), check)
	if err != nil {
		return model.Order{}, withField("dropoffTask", err)
	}
	return writeTx(ctx, w.store, func(tx *store.Tx) (model.Order, error) {
		return w.updateOrder(ctx, tx, owner, actor, ref, check, pickup, dropoff)
	})
}

func (w *World) draftOrderChange(
	ctx context.Context, owner Actor, in model.OrderTaskInput, check model.CheckContext,
) (orderTaskChange, error) {
	task, err := w.toTaskInput(ctx, owner.Org, in, check)
	if err != nil {
		return orderTaskChange{}, err
	}
	change := orderTaskChange{in: task}
	if destination, ok := in.Destination.Get(); ok && destination.Object != nil {
		place, err := w.locateDestination(ctx, *destination.Object)
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
	order, err := row.read(ctx, tx)
	if err != nil {
		return order, err
	}
	tx.Fail(checkOrderChange(order, model.UpdateOrderForbidden(order.Status)))
	tx.Fail(withField("pickupTask", w.changeOrderTask(ctx, tx, owner, row.pickup, pickup, check)))
	tx.Fail(withField("dropoffTask", w.changeOrderTask(ctx, tx, owner, row.dropoff, dropoff, check)))
	tx.Fail(row.addEvent("updated", actor.Org, w.Now()))
	row.save(ctx, tx)
	return row.read(ctx, tx)
}

// changeOrderTask stores new destinations and recipients first, because the update of a task refers to them by id.
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

// CloneOrder places the same order again. Only the client who placed the order can clone it, and only when it has no
// delivery service, because a quoted price is valid once. Windows in the past are left out.
func (w *World) CloneOrder(ctx context.Context, actor Actor, ref OrderRef) (model.Order, error) {
	order, err := readTx(ctx, w.store, func(tx *store.Tx) (model.Order, error) {
		row, err := loadOrder(ctx, tx, actor.Org, ref)
		switch {
		case err != nil:
			return model.Order{}, err
		case actor.Org != row.owner():
			return model.Order{}, forbiddenError("Only the client who placed an order can clone it.")
		case row.doc.DeliveryService.Has():
			return model.Order{}, Invalid("Order %s was placed from a quote. Request a new quote and order from it.", row.doc.ShortID)
		}
		return row.read(ctx, tx)
	})
	if err != nil {
		return model.Order{}, err
	}
	return w.CreateOrder(ctx, actor, model.OrderInput{
		PickupTask:  model.Some(repeatOrderTask(order.PickupTask, w.Now())),
		DropoffTask: model.Some(repeatOrderTask(order.DropoffTask, w.Now())),
		ClientID:    order.ClientID,
	})
}

// repeatOrderTask returns the input that creates a task like this one.
func repeatOrderTask(task model.Task, now model.Millis) model.OrderTaskInput {
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
