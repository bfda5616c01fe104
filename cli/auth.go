package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"waybill/model"
)

func newAuthCommand(a *app) *cobra.Command {
	return newGroup(&cobra.Command{Use: "auth", Short: "Check the API key of an account"}, &cobra.Command{
		Use:   "test",
		Short: "Test whether the API key is valid",
		Args:  cobra.NoArgs,
		RunE: a.withSession(func(ctx context.Context, s *session, _ []string) error {
			greeting, err := s.client.TestAuth(ctx)
			if err != nil {
				return err
			}
			return a.printResult(greeting, func() { fmt.Fprintln(a.stdout, model.Clean(greeting.Message)) })
		}),
	})
}
