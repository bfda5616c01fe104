package model

// Check reports what is wrong with the options of a clone. Times of a clone must be in the future.
func (o CloneOptions) Check(ctx CheckContext) Problems {
	var ps Problems
	overrides, ok := o.Overrides.Get()
	if ok {
		ps.within("overrides", overrides.Check(ctx))
	}
	return ps
}

// Check reports what is wrong with what a clone changes.
func (o CloneOverrides) Check(ctx CheckContext) Problems {
	var ps Problems
	if destination, ok := o.Destination.Get(); ok {
		ps.placeRef("destination", destination, needsStreet)
	}
	ps.recipients(o.Recipients.Value(), func(r RecipientInput) Problems { return r.Check(ctx) })
	ps.notes("notes", o.Notes)
	ps.serviceTime("serviceTime", o.ServiceTime)
	ps.metadata("metadata", o.Metadata.Value())
	ps.future("completeAfter", o.CompleteAfter, ctx.Now)
	ps.future("completeBefore", o.CompleteBefore, ctx.Now)
	ps.timeWindow(o.CompleteAfter, o.CompleteBefore)
	return ps
}

func (ps *Problems) future(field string, value Opt[Millis], now Millis) {
	if v, ok := value.Get(); ok && v >= earliestMillis && v <= now {
		ps.add(field, ErrorTimeConstraint, "It must be in the future.")
	}
}
