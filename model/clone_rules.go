package model

// Check reports what is wrong with the options of a clone. Its times must be in the future.
func (o CloneOptions) Check(ctx CheckContext) Problems {
	var ps Problems
	overrides, ok := o.Overrides.Get()
	if ok {
		ps.addWithin("overrides", overrides.Check(ctx))
	}
	return ps
}

// Check reports what is wrong with the overrides of a clone.
func (o CloneOverrides) Check(ctx CheckContext) Problems {
	var ps Problems
	if destination, ok := o.Destination.Get(); ok {
		ps.checkDestinationRef("destination", destination, needsStreet)
	}
	ps.checkRecipients(o.Recipients.Value(), func(r RecipientInput) Problems { return r.Check(ctx) })
	ps.checkNotes("notes", o.Notes)
	ps.checkServiceTime(o.ServiceTime)
	ps.checkMetadata("metadata", o.Metadata.Value())
	ps.checkFuture("completeAfter", o.CompleteAfter, ctx.Now)
	ps.checkFuture("completeBefore", o.CompleteBefore, ctx.Now)
	ps.checkTaskWindow(o.CompleteAfter, o.CompleteBefore)
	return ps
}

// CheckSource reports a window that is empty because the clone changes one end and copies the other. The copied end is
// not dropped, because a deadline must not be lost silently.
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

func (ps *Problems) checkFuture(field string, value Opt[Millis], now Millis) {
	if v, ok := value.Get(); ok && v >= earliestMillis && v <= now {
		ps.add(field, ErrorTimeConstraint, "Must be in the future.")
	}
}
