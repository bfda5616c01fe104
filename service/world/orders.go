package world

import (
	"context"
	"fmt"
	"net/http"

	"waybill/model"
	"waybill/service/store"
)

// What is stored of an order's stage. An open order's stage follows from its tasks.
const (
	orderOpen      = "open"
	orderCancelled = string(model.OrderCancelled)
	orderRejected  = string(model.OrderRejected)
)

// sourceAPI is where all orders come from.
const sourceAPI = "API"

// orderDoc is an order as it is stored: its tasks are read from their own table, except those of an order that was
// called off, which exist only here.
type orderDoc struct {
	model.Order
	PickupTask  model.Opt[model.Task] `json:"pickupTask,omitzero"`
	DropoffTask model.Opt[model.Task] `json:"dropoffTask,omitzero"`
	Status      absent                `json:"status,omitzero"`
}

// orderRow is a stored order.
type orderRow struct {
	courier, client model.ID // client is empty when the courier ordered for itself
	status          string
	pickup, dropoff model.ID
	doc             orderDoc
}

// placer is who ordered.
func (o *orderRow) placer() model.ID {
	if o.client != "" {
		return o.client
	}
	return o.courier
}

// orderEvent is a line of an order's history.
type orderEvent struct {
	Name string       `json:"name"`
	Time model.Millis `json:"time"`
	By   model.ID     `json:"organization"`
}

// addEvent writes a line of the order's history.
func (o *orderRow) addEvent(name string, by model.ID, now model.Millis) error {
	event, err := model.Marshal(orderEvent{Name: name, Time: now, By: by})
	if err != nil {
		return fmt.Errorf("encode order event: %w", err)
	}
	o.doc.Events = append(o.doc.Events, event)
	o.doc.TimeLastModified = now
	return nil
}

// OrderRef names an order by its id or its short id.
type OrderRef string

// Valid reports whether it can be either.
func (r OrderRef) Valid() bool { return model.ID(r).Valid() || model.ShortID(r).Valid() }

// Order reads an order, for its courier and for its client.
func (w *World) Order(ctx context.Context, org model.ID, ref OrderRef) (model.Order, error) {
	var order model.Order
	err := w.store.Read(ctx, func(tx *store.Tx) error {
		row, err := loadOrder(ctx, tx, org, ref)
		if err != nil {
			return err
		}
		order, err = row.order(ctx, tx)
		return err
	})
	return order, err
}

// loadOrder reads an order that org may see.
func loadOrder(ctx context.Context, q store.Querier, org model.ID, ref OrderRef) (*orderRow, error) {
	query := "SELECT courier, COALESCE(client, ''), status, pickup, dropoff, doc FROM orders WHERE short_id = $1"
	if model.ID(ref).Valid() {
		query = "SELECT courier, COALESCE(client, ''), status, pickup, dropoff, doc FROM orders WHERE id = $1"
	}
	row := &orderRow{}
	var doc []byte
	if err := scanOne(q.QueryRow(ctx, query, string(ref)), &row.courier, &row.client, &row.status, &row.pickup, &row.dropoff, &doc); err != nil {
		return nil, err
	}
	if org != row.courier && org != row.client {
		return nil, OtherOrganization()
	}
	if err := model.Unmarshal(doc, &row.doc); err != nil {
		return nil, fmt.Errorf("decode stored order: %w", err)
	}
	return row, nil
}

// order is the order as it goes over the wire, with its tasks as they are now.
func (o *orderRow) order(ctx context.Context, q store.Querier) (model.Order, error) {
	order := o.doc.Order
	var err error
	if order.PickupTask, err = o.task(ctx, q, o.doc.PickupTask, o.pickup); err != nil {
		return order, err
	}
	if order.DropoffTask, err = o.task(ctx, q, o.doc.DropoffTask, o.dropoff); err != nil {
		return order, err
	}
	order.Status = orderStatus(o.status, &order.PickupTask, &order.DropoffTask)
	return order, nil
}

// task reads one of the order's tasks. Its destination says whose it is, wherever it came from.
func (o *orderRow) task(ctx context.Context, q store.Querier, kept model.Opt[model.Task], id model.ID) (model.Task, error) {
	task, ok := kept.Get()
	if !ok {
		var err error
		if task, err = ReadTask(ctx, q, id); err != nil {
			return task, fmt.Errorf("read the order's task %s: %w", id, err)
		}
	}
	if destination := task.Destination.Object; destination != nil && !destination.Organization.Has() {
		destination.Organization = model.Some(o.placer())
	}
	return task, nil
}

// orderStatus is the stage that an order's tasks stand for: it has failed when one of them has; it is active from the
// first start to the last completion; and it is assigned once drivers have both.
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

// tooLate refuses a change of an order for a reason, if there is one.
func tooLate(order model.Order, reason string) error {
	if reason == "" {
		return nil
	}
	return Conflict("Order %s: %s", order.ShortID, reason)
}

// CancelOrders calls off orders that have not begun, all of them or none. Their tasks are deleted; the orders stay,
// with their tasks as they last were.
func (w *World) CancelOrders(ctx context.Context, actor Actor, in model.CancelOrders) (model.OrdersCancelled, error) {
	if problems := in.Check(); len(problems) > 0 {
		return model.OrdersCancelled{}, problems
	}
	ids := unique(in.OrderIDs)
	err := w.store.Write(ctx, func(tx *store.Tx) error {
		for _, id := range ids {
			row, err := loadOrder(ctx, tx, actor.Org, OrderRef(id))
			if err != nil {
				return naming(err, "order", id)
			}
			if _, err := w.endOrder(ctx, tx, actor, row, orderCancelled); err != nil {
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

// RejectOrder turns a client's order down. Only its courier can.
func (w *World) RejectOrder(ctx context.Context, actor Actor, ref OrderRef) (model.Order, error) {
	var order model.Order
	err := w.store.Write(ctx, func(tx *store.Tx) error {
		row, err := loadOrder(ctx, tx, actor.Org, ref)
		if err != nil {
			return err
		}
		if actor.Org != row.courier || row.client == "" {
			return forbidden("Only the courier can reject an order. The one who placed it cancels it.")
		}
		order, err = w.endOrder(ctx, tx, actor, row, orderRejected)
		return err
	})
	return order, err
}

func forbidden(message string) *Error {
	return &Error{Status: http.StatusForbidden, Code: model.CodeForbidden, Subcode: model.ErrorForbidden, Message: message}
}

// endOrder deletes the tasks of an order that has not begun, and keeps their last form in it.
func (w *World) endOrder(ctx context.Context, tx *store.Tx, actor Actor, row *orderRow, status string) (model.Order, error) {
	order, err := row.order(ctx, tx)
	if err != nil {
		return order, err
	}
	mayEnd := model.CancelOrderForbidden
	if status == orderRejected {
		mayEnd = model.RejectOrderForbidden
	}
	if err := tooLate(order, mayEnd(order.Status)); err != nil {
		return order, err
	}
	// The drop-off first: it depends on the pickup.
	for _, id := range []model.ID{row.dropoff, row.pickup} {
		task, err := loadTask(ctx, tx, "", id)
		if err != nil {
			return order, err
		}
		if err := w.deleteTask(ctx, tx, actor, task); err != nil {
			return order, err
		}
	}
	row.status = status
	row.doc.PickupTask, row.doc.DropoffTask = model.Some(order.PickupTask), model.Some(order.DropoffTask)
	if err := row.addEvent(status, actor.Org, w.Now()); err != nil {
		return order, err
	}
	if err := row.save(ctx, tx); err != nil {
		return order, err
	}
	return row.order(ctx, tx)
}

func (o *orderRow) save(ctx context.Context, tx *store.Tx) error {
	doc, err := model.Marshal(o.doc)
	if err != nil {
		return fmt.Errorf("encode order: %w", err)
	}
	if _, err := tx.Exec(ctx, "UPDATE orders SET status = $1, modified = $2, doc = $3 WHERE id = $4",
		o.status, o.doc.TimeLastModified, string(doc), o.doc.ID); err != nil {
		return fmt.Errorf("update order: %w", err)
	}
	return nil
}
