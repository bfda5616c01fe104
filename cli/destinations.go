package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"waybill/model"
	"waybill/operations"
)

func newDestinationsCommand(a *app) *cobra.Command {
	destinations := &cobra.Command{Use: "destinations", Aliases: []string{"destination"}, Short: "Places where tasks happen"}
	var metadata []string
	find := &cobra.Command{
		Use: "find", Short: "Find destinations by metadata", Args: cobra.NoArgs,
		RunE: a.withSession(func(ctx context.Context, s *session, _ []string) error {
			match, err := parseMetadata(metadata)
			if err != nil {
				return err
			}
			found, err := s.client.FindDestinations(ctx, match)
			if err != nil {
				return err
			}
			return printList(a, found, "No matching destinations.", func(d model.Destination) []string {
				return []string{string(d.ID), d.Address.Line(), formatLocation(d.Location)}
			}, "ID", "ADDRESS", "LOCATION")
		}),
	}
	find.Flags().StringArrayVar(&metadata, "meta", nil, "metadata as NAME=VALUE or NAME:TYPE=VALUE; all entries must match")
	_ = find.MarkFlagRequired("meta")
	destinations.AddCommand(
		&cobra.Command{
			Use: "get ID", Short: "Show a destination", Args: cobra.ExactArgs(1),
			RunE: a.withSession(func(ctx context.Context, s *session, args []string) error {
				id, err := parseID(args[0], "destination")
				if err != nil {
					return err
				}
				destination, err := s.client.Destination(ctx, id)
				if err != nil {
					return err
				}
				return a.printResult(destination, func() { s.printDestination(ctx, destination) })
			}),
		},
		newDestinationsCreateCommand(a), find,
	)
	return destinations
}

func newDestinationsCreateCommand(a *app) *cobra.Command {
	return a.newOperationCommand(&cobra.Command{
		Use: "create", Short: "Create a destination", Args: cobra.NoArgs,
		Example: "waybill destinations create --address '543 Howard St, San Francisco, CA 94105, USA'\n" +
			"waybill destinations create --location=-122.3965,37.7883 --city 'San Francisco' --country 'United States'",
	}, operationCommand{
		operation: "create.destination", noun: "the destination", fromJSON: true,
		print: func(ctx context.Context, s *session, result operations.Result) {
			s.printDestination(ctx, result.Response.(model.Destination))
		},
	})
}

func (s *session) printDestination(ctx context.Context, d model.Destination) {
	s.printField("id", string(d.ID))
	s.printField("address", d.Address.Line())
	s.printField("location", formatLocation(d.Location))
	s.printMultiline("notes", d.Notes)
	s.printField("warnings", strings.Join(d.Warnings.Value(), "; "))
	s.printField("created", s.formatTime(ctx, d.TimeCreated))
	for _, m := range d.Metadata {
		s.printField("metadata", m.Name+": "+formatRawValue(m.Value))
	}
}
