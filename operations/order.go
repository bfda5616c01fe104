package operations

import (
	"context"
	"maps"
	"strings"
	"sync"

	"waybill/apiclient"
	"waybill/board"
	"waybill/model"
	"waybill/operations/form"
)

// NewOrder is create.order: creates a pickup and a drop-off at the price of a quote. Quotes are loaded while the form is
// filled in, as soon as it is complete enough.
func NewOrder(s Input) (Operation, error) {
	quotes, known := new(quoteCache), new(recipientCache)
	f := form.Form{
		Title: "New order", Start: form.Values{"quantity": "1", "promise": "yes"}, First: legPickup + "address",
		Fields: orderFields(s, quotes),
	}
	if id := model.ID(strings.TrimSpace(s.Argument)); id.Valid() {
		f.Start["quote"] = string(id)
	}
	return request[model.OrderInput]{
		id: "create.order", form: f, fieldOf: orderFieldOf,
		read: func(values form.Values, problems form.Problems) model.OrderInput {
			in := orderInput(s, values, problems)
			quotes.setDue(&in, values)
			return in
		},
		check: func(in model.OrderInput) model.Problems { return in.Check(draftOptions(s).Check()) },
		propose: func(in model.OrderInput, values form.Values) Proposal {
			return Proposal{
				Lines:   orderLines(s, values, in, quotes, known),
				Summary: "order from " + shortenText(placeText(s, in.PickupTask.Value().Destination.Value())),
				Steps:   []Step{orderStep(s, in)},
			}
		},
		loadNotes: func(ctx context.Context, c *apiclient.Client, values form.Values) map[string]string {
			notes := map[string]string{}
			maps.Copy(notes, quotes.loadNotes(ctx, c, s, values))
			for _, leg := range legs() {
				for name, note := range known.loadNotes(s)(ctx, c, leg.values(values)) {
					notes[leg.prefix+name] = note
				}
			}
			return notes
		},
	}.operation(s)
}

func orderFields(s Input, quotes *quoteCache) []form.Field {
	var fields []form.Field
	for _, leg := range legs() {
		ends := legAddressForm(leg.page).fields(s)
		for _, f := range recipientFields(s, leg.page) {
			if f.Name != "keep_recipient" { // orders have no overrides
				ends = append(ends, f)
			}
		}
		ends = append(ends, windowFields(s, leg.page)...)
		notes := taskField(s, "notes", "Notes", leg.page)
		notes.Kind, notes.Limit = form.Text, model.MaxTaskNotes
		ends = append(ends, notes, taskField(s, "service_time", "Service time", leg.page))
		ends = append(ends, requirementFields(leg.page)...)
		ends = append(ends, taskField(s, "minimum_age", "Minimum age", leg.page))
		fields = append(fields, prefixFields(leg.prefix, ends)...)
	}
	fields = append(fields, parcelFields(s)...)
	return append(fields, form.Field{
		Name: "quote", Title: "Quote", Page: pageService, Prompt: "choose a quote",
		About:   "quotes need the weight",
		Suggest: func(text string, _ form.Values) []form.Option { return quotes.options(s, text) },
		Echo: func(value string, _ form.Values) string {
			if q, ok := quotes.get(model.ID(value)); ok {
				return quoteText(s, q)
			}
			return ""
		},
	}, form.Field{
		Name: "promise", Title: "Due as quoted", Page: pageService, Kind: form.Yes,
		About: "the drop-off is due when the quote promises, unless it has its own due time",
		Show:  func(v form.Values) bool { return v.Get("quote") != "" },
	})
}

// setDue makes the quote's promise the due time of the drop-off, unless it has one or that is switched off.
func (b *quoteCache) setDue(in *model.OrderInput, values form.Values) {
	quote, known := b.get(in.DeliveryServiceID.Value())
	dropoff := in.DropoffTask.Value()
	possible := known && quote.DueBy > dropoff.CompleteAfter.Value()
	if possible && values.Yes("promise") && !dropoff.CompleteBefore.Has() {
		dropoff.CompleteBefore = model.Some(quote.DueBy)
		in.DropoffTask = model.Some(dropoff)
	}
}

// quoteCache keeps the quotes of one form. It is safe for concurrent use, because notes are loaded in the background.
type quoteCache struct {
	mu      sync.Mutex
	request string // the request that latest answers, as JSON
	latest  []model.Quote
	all     map[model.ID]model.Quote
}

// loadNotes asks for quotes once the form is complete enough, and again when it changes.
func (b *quoteCache) loadNotes(ctx context.Context, c *apiclient.Client, s Input, values form.Values) map[string]string {
	problems := form.Problems{}
	request := orderQuote(s, values, problems)
	client := resolveClient(s, values, problems)
	if len(problems) > 0 || len(checkQuote(s, request)) > 0 {
		return nil
	}
	encoded, err := model.Marshal(request)
	if err != nil {
		return nil
	}
	asked := string(client) + string(encoded)
	b.mu.Lock()
	again, quotes := asked == b.request, b.latest
	b.mu.Unlock()
	if !again {
		if quotes, err = c.Quote(ctx, client, request); err != nil {
			return map[string]string{"quote": "No quotes: " + apiclient.ErrorText(err)}
		}
		b.put(asked, quotes)
	}
	if len(quotes) == 0 {
		return map[string]string{"quote": "No service can take this delivery."}
	}
	lines := mapList(quotes, func(q model.Quote) string { return quoteText(s, q) })
	return map[string]string{"quote": strings.Join(lines, "\n")}
}

func (b *quoteCache) put(asked string, quotes []model.Quote) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.request, b.latest = asked, quotes
	if b.all == nil {
		b.all = map[model.ID]model.Quote{}
	}
	for _, q := range quotes {
		b.all[q.ID] = q
	}
}

func (b *quoteCache) get(id model.ID) (model.Quote, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	q, ok := b.all[id]
	return q, ok
}

func (b *quoteCache) options(s Input, text string) []form.Option {
	b.mu.Lock()
	defer b.mu.Unlock()
	var options []form.Option
	for _, q := range b.latest {
		if line := quoteText(s, q); strings.Contains(strings.ToLower(line), strings.ToLower(strings.TrimSpace(text))) {
			options = append(options, form.Option{Value: string(q.ID), Label: line})
		}
	}
	return options
}

// orderQuote is the request for quotes that fits an order.
func orderQuote(s Input, values form.Values, problems form.Problems) model.QuoteRequest {
	times := values.Clone()
	pickup := orderLeg(s, withoutPrefix(legPickup, values), form.Problems{})
	dropoff := orderLeg(s, withoutPrefix(legDropoff, values), form.Problems{})
	delete(times, "ready")
	request := quoteRequest(s, times, problems)
	request.ReadyBy = model.Some(pickup.CompleteAfter.Or(s.Now))
	request.DueBy = dropoff.CompleteBefore
	return request
}

// orderInput makes the body from the values.
func orderInput(s Input, values form.Values, problems form.Problems) model.OrderInput {
	var in model.OrderInput
	for i, to := range []*model.Opt[model.OrderTaskInput]{&in.PickupTask, &in.DropoffTask} {
		leg, inner := legs()[i], form.Problems{}
		*to = model.Some(orderLeg(s, leg.values(values), inner))
		leg.addProblems(inner, problems)
	}
	if quantity := parseNumber(s, "quantity", values, problems); quantity.Has() {
		// The quantity belongs to the drop-off.
		dropoff := in.DropoffTask.Value()
		dropoff.Quantity = quantity
		in.DropoffTask = model.Some(dropoff)
	}
	if id := values.Get("quote"); id != "" {
		in.DeliveryServiceID = model.Some(model.ID(id))
	}
	if id := resolveClient(s, values, problems); id != "" {
		in.ClientID = model.Some(id)
	}
	return in
}

func orderLeg(s Input, values form.Values, problems form.Problems) model.OrderTaskInput {
	legAddressForm("").checkGiven(values, problems)
	task := readTask(s, values, problems)
	leg := model.OrderTaskInput{
		Destination: task.Destination, Notes: task.Notes, CompleteAfter: task.CompleteAfter, CompleteBefore: task.CompleteBefore,
		Requirements: task.Requirements, ServiceTime: task.ServiceTime,
	}
	if list := task.Recipients.Value(); len(list) > 0 {
		leg.Recipient = model.Some(list[0])
	}
	return leg
}

// orderFieldOf maps members of an order to fields.
func orderFieldOf(member string, values form.Values) string {
	for _, leg := range legs() {
		if rest, ok := strings.CutPrefix(member, leg.member+"Task."); ok && member != "dropoffTask.quantity" {
			return leg.prefix + legFieldOf(rest, leg.values(values))
		}
	}
	switch member {
	case "dropoffTask.quantity":
		return "quantity"
	case "deliveryServiceId":
		return "quote"
	case "clientId":
		return "client"
	}
	return member
}

func legFieldOf(member string, values form.Values) string {
	if strings.HasPrefix(member, "destination") {
		return legAddressForm("").fieldOf(member, values)
	}
	if rest, ok := strings.CutPrefix(member, "recipient"); ok && (rest == "" || rest[0] == '.') {
		member = "recipients[0]" + rest
	}
	return fieldOfMember(member, values)
}

func orderLines(s Input, values form.Values, in model.OrderInput, quotes *quoteCache, people *recipientCache) []Line {
	var lines []Line
	for i, task := range []model.OrderTaskInput{in.PickupTask.Value(), in.DropoffTask.Value()} {
		leg := legs()[i]
		lines = append(lines, plainLine("%s at %s, %s.", leg.page, placeText(s, task.Destination.Value()),
			formatWindow(s, task.CompleteAfter, task.CompleteBefore)))
		if task.Recipient.Has() && values != nil {
			lines = append(lines, people.recipientLines(s, leg.values(values))...)
		}
	}
	id, ok := in.DeliveryServiceID.Get()
	quote, known := quotes.get(id)
	switch {
	case known:
		lines = append(lines, plainLine("With %s.", quoteText(s, quote)))
	case ok:
		lines = append(lines, plainLine("At the price of quote %s.", id))
	default:
		lines = append(lines, warnLine("Without a quote the order has no price."))
	}
	if client, ok := in.ClientID.Get(); ok {
		lines = append(lines, plainLine("For client %s.", clientLabel(s, client)))
	}
	return lines
}

func orderStep(s Input, in model.OrderInput) Step {
	var began sendTime
	pickup := in.PickupTask.Value()
	task := model.TaskInput{
		Destination: pickup.Destination, Notes: pickup.Notes, PickupTask: model.Some(true), Quantity: pickup.Quantity,
		CompleteAfter: pickup.CompleteAfter, CompleteBefore: pickup.CompleteBefore,
	}
	return Step{
		Label: "new order", Locks: []string{inputLock(task)},
		Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
			began.setNow()
			order, err := c.CreateOrder(ctx, in)
			if err != nil {
				return Result{}, err
			}
			return Result{
				Object: order.ID, Summary: "ordered as " + string(order.ShortID), Response: order, Undo: undoOrder(order),
				Change: board.Change{IsWrite: true, Orders: []model.Order{order}, Tasks: []model.Task{order.PickupTask, order.DropoffTask}},
			}, nil
		},
		Lookup: began.lookupNewTask(s, func(made *model.Task) bool {
			// The recipient is not compared: one without a number becomes an override.
			alike := task
			alike.Recipients = model.Some(recipientsOf(made))
			return made.OrderShortID.Value() != "" && matchesInput(alike, made, s.Organization.Country)
		}),
	}
}

func recipientsOf(task *model.Task) []model.IDOr[model.RecipientInput] {
	var same []model.IDOr[model.RecipientInput]
	for _, r := range task.Recipients {
		id := r.ID
		if r.Object != nil {
			id = r.Object.ID
		}
		same = append(same, model.ByID[model.RecipientInput](id))
	}
	return same
}

// undoOrder cancels a new order as long as no driver has started it.
func undoOrder(order model.Order) *Undo {
	row := &board.OrderRow{
		ID: order.ID, ShortID: order.ShortID, Status: order.Status,
		Pickup: board.OrderLeg{Task: order.PickupTask.ID}, Dropoff: board.OrderLeg{Task: order.DropoffTask.ID},
	}
	return &Undo{
		Title: "cancel order " + string(order.ShortID), Step: cancelStep(order.ID, row),
		Command: Command{Action: "order.cancel", Objects: []model.ID{order.ID}},
		Unavailable: func(snapshot *board.Snapshot) string {
			now := snapshot.Orders.Get(order.ID)
			if now == nil {
				return "The order is no longer on the board."
			}
			return cancelRefusal(snapshot, now)
		},
	}
}
