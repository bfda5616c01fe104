package operations

import (
	"context"
	"strings"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations/form"
	"waybill/operations/taskimport"
)

// NewDestination is create.destination: a place kept for later tasks. The interface has no way to delete one.
func NewDestination(s Input) (Operation, error) {
	place := addressForm{modes: []form.Option{lineMode(), partsMode(), pointMode()}}
	f := form.Form{
		Title: "New destination", Fields: append(place.fields(s), metadataField("", "an entry a line: name=value, or name:type=value")),
		Start: startFromArgument(s, "address"),
	}
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
	return Operation{
		ID: "create.destination", Title: f.Title, Form: f, FieldOf: fieldFinder(&f, fieldOf(nil)),
		Prepare: func(values form.Values) (Proposal, form.Problems) {
			values = shownValues(&f, values)
			in, problems := destinationInput(s, place, values)
			if len(problems) == 0 {
				addRules(problems, &f, values, in.Check(), fieldOf(values))
			}
			if len(problems) > 0 {
				return Proposal{}, problems
			}
			said := placeText(s, model.Embedded(in))
			return Proposal{
				Lines: []Line{plainLine("A destination at %s.", said), warnLine("It cannot be deleted again.")}, Summary: "create the destination " + shortenText(said),
				Steps: []Step{{Label: "new destination", Do: func(ctx context.Context, c *apiclient.Client) (Result, error) {
					made, err := c.CreateDestination(ctx, in)
					if err != nil {
						return Result{}, errorOnShownField(err, &f, values, fieldOf(values))
					}
					done := Result{Object: made.ID, Summary: "created at " + shortenText(said)}
					for _, warning := range made.Warnings.Value() {
						done.Report = append(done.Report, warnLine("%s", sentence(model.Clean(warning))))
					}
					done.Report = append(done.Report, plainLine("Its id is %s.", made.ID))
					return done, nil
				}}},
			}, nil
		},
	}, nil
}

func destinationInput(s Input, place addressForm, values form.Values) (model.DestinationInput, form.Problems) {
	problems := form.Problems{}
	draft := taskimport.NewDraft(draftOptions(s))
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
