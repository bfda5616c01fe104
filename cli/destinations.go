package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"waybill/apiclient"
	"waybill/model"
)

func newDestinationsCommand(a *app) *cobra.Command {
	var metadata []string
	find := &cobra.Command{
		Use: "find", Short: "Find destinations by metadata", Args: cobra.NoArgs,
		RunE: listObjects(a, func(ctx context.Context, s *session) ([]model.Destination, error) {
			match, err := parseMetadata(metadata)
			if err != nil {
				return nil, err
			}
			return s.client.FindDestinations(ctx, match)
		}, "No matching destinations.", func(_ *session, _ context.Context, d model.Destination) []string {
			return []string{string(d.ID), d.Address.Line(), d.Location.Text()}
		}, "ID", "ADDRESS", "LAT, LON"),
	}
	find.Flags().StringArrayVar(&metadata, "meta", nil, "metadata as NAME=VALUE or NAME:TYPE=VALUE; all entries must match")
	_ = find.MarkFlagRequired("meta")
	return newGroup(&cobra.Command{Use: "destinations", Aliases: []string{"destination"}, Short: "Places where tasks happen"},
		&cobra.Command{
			Use: "get ID", Short: "Show a destination", Args: cobra.ExactArgs(1),
			RunE: showObject(a, idOf("destination"), (*apiclient.Client).Destination, (*session).printDestination),
		},
		a.newOperationCommand(&cobra.Command{
			Use: "create", Short: "Create a destination", Args: cobra.NoArgs,
			Example: "waybill destinations create --address '543 Howard St, San Francisco, CA 94105, USA'\n" +
				"waybill destinations create --location=-122.3965,37.7883 --city 'San Francisco' --country 'United States'",
		}, operationCommand{
			operation: "create.destination", noun: "the destination", fromJSON: true, print: printResponse((*session).printDestination),
		}),
		find,
	)
}

func (s *session) printDestination(ctx context.Context, d model.Destination) {
	s.printField("id", string(d.ID))
	s.printField("address", d.Address.Line())
	s.printField("lat, lon", d.Location.Text())
	s.printMultiline("notes", d.Notes)
	s.printField("warnings", strings.Join(d.Warnings.Value(), "; "))
	s.printField("created", s.formatTime(ctx, d.TimeCreated))
	s.printMetadata(d.Metadata)
}
