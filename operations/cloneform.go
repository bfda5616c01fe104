package operations

import (
	"strings"

	"waybill/model"
	"waybill/operations/form"
	"waybill/operations/taskimport"
)

// Who a clone is for.
const (
	personSame  = "same"
	personOther = "other"
	personNone  = "none"
)

func cloneAddressForm() addressForm {
	return addressForm{page: pageAddress, modes: []form.Option{
		{Value: whereNone, Label: "where the task was"}, lineMode(), partsMode(), knownMode(), pointMode(),
	}}
}

// cloneFields are every option and override that the interface has. What is left alone is as in the source.
func cloneFields(s Input) []form.Field {
	fields := []form.Field{
		{
			Name: "include_metadata", Title: "With metadata", Page: pageCopy, Kind: form.Yes, About: "copies it from the task",
		},
		{Name: "include_barcodes", Title: "With barcodes", Page: pageCopy, Kind: form.Yes, About: "asks for the same barcodes again"},
		{Name: "include_dependencies", Title: "With what it waits for", Page: pageCopy, Kind: form.Yes, About: "waits for the same tasks"},
		{
			Name: "kind", Title: "Kind", Page: pageCopy, Kind: form.Choice,
			Options: []form.Option{{Label: "as the task"}, {Value: "dropoff", Label: "drop-off"}, {Value: "pickup", Label: "pickup"}},
		},
	}
	fields = append(fields, windowFields(s, pageCopy)...)
	fields = append(fields, cloneAddressForm().fields(s)...)
	fields = append(fields, cloneRecipientFields(s)...)
	notes := taskField(s, "notes", "Notes", pageLoad)
	notes.Kind, notes.Limit, notes.About = form.Text, model.MaxTaskNotes, "empty for those of the task"
	notes.Show = func(v form.Values) bool { return !v.Yes("no_notes") }
	service := taskField(s, "service_time", "Time at the door", pageLoad)
	service.About = "in minutes; empty for that of the task"
	return append(fields, notes,
		form.Field{Name: "no_notes", Title: "Without notes", Page: pageLoad, Kind: form.Yes},
		service,
		metadataField(pageLoad, "in place of the task's, an entry a line: name=value, or name:type=value"),
	)
}

const pageCopy = "Copy"

func cloneRecipientFields(s Input) []form.Field {
	fields := []form.Field{{
		Name: "person", Title: "Who", Page: pageRecipient, Kind: form.Choice,
		Options: []form.Option{
			{Value: personSame, Label: "the recipient of the task"}, {Value: personOther, Label: "someone else"}, {Value: personNone, Label: "nobody"},
		},
	}}
	for _, f := range recipientFields(s, pageRecipient) {
		if f.Name == "keep_recipient" {
			continue // a clone has no overrides of its own
		}
		f.Show = func(v form.Values) bool { return v.Get("person") == personOther }
		fields = append(fields, f)
	}
	return fields
}

// cloneOptions makes the body from what was typed.
func cloneOptions(s Input, values form.Values) (model.CloneOptions, form.Problems) {
	problems := form.Problems{}
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
	draft := taskimport.NewDraft(draftOptions(s))
	cloneAddressForm().fill(draft, values, problems)
	fillDraft(draft, values, append(recipientFieldNames(), "window", "after", "before", "kind", "notes", "service_time"), problems)
	checkOneWindow(values, problems)
	change, err := draft.Changes()
	if err != nil {
		addProblem(problems, "recipient_id", sentence(err.Error()))
	}
	fillMetadata(&change, values, problems)
	overrides := model.CloneOverrides{
		Destination: change.Destination, Recipients: change.Recipients, Notes: change.Notes, PickupTask: change.PickupTask,
		ServiceTime: change.ServiceTime, Metadata: change.Metadata, CompleteAfter: change.CompleteAfter, CompleteBefore: change.CompleteBefore,
	}
	switch values.Get("person") {
	case personNone:
		overrides.Recipients = model.Some([]model.IDOr[model.RecipientInput]{})
	case personOther:
		if !overrides.Recipients.Present() {
			addProblem(problems, "recipient_name", "Say who, or choose the recipient of the task.")
		}
	}
	if values.Yes("no_notes") {
		overrides.Notes = model.Some("")
	}
	if encoded, err := model.Marshal(overrides); err != nil || string(encoded) != "{}" {
		options.Overrides = model.Some(overrides)
	}
	return options, problems
}

// cloneFieldOf is the field of a member of a clone's options.
func cloneFieldOf(values form.Values) func(member string) string {
	of := newTaskFieldOf(values)
	return func(member string) string {
		member = strings.TrimPrefix(strings.TrimPrefix(member, "options."), "overrides.")
		if strings.HasPrefix(member, "destination") {
			return cloneAddressForm().fieldOf(member, values)
		}
		return of(member)
	}
}
