package model

// Check reports what is wrong with a recipient to be created.
func (in RecipientInput) Check(ctx CheckContext) Problems {
	var ps Problems
	ps.checkRequired("name", in.Name.Value(), "The recipient's name")
	_, phone := in.NormalizedPhone(ctx.Country)
	ps.addWithin("phone", phone)
	ps.checkMetadata("metadata", in.Metadata.Value())
	return ps
}

// CheckUpdate reports what is wrong with a change of a recipient. Its phone number never changes.
func (in RecipientInput) CheckUpdate() Problems {
	var ps Problems
	ps.checkName("name", in.Name, "The recipient's name", false)
	if in.Phone.Present() {
		ps.add("phone", ErrorInvalid, "A recipient's phone number cannot be changed. Create a new recipient with the new number.")
	}
	ps.checkMetadata("metadata", in.Metadata.Value())
	return ps
}

// checkOrderRecipient is the check inside an order, where name and phone may be missing.
func (in RecipientInput) checkOrderRecipient(ctx CheckContext) Problems {
	var ps Problems
	if !isBlank(in.Phone.Value()) {
		_, phone := in.NormalizedPhone(ctx.Country)
		ps.addWithin("phone", phone)
	}
	ps.checkMetadata("metadata", in.Metadata.Value())
	return ps
}

// checkRecipients checks the recipients of a task: none or one, by id or to be created.
func (ps *Problems) checkRecipients(recipients []IDOr[RecipientInput], check func(RecipientInput) Problems) {
	const field = "recipients"
	if len(recipients) > 1 {
		ps.add(field, ErrorInvalid, "A task has at most one recipient, not %d.", len(recipients))
	}
	for i, recipient := range recipients {
		checkRef(ps, elementPath(field, i), recipient, check)
	}
}

// SkipsSMS reports whether the recipient of a task gets no SMS. A task can opt a recipient out but not back in.
func SkipsSMS(recipientSkips bool, override Opt[bool]) bool {
	return recipientSkips || override.Or(false)
}
