package operations

import (
	"strings"

	"waybill/model"
	"waybill/operations/form"
)

// Values of the field that says who the recipient of a clone is.
const (
	personSame  = "same"
	personOther = "other"
	personNone  = "none"
)

func cloneAddressForm() addressForm {
	modes := addressModes(whereNone, whereLine, whereParts, whereKnown, wherePoint)
	modes[0].Label = "same as the original"
	return addressForm{page: pageAddress, modes: modes}
}

// cloneFields ask for every option and override of the interface. Empty fields are copied from the task.
func cloneFields(s Input) []form.Field {
	fields := []form.Field{
		{
			Name: "include_metadata", Title: "Copy metadata", Page: pageCopy, Kind: form.Yes,
			Flag: form.Flag{Name: "with-metadata", Usage: "copy the metadata"},
		},
		{
			Name: "include_barcodes", Title: "Copy barcodes", Page: pageCopy, Kind: form.Yes,
			Flag: form.Flag{Name: "with-barcodes", Usage: "copy the barcodes"},
		},
		{
			Name: "include_dependencies", Title: "Copy dependencies", Page: pageCopy, Kind: form.Yes,
			Flag: form.Flag{Name: "with-dependencies", Usage: "copy the dependencies"},
		},
		kindField(pageCopy, form.Option{Label: "same as the original"}, form.Option{Value: "dropoff", Label: "drop-off"},
			form.Option{Value: "pickup", Label: "pickup"}),
	}
	fields = append(fields, windowFields(s, pageCopy)...)
	fields = append(fields, cloneAddressForm().fields(s)...)
	fields = append(fields, cloneRecipientFields(s)...)
	notes := taskField(s, "notes", "Notes", pageLoad)
	notes.Kind, notes.Limit, notes.About = form.Text, model.MaxTaskNotes, "leave empty to keep the original's"
	notes.Show = func(v form.Values) bool { return !v.Yes("no_notes") }
	service := taskField(s, "service_time", "Service time", pageLoad)
	service.About = "in minutes; leave empty to keep the original's"
	return append(fields, notes,
		form.Field{Name: "no_notes", Title: "Without notes", Page: pageLoad, Kind: form.Yes, Flag: form.Flag{None: true}},
		service,
		metadataField(pageLoad, "replaces the task's; "+metadataFormat),
	)
}

const pageCopy = "Copy"

func cloneRecipientFields(s Input) []form.Field {
	fields := []form.Field{{
		Name: "person", Title: "Recipient", Page: pageRecipient, Kind: form.Choice, Flag: form.Flag{None: true},
		Options: []form.Option{
			{Value: personSame, Label: "same as the original"}, {Value: personOther, Label: "someone else"}, {Value: personNone, Label: "nobody"},
		},
	}}
	for _, f := range append(recipientFields(s, pageRecipient), taskField(s, "skip_phone_check", "Unchecked number", pageRecipient)) {
		if f.Name == "keep_recipient" {
			continue // a clone has no overrides of its own
		}
		f.Show = func(v form.Values) bool { return v.Get("person") == personOther }
		if f.Name == "skip_phone_check" {
			f = hiddenField(f)
		}
		f.Flag.Implies = form.Values{"person": personOther}
		fields = append(fields, f)
	}
	return fields
}

// cloneOptions makes the body from the values.
func cloneOptions(s Input, values form.Values, problems form.Problems) model.CloneOptions {
	var options model.CloneOptions
	for _, option := range []struct {
		name string
		to   *model.Opt[bool]
	}{
		{"include_metadata", &options.IncludeMetadata},
		{"include_barcodes", &options.IncludeBarcodes},
		{"include_dependencies", &options.IncludeDependencies},
	} {
		if values.Yes(option.name) {
			*option.to = model.Some(true)
		}
	}
	cloneAddressForm().checkGiven(values, problems)
	change := readTask(s, values, problems)
	overrides := model.CloneOverrides{
		Destination: change.Destination, Recipients: change.Recipients, Notes: change.Notes, PickupTask: change.PickupTask,
		ServiceTime: change.ServiceTime, Metadata: change.Metadata, CompleteAfter: change.CompleteAfter, CompleteBefore: change.CompleteBefore,
	}
	switch values.Get("person") {
	case personNone:
		overrides.Recipients = model.Some([]model.IDOr[model.RecipientInput]{})
	case personOther:
		if !overrides.Recipients.Present() {
			addProblem(problems, "recipient_name", "Give the recipient, or choose “same as the original”.")
		}
	}
	if values.Yes("no_notes") {
		overrides.Notes = model.Some("")
	}
	if encoded, err := model.Marshal(overrides); err != nil || string(encoded) != "{}" {
		options.Overrides = model.Some(overrides)
	}
	return options
}

// cloneFieldOf maps members of a clone's options to fields.
func cloneFieldOf(member string, values form.Values) string {
	member = strings.TrimPrefix(strings.TrimPrefix(member, "options."), "overrides.")
	if strings.HasPrefix(member, "destination") {
		return cloneAddressForm().fieldOf(member, values)
	}
	return newTaskFieldOf(member, values)
}
