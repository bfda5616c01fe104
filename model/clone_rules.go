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
	ps.serviceTime(o.ServiceTime)
	ps.metadata("metadata", o.Metadata.Value())
	ps.future("completeAfter", o.CompleteAfter, ctx.Now)
	ps.future("completeBefore", o.CompleteBefore, ctx.Now)
	ps.timeWindow(o.CompleteAfter, o.CompleteBefore)
	return ps
}

// CheckSource reports a window that contradicts itself once a clone has taken over what it does not change from its
// source. The end that was copied is never dropped for it: a deadline must not be lost without a word.
func (o CloneOptions) CheckSource(after, before Opt[Millis]) Problems {
	overrides := o.Overrides.Value()
	if overrides.CompleteAfter.Present() == overrides.CompleteBefore.Present() {
		return nil // the window is copied as it is, or is all new
	}
	var ps Problems
	changed, kept := "completeAfter", "completeBefore"
	if overrides.CompleteAfter.Present() {
		after = overrides.CompleteAfter
	} else {
		before = overrides.CompleteBefore
		changed, kept = kept, changed
	}
	start, hasStart := after.Get()
	end, hasEnd := before.Get()
	if hasStart && hasEnd && end <= start {
		ps.add("overrides."+changed, ErrorTimeConstraint,
			"Conflicts with the %s of the task, which the clone keeps. Set a new %s as well.", kept, kept)
	}
	return ps
}

func (ps *Problems) future(field string, value Opt[Millis], now Millis) {
	if v, ok := value.Get(); ok && v >= earliestMillis && v <= now {
		ps.add(field, ErrorTimeConstraint, "Must be in the future.")
	}
}
