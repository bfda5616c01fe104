package operations

import (
	"context"
	"strings"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/form"
)

func destinationAddressForm() addressForm {
	return addressForm{modes: []form.Option{lineMode(), partsMode(), pointMode()}}
}

func destinationFields(s Input) []form.Field {
	fields := append(destinationAddressForm().fields(s), metadataField("", metadataFormat))
	for i := range fields {
		if fields[i].Name == "destination_notes" {
			fields[i].Flag.Name = "notes"
		}
	}
	return fields
}

// NewDestination is create.destination: creates a destination for later tasks. The interface cannot delete one.
func NewDestination(s Input) (Operation, error) {
	place := destinationAddressForm()
	f := form.Form{Title: "New destination", Fields: destinationFields(s), Start: startFromArgument(s, "address")}
	fieldOf := func(values form.Values) func(string) string {
		return func(member string) string {
			if strings.HasPrefix(member, "metadata") {
				return "metadata"
			}
			if member != "destination" {
				member = "destination." + member // the body is the destination itself
			}
			return place.fieldOf(member, values)
		}
	}
	if s.Body != nil {
		return newBodyOperation(s, "create.destination", f.Title, model.DestinationInput.Check, func(in model.DestinationInput) Proposal {
			return destinationProposal(s, &f, nil, in, fieldOf(nil))
		})
	}
	return Operation{
		ID: "create.destination", Title: f.Title, Form: f, FieldOf: fieldFinder(&f, fieldOf(nil)),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			values = f.ShownValues(values)
			in, problems := destinationInput(s, place, values)
			if len(problems) == 0 {
				addRules(problems, &f, values, in.Check(), fieldOf(values))
			}
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			return destinationProposal(s, &f, values, in, fieldOf(values)), nil
		},
	}, nil
}

func destinationProposal(
	s Input, f *form.Form, values form.Values, in model.DestinationInput, fieldOf func(member string) string,
) Proposal {
	address := placeText(s, model.Embedded(in))
	return Proposal{
		Lines:   []Line{plainLine("A destination at %s.", address), warnLine("Destinations cannot be deleted.")},
		Summary: "create destination " + shortenText(address),
		Steps: []Step{{Label: "new destination", Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
			made, err := c.CreateDestination(ctx, in)
			if err != nil {
				return Result{}, errorOnShownField(err, f, values, fieldOf)
			}
			result := Result{Object: made.ID, Summary: "created at " + shortenText(address), Response: made}
			for _, warning := range made.Warnings.Value() {
				result.Report = append(result.Report, warnLine("%s", sentence(model.Clean(warning))))
			}
			result.Report = append(result.Report, plainLine("Its id is %s.", made.ID))
			return result, nil
		}}},
	}
}

func destinationInput(s Input, place addressForm, values form.Values) (model.DestinationInput, form.Problems) {
	problems := form.Problems{}
	draft := newDraft(s)
	place.fill(draft, values, problems)
	in, err := draft.Destination()
	if err != nil {
		addProblem(problems, "location", sentence(err.Error()))
	}
	var more model.TaskInput
	fillMetadata(&more, values, problems)
	in.Metadata = more.Metadata.Value()
	return in, problems
}
