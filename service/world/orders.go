package world

import (
	"cmp"
	"context"
	"fmt"
	"net/http"

	"waybill/model"
	"waybill/service/store"
)

// Stored states of an order. The status of an open order follows from its tasks.
const (
	orderOpen      = "open"
	orderCancelled = string(model.OrderCancelled)
	orderRejected  = string(model.OrderRejected)
)

// sourceAPI is where all orders come from.
const sourceAPI = "API"

// orderDoc is an order as it is stored. Its tasks are read from their own table. Those of a cancelled or rejected order
// are deleted there and exist only here.
type orderDoc struct {
	model.Order
	PickupTask  model.Opt[model.Task] `json:"pickupTask,omitzero"`
	DropoffTask model.Opt[model.Task] `json:"dropoffTask,omitzero"`
	Status      omitted               `json:"status,omitzero"`
}

// orderRow is a stored order.
type orderRow struct {
	courier, client model.ID // client is empty when the courier ordered for itself
	status          string
	pickup, dropoff model.ID
	doc             orderDoc
}

// owner returns who placed the order and owns its tasks.
func (o *orderRow) owner() model.ID {
	if o.client != "" {
		return o.client
	}
	return o.courier
}

// orderEvent is an entry of an order's history.
type orderEvent struct {
	Name string       `json:"name"`
	Time model.Millis `json:"time"`
	By   model.ID     `json:"organization"`
}

// addEvent adds an entry to the order's history.
func (o *orderRow) addEvent(name string, by model.ID, now model.Millis) error {
	event, err := model.Marshal(orderEvent{Name: name, Time: now, By: by})
	if err != nil {
		return fmt.Errorf("encode order event: %w", err)
	}
	o.doc.Events = append(o.doc.Events, event)
	o.doc.TimeLastModified = now
	return nil
}

// OrderRef is the id or the short id of an order.
type OrderRef string

// Valid reports whether it has the form of either.
func (r OrderRef) Valid() bool { return model.ID(r).Valid() || model.ShortID(r).Valid() }

// Order reads an order for its courier or its client.
func (w *World) Order(ctx context.Context, org model.ID, ref OrderRef) (model.Order, error) {
	return readTx(ctx, w.store, func(tx *store.Tx) (model.Order, error) {
		row, err := loadOrder(ctx, tx, org, ref)
		if err != nil {
			return model.Order{}, err
		}
		return row.read(ctx, tx)
	})
}

// loadOrder reads an order that org may see.
func loadOrder(ctx context.Context, q store.Querier, org model.ID, ref OrderRef) (*orderRow, error) {
	query := "SELECT courier, COALESCE(client, ''), status, pickup, dropoff, doc FROM orders WHERE "
	if model.ID(ref).Valid() {
		query += "id = $1"
	} else {
		query += "short_id = $1"
	}
	row := &orderRow{}
	if err := scanRow(q.QueryRow(ctx, query, string(ref)),
		&row.courier, &row.client, &row.status, &row.pickup, &row.dropoff, fromDoc(&row.doc)); err != nil {
		return nil, err
	}
	if org != row.courier && org != row.client {
		return nil, OtherOrganization()
	}
	return row, nil
}

// read returns the order in its wire form, with its tasks as they are now.
func (o *orderRow) read(ctx context.Context, q store.Querier) (model.Order, error) {
	order := o.doc.Order
	pickup, pickupErr := o.readTask(ctx, q, o.doc.PickupTask, o.pickup)
	dropoff, dropoffErr := o.readTask(ctx, q, o.doc.DropoffTask, o.dropoff)
	order.PickupTask, order.DropoffTask = pickup, dropoff
	order.Status = orderStatus(o.status, &pickup, &dropoff)
	return order, cmp.Or(pickupErr, dropoffErr)
}

// readTask reads one of the order's tasks. Its destination always shows its organization.
func (o *orderRow) readTask(ctx context.Context, q store.Querier, kept model.Opt[model.Task], id model.ID) (model.Task, error) {
	task, ok := kept.Get()
	if !ok {
		var err error
		if task, err = ReadTask(ctx, q, id); err != nil {
			return task, fmt.Errorf("read the order's task %s: %w", id, err)
		}
	}
	if destination := task.Destination.Object; destination != nil && !destination.Organization.Has() {
		destination.Organization = model.Some(o.owner())
	}
	return task, nil
}

// orderStatus derives the status of an order from its tasks: failed when one of them failed, active from the first start
// to the last completion, assigned once drivers have both.
func orderStatus(stored string, pickup, dropoff *model.Task) model.OrderStatus {
	started := func(t *model.Task) bool { return t.State == model.TaskActive || t.State == model.TaskCompleted }
	switch {
	case stored != orderOpen:
		return model.OrderStatus(stored)
	case pickup.Failed() || dropoff.Failed():
		return model.OrderFailed
	case pickup.Succeeded() && dropoff.Succeeded():
		return model.OrderCompleted
	case started(pickup) || started(dropoff):
		return model.OrderActive
	case pickup.State == model.TaskAssigned && dropoff.State == model.TaskAssigned:
		return model.OrderAssigned
	}
	return model.OrderUnassigned
}

// checkOrderChange refuses the change of an order if there is a reason.
func checkOrderChange(order model.Order, reason string) error {
	if reason == "" {
		return nil
	}
	return Conflict("Order %s: %s", order.ShortID, reason)
}

// CancelOrders cancels orders that have not begun, all of them or none. Their tasks are deleted; the orders keep them as
// they last were.
func (w *World) CancelOrders(ctx context.Context, actor Actor, in model.CancelOrders) (model.OrdersCancelled, error) {
	if problems := in.Check(); len(problems) > 0 {
		return model.OrdersCancelled{}, problems
	}
	ids := removeDuplicates(in.OrderIDs)
	err := w.store.Write(ctx, func(tx *store.Tx) error {
		for _, id := range ids {
			row, err := loadOrder(ctx, tx, actor.Org, OrderRef(id))
			if err != nil {
				return withResource(err, "order", id)
			}
			if _, err := w.closeOrder(ctx, tx, actor, row, orderCancelled); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return model.OrdersCancelled{}, err
	}
	return model.OrdersCancelled{Status: "success", TotalOrdersRemoved: model.Int(len(ids))}, nil
}

// RejectOrder rejects a client's order. Only its courier can do that.
func (w *World) RejectOrder(ctx context.Context, actor Actor, ref OrderRef) (model.Order, error) {
	return writeTx(ctx, w.store, func(tx *store.Tx) (model.Order, error) {
		row, err := loadOrder(ctx, tx, actor.Org, ref)
		if err != nil {
			return model.Order{}, err
		}
		if actor.Org != row.courier || row.client == "" {
			return model.Order{}, forbiddenError("Only the courier can reject an order. Cancel your own orders instead.")
		}
		return w.closeOrder(ctx, tx, actor, row, orderRejected)
	})
}

func forbiddenError(message string) *Error {
	return NewError(http.StatusForbidden, model.CodeForbidden, model.ErrorForbidden, message)
}

// closeOrder deletes the tasks of an order that has not begun and keeps their last state in the order.
func (w *World) closeOrder(ctx context.Context, tx *store.Tx, actor Actor, row *orderRow, status string) (model.Order, error) {
	order, err := row.read(ctx, tx)
	if err != nil {
		return order, err
	}
	forbidden := model.CancelOrderForbidden
	if status == orderRejected {
		forbidden = model.RejectOrderForbidden
	}
	if err := checkOrderChange(order, forbidden(order.Status)); err != nil {
		return order, err
	}
	// Delete the drop-off first because it depends on the pickup.
	for _, id := range []model.ID{row.dropoff, row.pickup} {
		task, err := loadTask(ctx, tx, "", id)
		if err != nil {
			return order, err
		}
		tx.Fail(w.deleteTask(ctx, tx, actor, task))
	}
	row.status = status
	row.doc.PickupTask, row.doc.DropoffTask = model.Some(order.PickupTask), model.Some(order.DropoffTask)
	tx.Fail(row.addEvent(status, actor.Org, w.Now()))
	row.save(ctx, tx)
	return row.read(ctx, tx)
}

func (o *orderRow) save(ctx context.Context, tx *store.Tx) {
	tx.Write(ctx, "update order", "UPDATE orders SET status = $1, modified = $2, doc = $3 WHERE id = $4",
		o.status, o.doc.TimeLastModified, asDoc(o.doc), o.doc.ID)
}

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
		place, err := w.locateDestination(ctx, owner.Org, *destination.Object)
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
