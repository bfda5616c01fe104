package operations

import (
	"context"
	"errors"
	"fmt"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/form"
	"waybill/operations/taskimport"
)

// NewRecipient is create.recipient: a person with a phone number. The interface has no way to delete one.
func NewRecipient(s Input) (Operation, error) {
	asked := form.Form{Title: "New recipient", Start: startFromArgument(s, "recipient_name")}
	for _, f := range recipientFields(s, "") {
		if f.Name != "keep_recipient" && f.Name != "recipient_id" {
			asked.Fields = append(asked.Fields, f)
		}
	}
	asked.Fields = append(asked.Fields,
		form.Field{
			Name: "skip_phone_check", Title: "Take the number as it is", Kind: form.Yes,
			About: "for numbers that are not known to be valid; they must start with + and the country code",
		},
		metadataField("", "an entry a line: name=value, or name:type=value"))
	if phone, ok := asked.Field("recipient_phone"); ok {
		phone.Check = nil // whether it must be valid depends on another field
		phone.About = "nobody else may have it"
	}
	return Operation{
		ID: "create.recipient", Title: asked.Title, Form: asked, FieldOf: fieldFinder(&asked, recipientFieldOf), LoadNotes: loadPhoneOwner(s),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			in, problems := recipientInput(s, values)
			if len(problems) == 0 {
				addRules(problems, &asked, values, in.Check(draftOptions(s).Check()), recipientFieldOf)
			}
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			phone, _ := in.NormalizedPhone(s.Organization.Country)
			said := fmt.Sprintf("%s, %s", model.Clean(in.Name.Value()), phone)
			return Proposal{
				Lines:   []Line{plainLine("A recipient: %s.", said), plainLine("Recipients cannot be deleted, and their number never changes.")},
				Summary: "create the recipient " + model.Clean(in.Name.Value()), Steps: []Step{recipientStep(in, phone)},
			}, nil
		},
	}, nil
}

func recipientFieldOf(member string) string {
	switch member {
	case "name":
		return "recipient_name"
	case "phone":
		return "recipient_phone"
	case "notes":
		return "recipient_notes"
	}
	return fieldOfMember(member)
}

func recipientInput(s Input, values form.Values) (model.RecipientInput, form.Problems) {
	problems := form.Problems{}
	draft := taskimport.NewDraft(draftOptions(s))
	fillDraft(draft, values, []string{"recipient_name", "recipient_phone", "recipient_notes", "skip_sms"}, problems)
	change, err := draft.Changes()
	if err != nil {
		addProblem(problems, "", sentence(err.Error()))
	}
	fillMetadata(&change, values, problems)
	var in model.RecipientInput
	if list := change.Recipients.Value(); len(list) > 0 {
		in = *list[0].Object
	}
	in.Metadata = change.Metadata
	if values.Yes("skip_phone_check") {
		in.SkipPhoneNumberValidation = model.Some(true)
	}
	return in, problems
}

// loadPhoneOwner tells who has a number already.
func loadPhoneOwner(s Input) func(context.Context, *apiclient.Client, form.Values) map[string]string {
	return func(ctx context.Context, c *apiclient.Client, values form.Values) map[string]string {
		unchecked := values.Yes("skip_phone_check")
		in := model.RecipientInput{Phone: model.Some(values.Get("recipient_phone")), SkipPhoneNumberValidation: model.Some(unchecked)}
		phone, problems := in.NormalizedPhone(s.Organization.Country)
		if len(problems) > 0 {
			return nil
		}
		known, err := c.RecipientByPhone(ctx, phone, unchecked)
		if err != nil {
			return nil // nobody has it, or sending will tell
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
			return Result{Object: made.ID, Summary: "created " + made.Name, Report: []Line{plainLine("Its id is %s.", made.ID)}}, nil
		},
		Lookup: func(ctx context.Context, c *apiclient.Client) (LookupResult, error) {
			known, err := c.RecipientByPhone(ctx, phone, in.SkipPhoneNumberValidation.Or(false))
			switch {
			case errors.Is(err, apiclient.ErrNotFound):
				return began.notFoundResult("nobody has the number"), nil
			case err != nil:
				return LookupResult{}, err
			}
			// Only one can have the number, so if the name is right it is ours.
			return LookupResult{Happened: known.Name == in.Name.Value(), Certain: true, Summary: "the number belongs to " + known.Name}, nil
		},
	}
}
