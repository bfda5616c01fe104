package model

import "slices"

// CheckUpdate reports what is wrong with a change of a task. A member that is null clears what was there.
func (in TaskInput) CheckUpdate(current *Task) Problems {
	var ps Problems
	for _, field := range in.Members() {
		if reason := UpdateForbidden(current.State, field); reason != "" {
			ps.add(field, ErrorInvalid, "%s", reason)
		}
	}
	if len(ps) > 0 {
		return ps
	}
	ps.updateRefs(in)
	after, before := current.CompleteAfter, current.CompleteBefore
	if in.CompleteAfter.Present() {
		after = in.CompleteAfter
	}
	if in.CompleteBefore.Present() {
		before = in.CompleteBefore
	}
	if in.CompleteAfter.Has() || in.CompleteBefore.Has() {
		ps.timeWindow(after, before)
	}
	ps.taskType(in)
	if slices.Contains(in.Dependencies.Value(), current.ID) {
		ps.add("dependencies", ErrorInvalid, "A task cannot depend on itself.")
	}
	if in.AutoAssign.Has() && in.Container.Has() {
		ps.add("autoAssign", ErrorInvalid, "Automatic assignment cannot be combined with a container.")
	}
	ps.taskMembers(in)
	return ps
}

// updateRefs allows destination and recipient of an update by id only.
func (ps *Problems) updateRefs(in TaskInput) {
	switch destination, ok := in.Destination.Get(); {
	case in.Destination.IsNull():
		ps.add("destination", ErrorInvalid, "A task always has a destination; it cannot be cleared.")
	case ok && destination.Object != nil:
		ps.add("destination", ErrorInvalid, "An update takes the id of a destination. Create the destination first.")
	case ok:
		ps.id("destination", destination.ID)
	}
	recipients := in.Recipients.Value()
	for i, recipient := range recipients {
		if recipient.Object != nil {
			ps.add(index("recipients", i), ErrorInvalid, "An update takes the id of a recipient. Create the recipient first.")
			return
		}
	}
	ps.recipients(recipients, nil)
}

// Members lists the known members that the input carries, as a value or as null, in the order they are sent.
func (in TaskInput) Members() []string {
	var names []string
	for _, member := range []struct {
		name    string
		present bool
	}{
		{"destination", in.Destination.Present()},
		{"recipients", in.Recipients.Present()},
		{"merchant", in.Merchant.Present()},
		{"executor", in.Executor.Present()},
		{"completeAfter", in.CompleteAfter.Present()},
		{"completeBefore", in.CompleteBefore.Present()},
		{"pickupTask", in.PickupTask.Present()},
		{"type", in.Type.Present()},
		{"dependencies", in.Dependencies.Present()},
		{"notes", in.Notes.Present()},
		{"autoAssign", in.AutoAssign.Present()},
		{"container", in.Container.Present()},
		{"quantity", in.Quantity.Present()},
		{"additionalQuantities", in.AdditionalQuantities.Present()},
		{"serviceTime", in.ServiceTime.Present()},
		{"recipientName", in.RecipientName.Present()},
		{"recipientNotes", in.RecipientNotes.Present()},
		{"recipientSkipSMSNotifications", in.RecipientSkipSMSNotifications.Present()},
		{"useMerchantForProxy", in.UseMerchantForProxy.Present()},
		{"requirements", in.Requirements.Present()},
		{"scanOnlyRequiredBarcodes", in.ScanOnlyRequiredBarcodes.Present()},
		{"barcode", in.Barcode.Present()},
		{"barcodes", in.Barcodes.Present()},
		{"appearance", in.Appearance.Present()},
		{"metadata", in.Metadata.Present()},
		{"customFields", in.CustomFields.Present()},
		{"template", in.Template.Present()},
	} {
		if member.present {
			names = append(names, member.name)
		}
	}
	return names
}
