package world

import (
	"context"
	"strings"

	"waybill/model"
	"waybill/service/store"
)

// Types of an order's tasks.
const (
	orderPickup  model.Int = 0
	orderDropoff model.Int = 1
)

// orderDraft is an order that has passed every check that needs no transaction.
type orderDraft struct {
	row             orderRow
	quote           storedQuote // zero when the order is not from one
	pickup, dropoff *taskDraft
}

// CreateOrder creates a pickup and a drop-off that depends on it. The client owns both tasks and the courier fulfils
// them. With the id of a quote, the order takes the courier, client and price from the quote.
func (w *World) CreateOrder(ctx context.Context, actor Actor, in model.OrderInput) (model.Order, error) {
	check, err := w.checkInput(ctx, actor.Org, in.Check)
	if err != nil {
		return model.Order{}, err
	}
	draft, err := w.draftOrder(ctx, actor, in)
	if err != nil {
		return model.Order{}, err
	}
	if err := w.draftOrderTasks(ctx, actor, draft, in, check); err != nil {
		return model.Order{}, err
	}
	if err := draft.quote.checkPlaces(draft); err != nil {
		return model.Order{}, err
	}
	return writeTx(ctx, w.store, func(tx *store.Tx) (model.Order, error) {
		tx.Fail(w.insertOrder(ctx, tx, actor, draft))
		return draft.row.read(ctx, tx)
	})
}

// draftOrder determines courier, client and price.
func (w *World) draftOrder(ctx context.Context, actor Actor, in model.OrderInput) (*orderDraft, error) {
	now := w.Now()
	d := &orderDraft{row: orderRow{status: orderOpen, doc: orderDoc{Order: model.Order{
		ID: w.ids.ID(), TimeCreated: now.WholeSecond(), TimeLastModified: now, Source: sourceAPI,
		DeliveryService: model.Null[string](), OrchestrationDetails: model.Null[model.Raw](),
		Price: model.Null[float64](), PriceBreakdown: []model.PricePart{}, Currency: model.Null[string](),
		DeliveryServiceInvoice: model.Null[model.Raw](),
		ClientID:               model.Null[model.ID](), ClientName: model.Null[string](),
	}}}}
	var err error
	if quote, ok := in.DeliveryServiceID.Get(); ok {
		err = w.applyQuote(ctx, actor, d, quote, in.ClientID)
	} else {
		err = w.applyParties(ctx, actor, d, in.ClientID.Value())
	}
	if err != nil {
		return nil, err
	}
	order := &d.row.doc.Order
	order.CourierID = model.Some(d.row.courier)
	if d.row.client != "" {
		client, err := w.Organization(ctx, d.row.client)
		if err != nil {
			return nil, err
		}
		order.ClientID, order.ClientName = model.Some(client.ID), model.Some(client.Name)
	}
	return d, d.row.addEvent("created", actor.Org, now)
}

// applyQuote gives the order the quoted price.
func (w *World) applyQuote(ctx context.Context, actor Actor, d *orderDraft, id model.ID, client model.Opt[model.ID]) error {
	quote, err := w.readQuote(ctx, actor.Org, id)
	if err != nil {
		return err
	}
	if named, ok := client.Get(); ok && named != quote.client {
		return Invalid("clientId: The quote was made for another client.")
	}
	d.quote = quote
	d.row.courier, d.row.client = quote.Organization, quote.client
	order := &d.row.doc.Order
	order.DeliveryService = model.Some(string(quote.ID))
	order.Price, order.Currency = model.Some(quote.EstimatedCost), model.Some(quote.Currency)
	for _, part := range quote.EstimatedCostBreakdown {
		part.ID = model.Some(w.ids.ID())
		order.PriceBreakdown = append(order.PriceBreakdown, part)
	}
	return nil
}

func (w *World) applyParties(ctx context.Context, actor Actor, d *orderDraft, client model.ID) error {
	who, err := findParties(ctx, w.store, actor.Org, client)
	if err != nil {
		return err
	}
	if len(who.couriers) > 1 {
		return invalid(model.ErrorAmbiguous,
			"deliveryServiceId: The organization has %d couriers. Request quotes and order from one of them.", len(who.couriers))
	}
	d.row.courier, d.row.client = who.couriers[0], who.client
	return nil
}

func (w *World) draftOrderTasks(ctx context.Context, actor Actor, d *orderDraft, in model.OrderInput, check model.CheckContext) error {
	owner := actor
	owner.Org = d.row.owner()
	if err := w.checkConnected(ctx, owner.Org, "clientId", d.row.courier); err != nil {
		return err
	}
	var err error
	if d.pickup, err = w.draftOrderTask(ctx, owner, d.row.courier, in.PickupTask.Value(), orderPickup, check); err != nil {
		return withField("pickupTask", err)
	}
	if d.dropoff, err = w.draftOrderTask(ctx, owner, d.row.courier, in.DropoffTask.Value(), orderDropoff, check); err != nil {
		return withField("dropoffTask", err)
	}
	d.dropoff.task.Dependencies = []model.ID{d.pickup.task.ID}
	d.row.pickup, d.row.dropoff = d.pickup.task.ID, d.dropoff.task.ID
	return nil
}

func (w *World) draftOrderTask(
	ctx context.Context, owner Actor, courier model.ID, in model.OrderTaskInput, kind model.Int, check model.CheckContext,
) (*taskDraft, error) {
	task, err := w.toTaskInput(ctx, owner.Org, in, check)
	if err != nil {
		return nil, err
	}
	task.Type, task.PickupTask = model.Some(kind), model.Some(kind == orderPickup)
	task.Executor = model.Some(courier)
	task.Container = model.Some(model.OrganizationContainer(courier))
	creation, err := w.newTaskCreation(ctx, owner)
	if err != nil {
		return nil, err
	}
	draft, err := w.draftTask(ctx, creation, task)
	if err != nil {
		return nil, err
	}
	draft.task.CustomRequirements, draft.task.BulkTasks = model.Some([]model.Raw{}), model.Some([]model.Raw{})
	return draft, nil
}

// toTaskInput converts one of an order's tasks to a task input. Absent members stay absent. Custom fields are included
// because an organization may require them for every task. A person without a phone number cannot be stored as a
// recipient, so their name and notes become overrides of the task.
func (w *World) toTaskInput(ctx context.Context, org model.ID, in model.OrderTaskInput, check model.CheckContext) (model.TaskInput, error) {
	task := model.TaskInput{
		Destination: in.Destination, Recipients: in.Recipients, Notes: in.Notes,
		CompleteAfter: in.CompleteAfter, CompleteBefore: in.CompleteBefore, Requirements: in.Requirements,
		Quantity: in.Quantity, ServiceTime: in.ServiceTime, Metadata: in.Metadata,
	}
	if len(in.Extra) > 0 {
		var more struct {
			CustomFields model.Opt[[]model.CustomFieldInput] `json:"customFields,omitzero"`
		}
		if err := model.Unmarshal(in.Extra, &more); err != nil {
			return task, Invalid("customFields: %v", err)
		}
		task.CustomFields = more.CustomFields
	}
	if recipient, ok := in.Recipient.Get(); ok {
		task.Recipients = model.Some([]model.IDOr[model.RecipientInput]{recipient})
	}
	list := task.Recipients.Value()
	if len(list) == 0 || list[0].Object == nil {
		return task, nil
	}
	person := *list[0].Object
	if strings.TrimSpace(person.Phone.Value()) == "" {
		task.Recipients = model.Some([]model.IDOr[model.RecipientInput]{})
		task.RecipientName = model.NullIfZero(strings.TrimSpace(person.Name.Value()))
		task.RecipientNotes = model.NullIfZero(person.Notes.Value())
		return task, nil
	}
	if strings.TrimSpace(person.Name.Value()) != "" {
		return task, nil
	}
	named, err := w.fillRecipientName(ctx, org, person, check)
	task.Recipients = model.Some([]model.IDOr[model.RecipientInput]{named})
	return task, err
}

// fillRecipientName names a recipient who has only a phone number: after the known recipient with that number, else
// after the number itself.
func (w *World) fillRecipientName(
	ctx context.Context, org model.ID, person model.RecipientInput, check model.CheckContext,
) (model.IDOr[model.RecipientInput], error) {
	phone, problems := person.NormalizedPhone(check.Country)
	if len(problems) > 0 {
		return model.IDOr[model.RecipientInput]{}, problems
	}
	known, err := readDocs[model.Recipient](ctx, w.store, "SELECT doc FROM recipients WHERE org = $1 AND phone = $2", org, phone)
	person.Name = model.Some(phone)
	if len(known) > 0 && known[0].Name != "" {
		person.Name = model.Some(known[0].Name)
	}
	return model.Embedded(person), err
}

// insertOrder stores the order, then its tasks, which carry the order's short id.
func (w *World) insertOrder(ctx context.Context, tx *store.Tx, actor Actor, d *orderDraft) error {
	w.insertOrderRow(ctx, tx, &d.row)
	owner := actor
	owner.Org = d.row.owner()
	for _, draft := range []*taskDraft{d.pickup, d.dropoff} {
		draft.order = d.row.doc.ID
		draft.task.OrderShortID = model.Some(d.row.doc.ShortID)
		doc, err := encodeTaskDoc(&draft.task)
		tx.Fail(err)
		draft.doc = doc
		task, _, err := w.insertDraft(ctx, tx, owner, draft)
		if err != nil {
			return err
		}
		w.recordTaskEvents(ctx, tx, actor, task, task.modified, model.TriggerTaskCreated)
	}
	return nil
}

// insertOrderRow stores the order under a short id that no other order has.
func (w *World) insertOrderRow(ctx context.Context, tx *store.Tx, row *orderRow) {
	for inserted := int64(0); inserted == 0 && tx.Err() == nil; {
		row.doc.ShortID = w.ids.ShortID()
		inserted = tx.Write(ctx, "insert order",
			`INSERT INTO orders (id, short_id, courier, client, status, pickup, dropoff, created, modified, doc)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (short_id) DO NOTHING`,
			row.doc.ID, row.doc.ShortID, row.courier, nullID(row.client),
			row.status, row.pickup, row.dropoff, row.doc.TimeCreated, row.doc.TimeLastModified, asDoc(row.doc))
	}
}
