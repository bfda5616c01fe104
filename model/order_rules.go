package model

import "math"

// Check reports what is wrong with an order to be created: it needs both tasks, each with a whole address.
func (in OrderInput) Check(ctx CheckContext) Problems {
	ps := in.checkTasks(ctx, true)
	ps.checkOptionalID("deliveryServiceId", in.DeliveryServiceID)
	ps.checkOptionalID("clientId", in.ClientID)
	return ps
}

// CheckUpdate reports what is wrong with a change of an order. Both tasks must be there, but only with what changes.
func (in OrderInput) CheckUpdate(ctx CheckContext) Problems { return in.checkTasks(ctx, false) }

func (in OrderInput) checkTasks(ctx CheckContext, creates bool) Problems {
	var ps Problems
	for i, task := range []Opt[OrderTaskInput]{in.PickupTask, in.DropoffTask} {
		field := []string{"pickupTask", "dropoffTask"}[i]
		if value, ok := task.Get(); ok {
			ps.addWithin(field, value.check(ctx, creates))
		} else {
			ps.add(field, ErrorMissing, "A pickup and a drop-off are required.")
		}
	}
	return ps
}

func (in OrderTaskInput) check(ctx CheckContext, creates bool) Problems {
	var ps Problems
	destination, ok := in.Destination.Get()
	switch {
	case ok:
		ps.checkDestinationRef("destination", destination, needsEverything)
	case creates || in.Destination.IsNull():
		ps.add("destination", ErrorMissing, "A destination is required: its id or its address.")
	}
	if in.Recipient.Has() && in.Recipients.Has() {
		ps.add("recipients", ErrorAmbiguous, "Both recipient and recipients are set. Use one of them.")
	}
	checkRecipient := func(r RecipientInput) Problems { return r.checkOrderRecipient(ctx) }
	if recipient, ok := in.Recipient.Get(); ok {
		checkRef(&ps, "recipient", recipient, checkRecipient)
	}
	ps.checkRecipients(in.Recipients.Value(), checkRecipient)
	ps.checkNotes("notes", in.Notes)
	ps.checkTaskWindow(in.CompleteAfter, in.CompleteBefore)
	ps.checkRequirements("requirements", in.Requirements)
	ps.checkQuantity("quantity", in.Quantity)
	ps.checkServiceTime(in.ServiceTime)
	ps.checkMetadata("metadata", in.Metadata.Value())
	return ps
}

// Check reports what is wrong with a cancellation.
func (c CancelOrders) Check() Problems {
	var ps Problems
	ps.checkRequiredIDs("orderIds", c.OrderIDs, "The ids of the orders to cancel are required.")
	return ps
}

// Check reports what is wrong with a request for quotes.
func (r QuoteRequest) Check() Problems {
	var ps Problems
	if !r.ReadyBy.Has() {
		ps.add("readyBy", ErrorMissing, "The earliest time is required, in Unix milliseconds.")
	}
	ps.checkWindow("readyBy", r.ReadyBy, "dueBy", r.DueBy)
	quantity, ok := r.Quantity.Get()
	switch {
	case !ok:
		ps.add("quantity", ErrorMissing, "The number of pieces is required.")
	case quantity < 1 || quantity > MaxQuantity || quantity != math.Trunc(quantity):
		ps.add("quantity", ErrorInvalid, "Must be a whole number of pieces from 1 to %d.", MaxQuantity)
	}
	ps.checkWeight(r.Weight)
	ps.checkQuotePlace("pickup", r.Pickup)
	ps.checkQuotePlace("dropoff", r.Dropoff)
	return ps
}

func (ps *Problems) checkWeight(weight Opt[Weight]) {
	w, ok := weight.Get()
	if !ok {
		ps.add("weight", ErrorMissing, "The weight is required, with value and units.")
		return
	}
	switch value, ok := w.Value.Get(); {
	case !ok:
		ps.add("weight.value", ErrorMissing, "The weight's value is required.")
	case value < 0 || value > MaxQuantity:
		ps.add("weight.value", ErrorInvalid, "Must be from 0 to %d.", MaxQuantity)
	}
	switch w.Units {
	case UnitsKilograms, UnitsPounds:
	case "":
		ps.add("weight.units", ErrorMissing, "The weight's units are required: kg or lbs.")
	default:
		ps.add("weight.units", ErrorInvalid, "Unknown weight unit %.20q. Use kg or lbs.", Clean(w.Units))
	}
}

func (ps *Problems) checkQuotePlace(field string, place Opt[QuotePlace]) {
	p, ok := place.Get()
	if !ok {
		ps.add(field, ErrorMissing, "The address of the %s is required.", field)
		return
	}
	path := field
	if p.Address.Has() {
		path += ".address"
	}
	ps.checkAddress(path, p.EffectiveAddress(), p.Location, needsStreet)
	ps.checkLocation(field+".location", p.Location)
}
