package operations

import (
	"context"
	"strings"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/form"
)

func destinationAddressForm() addressForm {
	return addressForm{modes: addressModes(whereLine, whereParts, wherePoint)}
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
	return request[model.DestinationInput]{
		id:   "create.destination",
		form: form.Form{Title: "New destination", Fields: destinationFields(s), Start: startFromArgument(s, "address")},
		read: func(values form.Values, problems form.Problems) model.DestinationInput {
			destinationAddressForm().checkGiven(values, problems)
			task := readTask(s, values, problems)
			in := model.DestinationInput{}
			if place := task.Destination.Value().Object; place != nil {
				in = *place
			}
			in.Metadata = task.Metadata.Value()
			return in
		},
		check:   model.DestinationInput.Check,
		fieldOf: destinationFieldOf,
		propose: func(in model.DestinationInput, _ form.Values) Proposal { return destinationProposal(s, in) },
	}.operation(s)
}

func destinationFieldOf(member string, values form.Values) string {
	if strings.HasPrefix(member, "metadata") {
		return "metadata"
	}
	if member != "destination" {
		member = "destination." + member // the body is the destination itself
	}
	return destinationAddressForm().fieldOf(member, values)
}

func destinationProposal(s Input, in model.DestinationInput) Proposal {
	address := placeText(s, model.Embedded(in))
	return Proposal{
		Lines:   []Line{plainLine("A destination at %s.", address), warnLine("Destinations cannot be deleted.")},
		Summary: "create destination " + shortenText(address),
		Steps: []Step{{Label: "new destination", Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
			made, err := c.CreateDestination(ctx, in)
			if err != nil {
				return Result{}, err
			}
			report := append(warningLines(made.Warnings.Value()), plainLine("Destination id: %s.", made.ID))
			return Result{Object: made.ID, Summary: "created at " + shortenText(address), Response: made, Report: report}, nil
		}}},
	}
}
