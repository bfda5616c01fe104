package verb

import (
	"context"
	"strings"

	"waybill/apiclient"
	"waybill/apiclient/taskimport"
	"waybill/model"
	"waybill/ui/field"
)

// NewDestination is create.destination: a place kept for later tasks. The interface has no way to delete one.
func NewDestination(s Scene) (Verb, error) {
	place := placeForm{ways: []field.Option{lineWay(), partsWay(), pointWay()}}
	form := field.Form{
		Title: "New destination", Fields: append(place.fields(s), metadataField("", "an entry a line: name=value, or name:type=value")),
		Start: argumentAs(s, "address"),
	}
	fieldOf := func(values field.Values) func(string) string {
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
	return Verb{
		ID: "create.destination", Title: form.Title, Form: form, Place: placeBy(&form, fieldOf(nil)),
		Prepare: func(values field.Values) (Plan, field.Problems) {
			values = shownValues(&form, values)
			in, problems := destinationInput(s, place, values)
			if len(problems) == 0 {
				addRules(problems, &form, values, in.Check(), fieldOf(values))
			}
			if len(problems) > 0 {
				return Plan{}, problems
			}
			said := sayPlace(s, model.Embedded(in))
			return Plan{
				Words: []Line{only("A destination at %s.", said), mind("It cannot be deleted again.")}, Summary: "create the destination " + some(said),
				Steps: []Step{{Label: "new destination", Do: func(ctx context.Context, c *apiclient.Client) (Done, error) {
					made, err := c.CreateDestination(ctx, in)
					if err != nil {
						return Done{}, onShown(err, &form, values, fieldOf(values))
					}
					done := Done{Object: made.ID, Words: "created at " + some(said)}
					for _, warning := range made.Warnings.Value() {
						done.Report = append(done.Report, mind("%s", sentence(model.Clean(warning))))
					}
					done.Report = append(done.Report, only("Its id is %s.", made.ID))
					return done, nil
				}}},
			}, nil
		},
	}, nil
}

func destinationInput(s Scene, place placeForm, values field.Values) (model.DestinationInput, field.Problems) {
	problems := field.Problems{}
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
