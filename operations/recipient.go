package operations

import (
	"context"
	"errors"
	"fmt"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/form"
)

func newRecipientFields(s Input) []form.Field {
	var fields []form.Field
	for _, f := range recipientFields(s, "") {
		switch f.Name {
		case "keep_recipient", "recipient_id":
			continue
		case "recipient_phone":
			f.Check = nil // whether it must be valid depends on another field
			f.About = "no other recipient may have it"
		case "recipient_notes":
			f.Flag.Name = "notes"
		}
		fields = append(fields, f)
	}
	return append(fields,
		form.Field{
			Name: "skip_phone_check", Title: "Unchecked number", Kind: form.Yes,
			About: "accept any number that starts with + and the country code",
		},
		hiddenField(form.Field{
			Name: "long_code", Title: "Long number for SMS", Kind: form.Yes, Flag: form.Flag{Usage: "send SMS from a full-length phone number"},
		}),
		metadataField("", metadataFormat),
	)
}

// NewRecipient is create.recipient: creates a recipient. The interface cannot delete one.
func NewRecipient(s Input) (Operation, error) {
	return request[model.RecipientInput]{
		id:   "create.recipient",
		form: form.Form{Title: "New recipient", Fields: newRecipientFields(s), Start: startFromArgument(s, "recipient_name")},
		read: func(values form.Values, problems form.Problems) model.RecipientInput {
			task := readTask(s, values, problems)
			var in model.RecipientInput
			if list := task.Recipients.Value(); len(list) > 0 {
				in = *list[0].Object
			}
			in.Metadata = task.Metadata
			if values.Yes("long_code") {
				in.UseLongCodeForText = model.Some(true)
			}
			return in
		},
		check:   func(in model.RecipientInput) model.Problems { return in.Check(draftOptions(s).Check()) },
		fieldOf: recipientFieldOf,
		propose: func(in model.RecipientInput, _ form.Values) Proposal {
			phone, _ := in.NormalizedPhone(s.Organization.Country)
			name := model.Clean(in.Name.Value())
			return Proposal{
				Lines: []Line{
					plainLine("A recipient: %s, %s.", name, phone),
					plainLine("Recipients cannot be deleted, and their number cannot be changed."),
				},
				Summary: "create recipient " + name, Steps: []Step{recipientStep(in, phone)},
			}
		},
		loadNotes: loadPhoneOwner(s),
	}.operation(s)
}

func recipientFieldOf(member string, values form.Values) string {
	switch member {
	case "name", "phone", "notes":
		return "recipient_" + member
	}
	return fieldOfMember(member, values)
}

// loadPhoneOwner notes who has the phone number already.
func loadPhoneOwner(s Input) notesLoader {
	return func(ctx context.Context, c *apiclient.Client, values form.Values) map[string]string {
		unchecked := values.Yes("skip_phone_check")
		in := model.RecipientInput{Phone: model.Some(values.Get("recipient_phone")), SkipPhoneNumberValidation: model.Some(unchecked)}
		phone, problems := in.NormalizedPhone(s.Organization.Country)
		if len(problems) > 0 {
			return nil
		}
		known, err := c.RecipientByPhone(ctx, phone, unchecked)
		if err != nil {
			return nil // nobody has it, or sending will report the error
		}
		return map[string]string{"recipient_phone": fmt.Sprintf("%s has this number already.", known.Name)}
	}
}

func recipientStep(in model.RecipientInput, phone string) Step {
	var began sendTime
	return Step{
		Label: "new recipient",
		Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
			began.setNow()
			made, err := c.CreateRecipient(ctx, in)
			if err != nil {
				return Result{}, err
			}
			return Result{Object: made.ID, Summary: "created " + made.Name, Response: made, Report: []Line{plainLine("Recipient id: %s.", made.ID)}}, nil
		},
		Lookup: func(ctx context.Context, c *apiclient.Client) (LookupResult, error) {
			known, err := c.RecipientByPhone(ctx, phone, in.SkipPhoneNumberValidation.Or(false))
			switch {
			case errors.Is(err, apiclient.ErrNotFound):
				return began.notFoundResult("no recipient has the number"), nil
			case err != nil:
				return LookupResult{}, err
			}
			// Numbers are unique, so the one with the right name is ours.
			return LookupResult{Happened: known.Name == in.Name.Value(), Certain: true, Summary: "the number belongs to " + known.Name}, nil
		},
	}
}
