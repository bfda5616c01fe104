package cli

import (
	"context"

	"github.com/spf13/cobra"

	"waybill/apiclient"
	"waybill/model"
	"waybill/operations"
)

// newGroup returns a command that only has subcommands.
func newGroup(group *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	group.AddCommand(commands...)
	return group
}

// listObjects returns a RunE that reads objects and prints them as a list.
func listObjects[T any](
	a *app, read func(context.Context, *session) ([]T, error), empty string, cells func(*session, context.Context, T) []string, header ...string,
) func(*cobra.Command, []string) error {
	return a.withSession(func(ctx context.Context, s *session, _ []string) error {
		all, err := read(ctx, s)
		if err != nil {
			return err
		}
		return printList(a, all, empty, func(v T) []string { return cells(s, ctx, v) }, header...)
	})
}

// showObject returns a RunE that finds the id of the object that the argument names, reads the object and prints it.
func showObject[ID, T any](
	a *app, find func(*session, context.Context, string) (ID, error), read func(*apiclient.Client, context.Context, ID) (T, error),
	print func(*session, context.Context, T),
) func(*cobra.Command, []string) error {
	return a.withSession(func(ctx context.Context, s *session, args []string) error {
		id, err := find(s, ctx, args[0])
		if err != nil {
			return err
		}
		object, err := read(s.client, ctx, id)
		return showRead(ctx, s, object, err, print)
	})
}

// showRead prints an object that was read, or returns the error.
func showRead[T any](ctx context.Context, s *session, object T, err error, print func(*session, context.Context, T)) error {
	if err != nil {
		return err
	}
	return s.printResult(object, func() { print(s, ctx, object) })
}

// idOf returns a function that parses the id of an object.
func idOf(noun string) func(*session, context.Context, string) (model.ID, error) {
	return func(_ *session, _ context.Context, text string) (model.ID, error) { return parseID(text, noun) }
}

// printResponse returns a function that prints the object that the service answered an operation with.
func printResponse[T any](print func(*session, context.Context, T)) func(context.Context, *session, operations.Result) error {
	return func(ctx context.Context, s *session, result operations.Result) error {
		return s.printResult(result.Response, func() { print(s, ctx, result.Response.(T)) })
	}
}
